import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../base/log.js';
import { DemarcError } from '../../../errors.js';
import { InvalidRequest } from '../../http/validation.js';
import { SweepService } from '../../jobs/sweep-service.js';
import { type DriveDeps, driveLoadTest, LoadTestFailure } from './drive-load-test.js';
import { endLoadTest } from './end-load-test.js';
import { claimLoadTests, type Lease, LeaseLost, releaseLease, renewLease } from './load-test-lease.js';
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

/** Drives load tests. Processes share them by leases; the step of a killed process begins again in another one. */
export class LoadTestService extends SweepService {
  private readonly driving = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly owner = randomUUID();

  constructor(private readonly deps: LoadTestServiceDeps) {
    super('load-tests', 'running load tests', {
      everyMilliseconds: intervalMilliseconds,
      failed: (error) => deps.log.warn({ error: error.message }, 'Claiming load tests failed; retrying.'),
    });
  }

  /** Begins new load tests at once. */
  wake(): void {
    void this.task.next();
  }

  override async stop(): Promise<void> {
    await super.stop();
    this.stopping.abort();
    await Promise.all(this.driving.values());
  }

  async sweep(): Promise<void> {
    const limit = testsAtOnce - this.driving.size;
    if (limit <= 0) return;
    const { database, leaseMilliseconds } = this.deps;
    const driven = [...this.driving.keys()];
    for (const test of await claimLoadTests(database, this.owner, { limit, leaseMilliseconds, driven })) {
      const drive = this.drive(test).finally(() => this.driving.delete(test.id));
      this.driving.set(test.id, drive);
    }
  }

  private async drive(test: LoadTestRow): Promise<void> {
    const { database, leaseMilliseconds, log } = this.deps;
    const lease: Lease = { test, owner: this.owner };
    const lost = new AbortController();
    const renewal = setInterval(() => {
      renewLease(database, lease, leaseMilliseconds)
        .then((isHeld) => {
          if (!isHeld) lost.abort(new LeaseLost());
        })
        // The next renewal may succeed; if none does, another process takes the load test.
        .catch(() => {});
    }, leaseMilliseconds / 10);
    const signal = AbortSignal.any([this.stopping.signal, lost.signal]);
    try {
      await driveLoadTest(this.deps, lease, signal);
    } catch (error) {
      await this.settle(lease, error as Error, signal).catch((failure: Error) =>
        log.warn({ loadTest: test.id, error: failure.message }, 'Ending a load test failed; retrying.'),
      );
    } finally {
      clearInterval(renewal);
    }
  }

  private async settle(lease: Lease, error: Error, signal: AbortSignal): Promise<void> {
    const { database, runs, wakeDeliveries, log } = this.deps;
    const { test } = lease;
    const reason: unknown = signal.aborted ? signal.reason : error;
    if (!(reason instanceof LeaseLost)) {
      const problem = this.stopping.signal.aborted ? undefined : problemOf(error);
      if (problem === undefined) {
        if (!this.stopping.signal.aborted) {
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
