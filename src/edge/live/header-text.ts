/** Header values of strangers: as long as a person reads, and no longer. */
export const maximumText = 256;

/**
 * A From or To header in at most 256 characters. A long display name is cut, and not the URI behind it: its number is how the call is
 * recognized.
 */
export function headerText(header: string): string {
  if (header.length <= maximumText) return header;
  const start = Math.max(0, header.lastIndexOf('<'));
  const uri = header.slice(start);
  const room = maximumText - uri.length - '"…" '.length;
  if (start === 0 || room < 1) return uri.slice(0, maximumText);
  const name = header.slice(0, start).trim().replace(/^"|"$/g, '');
  // A quoted pair is not cut in two (RFC 3261 §25.1), and neither is a character of two units.
  const cut = name.slice(0, room).replace(/(?:\\+|[\ud800-\udbff])$/, '');
  return `"${cut}…" ${uri}`;
}
