import { sql } from 'kysely';
import { z } from 'zod';
import { SharedRead } from '../../base/shared-read.js';
import { TimedCache } from '../../base/timed-cache.js';
import { withinOrThrow } from '../../base/within.js';
import { mergeExpositions, readExposition } from '../../metrics/merge.js';
import { mayReadMetrics, metricsRefusal } from '../../metrics/metrics-token.js';
import type { ControlMetrics } from '../metrics.js';
import type { ApiServer, ControlDeps } from './api-server.js';

/** A component whose state counts towards readiness. */
export interface HealthPart {
  readonly name: string;
  /** Cheap and synchronous: called for every probe. */
  state(): { readonly ready: boolean; readonly detail: string };
}

const partStateSchema = z.object({ name: z.string(), ready: z.boolean(), detail: z.string() });
type PartState = z.infer<typeof partStateSchema>;

/** An edge's `/readyz` response. */
const edgeReadinessSchema = z.object({ status: z.string(), parts: z.array(partStateSchema).default([]) });

const probeMilliseconds = 2_000;
/** Probes need no key: however many come, the edge and the database are asked twenty times a second at most. */
const pauseMilliseconds = 50;
/** A page of metrics costs tens of milliseconds here and at the edge, and needs no key: whoever asks for many gets the same one. */
const pageMilliseconds = 500;

/**
 * Health for supervisors and the NOC, without an API key: `/livez` is 200 while the process turns; `/readyz` is 200 when changes
 * are taken and reach the edges, else 503, and lists each part. With an edge's address its parts are listed as well, its
 * readiness counts, and its metrics stand in `/metrics` beside ours. With `DEMARC_METRICS_TOKEN` set, `/metrics` and the parts of
 * `/readyz` need it: strangers learn the status alone.
 */
export function registerHealth(
  server: ApiServer,
  { database, settings }: ControlDeps,
  parts: readonly HealthPart[],
  metrics: ControlMetrics,
): void {
  const hidden = { schema: { hide: true } };
  server.get('/livez', hidden, async () => ({ status: 'ok' }));
  const others = new SharedRead(pauseMilliseconds, () =>
    Promise.all([
      databaseState(database),
      settings.edgeHealthUrl === undefined ? [] : edgeStates(settings.edgeHealthUrl, settings.metricsToken),
    ]),
  );
  server.get('/readyz', hidden, async ({ headers }, reply) => {
    const [ofDatabase, ofEdge] = await others.get();
    const states = [ofDatabase, ...parts.map((part) => ({ name: part.name, ...part.state() })), ...ofEdge];
    const isReady = states.every(({ ready }) => ready);
    const mayRead = mayReadMetrics(settings.metricsToken, headers.authorization);
    return reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? 'ready' : 'not ready', ...(mayRead ? { parts: states } : {}) });
  });
  const edgeMetricsUrl =
    settings.edgeHealthUrl === undefined ? undefined : new URL('/metrics', settings.edgeHealthUrl).href;
  const pages = new TimedCache<string>(pageMilliseconds);
  const readPage = async (): Promise<string> => {
    const own = metrics.registry.metrics();
    return mergeExpositions(
      await Promise.all([own, readExposition(edgeMetricsUrl, probeMilliseconds, settings.metricsToken)]),
    );
  };
  server.get('/metrics', hidden, async ({ headers }, reply) => {
    if (mayReadMetrics(settings.metricsToken, headers.authorization)) {
      return reply.type(metrics.registry.contentType).send(await pages.get('', readPage));
    }
    return reply.code(401).header('www-authenticate', 'Bearer').send(metricsRefusal);
  });
}

async function databaseState(database: ControlDeps['database']): Promise<PartState> {
  const name = 'database';
  // Probes time out sooner than a statement does.
  return withinOrThrow(probeMilliseconds, sql`select 1`.execute(database), 'does not answer').then(
    () => ({ name, ready: true, detail: 'answers' }),
    (error: Error) => ({ name, ready: false, detail: error.message }),
  );
}

/** The parts as the edge tells them, each name behind `edge `. */
async function edgeStates(url: string, token: string | undefined): Promise<PartState[]> {
  try {
    const answer = await fetch(new URL('/readyz', url), {
      signal: AbortSignal.timeout(probeMilliseconds),
      ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    });
    const { status, parts } = edgeReadinessSchema.parse(await answer.json());
    return [
      { name: 'edge', ready: answer.ok, detail: status },
      ...parts.map((part) => ({ ...part, name: `edge ${part.name}` })),
    ];
  } catch {
    return [{ name: 'edge', ready: false, detail: 'does not answer' }];
  }
}
