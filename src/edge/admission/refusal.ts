import type { EndReason } from '../../contract/call-record.js';
import { type ErrorCode, errors } from '../../errors.js';
import type { Refusal } from './admission.js';

export interface RefusalOptions {
  /** The whole truth, for the call record only. */
  readonly detail: string;
  readonly headers?: Record<string, string>;
  /** Seconds; adds Retry-After. */
  readonly retryAfter?: number;
}

const unquotable = /["\\\x00-\x1f\x7f-\uffff]/g;

/**
 * The SIP answer to one of the registered errors. Its Reason header (RFC 3326, in responses RFC 6432) carries the
 * registry's text, which names no configuration; a stranger learns nothing else.
 */
export function refuse(code: ErrorCode, endReason: EndReason, options: RefusalOptions): Refusal {
  const { sip, text } = errors[code];
  const status = sip ?? 500;
  return {
    status,
    headers: {
      Reason: `SIP;cause=${status};text="${text.replace(unquotable, '')}"`,
      ...(options.retryAfter === undefined ? {} : { 'Retry-After': String(Math.ceil(options.retryAfter)) }),
      ...options.headers,
    },
    endReason,
    detail: options.detail,
  };
}
