import type { CallCommand, OrderedPhase } from '../../contract/commands.js';
import { Call, type EndOptions } from '../call/call.js';
import type { CallParts } from '../call/call-parts.js';
import type { Ending } from '../call/call-record.js';
import type { OfferedDialog } from '../call/engine-link.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import type { TrunkAttempt } from './trunk-attempt.js';

/** Who calls whom: digits without plus. */
export type Dialled = Pick<CallCommand, 'call_id' | 'number' | 'phone_number' | 'variables'>;

/** A call to a trunk. */
export class OutboundCall extends Call {
  /** For the trunk, when it has answered and before the agent is heard. */
  precallDigits = '';
  /** The trunk's INVITE while it has no final answer. */
  attempt: TrunkAttempt | undefined;
  /** The trunk's answer to an INVITE without an offer, not acknowledged yet. */
  trunkOffered: OfferedDialog | undefined;

  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    parts: CallParts,
    readonly command: Dialled,
    /** Tells how far the call has come. */
    readonly report: (phase: OrderedPhase) => void,
  ) {
    super(parts, {
      id: command.call_id,
      direction: 'outbound',
      from: `<sip:+${command.number}@localhost>`,
      to: `<sip:+${command.phone_number}@localhost>`,
      source: { address: '', port: 0, protocol: '' },
      trunkSipCallId: '',
    });
    this.state.number = command.number;
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

  override unacknowledgedSide(sipCallId: string): MediaSide | undefined {
    const isTrunk = this.trunkOffered !== undefined && this.state.trunkSipCallId === sipCallId;
    return isTrunk ? 'trunk' : super.unacknowledgedSide(sipCallId);
  }

  override dropUnacknowledged(side: MediaSide): void {
    if (side === 'trunk') this.trunkOffered = undefined;
    else super.dropUnacknowledged(side);
  }

  override withdraw(reason: string | undefined): Promise<void> {
    if (this.trunkOffered !== undefined) return this.trunkOffered.destroy();
    return this.attempt?.withdraw(reason) ?? Promise.resolve();
  }

  protected override endUnanswered(_ending: Ending, { engineIsGone }: EndOptions): void {
    for (const timer of this.timers) clearTimeout(timer);
    if (engineIsGone === true) this.attempt?.abandon();
    // RFC 3261 §9.1: what the CANCEL will bring.
    else if (this.state.answeredAt === null && this.attempt !== undefined) this.noteStatus(487);
    this.report('ended');
  }
}
