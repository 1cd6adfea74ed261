import { canonicalAddress } from '../../naming/address.js';

/**
 * The Via line with `received` and `rport` of its first value set to the actual source of the request
 * (RFC 3261 §18.2.1, RFC 3581 §4). Values from the sender are dropped: they must not direct our response. `rport` is written
 * if requested or if `always` is set; `received` then too, and when the sent-by host differs.
 */
export function markSource(viaLine: string, address: string, port: number, always = false): string {
  const end = endOf(viaLine, 0, 44);
  const semicolon = endOf(viaLine, 0, 59);
  const sentByEnd = Math.min(end, semicolon);
  let marked = viaLine.slice(0, sentByEnd).trimEnd();
  let asked = always;
  for (let start = sentByEnd; start < end; ) {
    const next = endOf(viaLine, start + 1, 59);
    const stop = Math.min(next, end);
    const parameter = viaLine.slice(start + 1, stop);
    const name = nameOf(parameter);
    if (name === 'rport') asked = true;
    else if (name !== 'received' && name !== '') marked += `;${parameter.trim()}`;
    start = stop;
  }
  if (asked || sentByHost(viaLine.slice(0, sentByEnd)) !== address) marked += `;received=${address}`;
  if (asked) marked += `;rport=${port}`;
  return marked + viaLine.slice(end);
}

/** Where the character is next outside quotes, or the end of the text. */
function endOf(text: string, from: number, character: number): number {
  let quoted = false;
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === 92) i++;
      else if (c === 34) quoted = false;
    } else if (c === 34) quoted = true;
    else if (c === character) return i;
  }
  return text.length;
}

function nameOf(parameter: string): string {
  const equals = parameter.indexOf('=');
  return (equals < 0 ? parameter : parameter.slice(0, equals)).trim().toLowerCase();
}

function sentByHost(protocolAndSentBy: string): string {
  const text = protocolAndSentBy.trimEnd();
  const sentBy = text.slice(text.lastIndexOf(' ') + 1);
  if (sentBy.startsWith('[')) return canonicalAddress(sentBy.slice(1, sentBy.indexOf(']')));
  const colon = sentBy.indexOf(':');
  return colon < 0 ? sentBy : sentBy.slice(0, colon);
}
