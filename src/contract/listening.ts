import type { SecretBox } from './secret.js';

/**
 * Audio of an active call for one person who listens. The edge publishes it and control relays it; Redis stores nothing that is
 * published, and it is sealed, because the call may be encrypted.
 */

/** Pub/sub: `sealAudio`, ten times a second, and `sealEnd` as the last message. */
export const listeningChannel = (listeningId: string): string => `demarc:listening:${listeningId}`;

/** Listening to one call ends after this time. */
export const maximumListeningSeconds = 3_600;

/** Why the edge ended it. */
export const listeningEnds = ['call_ended', 'time_limit', 'edge_stopping'] as const;
export type ListeningEnd = (typeof listeningEnds)[number];

/** A name is longer than any other part of an audit entry allows. */
export const maximumListenerName = 200;

export type ListeningMessage =
  /** G.711 μ-law, 8000 Hz: in turn an octet from the trunk and one from the agent. */
  { readonly audio: Buffer } | { readonly end: ListeningEnd };

const audioMark = 'a';
const endMark = 'e';

/** With the id, so that the message of one channel means nothing on another. */
export const sealAudio = (
  secrets: Pick<SecretBox, 'sealOctets'>,
  listeningId: string,
  audio: Buffer,
): string => secrets.sealOctets(listeningId, audioMark, audio).toString('base64');

export const sealEnd = (
  secrets: Pick<SecretBox, 'sealOctets'>,
  listeningId: string,
  end: ListeningEnd,
): string => secrets.sealOctets(listeningId, endMark, end).toString('base64');

/** Undefined: not a message of this channel. Throws `SecretError` for what another key sealed. */
export function openMessage(
  secrets: Pick<SecretBox, 'openOctets'>,
  listeningId: string,
  sealed: string,
): ListeningMessage | undefined {
  const octets = secrets.openOctets(Buffer.from(sealed, 'base64'));
  const start = listeningId.length + 1;
  const head = octets.toString('latin1', 0, start);
  const rest = octets.subarray(start);
  if (head === `${listeningId}${audioMark}`) return { audio: rest };
  const end = listeningEnds.find((each) => each === rest.toString('latin1'));
  return head === `${listeningId}${endMark}` && end !== undefined ? { end } : undefined;
}
