import type { Chance } from './chance.js';

const oddHeaders = [
  'Require: 100rel',
  'Require: unknown-extension',
  'Supported: 100rel,timer,replaces',
  'Session-Expires: 1;refresher=uas',
  'Session-Expires: 90;refresher=uac',
  'Min-SE: 4294967295',
  'RAck: 1 1 INVITE',
  'Replaces: x;to-tag=a;from-tag=b',
  'Refer-To: <sip:x@127.0.0.1>',
  'Subscription-State: terminated;reason=noresource',
  'Route: <sip:127.0.0.1:9;lr>',
  'Record-Route: <sip:127.0.0.1:9;lr>',
  'Max-Forwards: 0',
  'Content-Encoding: gzip',
  'Privacy: id;header',
  'X-Demarc-Call-ID: x',
  'Allow: INVITE',
  'Proxy-Authorization: Digest username="x"',
  `Identity: ${'x'.repeat(2_000)}`,
];
const oddNumbers = ['0', '4294967296', '-1', '99999999999999999999', '2147483648'];
const oddEndings = [';x="\\"', ';tag=|', '\0', '\u00e9', '<>', ',', '%00', ';lr=|a|b'];

/** The message with one line of its head changed, removed, moved or added. */
export function distorted(text: string, chance: Chance): string {
  const lines = text.split('\r\n');
  const end = lines.indexOf('');
  const at = chance.between(1, end - 1);
  const line = lines[at]!;
  switch (chance.between(0, 8)) {
    case 0:
      lines.splice(at, 1);
      break;
    case 1:
      lines.splice(at, 0, line);
      break;
    case 2:
      lines[at] = line.replace(':', ' :\t');
      break;
    case 3:
      lines[at] = line.replace(/\d+/, chance.pick(oddNumbers));
      break;
    case 4:
      lines.splice(at, 0, chance.pick(oddHeaders));
      break;
    case 5:
      lines[at] = line + chance.pick(oddEndings);
      break;
    case 6:
      lines[at] = line.slice(0, chance.between(0, line.length));
      break;
    case 7:
      lines.splice(at, 1);
      lines.splice(end - 1, 0, line);
      break;
    default:
      lines[0] = lines[0]!.replace(
        /sips?:/,
        chance.pick(['SIP:', 'sips:', 'tel:', 'sip:%00', 'sip::@', 'urn:']),
      );
  }
  return lines.join('\r\n');
}
