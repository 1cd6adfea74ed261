import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Logger } from '../../../base/log.js';
import { RecurringTask } from '../../../base/recurring-task.js';
import type { ControlSettings } from '../../../config/control-settings.js';
import { dayOf } from '../../calls/index.js';
import type { Database } from '../../database/tables.js';
import { addDeliveries } from '../../deliveries/delivery-storage.js';
import { queueEvents } from '../../deliveries/queue-events.js';
import { eventId } from '../../events/event.js';
import type { FleetReader } from '../../fleet/fleet-reader.js';
import { publicUrl } from '../../http/public-url.js';
import { noContacts, readContacts } from '../contacts.js';
import { contactDeliveries } from '../notices.js';
import type { NumberLimit } from './limits-in-use.js';
import { limitView, type NearNumber, noticeOfNumbers } from './notice.js';
import { readNearNumbers } from './used.js';

export interface NumberLimitWatchDeps {
  readonly database: Kysely<Database>;
  readonly settings: ControlSettings;
  readonly fleet: Pick<FleetReader, 'calls'>;
  /** Called when there are notices to send. */
  readonly queued: () => void;
  readonly log: Logger;
}

/** Peaks shorter than this may be missed. */
const everyMilliseconds = 15_000;
/** With many numbers near their limits, an organization gets one notice of all in this time. */
const pauseMinutes = 15;
/** Upper bound on webhook events of one notice; the notice counts the others. */
const namedNumbers = 50;
const keptDays = 40;
const rowsAtOnce = 500;

/** Notifies organizations of numbers whose active calls reach most of their limit, once a day and number. */
export class NumberLimitWatch {
  readonly name = 'limits of numbers';
  private readonly task: RecurringTask;
  private tidiedOn = '';

  constructor(private readonly deps: NumberLimitWatchDeps) {
    this.task = new RecurringTask(() => this.evaluate(), {
      everyMilliseconds,
      failed: (error) =>
        deps.log.warn({ error: error.message }, 'Comparing active calls with limits failed; retrying.'),
    });
  }

  async start(): Promise<void> {
    this.task.start();
  }

  async stop(): Promise<void> {
    await this.task.stop();
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    // Calls do not depend on it.
    return { ready: true, detail: this.task.problem ?? 'comparing active calls with limits' };
  }

  /** Compares the active calls with their limits once, and sends the notices that are due. Rejects while Redis is down. */
  async evaluate(now = new Date()): Promise<void> {
    const { database, fleet, log, queued } = this.deps;
    const day = dayOf(now);
    await keep(database, day, await readNearNumbers(database, await fleet.calls()));
    for (const organizationId of await readDue(database, now)) {
      const count = await notify(this.deps, organizationId, now);
      if (count === 0) continue;
      log.info({ organization: organizationId, numbers: count }, 'Calls of numbers are near their limit.');
      queued();
    }
    if (this.tidiedOn === day) return;
    await database
      .deleteFrom('number_limit_alerts')
      .where('day', '<', sql<Date>`${day}::date - ${keptDays}::integer`)
      .execute();
    this.tidiedOn = day;
  }
}

async function keep(database: Kysely<Database>, day: string, near: readonly NumberLimit[]): Promise<void> {
  for (let at = 0; at < near.length; at += rowsAtOnce) {
    await database
      .insertInto('number_limit_alerts')
      .values(
        near.slice(at, at + rowsAtOnce).map(({ organizationId, limited, direction, measured, limit }) => ({
          organization_id: organizationId,
          day,
          limited,
          direction,
          measured,
          allowed: limit,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['organization_id', 'day', 'limited', 'direction'])
          .doUpdateSet(({ ref }) => ({
            measured: ref('excluded.measured'),
            allowed: ref('excluded.allowed'),
          }))
          .whereRef('excluded.measured', '>', 'number_limit_alerts.measured'),
      )
      .execute();
  }
}

/** Organizations with numbers that they were not notified of, and whose last notice is long enough ago. */
async function readDue(database: Kysely<Database>, now: Date): Promise<string[]> {
  const rows = await database
    .selectFrom('number_limit_alerts as waiting')
    .select('organization_id')
    .distinct()
    .where('notified_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('number_limit_alerts as earlier')
            .select('earlier.day')
            .whereRef('earlier.organization_id', '=', 'waiting.organization_id')
            .where('earlier.notified_at', '>', new Date(now.getTime() - pauseMinutes * 60_000)),
        ),
      ),
    )
    .execute();
  return rows.map(({ organization_id }) => organization_id);
}

/** @returns of how many numbers this process has notified the organization */
function notify(
  { database, settings }: Pick<NumberLimitWatchDeps, 'database' | 'settings'>,
  organizationId: string,
  now: Date,
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const rows = await claim(transaction, organizationId, now);
    if (rows.length === 0) return 0;
    const contacts = (await readContacts(transaction, [organizationId])).get(organizationId) ?? noContacts;
    const event = 'usage.near_limit';
    const notice = noticeOfNumbers(rows, `${publicUrl(settings)}/usage`);
    const subject = `${organizationId} numbers ${now.toISOString()}`;
    await addDeliveries(transaction, contactDeliveries({ organizationId, event, subject }, notice, contacts));
    await queueEvents(
      transaction,
      rows.slice(0, namedNumbers).map((row) => ({
        organizationId,
        subject: `${organizationId} ${row.limited} ${row.direction}`,
        event_id: eventId(event, organizationId, row.limited, `${row.direction} ${row.day}`),
        event,
        occurred_at: now.toISOString(),
        sequence: 1,
        data: { kind: 'number_concurrent_calls', period: row.day, ...limitView(row) },
      })),
    );
    return rows.length;
  });
}

/** The numbers of a notice, the fullest first; two processes do not claim the same ones. */
async function claim(transaction: Transaction<Database>, organizationId: string, now: Date) {
  const rows = await transaction
    .updateTable('number_limit_alerts')
    .set({ notified_at: now })
    .where('organization_id', '=', organizationId)
    .where('notified_at', 'is', null)
    .returning(['limited', 'direction', 'measured', 'allowed', sql<string>`day::text`.as('day')])
    .execute();
  return rows.toSorted(fullestFirst);
}

const fullestFirst = (left: NearNumber, right: NearNumber): number =>
  right.measured / right.allowed - left.measured / left.allowed;

/** What has reached 80 % of its limit on that day, the fullest first. */
export async function readNumberAlerts(
  database: Kysely<Database>,
  organizationId: string,
  day: string,
  most: number,
) {
  return database
    .selectFrom('number_limit_alerts')
    .select(['limited', 'direction', 'measured', 'allowed', 'notified_at'])
    .where('organization_id', '=', organizationId)
    .where('day', '=', sql<Date>`${day}::date`)
    .orderBy(sql`measured::float8 / allowed`, 'desc')
    .orderBy('limited')
    .limit(most)
    .execute();
}
