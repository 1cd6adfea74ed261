import type { Logger } from '../../../base/log.js';
import { pause } from '../../../base/pause.js';
import { DemarcError } from '../../../errors.js';
import { InvalidRequest } from '../../http/validation.js';
import { DriveService, LeaseLost } from '../../jobs/drive-service.js';
import { ModelFailure } from '../../models/model-failure.js';
import type { Runs } from '../runs/run-order.js';
import { type DriveDeps, driveSession } from './drive-session.js';
import {
  claimSessions,
  endSession,
  type Lease,
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

/** Drives tornado sessions. */
export class TornadoService extends DriveService<SessionRow> {
  constructor(private readonly deps: TornadoDeps) {
    const { log, leaseMilliseconds } = deps;
    super('tornado', 'improving pathways by their failed tests', {
      recurrence: {
        everyMilliseconds: intervalMilliseconds,
        failed: (error) => log.warn({ error: error.message }, 'Claiming tornado sessions failed; retrying.'),
      },
      atOnce: sessionsAtOnce,
      leaseMilliseconds,
    });
  }

  protected claim(limit: number, driven: readonly string[]): Promise<readonly SessionRow[]> {
    const { database, leaseMilliseconds } = this.deps;
    return claimSessions(database, this.owner, { limit, leaseMilliseconds, driven });
  }

  protected renew(session: SessionRow): Promise<boolean> {
    const { database, leaseMilliseconds } = this.deps;
    return renewLease(database, { session, owner: this.owner }, leaseMilliseconds);
  }

  protected async drive(session: SessionRow, leased: AbortSignal): Promise<void> {
    const lease: Lease = { session, owner: this.owner };
    const late = new AbortController();
    const leftMilliseconds = session.created_at.getTime() + session.timeout_ms - Date.now();
    const deadline = setTimeout(() => late.abort(new SessionTimeout()), Math.max(0, leftMilliseconds));
    const signal = AbortSignal.any([leased, late.signal]);
    try {
      await driveSession(this.deps, lease, signal);
    } catch (error) {
      await this.settle(lease, error as Error, signal).catch((failure: Error) =>
        this.deps.log.warn(
          { session: session.id, error: failure.message },
          'Ending a tornado session failed; retrying.',
        ),
      );
    } finally {
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
    } else if (this.isStopping) {
      await releaseLease(database, lease);
      return;
    } else if (isLasting(error)) {
      await endSession(database, session, 'ERROR', messageOf(error));
    } else {
      log.warn(
        { session: session.id, error: error.message },
        'A step of a tornado session failed; retrying.',
      );
      await pause(retryMilliseconds);
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
