import type { Transaction } from 'kysely';
import type { ControlSettings } from '../../../config/control-settings.js';
import { contactDeliveries, noContacts, readContacts } from '../../alerts/index.js';
import { storable } from '../../database/storable.js';
import type { Database } from '../../database/tables.js';
import { addDeliveries } from '../../deliveries/delivery-storage.js';
import { queueEvents } from '../../deliveries/queue-events.js';
import { eventId } from '../../events/event.js';
import { publicUrl } from '../../http/public-url.js';
import { type ScheduleRow, scheduleView } from './schedule-view.js';
import type { Verdict } from './verdict.js';

/** Long enough for five scenarios with their reasons. */
const longestProblem = 2_000;

/**
 * Stores what was found about a schedule, and alerts when it begins to fail or passes again: one alert for each problem, however many
 * runs it lasts.
 */
export async function storeState(
  transaction: Transaction<Database>,
  settings: ControlSettings,
  { organization_id: organizationId, id, state, state_since: since }: ScheduleRow,
  { problem, lowestPassRate }: Verdict,
): Promise<void> {
  const now = new Date();
  const found = problem === null ? 'passing' : 'failing';
  const changed = await transaction
    .updateTable('agent_test_schedules')
    .set({
      state: found,
      state_since: state === found ? since : now,
      problem: problem === null ? null : storable(problem).slice(0, longestProblem),
      lowest_pass_rate: lowestPassRate,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const isRecovery = state === 'failing' && found === 'passing';
  if (!isRecovery && (found === 'passing' || state === 'failing')) return;
  const event = isRecovery ? 'agent_test.schedule_recovered' : 'agent_test.schedule_failed';
  await queueEvents(transaction, [
    {
      organizationId,
      subject: id,
      event_id: eventId(event, id, now.getTime()),
      event,
      occurred_at: now.toISOString(),
      sequence: now.getTime(),
      data: scheduleView(changed),
    },
  ]);
  if (!changed.notify_contacts) return;
  const contacts = (await readContacts(transaction, [organizationId])).get(organizationId) ?? noContacts;
  const subject = `${id} ${now.toISOString()}`;
  const notice = noticeOf(changed, `${publicUrl(settings)}/testing/schedules`);
  await addDeliveries(transaction, contactDeliveries({ organizationId, event, subject }, notice, contacts));
}

const shortLength = 300;

/** What a mail and an SMS say. */
export function noticeOf({ name, problem }: Pick<ScheduleRow, 'name' | 'problem'>, dashboardUrl: string) {
  const title = problem === null ? `${name} passes again` : `${name} fails`;
  const what = problem ?? 'Every scenario passed as often as required.';
  const advice =
    problem === null
      ? 'Nothing.'
      : 'Read the runs that failed, and what was changed since they passed: prompts, model, knowledge, webhooks.';
  const link = ` ${dashboardUrl}`;
  const short = `Demarc TESTS: ${title}. ${what}`;
  const room = shortLength - link.length;
  return {
    title: `[Demarc] TESTS: ${title}`,
    text: `What: ${what}\nWhat to do: ${advice}\n\nDashboard: ${dashboardUrl}\n`,
    short: `${short.length > room ? `${short.slice(0, room - 1)}…` : short}${link}`,
  };
}
