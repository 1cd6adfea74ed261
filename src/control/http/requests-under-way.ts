import type { FastifyReply, FastifyRequest } from 'fastify';
import { DemarcError } from '../../errors.js';

/** Dashboards hold some for long, programs many for a moment; each answer that nobody reads stays in memory. */
const usualMaximum = 100;

/**
 * Counts the requests of each key that are not answered to their end. What it returns counts one, once its caller is known;
 * that throws `DemarcError` `TOO_MANY_REQUESTS`, with Retry-After.
 */
export function limitRequestsUnderWay(
  requestsPerSecond: number,
): (request: FastifyRequest, reply: FastifyReply) => void {
  // Whoever may ask for more in a second may also wait for as many.
  const maximum = Math.max(usualMaximum, requestsPerSecond);
  const counts = new Map<string, number>();
  return ({ caller: { keyId } }, reply) => {
    const { raw } = reply;
    // Already closed: the close event will not fire again.
    if (raw.destroyed) return;
    const count = counts.get(keyId) ?? 0;
    if (count >= maximum) {
      reply.header('retry-after', '1');
      throw new DemarcError('TOO_MANY_REQUESTS', `${maximum} responses to this key are still in progress`);
    }
    counts.set(keyId, count + 1);
    const forget = (): void => {
      raw.off('finish', forget);
      raw.off('close', forget);
      const left = (counts.get(keyId) ?? 1) - 1;
      if (left === 0) counts.delete(keyId);
      else counts.set(keyId, left);
    };
    raw.on('finish', forget);
    raw.on('close', forget);
  };
}
