/** How values are written in the files of PBXs; a value that a file cannot hold is refused, never changed. */

/** A value that a configuration file of that product cannot hold; the message tells the user what to do. */
export class UnwritableValue extends Error {
  override readonly name = 'UnwritableValue';
}

/**
 * A value of a line in Asterisk's `.conf` files, where `;` begins a comment, and white space at the ends is lost.
 * @param what names the value for the user
 */
export function asteriskValue(value: string, what: string): string {
  if (/[\x00-\x1f\x7f]/.test(value))
    throw new UnwritableValue(`${what} has a control character, which Asterisk’s files cannot hold.`);
  if (value === '' || value.trim() !== value)
    throw new UnwritableValue(`${what} is empty, or begins or ends with a space: choose another.`);
  // `=>` is read as the assignment, and a first `#` as a directive.
  if (/^[=>#[]/.test(value))
    throw new UnwritableValue(
      `${what} begins with ${value[0]}, which Asterisk reads otherwise: choose another.`,
    );
  return value.replaceAll('\\', '\\\\').replaceAll(';', '\\;');
}

/** The name of a section, endpoint or context. */
export function asteriskName(value: string, what: string): string {
  if (!/^[A-Za-z0-9_.-]{1,60}$/.test(value))
    throw new UnwritableValue(`${what} may have letters, digits, _, . and - only, at most 60.`);
  return value;
}

/** A word of an IOS command, where `?` asks for help and a space ends the word. */
export function iosWord(value: string, what: string): string {
  if (!/^[\x21-\x7e]{1,64}$/.test(value) || /[?"!]/.test(value))
    throw new UnwritableValue(
      `${what} has a space, ?, ! or ", or is longer than 64 characters, which IOS does not take: choose another.`,
    );
  return value;
}

const ipv4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;
const hostName =
  /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/** IPv4 or IPv6, without brackets. */
export const isAddress = (host: string): boolean =>
  ipv4.test(host) || (/^[0-9a-fA-F:.]{2,45}$/.test(host) && URL.canParse(`http://[${host}]/`));

/**
 * A host as a user types it: a name, an address, `[IPv6]`.
 * @returns undefined: it is none; a port or a URI is none either
 */
export function readHost(text: string): string | undefined {
  const host = text.trim().replace(/^\[(.*)\]$/, '$1');
  if (isAddress(host)) return host;
  // Digits and dots that are no address: a mistyped one, not a name.
  return hostName.test(host) && !/^[\d.]+$/.test(host) ? host.toLowerCase() : undefined;
}

/** For the host part of a SIP URI. */
export const inUri = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** E.164: refuses all but a plus and digits, because a dialplan reads other characters as patterns. */
export function e164(number: string): string {
  if (!/^\+[1-9]\d{2,14}$/.test(number))
    throw new UnwritableValue(`${number} is not a number in E.164, such as +14155550100.`);
  return number;
}
