import { sql } from 'kysely';
import { z } from 'zod';
import { SharedRead } from '../../base/shared-read.js';
import { TimedCache } from '../../base/timed-cache.js';
import { withinOrThrow } from '../../base/within.js';
import type { EdgeHealthUrl } from '../../config/control-settings.js';
import { labelSamples, mergeExpositions, readExposition } from '../../metrics/merge.js';
import { mayReadMetrics, metricsRefusal } from '../../metrics/metrics-token.js';
import type { ApiServer, ControlDeps } from '../http/api-server.js';
import type { ControlMetrics } from '../metrics.js';

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
/** A page of metrics costs tens of milliseconds here and at the edge and needs no key: frequent requests get the same page. */
const pageMilliseconds = 500;

/**
 * Health for supervisors and the NOC, without an API key: `/livez` is 200 while the process turns; `/readyz` is 200 when changes
 * are taken and reach the edges, else 503, and lists each part. With addresses of edges their parts are listed as well, one of
 * them must be ready, and their metrics stand in `/metrics` beside ours. With `DEMARC_METRICS_TOKEN` set, `/metrics` and the parts of
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
  const components = new SharedRead(pauseMilliseconds, () =>
    Promise.all([
      databaseState(database),
      Promise.all(settings.edgeHealth.map((edge) => edgeStates(edge, settings.metricsToken))),
    ]),
  );
  server.get('/readyz', hidden, async ({ headers }, reply) => {
    const [ofDatabase, ofEdges] = await components.get();
    const own = [ofDatabase, ...parts.map((part) => ({ name: part.name, ...part.state() }))];
    const states = [...own, ...ofEdges.flat()];
    // Calls need one edge.
    const takesCalls = ofEdges.length === 0 || ofEdges.some((edge) => edge.every(({ ready }) => ready));
    const isReady = takesCalls && own.every(({ ready }) => ready);
    const mayRead = mayReadMetrics(settings.metricsToken, headers.authorization);
    return reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? 'ready' : 'not ready', ...(mayRead ? { parts: states } : {}) });
  });
  const pages = new TimedCache<string>(pageMilliseconds);
  const readPage = async (): Promise<string> => {
    const { edgeHealth, metricsToken } = settings;
    const [own, ...ofEdges] = await Promise.all([
      metrics.registry.metrics(),
      ...edgeHealth.map(({ url }) =>
        readExposition(new URL('/metrics', url).href, probeMilliseconds, metricsToken),
      ),
    ]);
    if (edgeHealth.length < 2) return mergeExpositions([own, ...ofEdges]);
    const labelled = ofEdges.map((page, index) => labelSamples(page, 'edge', edgeHealth[index]!.name));
    return mergeExpositions([own, ...labelled]);
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

/** The parts as the edge tells them, each name behind the edge's. */
async function edgeStates({ name, url }: EdgeHealthUrl, token: string | undefined): Promise<PartState[]> {
  try {
    const answer = await fetch(new URL('/readyz', url), {
      signal: AbortSignal.timeout(probeMilliseconds),
      ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    });
    const { status, parts } = edgeReadinessSchema.parse(await answer.json());
    return [
      { name, ready: answer.ok, detail: status },
      ...parts.map((part) => ({ ...part, name: `${name} ${part.name}` })),
    ];
  } catch {
    return [{ name, ready: false, detail: 'does not answer' }];
  }
}
