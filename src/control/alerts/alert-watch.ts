import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../base/log.js';
import { RecurringTask } from '../../base/recurring-task.js';
import type { Redis } from '../../base/redis.js';
import type { ControlSettings } from '../../config/control-settings.js';
import type { Database } from '../database/tables.js';
import { publishNotice } from '../fleet/notices.js';
import type { AlertChange } from './alert-change.js';
import { evaluateAlerts } from './evaluation.js';
import { RegistrationTrends } from './registration-findings.js';

export interface AlertWatchDeps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
  readonly settings: ControlSettings;
  /** Called when there are notices to send. */
  readonly queued: () => void;
  readonly log: Logger;
}

const tidyMilliseconds = 3_600_000;

/** Evaluates alerts periodically; one process at a time does it. */
export class AlertWatch {
  readonly name = 'alerts';
  private readonly task: RecurringTask;
  private tidiedAt = Number.NEGATIVE_INFINITY;

  private readonly registrations: RegistrationTrends;

  constructor(private readonly deps: AlertWatchDeps) {
    this.registrations = new RegistrationTrends(deps.redis);
    this.task = new RecurringTask(() => this.evaluate(), {
      everyMilliseconds: deps.settings.notices.alertIntervalMilliseconds,
      failed: (error) => deps.log.warn({ error: error.message }, 'Alert evaluation failed; retrying.'),
    });
  }

  async start(): Promise<void> {
    this.task.start(0);
  }

  async stop(): Promise<void> {
    await this.task.stop();
  }

  state(): { readonly ready: boolean; readonly detail: string } {
    const { problem } = this.task;
    return { ready: problem === undefined, detail: problem ?? 'evaluating trunks' };
  }

  private async evaluate(): Promise<void> {
    const changes = await evaluateAlerts({ ...this.deps, registrations: this.registrations });
    if (changes === undefined) return;
    if (changes.length > 0) {
      this.deps.queued();
      for (const change of changes) this.publish(change);
    }
    await this.tidy();
  }

  /** Notifies live dashboards; the database keeps the history. */
  private publish({ change, organizationId, alert }: AlertChange): void {
    const { log, redis } = this.deps;
    const { alert_id, phone_number, direction, kind } = alert;
    log.info({ alert: alert_id, number: phone_number, direction, kind }, `Alert ${change}.`);
    void publishNotice(redis, { organization: organizationId, event: 'alert', data: { change, alert } });
  }

  private async tidy(): Promise<void> {
    const { database, settings } = this.deps;
    if (settings.callRetentionDays === 0) return;
    if (performance.now() - this.tidiedAt < tidyMilliseconds) return;
    this.tidiedAt = performance.now();
    await database
      .deleteFrom('alerts')
      .where('state', '<>', 'active')
      .where('fired_at', '<', sql<Date>`now() - make_interval(days => ${settings.callRetentionDays})`)
      .execute();
  }
}
