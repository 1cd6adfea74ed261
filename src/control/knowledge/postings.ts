/** Where a word occurs in one passage. */
export interface Posting {
  /** Of the passage in its base, 0 to 65,535. */
  readonly position: number;
  /** Occurrences, at least 1. */
  readonly count: number;
  /** Words of the passage. */
  readonly length: number;
}

/** Position in two octets, count and length in one each. */
export const postingOctets = 4;
export const maximumPassages = 65_536;
/** The length matters for the rank by its order of magnitude. */
const lengthUnit = 4;

export function writePostings(postings: readonly Posting[]): Buffer {
  const octets = Buffer.allocUnsafe(postings.length * postingOctets);
  postings.forEach(({ position, count, length }, index) => {
    const at = index * postingOctets;
    octets.writeUInt16BE(position, at);
    octets.writeUInt8(Math.min(255, count), at + 2);
    octets.writeUInt8(Math.min(255, Math.max(1, Math.round(length / lengthUnit))), at + 3);
  });
  return octets;
}

/** Without objects: a search reads a hundred thousand of them. */
export function readPostings(
  octets: Buffer,
  from: number,
  end: number,
  visit: (position: number, count: number, length: number) => void,
): void {
  for (let at = from; at < end; at += postingOctets)
    visit(octets.readUInt16BE(at), octets[at + 2]!, octets[at + 3]! * lengthUnit);
}
