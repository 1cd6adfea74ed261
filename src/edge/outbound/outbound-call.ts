import type { CallCommand, CallProgress, OrderedPhase } from '../../contract/commands.js';
import type { CallDeps } from '../call/call.js';
import { Call } from '../call/call.js';
import type { EndOptions } from '../call/call-events.js';
import type { CallBeginning, Ending } from '../call/call-state.js';
import type { TrunkAttempt } from './trunk-attempt.js';

/** Caller and callee: digits without plus. */
export type Dialled = Pick<
  CallCommand,
  | 'call_id'
  | 'number'
  | 'phone_number'
  | 'variables'
  | 'persona_id'
  | 'persona_version'
  | 'pathway_id'
  | 'pathway_version'
  | 'voice'
  | 'knowledge_ids'
  | 'tools'
  | 'precall_dtmf_sequence'
>;

const momentOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A call to a trunk. */
export class OutboundCall extends Call {
  private attempt: TrunkAttempt | undefined;
  private readonly timers = new Set<NodeJS.Timeout>();
  private phase: OrderedPhase = 'claimed';

  constructor(
    deps: CallDeps,
    readonly command: Dialled,
    /** Receives the call's progress. */
    private readonly tell: (phase: OrderedPhase, progress: CallProgress) => void,
    agent: Pick<CallBeginning, 'agentUri' | 'agentSipCallId' | 'agentOffer' | 'organization'> = {},
  ) {
    super(deps, {
      id: command.call_id,
      direction: 'outbound',
      from: `<sip:+${command.number}@localhost>`,
      to: `<sip:+${command.phone_number}@localhost>`,
      source: { address: '', port: 0, protocol: '' },
      trunkSipCallId: '',
      number: command.number,
      ...agent,
    });
  }

  override get isOrdered(): boolean {
    return true;
  }

  /** Reports the call's progress. */
  report(phase: OrderedPhase): void {
    this.phase = phase;
    this.tell(phase, this.progress);
  }

  override get trunkAllow(): string | undefined {
    return this.dialogs.trunk?.res.get('Allow');
  }

  override changed(): void {
    if (!this.hasEnded) this.report(this.phase);
  }

  private get progress(): CallProgress {
    const { startedAt, ringingAt, answeredAt, attempts } = this.state;
    return {
      started_at: new Date(startedAt).toISOString(),
      ringing_at: momentOf(ringingAt),
      answered_at: momentOf(answeredAt),
      attempts: [...attempts],
      on_hold: this.media?.audio.isOnHold === true,
    };
  }

  /** Runs `act` later, unless the call has ended by then. */
  after(milliseconds: number, act: () => void): void {
    if (this.hasEnded) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, milliseconds).unref();
    this.timers.add(timer);
  }

  /** Sent to the trunk after its answer, before the agent is heard. */
  get precallDigits(): string {
    return this.command.precall_dtmf_sequence ?? '';
  }

  /** The trunk's INVITE has no final response yet. */
  beginAttempt(attempt: TrunkAttempt): void {
    this.attempt = attempt;
    this.invite();
  }

  endAttempt(): void {
    this.attempt = undefined;
  }

  override withdraw(reason: string | undefined): Promise<void> {
    if (this.legs.offered.trunk !== undefined) return this.legs.offered.trunk.destroy();
    return this.attempt?.withdraw(reason) ?? Promise.resolve();
  }

  protected override stopTimers(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  protected override endUnanswered(_ending: Ending, { engineIsGone }: EndOptions): void {
    this.stopTimers();
    if (engineIsGone === true) this.attempt?.abandon();
    // RFC 3261 §9.1: the response to the cancelled INVITE.
    else if (this.state.answeredAt === null && this.attempt !== undefined) this.noteStatus(487);
    this.report('ended');
  }
}
