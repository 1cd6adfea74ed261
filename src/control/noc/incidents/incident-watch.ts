import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../../base/log.js';
import { RecurringTask } from '../../../base/recurring-task.js';
import type { Database } from '../../database/tables.js';
import { readOrganizationTotals } from '../figures.js';
import type { Summaries } from '../summaries.js';
import {
  clearIncident,
  continueIncident,
  deleteOldIncidents,
  openIncident,
  readOpenIncidents,
} from './incident-storage.js';
import { componentDown, organizationReasons, type Reason, serviceReasons } from './reasons.js';
import { type SeenReason, seenReasons } from './seen-reasons.js';

export interface IncidentWatchDeps {
  readonly database: Kysely<Database>;
  readonly summaries: Pick<Summaries, 'of' | 'ofService'>;
  readonly log: Logger;
}

const everyMilliseconds = 5_000;
/** Edges that start with control are not down yet. */
const firstMilliseconds = 30_000;
const tidyMilliseconds = 3_600_000;
const mostFailing = 100;
/** Organizations of which each look judges some in turn: those whose trunks fail have no calls that would name them. */
const inTurn = 10;

/** Key of the service itself in maps by organization. */
const service = '';

/** Keeps the story of each red verdict: of the service, and of every organization; one process at a time looks. */
export class IncidentWatch {
  readonly name = 'incidents';
  private readonly task: RecurringTask;
  /** Red at the last look, by organization: one look may catch a moment in which an edge starts again. */
  private suspected = new Map<string, readonly SeenReason[]>();
  /** Last organization that was judged in turn. */
  private turn = '';
  private databaseDownSince: Date | undefined;
  private tidiedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly deps: IncidentWatchDeps) {
    this.task = new RecurringTask(() => this.watch(), {
      everyMilliseconds,
      failed: (error) => deps.log.warn({ error: error.message }, 'Verdicts were not judged; retrying.'),
    });
  }

  async start(): Promise<void> {
    this.task.start(firstMilliseconds);
  }

  async stop(): Promise<void> {
    await this.task.stop();
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    return { ready: true, detail: this.task.problem ?? 'watching verdicts' };
  }

  /** Judges if it is the turn of this process. Rejects while PostgreSQL is down. */
  async watch(): Promise<void> {
    if (!(await this.claimTurn())) return;
    await this.look(new Date());
    if (performance.now() - this.tidiedAt < tidyMilliseconds) return;
    this.tidiedAt = performance.now();
    await deleteOldIncidents(this.deps.database);
  }

  /** True for one process in an interval. Rejects while PostgreSQL is down, which is remembered. */
  private async claimTurn(): Promise<boolean> {
    try {
      const { numAffectedRows } = await sql`
        update incident_watch set watched_at = now()
        where watched_at <= now() - make_interval(secs => ${(everyMilliseconds * 0.8) / 1_000})`.execute(
        this.deps.database,
      );
      return numAffectedRows === 1n;
    } catch (error) {
      this.databaseDownSince ??= new Date();
      throw error;
    }
  }

  /** Judges the service and those organizations that may be red, and opens, continues or ends their incidents. */
  async look(now: Date): Promise<void> {
    const { database, log } = this.deps;
    const open = new Map(
      (await readOpenIncidents(database)).map((row) => [row.organization_id ?? service, row]),
    );
    const suspectedBefore = this.suspected;
    this.suspected = new Map();
    for (const organizationId of [service, ...(await this.candidates(open, suspectedBefore))]) {
      const found = await this.judge(organizationId);
      if (found === undefined) continue;
      const outage = organizationId === service ? this.outage() : undefined;
      const row = open.get(organizationId);
      if (found.length === 0 && outage === undefined) {
        if (row !== undefined && (await clearIncident(database, row, now)))
          log.info({ incident: row.id, organization: row.organization_id }, 'Incident recovered.');
        continue;
      }
      const reasons = seenReasons(found, suspectedBefore.get(organizationId) ?? [], now);
      if (outage !== undefined) reasons.unshift(outage);
      if (row !== undefined || suspectedBefore.has(organizationId) || outage !== undefined)
        await this.store(organizationId, reasons, now);
      else this.suspected.set(organizationId, reasons);
    }
    this.databaseDownSince = undefined;
  }

  /** While PostgreSQL was down, nothing could be stored: its incident is written once it is up again. */
  private outage(): SeenReason | undefined {
    const since = this.databaseDownSince;
    return since && { ...componentDown('database'), since };
  }

  /** Continues the open incident, or opens one; another process may open or end it at the same time. */
  private async store(organizationId: string, reasons: readonly SeenReason[], now: Date): Promise<void> {
    const { database, log } = this.deps;
    const owner = organizationId === service ? null : organizationId;
    if (await continueIncident(database, owner, reasons, now)) return;
    const row = await openIncident(database, owner, reasons, now);
    if (row === undefined) await continueIncident(database, owner, reasons, now);
    else
      log.warn(
        { incident: row.id, organization: owner, reasons: reasons.map(({ text }) => text) },
        'Incident opened.',
      );
  }

  private async candidates(
    open: ReadonlyMap<string, unknown>,
    suspected: ReadonlyMap<string, unknown>,
  ): Promise<readonly string[]> {
    const totals = await readOrganizationTotals(this.deps.database, mostFailing);
    const failing = totals.filter(({ judgement }) => judgement.state === 'failing').map(({ id }) => id);
    const found = new Set([...open.keys(), ...suspected.keys(), ...failing, ...(await this.nextInTurn())]);
    found.delete(service);
    return [...found];
  }

  private async nextInTurn(): Promise<readonly string[]> {
    const rows = await this.deps.database
      .selectFrom('organizations')
      .select('id')
      .where('id', '>', this.turn)
      .where('sip_enabled', '=', true)
      .orderBy('id')
      .limit(inTurn)
      .execute();
    this.turn = rows.length < inTurn ? '' : rows.at(-1)!.id;
    return rows.map(({ id }) => id);
  }

  /** Undefined: not known now, so that nothing begins or ends by it. */
  private async judge(organizationId: string): Promise<readonly Reason[] | undefined> {
    if (organizationId === service) return serviceReasons(await this.deps.summaries.ofService());
    const summary = await this.deps.summaries.of({ organizationId, isOperator: false });
    const { calls, trunks } = summary.figures;
    if (calls.state !== 'current' || trunks.state !== 'current') return undefined;
    return organizationReasons(summary);
  }
}
