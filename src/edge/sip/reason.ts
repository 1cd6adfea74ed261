import type { SipMessage } from './messages.js';

/** A Reason header value (RFC 3326). */
export const sipReason = (cause: number, text: string): string =>
  `SIP;cause=${cause};text="${text.replace(/[\\"\r\n]/g, ' ')}"`;

const maximumReason = 200;

/** The Reason of a message, fit to be passed on: one line, short. */
export function reasonOf(message: SipMessage): string | undefined {
  const value = message.get('Reason');
  return value === undefined || value.length > maximumReason || /[\r\n]/.test(value) ? undefined : value;
}

/** The text of a message's Reason. */
export const reasonTextOf = (message: SipMessage): string | undefined =>
  /;\s*text="([^"]*)"/.exec(reasonOf(message) ?? '')?.[1];

/** A reason phrase from one side, fit for a status line on the other. */
export function cleanPhrase(phrase: string): string | undefined {
  const clean = phrase
    .replace(/[\x00-\x1f\x7f]/g, ' ')
    .trim()
    .slice(0, 100);
  return clean === '' ? undefined : clean;
}
