import { warnings } from '../../errors.js';
import type { ApiServer } from '../http/api-server.js';
import type { Warning } from '../numbers/warnings.js';

/** What number documents are made of. */
const partsOfNumbers = /^\/v1\/((sip|trunks|personas)(\/|$)|pathways\/:id\/(inbound|versions\/promote))/;

const notConfirmed: Warning = {
  phone_number: null,
  warning: 'CHANGE_NOT_CONFIRMED',
  message: `${warnings.CHANGE_NOT_CONFIRMED.text}: until they have it, calls follow the previous configuration, usually for a few seconds.`,
};

interface Answer {
  readonly data?: { readonly warnings?: readonly Warning[] } | null;
}

/**
 * Successful changes of numbers are answered when the edges have them, so that a call right after the response is handled by the
 * new configuration; a response with `warnings` reports when that was not confirmed. To be called before routes are registered.
 * @param settled true once all edges have the committed changes
 */
export function answerAfterChanges(server: ApiServer, settled: () => Promise<boolean>): void {
  server.addHook<Answer>('preSerialization', async ({ method, routeOptions }, reply, payload) => {
    const { url = '', config } = routeOptions;
    const isChange = method !== 'GET' && method !== 'HEAD' && config.access !== 'read';
    if (!isChange || reply.statusCode >= 300 || !partsOfNumbers.test(url)) return payload;
    // The change is made: an error response would make the client repeat it.
    const isConfirmed = await settled().catch(() => false);
    const warnings = payload.data?.warnings;
    if (isConfirmed || warnings === undefined) return payload;
    return { ...payload, data: { ...payload.data, warnings: [...warnings, notConfirmed] } };
  });
}
