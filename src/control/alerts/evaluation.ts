import { type Kysely, sql, type Transaction } from 'kysely';
import type { ControlSettings } from '../../config/control-settings.js';
import type { Database } from '../database/tables.js';
import { addDeliveries } from '../deliveries/delivery-storage.js';
import { queueEvents } from '../deliveries/queue-events.js';
import { eventId, type OccurredEvent } from '../events/event.js';
import { e164 } from '../http/phone-number.js';
import { composeNumberDocuments } from '../numbers/number-documents.js';
import type { Direction } from '../numbers/tables.js';
import { newId } from '../organizations/identifiers.js';
import { type AlertRow, type AlertView, alertView } from './alert-view.js';
import { type CallTally, failureFinding, readTallies } from './call-findings.js';
import { noContacts, readContacts } from './contacts.js';
import { type ActiveAlert, decide, type Finding, recentMilliseconds } from './decision.js';
import { mutedKey, readMuted } from './handling.js';
import { coveringWindow, type MaintenanceWindow, readOpenWindows } from './maintenance/windows.js';
import { alertTitle, noticeDeliveries } from './notices.js';
import {
  type RegistrationTrend,
  type RegistrationTrends,
  registrationFinding,
} from './registration-findings.js';
import { readTrunkTrends, responseFinding, type TrunkTrend, unreachableFinding } from './trunk-findings.js';
import { keyOf, readWatched, type Watched } from './watched.js';

export interface AlertChange {
  readonly change: 'fired' | 'recovered' | 'closed';
  readonly organizationId: string;
  readonly alert: AlertView;
  /** Recorded only: its notices wait for the end of a maintenance window, or its beginning was never sent. */
  readonly isWithheld: boolean;
}

interface Deps {
  readonly database: Kysely<Database>;
  readonly settings: ControlSettings;
  readonly registrations: Pick<RegistrationTrends, 'read'>;
}

const numbersAtOnce = 500;

/** The finding for one threshold, and the alert that was active then. */
interface Judged {
  readonly watched: Watched;
  readonly finding: Finding;
  readonly row: AlertRow | undefined;
  readonly active: ActiveAlert | undefined;
}

/**
 * Evaluates every threshold once: fires, recovers and closes alerts, and queues the notices, all or nothing. Undefined
 * when another process is evaluating, or evaluated less than most of an interval ago.
 */
export function evaluateAlerts(
  { database, settings, registrations }: Deps,
  now = new Date(),
): Promise<AlertChange[] | undefined> {
  return database.transaction().execute(async (transaction) => {
    if (!(await claimTurn(transaction, settings.notices.alertIntervalMilliseconds))) return undefined;
    const judged = await judge(transaction, registrations, now);
    const changes = await closeOrphans(transaction, settings, judged, now);
    const open = await readOpenWindows(transaction, now);
    for (const judgement of judged) {
      const decision = decide(judgement.active, judgement.finding, now);
      if (decision.action === 'fire' && judgement.finding.condition === 'bad') {
        const window = coveringWindow(open, judgement.watched);
        const row = await fire(transaction, judgement.watched, judgement.finding, { now, window });
        changes.push(changeOf('fired', settings, row));
      } else if (decision.action === 'recover' && judgement.row !== undefined) {
        changes.push(
          changeOf('recovered', settings, await end(transaction, judgement.row.id, 'recovered', now)),
        );
      } else if (decision.action === 'keep' && judgement.row !== undefined) {
        await rememberClear(transaction, judgement.row, decision.clearSince);
        const isOver = judgement.row.is_withheld && coveringWindow(open, judgement.watched) === undefined;
        if (isOver && judgement.finding.condition === 'bad') {
          changes.push(changeOf('fired', settings, await release(transaction, judgement.row.id)));
        }
      }
    }
    await notify(transaction, changes, judged, await readMuted(transaction, now));
    return changes;
  });
}

/** True for one process in an interval; the row stays locked until the evaluation is committed. */
async function claimTurn(transaction: Transaction<Database>, intervalMilliseconds: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update alert_evaluation set evaluated_at = now() where singleton in (
      select singleton from alert_evaluation
      where evaluated_at <= now() - make_interval(secs => ${(intervalMilliseconds * 0.8) / 1_000})
      for update skip locked
    )`.execute(transaction);
  return numAffectedRows === 1n;
}

async function judge(
  transaction: Transaction<Database>,
  registrations: Deps['registrations'],
  now: Date,
): Promise<Judged[]> {
  const watched = await readWatched(transaction);
  const rows = await transaction.selectFrom('alerts').selectAll().where('state', '=', 'active').execute();
  const active = new Map(rows.map((row) => [keyOf(row), row]));
  const counts = await recentCounts(transaction, now);
  const numbersOf = (wanted: Direction): string[] => [
    ...new Set(
      watched
        .filter(({ kind, direction }) => kind !== 'failure_rate' && direction === wanted)
        .map(({ number }) => number),
    ),
  ];
  const trends = await readTrunkTrends(transaction, numbersOf('outbound'), now);
  const registered = new Map<string, RegistrationTrend>();
  const inbound = numbersOf('inbound');
  for (let at = 0; at < inbound.length; at += numbersAtOnce) {
    const documents = await composeNumberDocuments(transaction, inbound.slice(at, at + numbersAtOnce));
    for (const [number, trend] of await registrations.read(documents, now)) registered.set(number, trend);
  }
  const tallies = await readTallies(transaction, watched, now);
  return watched.map((subject) => {
    const row = active.get(keyOf(subject));
    // The number moved to another organization: the alert is not theirs.
    const own = row?.organization_id === subject.organizationId ? row : undefined;
    return {
      watched: subject,
      finding: findingOf(
        subject,
        {
          trunk: trends.get(subject.number),
          registration: registered.get(subject.number),
          tally: tallies.tallyOf(subject),
        },
        now,
      ),
      row: own,
      active: own && { clearSince: own.clear_since, recentCount: counts.get(keyOf(subject)) ?? 1 },
    };
  });
}

/** The current findings about a number. */
interface Known {
  readonly trunk: TrunkTrend | undefined;
  readonly registration: RegistrationTrend | undefined;
  readonly tally: CallTally;
}

function findingOf(subject: Watched, { trunk, registration, tally }: Known, now: Date): Finding {
  if (subject.kind === 'failure_rate') return failureFinding(subject, tally);
  if (subject.direction === 'outbound')
    return subject.kind === 'unreachable'
      ? unreachableFinding(subject, trunk, now)
      : responseFinding(subject, trunk, now);
  // Inbound callers are not probed; the registration is the only known state.
  return subject.kind === 'unreachable'
    ? registrationFinding(subject, registration, now)
    : { condition: 'unknown' };
}

async function recentCounts(transaction: Transaction<Database>, now: Date): Promise<Map<string, number>> {
  const rows = await transaction
    .selectFrom('alerts')
    .select(({ fn }) => ['number', 'direction', 'kind', fn.countAll<string>().as('count')])
    .where('fired_at', '>', new Date(now.getTime() - recentMilliseconds))
    .groupBy(['number', 'direction', 'kind'])
    .execute();
  return new Map(rows.map((row) => [keyOf(row), Number(row.count)]));
}

/** Closes active alerts whose threshold is no longer configured. */
async function closeOrphans(
  transaction: Transaction<Database>,
  settings: ControlSettings,
  judged: readonly Judged[],
  now: Date,
): Promise<AlertChange[]> {
  const kept = judged.flatMap(({ row }) => (row === undefined ? [] : [row.id]));
  const rows = await transaction
    .updateTable('alerts')
    .set({ state: 'closed', recovered_at: now })
    .where('state', '=', 'active')
    .where(sql<boolean>`not id = any(${kept}::text[])`)
    .returningAll()
    .execute();
  return rows.map((row) => changeOf('closed', settings, row));
}

function fire(
  transaction: Transaction<Database>,
  { organizationId, number, direction, kind, threshold }: Watched,
  { since, measured, summary, why }: Extract<Finding, { condition: 'bad' }>,
  { now, window }: { readonly now: Date; readonly window: MaintenanceWindow | undefined },
): Promise<AlertRow> {
  return transaction
    .insertInto('alerts')
    .values({
      id: newId('alt'),
      organization_id: organizationId,
      number,
      direction,
      kind,
      threshold,
      since,
      measured,
      summary,
      fired_at: now,
      title: `${e164(number)} ${direction}: ${alertTitle({ kind, direction })}`,
      cause: why.cause,
      advice: why.advice,
      maintenance_window_id: window?.id ?? null,
      maintenance_window: window?.name ?? null,
      is_withheld: window !== undefined,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The maintenance window is over and the problem persists: the alert is sent now. */
function release(transaction: Transaction<Database>, id: string): Promise<AlertRow> {
  return transaction
    .updateTable('alerts')
    .set({ is_withheld: false })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

function end(
  transaction: Transaction<Database>,
  id: string,
  state: 'recovered',
  now: Date,
): Promise<AlertRow> {
  return transaction
    .updateTable('alerts')
    .set({ state, recovered_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function rememberClear(
  transaction: Transaction<Database>,
  row: AlertRow,
  clearSince: Date | null,
): Promise<void> {
  if (row.clear_since?.getTime() === clearSince?.getTime()) return;
  await transaction.updateTable('alerts').set({ clear_since: clearSince }).where('id', '=', row.id).execute();
}

const changeOf = (change: AlertChange['change'], settings: ControlSettings, row: AlertRow): AlertChange => ({
  change,
  organizationId: row.organization_id,
  alert: alertView(settings, row, []),
  isWithheld: row.is_withheld,
});

/** Queues the notices of fired and recovered alerts. */
async function notify(
  transaction: Transaction<Database>,
  changes: readonly AlertChange[],
  judged: readonly Judged[],
  muted: ReadonlySet<string>,
): Promise<void> {
  const announced = changes.filter(({ change, isWithheld }) => change !== 'closed' && !isWithheld);
  if (announced.length === 0) return;
  const contacts = await readContacts(transaction, [
    ...new Set(announced.map(({ organizationId }) => organizationId)),
  ]);
  const channels = new Map(judged.map(({ watched }) => [keyOf(watched), watched.channels]));
  const deliveries = announced.flatMap(({ change, organizationId, alert }) => {
    const key = keyOf({ ...alert, number: alert.phone_number.slice(1) });
    if (muted.has(mutedKey(organizationId, key))) return [];
    return noticeDeliveries(change === 'fired' ? 'alert.fired' : 'alert.recovered', alert, {
      organizationId,
      channels: channels.get(key) ?? {},
      contacts: contacts.get(organizationId) ?? noContacts,
    });
  });
  await addDeliveries(transaction, deliveries);
  await queueEvents(transaction, announced.map(eventOf));
}

function eventOf({ change, organizationId, alert }: AlertChange): OccurredEvent {
  const event = change === 'fired' ? 'alert.fired' : 'alert.recovered';
  const { notices: _, ...shown } = alert;
  return {
    organizationId,
    subject: alert.alert_id,
    event_id: eventId(event, alert.alert_id),
    event,
    occurred_at: (change === 'fired' ? alert.fired_at : alert.recovered_at) ?? alert.fired_at,
    sequence: change === 'fired' ? 1 : 2,
    data: shown,
  };
}
