import type { SipMessage } from './messages.js';

/** One DTMF digit that an INFO carries. */
export interface InfoDigit {
  /** `0` to `9`, `*`, `#`, `A` to `D`. */
  readonly digit: string;
  readonly milliseconds: number;
}

const defaultMilliseconds = 160;
/** Some receivers miss shorter tones; longer ones delay the next digit. */
const least = 80;
const most = 2_000;

/** Event codes (RFC 4733 §3.2), which some senders write instead of the digit. */
const byCode = [...'0123456789*#ABCD'];

/**
 * Reads `application/dtmf-relay` (`Signal=5`, `Duration=160`) and `application/dtmf` (the digit alone); undefined for
 * everything else, such as a hook flash.
 */
export function digitOf(info: SipMessage): InfoDigit | undefined {
  const type = (info.get('Content-Type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
  const body = info.body ?? '';
  if (type === 'application/dtmf-relay') {
    return made(field(body, 'signal'), Number.parseInt(field(body, 'duration') ?? '', 10));
  }
  if (type === 'application/dtmf') return made(field(body, 'signal') ?? body.trim(), Number.NaN);
  return undefined;
}

function made(signal: string | undefined, milliseconds: number): InfoDigit | undefined {
  const text = signal?.toUpperCase() ?? '';
  const digit = /^1[0-5]$/.test(text) ? byCode[Number(text)]! : text;
  if (!/^[0-9*#A-D]$/.test(digit)) return undefined;
  const given = milliseconds > 0 ? milliseconds : defaultMilliseconds;
  return { digit, milliseconds: Math.max(least, Math.min(most, given)) };
}

const field = (body: string, name: string): string | undefined =>
  new RegExp(`^\\s*${name}\\s*=\\s*(\\S+)\\s*$`, 'im').exec(body)?.[1];
