import { createHash } from 'node:crypto';

const digestOf = (monitorId: string, callId: string): Buffer =>
  createHash('sha256').update(`${monitorId} ${callId}`).digest();

/** Whether a monitor judges a call: the same answer in every process and at every attempt. */
export const isSampled = (monitorId: string, callId: string, share: number): boolean =>
  digestOf(monitorId, callId).readUInt32BE(0) < share * 2 ** 32;

/** The id of the run that judges a call, so that a call is judged once by a monitor. UUID, version 8 (RFC 9562 §5.8). */
export function runIdOf(monitorId: string, callId: string): string {
  const octets = digestOf(monitorId, callId).subarray(4, 20);
  octets[6] = (octets[6]! & 0x0f) | 0x80;
  octets[8] = (octets[8]! & 0x3f) | 0x80;
  const text = octets.toString('hex');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  );
}
