import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../../base/log.js';
import type { RedisServers } from '../../../base/redis.js';
import type { AgentTestSettings } from '../../../config/agent-test-settings.js';
import type { Database } from '../../database/tables.js';
import { FedQueue } from '../../jobs/fed-queue.js';
import type { RunWork } from './run-work.js';

export interface RunQueueDeps {
  readonly database: Kysely<Database>;
  readonly redisServers: RedisServers;
  readonly settings: AgentTestSettings;
  readonly work: RunWork;
  readonly log: Logger;
}

interface DueRun {
  readonly organizationId: string;
  readonly id: string;
  readonly attempts: number;
}

/**
 * Runs whose turn it is: the organizations take turns, and none has more runs at a time than its limit. Load tests begin their own.
 */
async function dueRuns(
  database: Kysely<Database>,
  { perOrganization, limit }: { readonly perOrganization: number; readonly limit: number },
): Promise<DueRun[]> {
  const { rows } = await sql<DueRun>`
    with unended as (
      select organization_id, id, attempts, due_at, coalesce(lease_until > now(), false) as is_running
      from agent_test_runs where due_at is not null and load_test_id is null
    ), running as (
      select organization_id, count(*) as runs from unended where is_running group by organization_id
    )
    select organization_id as "organizationId", id, attempts from (
      select u.organization_id, u.id, u.attempts, u.due_at, coalesce(r.runs, 0)
        + row_number() over (partition by u.organization_id order by u.due_at, u.id) as slot
      from unended u left join running r using (organization_id)
      where not u.is_running and u.due_at <= now()
    ) due
    where slot <= ${perOrganization}
    order by slot, due_at, id limit ${limit}`.execute(database);
  return rows;
}

/** Queues runs for the control processes; the rows are the truth, and an unfinished one is queued again. */
export function runQueue({ database, settings, work, ...deps }: RunQueueDeps): FedQueue<DueRun> {
  const { workers, concurrency } = settings;
  const queue = new FedQueue<DueRun>({
    name: 'agent-tests',
    detail: 'agent tests are run',
    concurrency: workers,
    ...deps,
    due: async () => {
      const due = await dueRuns(database, { perOrganization: concurrency, limit: 2 * workers });
      return due.map((run) => ({
        name: 'run',
        data: run,
        // The job of a process that died must not keep the next one out.
        opts: { jobId: `${run.id}-${run.attempts}` },
      }));
    },
    run: async ({ data }, _token, signal) => {
      await work.run(data.organizationId, data.id, signal);
      queue.wake();
    },
  });
  return queue;
}
