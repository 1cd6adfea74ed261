import type { ControlSettings } from '../../../config/control-settings.js';
import { publicUrl } from '../../http/public-url.js';
import { announce } from '../alerting/announce.js';
import { newsOf } from '../alerting/news.js';
import { noticeOf } from '../alerting/notice.js';
import type { EndedHook } from '../runs/run-order.js';
import { readMonthlyUsage, readStandings } from './monitor-storage.js';
import { monitorView } from './monitor-view.js';
import { nextState } from './standing.js';

const texts = {
  recovered: 'The latest calls passed as often as required.',
  advice:
    'Read the calls that failed, make scenarios of them, and look at what was changed since they passed: prompts, model, knowledge, webhooks.',
};

/**
 * Judges a monitor when a call of it was judged, in the same transaction, and alerts when it begins to fail or passes again: one alert
 * for each problem, however many calls it lasts.
 */
export const judgeMonitor =
  (settings: ControlSettings): EndedHook =>
  async ({ organizationId, monitorId, status }, transaction) => {
    if (monitorId === null || (status !== 'PASSED' && status !== 'FAILED')) return;
    const monitor = await transaction
      .selectFrom('agent_test_monitors')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', '=', monitorId)
      .forUpdate()
      .executeTakeFirst();
    if (monitor === undefined) return;
    const standing = (await readStandings(transaction, organizationId, [monitorId]))(monitorId);
    const { state, problem } = nextState(monitor.state, standing, monitor.required_pass_rate);
    const now = new Date();
    const changed = await transaction
      .updateTable('agent_test_monitors')
      .set({ state, state_since: monitor.state === state ? monitor.state_since : now, problem })
      .where('organization_id', '=', organizationId)
      .where('id', '=', monitorId)
      .returningAll()
      .executeTakeFirstOrThrow();
    const news = newsOf(monitor.state, state);
    if (news === undefined) return;
    const usage = await readMonthlyUsage(transaction, organizationId, [monitorId]);
    await announce(transaction, {
      organizationId,
      id: monitorId,
      event: news === 'recovered' ? 'agent_test.monitor_recovered' : 'agent_test.monitor_failed',
      data: monitorView(changed, standing, usage(monitorId)),
      notice: changed.notify_contacts
        ? noticeOf(changed, texts, `${publicUrl(settings)}/testing/monitors`)
        : null,
      at: now,
    });
  };
