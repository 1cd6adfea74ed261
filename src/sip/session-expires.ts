/** The intervals and the header of session timers (RFC 4028), for the engine, which runs them, and the edge, which agrees on them. */

/** RFC 4028 §4: no session interval is shorter. */
export const minimumSessionSeconds = 90;

/** No peer may make us hold a session for longer without a sign of life. */
export const maximumSessionSeconds = 86_400;

/** A 422 may ask for a longer interval; a peer that answers so again and again is refused. */
export const maximumIntervalRaises = 4;

export interface SessionExpires {
  /** Seconds. */
  readonly interval: number;
  readonly refresher: 'uac' | 'uas' | undefined;
}

/** Reads a Session-Expires header (RFC 4028 §4). Undefined: there is none, or it is not valid. */
export function parseSessionExpires(value: string | undefined): SessionExpires | undefined {
  const match = /^\s*(\d{1,9})\s*(?:;(.*))?$/.exec(value ?? '');
  if (match === null) return undefined;
  const refresher = /(?:^|;)\s*refresher\s*=\s*(ua[cs])\s*(?:;|$)/i.exec(match[2] ?? '')?.[1]?.toLowerCase();
  return { interval: Number(match[1]), refresher: refresher as SessionExpires['refresher'] };
}
