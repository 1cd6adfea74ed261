import { randomUUID } from 'node:crypto';
import type { Logger } from '../../../base/log.js';
import { DemarcError } from '../../../errors.js';
import { InvalidRequest } from '../../http/validation.js';
import { SweepService } from '../../jobs/sweep-service.js';
import { ModelFailure } from '../../models/model-failure.js';
import type { Runs } from '../runs/run-order.js';
import { type DriveDeps, driveSession } from './drive-session.js';
import {
  claimSessions,
  endSession,
  type Lease,
  LeaseLost,
  releaseLease,
  renewLease,
  type SessionRow,
  unfinishedRuns,
} from './session-storage.js';

export interface TornadoDeps extends DriveDeps {
  readonly runs: DriveDeps['runs'] & Pick<Runs, 'cancel'>;
  readonly log: Logger;
  /** After so long without a renewal another process continues. */
  readonly leaseMilliseconds: number;
}

const intervalMilliseconds = 1_000;
/** Sessions that this process drives at a time; most of the time they wait for runs and models. */
const sessionsAtOnce = 8;
/** From a failure, as of the database, to the next attempt. */
const retryMilliseconds = 1_000;

class SessionTimeout extends Error {}

/** Drives tornado sessions. Processes share them by leases; the sessions of a killed process continue in another one. */
export class TornadoService extends SweepService {
  private readonly driving = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly owner = randomUUID();
  private readonly leaseMilliseconds: number;

  constructor(private readonly deps: TornadoDeps) {
    super('tornado', 'improving pathways by their failed tests', {
      everyMilliseconds: intervalMilliseconds,
      failed: (error) =>
        deps.log.warn({ error: error.message }, 'Claiming tornado sessions failed; retrying.'),
    });
    this.leaseMilliseconds = deps.leaseMilliseconds;
  }

  /** Begins new sessions at once. */
  wake(): void {
    void this.task.next();
  }

  override async stop(): Promise<void> {
    await super.stop();
    this.stopping.abort();
    await Promise.all(this.driving.values());
  }

  async sweep(): Promise<void> {
    const limit = sessionsAtOnce - this.driving.size;
    if (limit <= 0) return;
    const { leaseMilliseconds } = this;
    const claimed = await claimSessions(this.deps.database, this.owner, { limit, leaseMilliseconds });
    for (const session of claimed) {
      // Its lease ran out while this process was stalled; the running drive notices and ends.
      if (this.driving.has(session.id)) continue;
      const drive = this.drive(session).finally(() => this.driving.delete(session.id));
      this.driving.set(session.id, drive);
    }
  }

  private async drive(session: SessionRow): Promise<void> {
    const { database, log } = this.deps;
    const lease: Lease = { session, owner: this.owner };
    const lost = new AbortController();
    const renewal = setInterval(() => {
      renewLease(database, lease, this.leaseMilliseconds)
        .then((isHeld) => {
          if (!isHeld) lost.abort(new LeaseLost('The session has ended, or another process drives it.'));
        })
        // The next renewal may succeed; if none does, another process takes the session.
        .catch(() => {});
    }, this.leaseMilliseconds / 10);
    const late = new AbortController();
    const leftMilliseconds = session.created_at.getTime() + session.timeout_ms - Date.now();
    const deadline = setTimeout(() => late.abort(new SessionTimeout()), Math.max(0, leftMilliseconds));
    const signal = AbortSignal.any([this.stopping.signal, lost.signal, late.signal]);
    try {
      await driveSession(this.deps, lease, signal);
    } catch (error) {
      await this.settle(lease, error as Error, signal).catch((failure: Error) =>
        log.warn(
          { session: session.id, error: failure.message },
          'Ending a tornado session failed; retrying.',
        ),
      );
    } finally {
      clearInterval(renewal);
      clearTimeout(deadline);
    }
  }

  private async settle(lease: Lease, error: Error, signal: AbortSignal): Promise<void> {
    const { database, runs, log } = this.deps;
    const { session } = lease;
    const reason: unknown = signal.aborted ? signal.reason : error;
    if (reason instanceof SessionTimeout) {
      await endSession(database, session, 'TIMEOUT');
    } else if (reason instanceof LeaseLost) {
      // Cancelled, or driven by another process.
    } else if (this.stopping.signal.aborted) {
      await releaseLease(database, lease);
      return;
    } else if (isLasting(error)) {
      await endSession(database, session, 'ERROR', messageOf(error));
    } else {
      log.warn(
        { session: session.id, error: error.message },
        'A step of a tornado session failed; retrying.',
      );
      await new Promise((resolve) => setTimeout(resolve, retryMilliseconds));
      await releaseLease(database, lease);
      return;
    }
    const { organization_id: organizationId } = session;
    const { status } = await database
      .selectFrom('agent_test_tornado_sessions')
      .select('status')
      .where('organization_id', '=', organizationId)
      .where('id', '=', session.id)
      .executeTakeFirstOrThrow();
    if (status === 'RUNNING') return;
    await runs.cancel(organizationId, await unfinishedRuns(database, session));
  }
}

/** Failures that a repetition would have as well; models are asked several times before they fail. */
const isLasting = (error: Error): boolean =>
  error instanceof DemarcError || error instanceof InvalidRequest || error instanceof ModelFailure;

const messageOf = (error: Error): string =>
  error instanceof InvalidRequest ? error.faults.map(({ message }) => message).join(' ') : error.message;
