import { type Kysely, sql } from 'kysely';
import type { Redis } from '../../base/redis.js';
import { TimedCache } from '../../base/timed-cache.js';
import { within, withinOrThrow } from '../../base/within.js';
import { version } from '../../config/version.js';
import { countActive } from '../alerts/index.js';
import { allOrganizations } from '../calls/index.js';
import type { Database } from '../database/tables.js';
import type { FleetReader, KnownEdge } from '../fleet/fleet-reader.js';
import { type RegistrationCounts, RegistrationStates } from '../health/index.js';
import { type ActiveCounts, activeOf, countActiveCalls } from './active-calls.js';
import { summaryOfEdge } from './edge-summary.js';
import { type OrganizationTotals, readOrganizationTotals, readWindows, type Windows } from './figures.js';
import { type Known, LastKnown } from './last-known.js';
import { listOf } from './live-list.js';
import { callFigures, figuresState, partsOf } from './overview-parts.js';
import { readTrunkCalls } from './trunk-calls.js';
import { readTrunks, type StoredTrunks, type TrunkOverview, withRegistrations } from './trunks.js';
import type { Fleet, FleetTrunk, LiveCalls, NocSummary, TrunkCalls, TrunkSummary } from './view.js';

/** Who looks, and at what: `fleet` shows the calls of all organizations. */
export interface Audience {
  readonly organizationId: string;
  readonly isOperator: boolean;
  readonly scope: 'organization' | 'fleet';
}

export interface SummaryDeps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
  readonly fleet: FleetReader;
  /** Control's own parts. */
  readonly states: () => Fleet['control']['parts'];
}

/** Reads that many watchers share; what was stored a moment ago may be missing for as long. */
const activeMilliseconds = 500;
const figuresMilliseconds = 1_500;
const trunksMilliseconds = 4_000;
const trunkCallsMilliseconds = 8_000;
const fleetTrunksMilliseconds = 15_000;
const totalsMilliseconds = 5_000;
/** Figures are late when two reads in a row have failed or still wait. */
const lateWindows = 5_000;
const lateTrunks = 9_000;
/** A component that answers later counts as down. */
const patienceMilliseconds = 2_000;
const probeKey = 'demarc:noc:probe';
const maximumOrganizations = 100;
const maximumTrunks = 200;
const maximumFleetTrunks = 50;

const noTrunks: TrunkOverview = {
  counts: { total: 0, healthy: 0, unreachable: 0, unchecked: 0, failing: 0, degraded: 0, unregistered: 0 },
  trunks: [],
};

/** The overview. Components that are down are shown as down: never rejects. */
export class Summaries {
  private readonly since = new Date().toISOString();
  private readonly active = new TimedCache<ActiveCounts>(activeMilliseconds);
  private readonly windows = new TimedCache<Known<Windows>>(figuresMilliseconds);
  private readonly trunks = new TimedCache<Known<StoredTrunks>>(trunksMilliseconds);
  private readonly fleetTrunks = new TimedCache<Known<StoredTrunks>>(fleetTrunksMilliseconds);
  private readonly trunkCalls = new TimedCache<ReadonlyMap<string, TrunkCalls>>(trunkCallsMilliseconds);
  private readonly registrations = new TimedCache<RegistrationCounts | null>(trunksMilliseconds);
  private readonly totals = new TimedCache<OrganizationTotals[]>(totalsMilliseconds);
  private readonly knownWindows = new LastKnown<Windows>();
  private readonly knownTrunks = new LastKnown<StoredTrunks>();
  private readonly alerts = new TimedCache<AlertCounts>(figuresMilliseconds);
  private readonly stores = new TimedCache<Store>(figuresMilliseconds);

  constructor(private readonly deps: SummaryDeps) {}

  async of({ organizationId, isOperator }: Omit<Audience, 'scope'>): Promise<NocSummary> {
    const [redis, stored, edges, active, windows, overview, registrations, alerts, ofFleet] =
      await Promise.all([
        this.redisState(),
        this.databaseState(),
        this.edges(),
        this.activeCalls(),
        this.windowsOf(organizationId),
        this.trunksKnown(organizationId),
        this.registrationsOf(organizationId),
        this.alertsOf(organizationId),
        isOperator ? this.readFleet() : undefined,
      ]);
    const { counts, trunks } = overview?.value ?? noTrunks;
    return {
      at: new Date().toISOString(),
      parts: partsOf(redis, stored, edges),
      trunk_counts: counts,
      trunks: trunks.slice(0, maximumTrunks).map(withoutOrganization),
      figures: {
        calls: figuresState(windows, lateWindows, Date.now()),
        trunks: figuresState(overview, lateTrunks, Date.now()),
      },
      alerts: alerts ?? null,
      calls: callFigures(edges, active, windows?.value, organizationId),
      registrations,
      fleet: ofFleet === undefined ? null : this.fleetOf(ofFleet, redis, stored, edges, active),
    };
  }

  /** Components, and the calls of all organizations; windows that are late are unknown. */
  async ofService(): Promise<Pick<NocSummary, 'parts' | 'calls'>> {
    const [redis, stored, edges, active, windows] = await Promise.all([
      this.redisState(),
      this.databaseState(),
      this.edges(),
      this.activeCalls(),
      this.windowsOf(allOrganizations),
    ]);
    const isCurrent = figuresState(windows, lateWindows, Date.now()).state === 'current';
    return {
      parts: partsOf(redis, stored, edges),
      calls: callFigures(edges, active, isCurrent ? windows?.value : undefined),
    };
  }

  /** All of the organization's trunks, as of the last time PostgreSQL gave them; undefined while it has not. */
  async trunksOf(organizationId: string): Promise<OwnTrunks | undefined> {
    const summary = await this.trunksKnown(organizationId);
    if (summary === undefined) return undefined;
    const { counts, trunks } = summary.value;
    return { counts, trunks: trunks.map(withoutOrganization) };
  }

  /** @param organizationId undefined: those of all organizations */
  private async trunksKnown(organizationId?: string): Promise<Known<TrunkOverview> | undefined> {
    const cache = organizationId === undefined ? this.fleetTrunks : this.trunks;
    const key = organizationId ?? '';
    const summary = await this.knownTrunks.take(
      key,
      cache.get(key, () => this.readTrunks(organizationId)),
    );
    if (summary === undefined) return undefined;
    const ids = summary.value.trunks.flatMap(({ registrationIds }) => registrationIds);
    const states = await unlessLate(new RegistrationStates(this.deps.redis).read(ids));
    return { at: summary.at, value: withRegistrations(summary.value, states) };
  }

  private async readTrunks(organizationId: string | undefined): Promise<Known<StoredTrunks>> {
    const { database } = this.deps;
    const at = Date.now();
    const calls =
      organizationId === undefined
        ? await readTrunkCalls(database, undefined)
        : await this.trunkCallsOf(organizationId);
    return { at, value: await readTrunks(database, organizationId, calls) };
  }

  private trunkCallsOf(organizationId: string): Promise<ReadonlyMap<string, TrunkCalls>> {
    return this.trunkCalls.get(organizationId, () => readTrunkCalls(this.deps.database, organizationId));
  }

  /** Active calls. Rejects while Redis is down. */
  async liveCalls({ organizationId, isOperator, scope }: Audience): Promise<LiveCalls> {
    const found = (await this.deps.fleet.calls()).filter(
      ({ call }) => scope === 'fleet' || call.organization === organizationId,
    );
    return listOf(found, isOperator);
  }

  private async readFleet() {
    const [windows, overview, totals] = await Promise.all([
      this.windowsOf(allOrganizations),
      this.trunksKnown(),
      unlessLate(this.totals.get('', () => readOrganizationTotals(this.deps.database, maximumOrganizations))),
    ]);
    return { windows, overview, totals };
  }

  private fleetOf(
    { windows, overview, totals }: Awaited<ReturnType<Summaries['readFleet']>>,
    redis: Store,
    database: Store,
    edges: readonly KnownEdge[] | undefined,
    active: ActiveCounts | undefined,
  ): Fleet {
    return {
      edges: (edges ?? [])
        .map((edge) => summaryOfEdge(edge))
        .sort((left, right) => (left.id < right.id ? -1 : 1)),
      redis,
      database,
      control: { version, since: this.since, parts: this.deps.states() },
      calls: callFigures(edges, active, windows?.value),
      organizations: (totals ?? []).map(({ id, name, attempts, answered, failed, judgement }) => ({
        id,
        name,
        active: active === undefined ? 0 : activeOf(active, id).active,
        attempts_1h: attempts,
        answered_1h: answered,
        failed_1h: failed,
        judged: judgement,
      })),
      trunk_counts: overview?.value.counts ?? null,
      trunks: (overview?.value.trunks ?? []).slice(0, maximumFleetTrunks),
    };
  }

  private async registrationsOf(organizationId: string): Promise<RegistrationCounts | null> {
    const counting = this.registrations.get(organizationId, () =>
      new RegistrationStates(this.deps.redis).count(organizationId),
    );
    return (await unlessLate(counting)) ?? null;
  }

  private alertsOf(organizationId: string): Promise<AlertCounts | undefined> {
    return unlessLate(this.alerts.get(organizationId, () => countActive(this.deps.database, organizationId)));
  }

  /** Undefined while Redis takes no heartbeats, so that old ones say nothing of the edges. */
  private async edges(): Promise<readonly KnownEdge[] | undefined> {
    const [redis, edges] = await Promise.all([this.redisState(), unlessLate(this.deps.fleet.edges())]);
    return redis.state === 'up' ? edges : undefined;
  }

  /** From the list that `liveCalls` shows. Undefined while Redis takes no heartbeats. */
  private async activeCalls(): Promise<ActiveCounts | undefined> {
    const counting = this.active.get('', async () => countActiveCalls(await this.deps.fleet.calls()));
    const [redis, active] = await Promise.all([this.redisState(), unlessLate(counting)]);
    return redis.state === 'up' ? active : undefined;
  }

  private windowsOf(organizationId: string): Promise<Known<Windows> | undefined> {
    return this.knownWindows.take(
      organizationId,
      this.windows.get(organizationId, async () => {
        const at = Date.now();
        return { at, value: await readWindows(this.deps.database, organizationId) };
      }),
    );
  }

  /** By a write: a replica of a failover and a Redis with full memory still answer reads. */
  private redisState(): Promise<Store> {
    return this.stores.get('redis', () =>
      measured(() => this.deps.redis.set(probeKey, '1', 'PX', patienceMilliseconds)),
    );
  }

  private databaseState(): Promise<Store> {
    return this.stores.get('database', () => measured(() => sql`select 1`.execute(this.deps.database)));
  }
}

type OwnTrunks = Pick<TrunkOverview, 'counts'> & { readonly trunks: readonly TrunkSummary[] };
type Store = Fleet['redis'];
type AlertCounts = NonNullable<NocSummary['alerts']>;

/** Undefined: did not arrive in time, or failed. */
const unlessLate = <Value>(value: Promise<Value>): Promise<Value | undefined> =>
  within(patienceMilliseconds, value);

const withoutOrganization = ({ organization: _, ...trunk }: FleetTrunk): TrunkSummary => trunk;

async function measured(ask: () => Promise<unknown>): Promise<Store> {
  const start = performance.now();
  const problem = await withinOrThrow(patienceMilliseconds, ask(), 'does not answer').then(
    () => undefined,
    (error: Error) => error.message || error.name,
  );
  if (problem !== undefined) return { state: 'down', round_trip_ms: null, detail: problem };
  const milliseconds = Math.round((performance.now() - start) * 100) / 100;
  return { state: 'up', round_trip_ms: milliseconds, detail: 'answers' };
}
