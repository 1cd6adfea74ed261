import { type Kysely, sql } from 'kysely';
import type { Redis } from '../base/redis.js';
import { version } from '../config/version.js';
import { healthStream } from '../contract/health.js';
import { callStream } from '../contract/keys.js';
import { bounded, RoleMetrics, type Sample } from '../metrics/role-metrics.js';
import { countAllActive } from './alerts/index.js';
import type { Database } from './database/tables.js';
import { secondsOfOldestDue } from './deliveries/due-deliveries.js';
import { callersWithoutContact } from './parties/contact-bounds.js';
import { consumerGroup, readPosition } from './streams/stream-position.js';

/** What is read when Prometheus asks; nothing until control is put together. */
export interface ControlMetricSources {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
  readonly states: () => readonly { readonly name: string; readonly ready: boolean }[];
  /** When the certificate of the HTTP listener expires, Unix milliseconds; undefined: it has none. */
  readonly certificateExpiresAt: () => number | undefined;
}

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'] as const;
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
interface Lag {
  readonly entries: number;
  readonly seconds: number;
}

const maximumCounted = 1_000;
/** A server is counted with what its last check found; one that nothing checks any more is not counted. */
const freshSeconds = 600;

/** Control's numbers for Prometheus. */
export class ControlMetrics extends RoleMetrics {
  /** Set once, when control is composed. */
  sources: ControlMetricSources | undefined;
  private watchers: () => number = () => 0;

  private readonly requests = this.counter({
    name: 'demarc_http_requests_total',
    help: 'HTTP requests answered by the API and the dashboard.',
    labels: {
      method: `${methods.join(', ')}, other`,
      route: 'route as in the reference, with parameter names instead of values; none: unknown path',
      status: 'HTTP status',
    },
  });
  private readonly durations = this.histogram(
    {
      name: 'demarc_http_request_duration_seconds',
      help: 'From a request to the end of its response, without event streams.',
      labels: { route: 'as above' },
    },
    requestSeconds,
  );

  private readonly spans = this.counter({
    name: 'demarc_spans_total',
    help: 'OpenTelemetry spans for the receiver at DEMARC_OTLP_URL.',
    labels: { result: 'sent, dropped (too many waited, or the receiver refused them)' },
  });
  private readonly traces = this.counter({
    name: 'demarc_traces_stored_total',
    help: 'Traces of ended calls with DEMARC_TRACE_STORE=s3, by where they were stored.',
    labels: { result: 'moved to the object store, kept in PostgreSQL (the store did not respond)' },
  });
  private readonly dropped = this.counter({
    name: 'demarc_deliveries_dropped_total',
    help: 'Deliveries that failed unsent because too many waited for their receiver, or because the receiver did not respond for days.',
  });

  constructor() {
    super('control');
    this.gauge(
      { name: 'demarc_control_info', help: 'Always 1.', labels: { version: 'version of the program' } },
      () => [{ labels: { version }, value: 1 }],
    );
    this.gauge(
      {
        name: 'demarc_control_part_ready',
        help: '1 if the component is ready, as in /readyz.',
        labels: { part: 'component names as in /readyz' },
      },
      () =>
        (this.sources?.states() ?? []).map(({ name, ready }) => ({
          labels: { part: name },
          value: ready ? 1 : 0,
        })),
    );
    this.gauge(
      {
        name: 'demarc_http_certificate_expiry_seconds',
        help: 'Unix time at which the certificate of API and dashboard expires; absent without TLS.',
      },
      () => {
        const expiresAt = this.sources?.certificateExpiresAt();
        return expiresAt === undefined ? [] : [{ value: expiresAt / 1_000 }];
      },
    );
    this.gauge({ name: 'demarc_event_streams', help: 'Open streams of /v1/noc/events.' }, () =>
      this.watchers(),
    );
    this.gaugesOfStreams();
    this.gaugesOfDatabase();
  }

  /** `count`: connections of `/v1/noc/events`. */
  countWatchers(count: () => number): void {
    this.watchers = count;
  }

  /** Counts a request when its answer is out. `route` is the pattern it matched. */
  answered(
    method: string,
    route: string | undefined,
    status: number,
    seconds: number,
    isStream: boolean,
  ): void {
    const label = route ?? 'none';
    this.requests.inc({ method: bounded(method, methods), route: label, status: String(status) });
    if (!isStream) this.durations.observe({ route: label }, seconds);
  }

  countSpans(result: 'sent' | 'dropped', spans: number): void {
    this.spans.inc({ result }, spans);
  }

  countTraces(result: 'moved' | 'kept', traces: number): void {
    if (traces > 0) this.traces.inc({ result }, traces);
  }

  deliveriesDropped(count: number): void {
    if (count > 0) this.dropped.inc(count);
  }

  private gaugesOfStreams(): void {
    const streams = [
      ['calls', () => this.lagOfCalls()],
      ['health', () => this.lagOfChecks()],
    ] as const;
    const labels = { stream: 'calls (call records), health (health checks of servers)' };
    const read = (field: keyof Lag) => async () => {
      const lags = await Promise.allSettled(streams.map(([, lag]) => lag()));
      return lags.flatMap((lag, index) =>
        lag.status === 'rejected'
          ? []
          : [{ labels: { stream: streams[index]![0] }, value: lag.value[field] }],
      );
    };
    this.gauge(
      {
        name: 'demarc_stream_lag_entries',
        help: `Entries of a Redis stream that are not stored yet; for health checks at most ${maximumCounted}.`,
        labels,
      },
      read('entries'),
    );
    this.gauge(
      {
        name: 'demarc_stream_lag_seconds',
        help: 'Age of the oldest entry that is not stored yet; 0: none.',
        labels,
      },
      read('seconds'),
    );
  }

  private gaugesOfDatabase(): void {
    this.gauge(
      { name: 'demarc_projection_waiting', help: 'Number changes not yet written to Redis.' },
      async () => [{ value: await this.count(sql`select count(*) as count from projection_outbox`) }],
    );
    this.gauge(
      {
        name: 'demarc_trunk_servers',
        help: "Customers' servers by the result of their last health check.",
        labels: { status: 'healthy, unreachable' },
      },
      async () =>
        this.grouped(
          'status',
          ['healthy', 'unreachable'],
          sql`
        select health->>'status' as name, count(*) as count from server_checks
        where checked_at > now() - make_interval(secs => ${freshSeconds}) group by 1`,
        ),
    );
    this.gauge({ name: 'demarc_active_alerts', help: 'Alerts that have not recovered.' }, async () => [
      { value: await countAllActive(this.deps.database) },
    ]);
    this.gauge(
      { name: 'demarc_deliveries_pending', help: 'Emails, SMS and webhooks waiting for delivery.' },
      async () => [
        { value: await this.count(sql`select count(*) as count from deliveries where status = 'pending'`) },
      ],
    );
    this.gauge(
      {
        name: 'demarc_delivery_oldest_seconds',
        help: 'Time for which the oldest due delivery of a receiver that is not paused has waited; 0: none is late.',
      },
      async () => [{ value: await secondsOfOldestDue(this.deps.database) }],
    );
    this.gauge(
      {
        name: 'demarc_delivery_receivers_paused',
        help: 'Receivers paused because they do not respond: control tries one delivery at a time, and the others wait.',
      },
      async () => [
        {
          value: await this.count(
            sql`select count(*) as count from silent_receivers where paused_until is not null`,
          ),
        },
      ],
    );
    this.gauge(
      {
        name: 'demarc_callers_without_contact',
        help: 'Calls of today (UTC) without a contact: their numbers had too many new callers.',
      },
      async () => [{ value: await callersWithoutContact(this.deps.database) }],
    );
    this.gauge(
      {
        name: 'demarc_numbers',
        help: 'Attached numbers, by direction.',
        labels: { direction: 'inbound, outbound' },
      },
      async () =>
        this.grouped(
          'direction',
          ['inbound', 'outbound'],
          sql`
        select direction as name, count(distinct number) as count from configurations group by 1`,
        ),
    );
  }

  private async count(query: ReturnType<typeof sql>): Promise<number> {
    const { rows } = await query.execute(this.deps.database);
    return Number((rows[0] as { count: string }).count);
  }

  private async grouped(
    label: string,
    values: readonly string[],
    query: ReturnType<typeof sql>,
  ): Promise<Sample[]> {
    const { rows } = await query.execute(this.deps.database);
    const counts = new Map(
      (rows as { name: string; count: string }[]).map(({ name, count }) => [name, Number(count)]),
    );
    return values.map((value) => ({ labels: { [label]: value }, value: counts.get(value) ?? 0 }));
  }

  /** Entries that no process has read, and those read but not stored. */
  private async lagOfCalls(): Promise<Lag> {
    const { redis } = this.deps;
    const groups = (await redis.xinfo('GROUPS', callStream).catch(() => [])) as unknown[][];
    const group = groups.map(named).find(({ name }) => name === consumerGroup);
    if (group === undefined) return { entries: 0, seconds: 0 };
    const pending = Number(group.pending);
    const after = `(${String(group['last-delivered-id'])}`;
    const unread = await redis.xrange(callStream, after, '+', 'COUNT', 1);
    // Redis before 7.0 does not report the group's lag.
    const entries = pending + (unread.length === 0 ? 0 : Number(group.lag ?? 1));
    const [, oldest] = (await redis.xpending(callStream, consumerGroup)) as [number, string | null];
    return { entries, seconds: ageOf(oldest ?? unread[0]?.[0]) };
  }

  /** Entries beyond the position up to which they are stored. */
  private async lagOfChecks(): Promise<Lag> {
    const { redis, database } = this.deps;
    const after = `(${await readPosition(database, healthStream)}`;
    const unread = await redis.xrange(healthStream, after, '+', 'COUNT', maximumCounted);
    return { entries: unread.length, seconds: ageOf(unread[0]?.[0]) };
  }

  private get deps(): ControlMetricSources {
    if (this.sources === undefined) throw new Error('Control is still starting.');
    return this.sources;
  }
}

/** Of an entry by its id, which begins with the time; 0: there is none. */
const ageOf = (id: string | undefined): number =>
  id === undefined ? 0 : Math.max(0, Date.now() - Number(id.split('-')[0])) / 1_000;

/** Redis returns a map as alternating names and values. */
function named(fields: readonly unknown[]): Record<string, unknown> {
  const map: Record<string, unknown> = {};
  for (let at = 0; at < fields.length; at += 2) map[String(fields[at])] = fields[at + 1];
  return map;
}
