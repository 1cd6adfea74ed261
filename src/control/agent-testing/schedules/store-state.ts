import type { Transaction } from 'kysely';
import type { ControlSettings } from '../../../config/control-settings.js';
import { storable } from '../../database/storable.js';
import type { Database } from '../../database/tables.js';
import { publicUrl } from '../../http/public-url.js';
import { announce } from '../alerting/announce.js';
import { newsOf } from '../alerting/news.js';
import { noticeOf } from '../alerting/notice.js';
import { readScheduleUse } from './schedule-use.js';
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
  const news = newsOf(state, found);
  if (news === undefined) return;
  await announce(transaction, {
    organizationId,
    id,
    event: news === 'recovered' ? 'agent_test.schedule_recovered' : 'agent_test.schedule_failed',
    data: scheduleView(changed, (await readScheduleUse(transaction, [changed], now))(changed)),
    notice: changed.notify_contacts
      ? noticeOf(changed, texts, `${publicUrl(settings)}/testing/schedules`)
      : null,
    at: now,
  });
}

const texts = {
  recovered: 'Every scenario passed as often as required.',
  advice:
    'Read the runs that failed, and what was changed since they passed: prompts, model, knowledge, webhooks.',
};
