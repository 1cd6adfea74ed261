import type { ApiServer } from '../http/api-server.js';

/** What number documents are made of. */
const partsOfNumbers = /^\/v1\/(sip|trunks|personas)(\/|$)/;

/**
 * Successful changes of numbers are answered when the edges have them: a call right after the response is handled by the new
 * configuration. To be called before routes are registered.
 * @param settled resolves when the changes that are committed are in Redis
 */
export function answerAfterChanges(server: ApiServer, settled: () => Promise<void>): void {
  server.addHook('onSend', async ({ method, routeOptions }, reply, payload) => {
    const isChange = method !== 'GET' && method !== 'HEAD' && reply.statusCode < 300;
    // The change is made: an error response would make the client repeat it.
    if (isChange && partsOfNumbers.test(routeOptions.url ?? '')) await settled().catch(() => {});
    return payload;
  });
}
