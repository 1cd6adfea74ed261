import { isToken } from './text.js';

/** RFC 3261 §20.16. */
export interface CSeq {
  /** 0 to 2³¹−1. */
  number: number;
  method: string;
}

/** Undefined when malformed or when the number is 2³¹ or more (RFC 3261 §8.1.1.5). */
export function parseCSeq(value: string): CSeq | undefined {
  const match = /^(\d{1,64})[ \t]+(\S+)$/.exec(value);
  if (match === null) return undefined;
  const number = Number(match[1]);
  const method = match[2]!;
  return number < 2 ** 31 && isToken(method) ? { number, method } : undefined;
}
