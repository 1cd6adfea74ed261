import type { Kysely } from 'kysely';
import type { Logger } from '../../base/log.js';
import { RecurringTask } from '../../base/recurring-task.js';
import type { ControlSettings } from '../../config/control-settings.js';
import { contactDeliveries, noContacts, percentOf, readContacts } from '../alerts/index.js';
import type { Database } from '../database/tables.js';
import { addDeliveries } from '../deliveries/delivery-storage.js';
import { queueEvents } from '../deliveries/queue-events.js';
import { eventId } from '../events/event.js';
import type { FleetReader } from '../fleet/fleet-reader.js';
import { publicUrl } from '../http/public-url.js';
import { isNear, noticeOf, type UsedLimit } from './near-limit.js';
import { readLimited, readUsedLimits } from './used-limits.js';

export interface UsageWatchDeps {
  readonly database: Kysely<Database>;
  readonly settings: ControlSettings;
  readonly fleet: Pick<FleetReader, 'edges'>;
  /** Called when there are notices to send. */
  readonly queued: () => void;
  readonly log: Logger;
}

const everyMilliseconds = 60_000;

/** Notifies organizations whose usage reaches most of a limit, once a limit and period. */
export class UsageWatch {
  readonly name = 'usage';
  private readonly task: RecurringTask;

  constructor(private readonly deps: UsageWatchDeps) {
    this.task = new RecurringTask(() => this.evaluate(), {
      everyMilliseconds,
      failed: (error) =>
        deps.log.warn({ error: error.message }, 'Comparing usage with limits failed; retrying.'),
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
    return { ready: true, detail: this.task.problem ?? 'comparing usage with limits' };
  }

  /** Compares every limit once. */
  async evaluate(): Promise<void> {
    const { database, fleet, log, queued } = this.deps;
    const organizations = await readLimited(database);
    if (organizations.length === 0) return;
    const active = await activeCalls(fleet);
    for (const organization of organizations) {
      const used = await readUsedLimits(database, organization, active.get(organization.id) ?? 0);
      for (const limit of used.filter(isNear)) {
        if (!(await notifyOnce(this.deps, organization.id, limit))) continue;
        log.info({ organization: organization.id, ...limit }, 'Usage is near a limit.');
        queued();
      }
    }
  }
}

/** Active calls by organization; none where the edges are unknown. */
export async function activeCalls(fleet: Pick<FleetReader, 'edges'>): Promise<ReadonlyMap<string, number>> {
  const active = new Map<string, number>();
  const edges = await fleet.edges().catch(() => []);
  for (const { heartbeat, isAlive } of edges) {
    if (!isAlive) continue;
    for (const [id, { ringing, answered }] of Object.entries(heartbeat.organizations)) {
      active.set(id, (active.get(id) ?? 0) + ringing + answered);
    }
  }
  return active;
}

/** Queues the notices unless they were in this period. @returns whether this did */
export function notifyOnce(
  { database, settings }: Pick<UsageWatchDeps, 'database' | 'settings'>,
  organizationId: string,
  used: UsedLimit,
): Promise<boolean> {
  const { kind, period, measured, limit } = used;
  return database.transaction().execute(async (transaction) => {
    const { numInsertedOrUpdatedRows = 0n } = await transaction
      .insertInto('usage_alerts')
      .values({ organization_id: organizationId, kind, period, measured, allowed: limit })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) return false;
    const contacts = (await readContacts(transaction, [organizationId])).get(organizationId) ?? noContacts;
    const event = 'usage.near_limit';
    const subject = `${organizationId} ${kind} ${period}`;
    const notice = noticeOf(used, `${publicUrl(settings)}/usage`);
    await addDeliveries(transaction, contactDeliveries({ organizationId, event, subject }, notice, contacts));
    await queueEvents(transaction, [
      {
        organizationId,
        subject,
        event_id: eventId(event, organizationId, kind, period),
        event,
        occurred_at: new Date().toISOString(),
        sequence: 1,
        data: { kind, period, measured, limit, percent: percentOf(used) },
      },
    ]);
    return true;
  });
}
