import type { CapturedMessage } from './captured-message.js';

/**
 * Whether nothing more is to be expected of a leg whose call has ended: every request has its final response, every final
 * response to an INVITE its ACK (RFC 3261 §17.1.1.3, §13.2.2.4), and what was answered was hung up.
 */
export function isWholeLeg(messages: readonly CapturedMessage[]): boolean {
  const asked = new Set<string>();
  const answered = new Set<string>();
  const owedAcks = new Set<string>();
  const acks = new Set<string>();
  let isUp = false;
  let isHungUp = false;
  for (const { bytes } of messages) {
    const headEnd = bytes.indexOf('\r\n\r\n', 0, 'latin1');
    const head = bytes.toString('latin1', 0, headEnd < 0 ? bytes.length : headEnd);
    const [, sequence, method] = /\ncseq[ \t]*:[ \t]*(\d+)[ \t]+(\w+)/i.exec(head) ?? [];
    if (sequence === undefined || method === undefined) continue;
    // Each side counts its own requests; From tells them apart.
    const from = /\n(?:from|f)[ \t]*:.*?;[ \t]*tag[ \t]*=[ \t]*([^;\s,]+)/i.exec(head)?.[1] ?? '';
    const number = `${from} ${sequence}`;
    const transaction = `${number} ${method}`;
    const status = /^SIP\/2\.0 (\d{3})/.exec(head)?.[1];
    if (status === undefined) {
      if (method === 'ACK') acks.add(number);
      else asked.add(transaction);
      if (method === 'BYE') isHungUp = true;
    } else if (!status.startsWith('1')) {
      answered.add(transaction);
      if (method !== 'INVITE') continue;
      owedAcks.add(number);
      if (status.startsWith('2')) isUp = true;
    }
  }
  if (isUp && !isHungUp) return false;
  return [...asked].every((one) => answered.has(one)) && [...owedAcks].every((one) => acks.has(one));
}
