import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../base/log.js';
import { DemarcError } from '../../../errors.js';
import { InvalidRequest } from '../../http/validation.js';
import { DriveService, LeaseLost } from '../../jobs/drive-service.js';
import { type DriveDeps, driveLoadTest, LoadTestFailure } from './drive-load-test.js';
import { endLoadTest } from './end-load-test.js';
import { claimLoadTests, type Lease, releaseLease, renewLease } from './load-test-lease.js';
import { type LoadTestRow, openCallers } from './load-test-storage.js';

export interface LoadTestServiceDeps extends DriveDeps {
  readonly log: Logger;
  /** After so long without a renewal another process continues. */
  readonly leaseMilliseconds: number;
}

const intervalMilliseconds = 1_000;
/** More would measure this process, and not the agents. */
const testsAtOnce = 2;
/** From a failure, as of the database, to the next attempt. */
const retryMilliseconds = 1_000;

/** Drives load tests. The step of a killed process begins again in another one. */
export class LoadTestService extends DriveService<LoadTestRow> {
  constructor(private readonly deps: LoadTestServiceDeps) {
    const { log, leaseMilliseconds } = deps;
    super('load-tests', 'running load tests', {
      recurrence: {
        everyMilliseconds: intervalMilliseconds,
        failed: (error) => log.warn({ error: error.message }, 'Claiming load tests failed; retrying.'),
      },
      atOnce: testsAtOnce,
      leaseMilliseconds,
    });
  }

  protected claim(limit: number, driven: readonly string[]): Promise<readonly LoadTestRow[]> {
    const { database, leaseMilliseconds } = this.deps;
    return claimLoadTests(database, this.owner, { limit, leaseMilliseconds, driven });
  }

  protected renew(test: LoadTestRow): Promise<boolean> {
    const { database, leaseMilliseconds } = this.deps;
    return renewLease(database, { test, owner: this.owner }, leaseMilliseconds);
  }

  protected async drive(test: LoadTestRow, signal: AbortSignal): Promise<void> {
    const lease: Lease = { test, owner: this.owner };
    try {
      await driveLoadTest(this.deps, lease, signal);
    } catch (error) {
      await this.settle(lease, error as Error, signal).catch((failure: Error) =>
        this.deps.log.warn(
          { loadTest: test.id, error: failure.message },
          'Ending a load test failed; retrying.',
        ),
      );
    }
  }

  private async settle(lease: Lease, error: Error, signal: AbortSignal): Promise<void> {
    const { database, runs, wakeDeliveries, log } = this.deps;
    const { test } = lease;
    const reason: unknown = signal.aborted ? signal.reason : error;
    if (!(reason instanceof LeaseLost)) {
      const problem = this.isStopping ? undefined : problemOf(error);
      if (problem === undefined) {
        if (!this.isStopping) {
          log.warn({ loadTest: test.id, error: error.message }, 'A step of a load test failed; retrying.');
          await sleep(retryMilliseconds);
        }
        await releaseLease(database, lease);
        return;
      }
      const hasEnded = await database
        .transaction()
        .execute((transaction) => endLoadTest(transaction, test, 'ERROR', problem));
      if (hasEnded) wakeDeliveries();
    }
    const { organization_id: organizationId, id } = test;
    const { status } = await database
      .selectFrom('agent_test_load_tests')
      .select('status')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (status !== 'RUNNING') await runs.cancel(organizationId, await openCallers(database, test));
  }
}

/** Why the load test cannot continue, for the customer; undefined: it is a failure of the service. */
function problemOf(error: Error): string | undefined {
  if (error instanceof InvalidRequest) return error.faults.map(({ message }) => message).join(' ');
  return error instanceof DemarcError || error instanceof LoadTestFailure ? error.message : undefined;
}
