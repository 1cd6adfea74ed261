import { type Kysely, sql, type Transaction } from 'kysely';
import type { ControlSettings } from '../../config/control-settings.js';
import type { Database } from '../database/tables.js';
import { addDeliveries } from '../deliveries/delivery-storage.js';
import { queueEvents } from '../deliveries/queue-events.js';
import { e164 } from '../http/phone-number.js';
import { composeNumberDocuments } from '../numbers/number-documents.js';
import type { Direction } from '../numbers/tables.js';
import { newId } from '../organizations/identifiers.js';
import { type AlertChange, changeOf, eventOf, isAnnounced, noticesOf } from './alert-change.js';
import type { AlertRow } from './alert-view.js';
import { readTallies } from './call-findings.js';
import { readContacts } from './contacts.js';
import { type Finding, recentMilliseconds } from './decision.js';
import { readMuted } from './handling.js';
import { findingOf, type Judged, stepOf } from './judgement.js';
import { coveringWindow, type MaintenanceWindow, readOpenWindows } from './maintenance/windows.js';
import { alertTitle } from './notices.js';
import type { RegistrationTrend, RegistrationTrends } from './registration-findings.js';
import { readTrunkTrends } from './trunk-findings.js';
import { keyOf, readWatched, type Watched } from './watched.js';

interface Deps {
  readonly database: Kysely<Database>;
  readonly settings: ControlSettings;
  readonly registrations: Pick<RegistrationTrends, 'read'>;
}

const numbersAtOnce = 500;

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
      const window = coveringWindow(open, judgement.watched);
      const step = stepOf(judgement, window !== undefined, now);
      switch (step.action) {
        case 'fire': {
          const row = await fire(transaction, judgement.watched, step.finding, { now, window });
          changes.push(changeOf('fired', settings, row));
          break;
        }
        case 'recover': {
          const row = await end(transaction, step.row.id, 'recovered', now);
          changes.push(changeOf('recovered', settings, row));
          break;
        }
        case 'keep':
          if (step.isChanged) await storeClear(transaction, step.row.id, step.clearSince);
          if (step.isReleased)
            changes.push(changeOf('fired', settings, await release(transaction, step.row.id)));
          break;
        case 'none':
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

async function storeClear(
  transaction: Transaction<Database>,
  id: string,
  clearSince: Date | null,
): Promise<void> {
  await transaction.updateTable('alerts').set({ clear_since: clearSince }).where('id', '=', id).execute();
}

/** Queues the notices of fired and recovered alerts. */
async function notify(
  transaction: Transaction<Database>,
  changes: readonly AlertChange[],
  judged: readonly Judged[],
  muted: ReadonlySet<string>,
): Promise<void> {
  const announced = changes.filter(isAnnounced);
  if (announced.length === 0) return;
  const contacts = await readContacts(transaction, [
    ...new Set(announced.map(({ organizationId }) => organizationId)),
  ]);
  const channels = new Map(judged.map(({ watched }) => [keyOf(watched), watched.channels]));
  await addDeliveries(transaction, noticesOf(announced, { channels, contacts, muted }));
  await queueEvents(transaction, announced.map(eventOf));
}
