import { z } from 'zod';
import { warnings } from '../../errors.js';
import type { ApiServer } from '../http/api-server.js';
import { type Warning, warningsSchema } from '../numbers/warnings.js';

const notConfirmed: Warning = {
  phone_number: null,
  warning: 'CHANGE_NOT_CONFIRMED',
  message: `${warnings.CHANGE_NOT_CONFIRMED.text}: until they have it, calls follow the previous configuration, usually for a few seconds.`,
};

/** Other resources have `warnings`, too, of other kinds. */
function warnsAboutNumbers(schema: { readonly response?: unknown } | undefined): boolean {
  const body = (schema?.response as Readonly<Record<number, unknown>> | undefined)?.[200];
  const data = body instanceof z.ZodObject ? body.shape.data : undefined;
  return data instanceof z.ZodObject && data.shape.warnings === warningsSchema;
}

interface Answer {
  readonly data?: { readonly warnings?: readonly Warning[] } | null;
}

/**
 * Successful changes of numbers are answered when the edges have them, so that a call right after the response is handled by the
 * new configuration; the response reports when that was not confirmed. A route whose changes reach the documents of numbers has
 * `warnings` of `warningsSchema` in its response. To be called before routes are registered.
 * @param settled true once all edges have the committed changes
 */
export function answerAfterChanges(server: ApiServer, settled: () => Promise<boolean>): void {
  server.addHook<Answer>('preSerialization', async ({ method, routeOptions }, reply, payload) => {
    const isChange = method !== 'GET' && method !== 'HEAD' && routeOptions.config.access !== 'read';
    const warnings = payload.data?.warnings;
    if (!isChange || reply.statusCode >= 300 || warnings === undefined) return payload;
    if (!warnsAboutNumbers(routeOptions.schema)) return payload;
    // The change is made: an error response would make the client repeat it.
    if (await settled().catch(() => false)) return payload;
    return { ...payload, data: { ...payload.data, warnings: [...warnings, notConfirmed] } };
  });
}
