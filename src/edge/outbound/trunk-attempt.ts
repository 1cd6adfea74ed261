import { randomUUID } from 'node:crypto';
import { Deferred } from '../../base/deferred.js';
import { isRedirect } from '../routing/redirect-contacts.js';
import { unreachableText } from '../routing/send-options.js';
import type { TargetGuard } from '../routing/target-guard.js';
import type { AttemptFailure, TrunkTarget } from '../routing/targets.js';
import { capabilityHeaders, contactHeaders } from '../sip/capabilities.js';
import type { DigestExchange } from '../sip/digest-client.js';
import { EarlyAnswer } from '../sip/early-answer.js';
import type { EngineLink } from '../sip/engine-link.js';
import {
  type Dialog,
  failureText,
  isMadeUp,
  type OfferedDialog,
  type ReceivedRequest,
  type ReceivedResponse,
  type ResponseSender,
  type SentRequest,
  transportFailureOf,
} from '../sip/messages.js';
import { cleanPhrase, sipReason } from '../sip/reason.js';
import { inviteWithTimer } from '../sip/timed-invite.js';

export interface AttemptOptions {
  readonly engine: EngineLink;
  readonly target: TrunkTarget;
  /** Asked first. */
  readonly guard: TargetGuard;
  readonly uri: string;
  /** From and To without tags, and what the agent's mappings add. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: the call begins with us. */
  readonly maxForwards?: number | undefined;
  /** Absent: the server is asked for one. */
  readonly offer: string | undefined;
  /** Absent: challenges are final. */
  readonly digest: DigestExchange | undefined;
  /** The session interval to propose. */
  readonly sessionSeconds: number;
  /**
   * A server that sends nothing for this long counts as down. A live one sends 100 at once (RFC 3261 §17.2.1), and two that
   * are down leave the third time to ring.
   */
  readonly responseMilliseconds: number;
  /** True: a message of that Call-ID and CSeq number was answered provisionally, as captured on the wire. */
  readonly wasHeard: (sipCallId: string, sequence: number) => boolean;
  /** 100: the server is alive; the callee may take long to ring. */
  readonly trying: () => void;
  /** Each provisional response but 100: the callee's phone rings. */
  readonly provisional: (response: ReceivedResponse) => void;
  /** UPDATE before the final response, with the descriptions so far. Absent: an offer in it is refused. */
  readonly update?: (early: EarlyAnswer, update: ReceivedRequest, response: ResponseSender) => void;
  /** Called synchronously when the dialog is created, with the SDP answer. */
  readonly answered: (dialog: Dialog, answer: string | undefined) => void;
  /** Instead of `answered` where the server was asked for an offer: its 200 is not acknowledged yet. */
  readonly offered?: (dialog: OfferedDialog) => void;
}

/** Undefined: answered. */
export type AttemptResult = AttemptFailure | undefined;

/**
 * One INVITE to one server, with its repetitions for digest challenges and session intervals. Every attempt is a separate
 * dialog.
 */
export class TrunkAttempt {
  readonly sipCallId: string = randomUUID();
  /** Address of the last response. */
  source: { address: string; port: number; protocol: string };
  private readonly done = new Deferred();
  private readonly answer = new EarlyAnswer();
  private sent: SentRequest | undefined;
  private hasRung = false;
  private timer: NodeJS.Timeout | undefined;
  /** The reason of the CANCEL; null: not given up. */
  private givenUp: string | undefined | null = null;
  private settle: (result: AttemptResult) => void = () => {};

  constructor(private readonly deps: AttemptOptions) {
    const { host, port, transport } = deps.target;
    this.source = { address: host, port: port ?? (transport === 'tls' ? 5061 : 5060), protocol: transport };
  }

  /** Resolves with the failure, or undefined once answered; never rejects. */
  run(): Promise<AttemptResult> {
    return new Promise((resolve) => {
      this.settle = resolve;
      this.waitForResponse();
      const { guard, target } = this.deps;
      void guard.check(target).then((problem) => this.begin(problem));
    });
  }

  /** CANCEL; resolves when the transaction is over. A 200 that crosses it is acknowledged and ended. */
  withdraw(reason: string | undefined): Promise<void> {
    if (this.done.isResolved) return this.done.promise;
    if (this.givenUp === null) {
      this.givenUp = reason;
      clearTimeout(this.timer);
      this.cancel();
    }
    return this.done.promise;
  }

  /** The engine is gone, and the transaction with it: nothing more is sent and nothing will come. */
  abandon(): void {
    if (this.givenUp === null) this.givenUp = undefined;
    clearTimeout(this.timer);
    this.sent = undefined;
    this.done.resolve();
    this.settle({ status: 503, reason: 'Engine lost', isOurs: true, hasRung: this.hasRung });
  }

  /** @param problem why the server must not be called */
  private begin(problem: string | undefined): void {
    if (problem === undefined && this.givenUp === null) {
      this.invite();
      return;
    }
    clearTimeout(this.timer);
    this.done.resolve();
    const unreachable = problem;
    const [status, reason] = problem === undefined ? [487, 'Cancelled'] : [503, problem];
    this.settle({ status, reason, isOurs: true, unreachable, hasRung: false });
  }

  private invite(): void {
    const { engine, uri, offer, digest, target, headers, sessionSeconds, guard, maxForwards, update } =
      this.deps;
    inviteWithTimer(
      engine,
      uri,
      {
        headers: {
          ...headers,
          'Call-ID': this.sipCallId,
          CSeq: '1 INVITE',
          'Max-Forwards': String(maxForwards ?? 70),
          'User-Agent': 'demarc',
          ...capabilityHeaders,
          ...contactHeaders({ protocol: target.transport, uri }),
        },
        localSdp: offer,
        sessionSeconds,
        digest,
        tlsCa: target.tls_ca,
        proxy: guard.hop(target),
      },
      {
        sent: (sent) => {
          this.sent = sent;
          if (this.givenUp !== null) this.cancel();
        },
        trying: () => this.trying(),
        provisional: (response) => this.provisional(response),
        ...(update === undefined
          ? {}
          : { update: (request, response) => update(this.answer, request, response) }),
        mayRepeat: (response) => this.mayRepeat(response),
      },
      (error, dialog) => this.final(error, dialog),
    );
  }

  private trying(): void {
    clearTimeout(this.timer);
    if (this.givenUp === null) this.deps.trying();
  }

  private provisional(response: ReceivedResponse): void {
    clearTimeout(this.timer);
    this.note(response);
    this.answer.note(response);
    this.hasRung = true;
    if (this.givenUp === null) this.deps.provisional(response);
  }

  private final(error: unknown, dialog: Dialog | OfferedDialog | undefined): void {
    clearTimeout(this.timer);
    this.sent = undefined;
    if (dialog !== undefined) {
      this.done.resolve();
      if (this.givenUp !== null) {
        // The CANCEL crossed the 200: the engine or this edge ends the dialog, whichever is first.
        if ('sdp' in dialog) void dialog.destroy();
        else if (dialog.connected) {
          void dialog.destroy({ headers: { Reason: sipReason(487, 'Cancelled') } }, () => {});
        }
        this.settle({ status: 487, reason: 'Cancelled', isOurs: true, hasRung: this.hasRung });
        return;
      }
      if ('sdp' in dialog) this.deps.offered?.(dialog);
      else this.deps.answered(dialog, this.answer.answerOf(dialog.res));
      this.settle(undefined);
      return;
    }
    const { status, reason, res } = error as { status?: number; reason?: string; res?: ReceivedResponse };
    if (res !== undefined) this.note(res);
    this.done.resolve();
    if (status === undefined) {
      // The engine could not send it at all: unknown host, no listener for the transport.
      this.settle({ status: 503, reason: failureText(error), isOurs: true, hasRung: false });
      return;
    }
    const isOurs = res === undefined || isMadeUp(res);
    // A connection that is not established in time is a timeout as well.
    const isSilent = isOurs && transportFailureOf(res)?.code === 'timeout';
    this.settle({
      status: isSilent ? 408 : status,
      reason: isSilent ? 'No response' : (cleanPhrase(reason ?? '') ?? ''),
      isOurs,
      unreachable: res !== undefined && isOurs ? unreachableText(res) : undefined,
      problem: status === 401 || status === 407 ? this.deps.digest?.problem : undefined,
      hasRung: this.hasRung,
      contact: isRedirect(status) && !isOurs ? res.get('Contact') : undefined,
    });
  }

  private mayRepeat(response: ReceivedResponse): boolean {
    if (this.givenUp !== null) return false;
    clearTimeout(this.timer);
    this.sent = undefined;
    this.note(response);
    this.waitForResponse();
    return true;
  }

  private waitForResponse(): void {
    this.timer = setTimeout(() => {
      // A drachtio-server keeps the 100 to itself, but not from its capture.
      const sequence = Number.parseInt(this.sent?.get('CSeq') ?? '', 10);
      if (this.deps.wasHeard(this.sipCallId, sequence)) {
        this.trying();
        return;
      }
      this.settle({ status: 408, reason: 'No response', isOurs: true, hasRung: false });
      void this.withdraw(sipReason(408, 'No response'));
    }, this.deps.responseMilliseconds);
  }

  private cancel(): void {
    const headers = typeof this.givenUp === 'string' ? { Reason: this.givenUp } : {};
    // An INVITE that is answered meanwhile cannot be cancelled; `final` ends its dialog.
    this.sent?.cancel({ headers }, () => {});
  }

  private note(response: ReceivedResponse): void {
    if (isMadeUp(response)) return;
    const { source_address: address, source_port: port, protocol } = response;
    this.source = { address, port, protocol };
  }
}
