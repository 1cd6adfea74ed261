import { type CapturedMessage, factsOf } from './captured-message.js';

/**
 * True when no further message is due on a leg whose call has ended: every request has its final response, every final
 * response to an INVITE its ACK (RFC 3261 §17.1.1.3, §13.2.2.4), and an answered call its BYE.
 */
export function isWholeLeg(messages: readonly CapturedMessage[]): boolean {
  const asked = new Set<string>();
  const answered = new Set<string>();
  const owedAcks = new Set<string>();
  const acks = new Set<string>();
  let isUp = false;
  let isHungUp = false;
  for (const message of messages) {
    const { cseq, status, fromTag = '' } = factsOf(message);
    if (cseq === undefined) continue;
    const { method } = cseq;
    // Each side counts its own requests; the From tag tells them apart.
    const number = `${fromTag} ${cseq.number}`;
    const transaction = `${number} ${method}`;
    if (status === undefined) {
      if (method === 'ACK') acks.add(number);
      else asked.add(transaction);
      if (method === 'BYE') isHungUp = true;
    } else if (status >= 200) {
      answered.add(transaction);
      if (method !== 'INVITE') continue;
      owedAcks.add(number);
      if (status < 300) isUp = true;
    }
  }
  if (isUp && !isHungUp) return false;
  return [...asked].every((each) => answered.has(each)) && [...owedAcks].every((each) => acks.has(each));
}
