import type { FastifyReply, FastifyRequest } from 'fastify';
import { DemarcError } from '../../errors.js';
import type { ApiServer } from './api-server.js';

type Limit = ReturnType<ApiServer['createRateLimit']>;

interface LimitText {
  /** What is limited, for the error. */
  readonly of?: string;
  /** False: the headers show another limit as long as this one is not exceeded. */
  readonly isShown?: boolean;
}

/** Counts the request and sets the `X-RateLimit-*` headers. Throws `DemarcError` `TOO_MANY_REQUESTS`, with Retry-After. */
export async function enforce(
  limit: Limit,
  request: FastifyRequest,
  reply: FastifyReply,
  { of, isShown = true }: LimitText = {},
): Promise<void> {
  const state = await limit(request);
  if (state.isAllowed || !(isShown || state.isExceeded)) return;
  const seconds = String(Math.max(1, state.ttlInSeconds));
  reply
    .header('x-ratelimit-limit', String(state.max))
    .header('x-ratelimit-remaining', String(Math.max(0, state.remaining)))
    .header('x-ratelimit-reset', seconds);
  if (!state.isExceeded) return;
  reply.header('retry-after', seconds);
  throw new DemarcError(
    'TOO_MANY_REQUESTS',
    `the limit${of === undefined ? '' : ` of ${of}`} is ${state.max} requests ${windowText(state.timeWindow)}`,
  );
}

function windowText(milliseconds: number): string {
  if (milliseconds === 86_400_000) return 'a day';
  if (milliseconds > 60_000) return `in ${milliseconds / 60_000} minutes`;
  return milliseconds === 60_000 ? 'a minute' : 'a second';
}
