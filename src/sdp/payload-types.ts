import { codecsOf, type MediaDescription } from './sdp.js';

/** One side's payload type numbers for another's. */
export type Renumbering = ReadonlyMap<string, string>;

/**
 * An answerer may give a codec another number than the offer (RFC 3264 §6.1: each side sends with the numbers of the other).
 * rtpengine passes such packets but omits the codec from the description, so it gets the offer's numbers.
 * @returns for each codec with another number in the answer: the answer's number, and the offer's
 */
export function renumbering(answered: MediaDescription, offered: MediaDescription): Renumbering {
  const free = [...codecsOf(offered)];
  const numbers = new Map<string, string>();
  for (const codec of codecsOf(answered)) {
    const isSame = (candidate: (typeof free)[number]): boolean =>
      candidate.name === codec.name && candidate.clockRate === codec.clockRate;
    const exact = free.findIndex((each) => isSame(each) && each.payloadType === codec.payloadType);
    const at = exact >= 0 ? exact : free.findIndex(isSame);
    if (at < 0) continue;
    const [match] = free.splice(at, 1);
    if (match!.payloadType !== codec.payloadType) numbers.set(codec.payloadType, match!.payloadType);
  }
  return numbers;
}

/** The same for the other direction. */
export const inverse = (numbers: Renumbering): Renumbering =>
  new Map([...numbers].map(([from, to]) => [to, from]));

/** A description of a single audio line with other numbers. */
export function renumber(sdp: string, numbers: Renumbering): string {
  if (numbers.size === 0) return sdp;
  const renumbered = (payloadType: string): string => numbers.get(payloadType) ?? payloadType;
  return sdp
    .replace(
      /^(m=audio \S+ \S+)((?: \d+)+)/m,
      (_line, place: string, formats: string) =>
        `${place} ${formats.trim().split(' ').map(renumbered).join(' ')}`,
    )
    .replace(
      /^a=(rtpmap|fmtp|rtcp-fb):(\d+)/gm,
      (_line, kind: string, payloadType: string) => `a=${kind}:${renumbered(payloadType)}`,
    );
}
