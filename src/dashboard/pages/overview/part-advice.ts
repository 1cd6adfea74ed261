import type { Summary } from '../../api/noc.js';

type Parts = Summary['parts'];

const lookAtEdge = 'Check its process and log, and /readyz of the edge.';

/** The effect on calls of a component that is not up, and what to do; undefined when it is up. */
export function partAdvice(name: keyof Parts, parts: Parts): string | undefined {
  const state = parts[name];
  if (state === 'up') return undefined;
  return {
    edges: edgesAdvice(parts),
    media:
      state === 'unknown'
        ? 'No edge reports the state of rtpengine.'
        : state === 'degraded'
          ? 'New calls use the other nodes. Check process, log and network of those that are down.'
          : 'New calls get 503. Restart rtpengine, or check the network between it and the edges.',
    redis:
      'Edges keep handling calls of cached numbers. Live data is missing; changes and call records wait. Restart Redis.',
    database:
      'Edges keep handling calls; their records wait in Redis. History, statistics and changes are unavailable. Restart PostgreSQL.',
  }[name];
}

function edgesAdvice({ edges, redis }: Parts): string {
  if (edges === 'down') return `No calls are accepted. ${lookAtEdge}`;
  if (edges === 'degraded') return `Some edges accept no calls. ${lookAtEdge}`;
  return redis === 'up'
    ? 'No edge is running: start one, and check its DEMARC_REDIS_URL.'
    : 'Redis, which reports them, is down; calls continue without it.';
}
