import { DemarcError } from '../../../errors.js';

/** First and last octet, both included. */
export interface OctetRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The range that a `Range` header asks for (RFC 9110 §14.1.2). Undefined: the whole, also for several ranges and units that are not
 * supported. Throws `DemarcError` `RANGE_NOT_SATISFIABLE` when it begins behind the end.
 */
export function rangeOf(header: string | undefined, length: number): OctetRange | undefined {
  const [, from = '', to = ''] = /^\s*bytes\s*=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const range =
    from === ''
      ? { first: Math.max(0, length - Number(to)), last: length - 1 }
      : { first: Number(from), last: to === '' ? length - 1 : Math.min(Number(to), length - 1) };
  // A range that ends before it begins is no range, and ignored.
  if (to !== '' && from !== '' && Number(to) < Number(from)) return undefined;
  if (range.first > range.last)
    throw new DemarcError('RANGE_NOT_SATISFIABLE', `${header!.trim().slice(0, 64)} of ${length} octets`);
  return range;
}
