import { standardOutput } from '../base/log-destination.js';
import type { EdgeParts } from './edge-parts.js';
import type { ReadinessPart } from './http.js';
import type { EdgeFacts } from './live/live-publisher.js';
import { callSamples } from './live/live-view.js';
import type { EdgeCounts, EdgeMetricSources } from './metrics.js';

/** State of the edge for Prometheus, supervisors and the dashboard. */
export function countsOf({ table, engine, admission, watch, pool, stream }: EdgeParts): EdgeCounts {
  return {
    calls: table.size,
    ending: table.ending,
    dialogs: engine.dialogCount,
    admitted: admission.activeCalls,
    watched: watch.size,
    owedDeletions: pool.owedDeletions,
    recordsWaiting: stream.waiting,
  };
}

export function factsOf({ engine, pool, trunks, stream, takeovers, isDraining }: EdgeParts): EdgeFacts {
  return {
    draining: isDraining(),
    engine: {
      up: engine.isResponsive,
      kind: engine.isEmbedded ? 'embedded' : 'drachtio',
      listeners: engine.advertised,
      addresses: [...engine.advertisedListeners],
    },
    rtpengine: pool.states().map(({ name, state, owed, version, roundTripMilliseconds }) => ({
      name,
      state,
      version,
      round_trip_milliseconds: roundTripMilliseconds,
      owed_deletions: owed,
    })),
    redis: trunks.state(),
    takeovers,
    recordsWaiting: stream.waiting,
    owedDeletions: pool.owedDeletions,
  };
}

export function metricSourcesOf(parts: EdgeParts): Omit<EdgeMetricSources, 'otherEdges'> {
  const {
    table,
    pool,
    engine,
    trunks,
    stream,
    traces,
    prober,
    registrations,
    admission,
    streams,
    calls,
    isDraining,
  } = parts;
  return {
    counts: () => countsOf(parts),
    calls: () => callSamples(table),
    nodes: () => pool.states(),
    isEngineUp: () => engine.isResponsive,
    isRedisUp: () => trunks.isConnected,
    isDraining,
    malformedDocuments: () => trunks.malformed,
    recordsLost: () => stream.lost,
    forwarded: () => traces.forwarded,
    probedEndpoints: () => prober.size,
    streamProcesses: () => streams.usable,
    listeners: () => calls.listenings.size,
    setups: () => admission.setups,
    registrations: () => {
      const { size, registered } = registrations;
      return { registered, not_registered: size - registered };
    },
  };
}

/** The parts that the edge needs to take calls. */
export function readinessOf({
  engine,
  pool,
  trunks,
  stream,
  agentReach,
}: EdgeParts): readonly ReadinessPart[] {
  const nodes = (): string =>
    pool
      .states()
      .map(({ name, state }) => `${name} ${state}`)
      .join(', ');
  const listeners = (): string => {
    if (!engine.isUp) return 'not connected';
    return engine.isResponsive ? engine.advertised.join(', ') : 'does not answer';
  };
  return [
    { name: 'engine', state: () => ({ ready: engine.isResponsive, detail: listeners() }) },
    { name: 'agent', state: () => agentReach.state() },
    { name: 'rtpengine', state: () => ({ ready: pool.isUsable, detail: nodes() }) },
    { name: 'redis', state: () => trunks.state() },
    // A full disk must not prevent calls.
    { name: 'disk', state: () => ({ ready: true, detail: diskDetail(stream.diskFailure, stream.waiting) }) },
  ];
}

function diskDetail(refused: string | undefined, waiting: number): string {
  const { failure, dropped } = standardOutput;
  const problems = [
    ...(failure === undefined ? [] : [`dropping log lines: ${failure} (${dropped} since startup)`]),
    ...(refused === undefined ? [] : [`${waiting} call records waiting in memory: ${refused}`]),
  ];
  return problems.length === 0 ? 'writable' : problems.join('; ');
}
