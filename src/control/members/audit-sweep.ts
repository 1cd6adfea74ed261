import type { Kysely } from 'kysely';
import type { Logger } from '../../base/log.js';
import { deleteOldEvents } from '../audit/audit-log.js';
import type { Database } from '../database/tables.js';
import { SweepService } from '../jobs/sweep-service.js';

/** Over a year: yearly reviews see the whole period. */
export const auditDays = 400;
const everyMilliseconds = 3_600_000;

/** Deletes audit events after `auditDays`. */
export class AuditSweep extends SweepService {
  constructor(
    private readonly database: Kysely<Database>,
    log: Logger,
  ) {
    super('audit', 'deleting old audit events', {
      everyMilliseconds,
      failed: (error) => log.warn({ error: error.message }, 'Deleting old audit events failed; retrying.'),
    });
  }

  async sweep(): Promise<void> {
    let isMore = true;
    while (isMore && !this.task.isStopped) isMore = await deleteOldEvents(this.database, auditDays);
  }
}
