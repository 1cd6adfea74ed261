import { Deferred } from '../../base/deferred.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import type { Dialog, OfferedDialog } from '../sip/messages.js';
import type { CallState } from './call-state.js';

type Sides<Value> = Readonly<Record<MediaSide, Value>>;

/** The live handles of a call's two legs: their dialogs, 200s that wait for our ACK, and the ACKs that the peers owe. */
export class CallLegs {
  /** Resolved when the trunk's dialog is acknowledged, or the call has ended. */
  readonly acknowledged = new Deferred();
  private readonly handles: Record<MediaSide, Dialog | undefined> = { trunk: undefined, agent: undefined };
  private readonly unacknowledged: Record<MediaSide, OfferedDialog | undefined> = {
    trunk: undefined,
    agent: undefined,
  };
  private hasTrunkAck = false;
  private trunkAck: Deferred | undefined;
  private agentAck: Deferred | undefined;

  get dialogs(): Sides<Dialog | undefined> {
    return this.handles;
  }

  /** The side's 200, if one waited, is acknowledged. */
  setDialog(side: MediaSide, dialog: Dialog): void {
    this.unacknowledged[side] = undefined;
    this.handles[side] = dialog;
  }

  /** A side's 200 with an offer that we have not acknowledged yet. */
  get offered(): Sides<OfferedDialog | undefined> {
    return this.unacknowledged;
  }

  /** Sides that have not acknowledged our 200. */
  get owesAck(): Sides<boolean> {
    const trunk = this.handles.trunk !== undefined && !this.acknowledged.isResolved;
    return { trunk, agent: this.agentAck?.isResolved === false };
  }

  /** The trunk's peer owes us no ACK. */
  acknowledge(): void {
    this.hasTrunkAck = true;
    this.acknowledged.resolve();
    this.trunkAck?.resolve();
  }

  /** Resolves when the trunk's peer owes us no ACK, also after the call has ended; undefined: it owes none. */
  get trunkAcknowledged(): Promise<void> | undefined {
    if (this.hasTrunkAck) return undefined;
    this.trunkAck ??= new Deferred();
    return this.trunkAck.promise;
  }

  /** Resolves when the agent owes us no ACK: it came, or its dialog is gone. */
  get agentAcknowledged(): Promise<void> | undefined {
    return this.agentAck?.promise;
  }

  /** The side's peer is gone, or its dialog belongs to another call now. */
  releaseDialog(side: MediaSide): void {
    this.handles[side] = undefined;
  }

  /** A side's 200 brought an offer and waits for our ACK. */
  setOffered(side: MediaSide, offered: OfferedDialog): void {
    this.unacknowledged[side] = offered;
  }

  /** The 200 is being acknowledged, or its dialog is gone. */
  releaseOffered(side: MediaSide): void {
    this.unacknowledged[side] = undefined;
  }

  /** The side whose 200 of that Call-ID waits for our ACK. */
  unacknowledgedSide(
    sipCallId: string,
    { trunkSipCallId, agentSipCallId }: Pick<CallState, 'trunkSipCallId' | 'agentSipCallId'>,
  ): MediaSide | undefined {
    if (this.unacknowledged.trunk !== undefined && trunkSipCallId === sipCallId) return 'trunk';
    return this.unacknowledged.agent !== undefined && agentSipCallId === sipCallId ? 'agent' : undefined;
  }

  /** Our 200 to the agent waits for its ACK; call the result when the ACK arrived or the dialog is gone. */
  awaitAgentAck(): () => void {
    const ack = new Deferred();
    this.agentAck = ack;
    return () => ack.resolve();
  }
}
