import { createRequire } from 'node:module';
import { registeredPhrases } from '../../../sip/status.js';

/**
 * Completes the table of `sip-status`, in which drachtio-srf looks up every status that it sends, with codes registered since:
 * without its entry `send` throws, for 607 Unwanted (RFC 8197) and 608 Rejected (RFC 8688) among others.
 */
export function registerStatusCodes(): void {
  const load = createRequire(import.meta.url);
  const table = createRequire(load.resolve('drachtio-srf'))('sip-status') as Record<number, string>;
  for (const [status, phrase] of Object.entries(registeredPhrases)) table[Number(status)] ??= phrase;
}
