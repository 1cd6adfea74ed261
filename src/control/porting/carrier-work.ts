import { setMaxListeners } from 'node:events';
import { type Kysely, sql } from 'kysely';
import type { Logger } from '../../base/log.js';
import type { Database } from '../database/tables.js';
import type { ControlDeps } from '../http/api-server.js';
import { activateNumbers } from './activate-numbers.js';
import { cancelAtCarrier } from './carrier-cancel.js';
import { movesOf } from './carrier-moves.js';
import { retryWait } from './carrier-retry.js';
import {
  type Carrier,
  CarrierRefusal,
  type CarrierReport,
  CarrierUnavailable,
  type Submission,
} from './carriers/carrier.js';
import { type DocumentStorage, informationPlace } from './documents/document-storage.js';
import { makeMoves } from './make-moves.js';
import { owedWork } from './owed-work.js';
import type { WantedMove } from './planned-moves.js';
import type { LosingCarrierInformation } from './port-order.js';
import { lockRequest, numbersOf, type PortNumber, type PortRequest } from './port-rows.js';
import { isFinal } from './port-status.js';

export interface CarrierWorkDeps extends Pick<ControlDeps, 'database' | 'settings' | 'secrets'> {
  readonly carrier: Carrier;
  readonly documents: DocumentStorage;
  readonly log: Logger;
}

/** Uploads of documents, a search for a lost answer, and the request itself. */
const stepsOfAnAttempt = 6;

/** A request whose turn it is; `attempt` is another one after a process died in the middle. */
export interface DueRequest {
  readonly id: string;
  readonly attempt: number;
}

/** Requests whose turn it is and that no process works on. */
export async function dueRequests(database: Kysely<Database>, limit: number): Promise<DueRequest[]> {
  const rows = await database
    .selectFrom('port_requests')
    .select(['id', 'carrier_lease_until'])
    .where('carrier_due_at', '<=', sql<Date>`now()`)
    .where((where) =>
      where.or([
        where('carrier_lease_until', 'is', null),
        where('carrier_lease_until', '<', sql<Date>`now()`),
      ]),
    )
    .orderBy('carrier_due_at')
    .limit(limit)
    .execute();
  return rows.map(({ id, carrier_lease_until: lease }) => ({ id, attempt: lease?.getTime() ?? 0 }));
}

/** What came of an attempt, and when the request is looked at again. */
interface Next {
  /** Undefined: only when something happens to the request. */
  readonly afterMilliseconds: number | undefined;
  readonly problem: string | null;
  readonly isFailure: boolean;
}

const settled: Next = { afterMilliseconds: undefined, problem: null, isFailure: false };

/**
 * Does for a request whatever is owed now: submit it, ask about it, cancel it at the carrier, make ported numbers inbound
 * numbers. What is owed follows from the stored state alone, so that any process can do it again after any crash.
 */
export class CarrierWork {
  constructor(private readonly deps: CarrierWorkDeps) {}

  /** Rejects when PostgreSQL fails; failures of the carrier are stored with the time of the next try. */
  async run(requestId: string, stopping: AbortSignal): Promise<void> {
    const request = await this.claim(requestId);
    if (request === undefined) return;
    let next: Next;
    try {
      next = await this.step(request, stopping);
    } catch (error) {
      if (!(error instanceof CarrierUnavailable) && !isDocumentProblem(error)) {
        await this.release(request, {
          afterMilliseconds: 2_000,
          problem: request.carrier_problem,
          isFailure: false,
        });
        throw error;
      }
      next = this.failure(request, error as Error);
    }
    await this.release(request, next);
  }

  private failure(request: PortRequest, error: Error): Next {
    const wait = retryWait({
      failures: request.carrier_failures,
      firstMilliseconds: this.deps.settings.porting.retryMilliseconds,
      askedMilliseconds: error instanceof CarrierUnavailable ? error.retryAfterMilliseconds : undefined,
    });
    this.deps.log.warn(
      { port: request.id, error: error.message, failures: request.carrier_failures + 1 },
      'The carrier could not be asked about a port.',
    );
    return { afterMilliseconds: wait, problem: error.message, isFailure: true };
  }

  private async step(request: PortRequest, stopping: AbortSignal): Promise<Next> {
    const { database, carrier } = this.deps;
    await activateNumbers(this.deps, request);
    const numbers = await numbersOf(database, request.id);
    const owed = owedWork(request, numbers, carrier.name);
    if (owed === 'other_carrier') {
      return {
        ...settled,
        problem: `It was begun with the carrier ${request.carrier}, which is not configured now.`,
      };
    }
    if (owed === 'submit') return this.submit(request, numbers, stopping);
    if (owed === 'poll') return this.poll(request, request.carrier_reference!, stopping);
    if (owed === 'cancel') await this.cancel(request, numbers, stopping);
    return { ...settled, problem: isFinal(request.status) ? request.carrier_problem : null };
  }

  private signal(stopping: AbortSignal): AbortSignal {
    const { carrierTimeoutMilliseconds: timeout } = this.deps.settings.porting;
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeout)]);
    // Each request of the attempt listens to it.
    setMaxListeners(0, signal);
    return signal;
  }

  /** Sends the request to the carrier unless the carrier has it already: an earlier answer may have been lost. */
  private async submit(
    request: PortRequest,
    numbers: readonly PortNumber[],
    stopping: AbortSignal,
  ): Promise<Next> {
    const { database, carrier } = this.deps;
    const submission = await this.submissionOf(request, numbers);
    let reference =
      request.submission_begun_at === null
        ? undefined
        : await carrier.find(submission, this.signal(stopping));
    if (reference === undefined) {
      // Before the request leaves: from now on the carrier may have it.
      await database
        .updateTable('port_requests')
        .set({ submission_begun_at: sql<Date>`coalesce(submission_begun_at, now())` })
        .where('id', '=', request.id)
        .execute();
      try {
        reference = await carrier.submit(submission, this.signal(stopping));
      } catch (error) {
        if (!(error instanceof CarrierRefusal)) throw error;
        await this.move(request, [{ move: 'fail', reason: error.message }]);
        return settled;
      }
    }
    const { numUpdatedRows } = await database
      .updateTable('port_requests')
      .set({ carrier_reference: reference, updated_at: new Date() })
      .where('id', '=', request.id)
      .where('carrier_reference', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) this.deps.log.info({ port: request.id, reference }, 'A port was submitted.');
    return this.poll(request, reference, stopping);
  }

  private async poll(request: PortRequest, reference: string, stopping: AbortSignal): Promise<Next> {
    const { carrier, settings } = this.deps;
    let report: CarrierReport | undefined;
    try {
      report = await carrier.status(reference, this.signal(stopping));
    } catch (error) {
      if (!(error instanceof CarrierRefusal)) throw error;
      throw new CarrierUnavailable(error.message, { cause: error });
    }
    if (report === undefined) return settled;
    await this.move(request, movesOf(report));
    await activateNumbers(this.deps, request);
    return { afterMilliseconds: settings.porting.pollMilliseconds, problem: report.note, isFailure: false };
  }

  private async cancel(
    request: PortRequest,
    numbers: readonly PortNumber[],
    stopping: AbortSignal,
  ): Promise<void> {
    const { database, carrier } = this.deps;
    const { reference, problem } = await cancelAtCarrier(carrier, request, {
      submission: () => this.submissionOf(request, numbers),
      signal: () => this.signal(stopping),
    });
    if (problem !== null)
      this.deps.log.warn({ port: request.id, error: problem }, 'The carrier did not cancel a port.');
    await database
      .updateTable('port_requests')
      .set({ carrier_canceled_at: new Date(), carrier_reference: reference, carrier_problem: problem })
      .where('id', '=', request.id)
      .execute();
    request.carrier_problem = problem;
  }

  private move(request: PortRequest, wanted: readonly WantedMove[]): Promise<void> {
    const { database, carrier } = this.deps;
    return database.transaction().execute(async (transaction) => {
      const current = await lockRequest(transaction, request.id);
      if (current === undefined) return;
      await makeMoves(transaction, current, wanted, { actor: 'carrier', name: carrier.name });
    });
  }

  private async submissionOf(request: PortRequest, numbers: readonly PortNumber[]): Promise<Submission> {
    const { database, secrets, documents } = this.deps;
    const rows = await database
      .selectFrom('port_documents')
      .selectAll()
      .where('id', 'in', request.documents)
      .orderBy('created_at')
      .execute();
    return {
      requestId: request.id,
      numbers: numbers.map(({ number }) => number),
      information: JSON.parse(
        secrets.open(request.information, informationPlace(request)),
      ) as LosingCarrierInformation,
      notificationEmails: request.notification_emails,
      targetDay: request.target_day,
      documents: rows.map((row) => ({
        name: row.id,
        mediaType: row.media_type,
        octets: row.octets,
        open: () => documents.read(row),
      })),
      begunAt: request.submission_begun_at,
    };
  }

  /** Takes the request for this process; undefined: another one has it, or nothing is due. */
  private claim(requestId: string): Promise<PortRequest | undefined> {
    const seconds = (this.deps.settings.porting.carrierTimeoutMilliseconds * stepsOfAnAttempt) / 1_000;
    return this.deps.database
      .updateTable('port_requests')
      .set({ carrier_lease_until: sql<Date>`now() + make_interval(secs => ${seconds})` })
      .where('id', '=', requestId)
      .where('carrier_due_at', '<=', sql<Date>`now()`)
      .where((where) =>
        where.or([
          where('carrier_lease_until', 'is', null),
          where('carrier_lease_until', '<', sql<Date>`now()`),
        ]),
      )
      .returningAll()
      .executeTakeFirst();
  }

  /** What became due meanwhile, by a webhook or a cancel, stays due. */
  private async release(request: PortRequest, next: Next): Promise<void> {
    const dueAt = next.afterMilliseconds === undefined ? null : new Date(Date.now() + next.afterMilliseconds);
    await this.deps.database
      .updateTable('port_requests')
      .set({
        carrier_lease_until: null,
        carrier_failures: next.isFailure ? request.carrier_failures + 1 : 0,
        carrier_problem: next.problem,
        carrier_due_at: sql<Date | null>`case when carrier_due_at > ${request.carrier_due_at}
          then carrier_due_at else ${dueAt}::timestamptz end`,
      })
      .where('id', '=', request.id)
      .execute();
  }
}

const isDocumentProblem = (error: unknown): boolean =>
  (error as { code?: unknown }).code === 'DOCUMENTS_UNAVAILABLE';
