import type { Summary } from '../api/noc.js';

type Parts = Summary['parts'];

const lookAtEdge = 'Look at its process and its log, and at /readyz of the edge.';

/** What it means for calls that a part is not up, and what to do; undefined: it is up. */
export function partAdvice(name: keyof Parts, parts: Parts): string | undefined {
  const state = parts[name];
  if (state === 'up') return undefined;
  return {
    edges: edgesAdvice(parts),
    media:
      state === 'unknown'
        ? 'The edges tell how rtpengine is; none does now.'
        : state === 'degraded'
          ? 'New calls use the nodes that answer. Look at the others: process, log, network.'
          : 'New calls are refused with 503. Start rtpengine again, or look at the network between it and the edges.',
    redis:
      'Edges go on with calls and the numbers they know; live figures are missing, changes and call records wait. Start Redis again.',
    database:
      'Edges go on with calls, whose records wait in Redis; history, figures and changes are missing. Start PostgreSQL again.',
  }[name];
}

function edgesAdvice({ edges, redis }: Parts): string {
  if (edges === 'down') return `No call is taken. ${lookAtEdge}`;
  if (edges === 'degraded') return `Not every edge takes calls. ${lookAtEdge}`;
  return redis === 'up'
    ? 'None has been heard of: start one, and look at its DEMARC_REDIS_URL.'
    : 'They are heard of through Redis, which is away; calls go on without it.';
}
