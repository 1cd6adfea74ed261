import { ownText } from '../../base/own-text.js';
import type { AgentMetadata } from '../../contract/agent-metadata.js';
import type { AttemptRecord } from '../../contract/call-record.js';
import type { HeaderMapping } from '../../contract/header-mapping.js';
import type { TransferRecord } from '../../contract/transfer.js';
import { reasonPhrase } from '../../sip/status.js';
import type { MediaSession } from '../media/media-session.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import type { TrunkSignaling } from '../media/terms.js';
import type { AgreedSession } from '../sip/session-timer.js';
import type { CallState, Descriptions, Ending } from './call-state.js';

/**
 * What is known of a call, as plain data, and the events that add to it without a change of phase: who takes part, what was sent and
 * answered, what happened to its media. The record and another process need it.
 */
export abstract class CallFacts implements TrunkSignaling {
  protected constructor(
    protected readonly data: { -readonly [Field in keyof CallState]: CallState[Field] },
  ) {}

  get state(): CallState {
    return this.data;
  }

  get hasEnded(): boolean {
    return this.data.ending !== null;
  }

  /** The API ordered it. */
  get isOrdered(): boolean {
    return false;
  }

  /** The peer of the trunk's leg. */
  get party(): 'caller' | 'callee' {
    return this.data.direction === 'inbound' ? 'caller' : 'callee';
  }

  /** Call-ID of the received INVITE that began the call. */
  get incomingSipCallId(): string {
    return this.data.trunkSipCallId;
  }

  /** Of the trunk's signaling. */
  get sourceAddress(): string {
    return this.data.source.address;
  }

  /** Whether the trunk's signaling comes from the address over a connection, which cannot be forged. */
  isPeerAddress(address: string): boolean {
    const { source } = this.data;
    return source.protocol !== 'udp' && source.address === address;
  }

  /** How a call ends when that side hangs up. */
  hangUpBy(side: MediaSide): Ending {
    if (this.data.newParties[side]) return { reason: 'target_hung_up', by: 'target' };
    return side === 'trunk'
      ? { reason: `${this.party}_hung_up`, by: this.party }
      : { reason: 'agent_hung_up', by: 'agent' };
  }

  /** Writes the change for a successor of this process. `isUrgent`: before what follows goes to a peer. */
  protected abstract note(isUrgent?: boolean): void;

  /** Continues from a state that another process has described. */
  protected resume(state: Partial<CallState>): void {
    Object.assign(this.data, state);
  }

  // Who takes part

  /** Of a refused call: the number that was found, and how the refusal counts. */
  noteRefusal(
    refused: Partial<Pick<CallState, 'number' | 'organization' | 'isChallenged' | 'isUnrecorded'>>,
  ): void {
    Object.assign(this.data, refused);
  }

  /** The organization that ordered it, or that owns the calling number. */
  assign(organization: string): void {
    this.data.organization = organization;
  }

  limitDuration(seconds: number): void {
    this.data.maximumSeconds = seconds;
  }

  identifyAgent(
    agent: Partial<Pick<CallState, 'agentUri' | 'agentSipCallId' | 'otherAgentSipCallIds'>>,
  ): void {
    Object.assign(this.data, agent);
  }

  /** An INVITE goes to a server of the trunk; the attempt before it stays known. */
  identifyTrunk(trunk: Pick<CallState, 'trunkSipCallId' | 'source'>): void {
    if (this.data.trunkSipCallId !== '') this.noteSipCallId(this.data.trunkSipCallId);
    Object.assign(this.data, trunk);
  }

  locateTrunk(source: CallState['source']): void {
    this.data.source = source;
  }

  /** A further dialog of the trunk's side whose messages belong to the record. */
  noteSipCallId(sipCallId: string): void {
    this.data.earlierTrunkSipCallIds = [...this.data.earlierTrunkSipCallIds, sipCallId];
  }

  mapTrunkHeaders(mappings: readonly HeaderMapping[]): void {
    this.data.trunkMappings = mappings;
  }

  noteStatus(status: number, reason?: string): void {
    this.data.sipStatus = status;
    this.data.sipReason = reason ?? reasonPhrase(status);
  }

  /** Adds an attempt, or replaces the one at `index`. Returns its index. */
  noteAttempt(record: AttemptRecord, index: number = this.data.attempts.length): number {
    this.data.attempts = [
      ...this.data.attempts.slice(0, index),
      record,
      ...this.data.attempts.slice(index + 1),
    ];
    return index;
  }

  noteTransfer(record: TransferRecord): void {
    this.data.transfers = [...this.data.transfers, record];
    this.note();
  }

  noteAgentMetadata(metadata: AgentMetadata): void {
    this.data.agentMetadata = metadata;
    this.note();
  }

  // What was agreed

  setSession(side: MediaSide, session: AgreedSession | undefined): void {
    this.data.sessions = { ...this.data.sessions, [side]: session };
    this.note();
  }

  /** A description that a side sent or received; absent fields stay. */
  describeSide(side: MediaSide, descriptions: Partial<Descriptions>): void {
    const before = this.data.descriptions;
    const { remote } = descriptions;
    const own = remote === undefined ? descriptions : { ...descriptions, remote: ownText(remote) };
    this.data.descriptions = { ...before, [side]: { ...before[side], ...own } };
    this.note();
  }

  // What happened

  /** Before the parties are offered a session that is to take the place of a lost one. A successor of this process deletes it. */
  noteNextMedia({ id }: MediaSession): void {
    this.data.nextMediaId = id;
  }

  /** The process `edgeId` held the call until now. */
  noteAdoption(edgeId: string, at = Date.now()): void {
    this.data.adoptions = [...this.data.adoptions, { at, edge_id: edgeId }];
  }

  noteMediaMove(from: string | null, to: string, milliseconds: number): void {
    this.data.mediaMoves = [...this.data.mediaMoves, { at: Date.now(), from, to, milliseconds }];
    this.note();
  }
}
