import { randomBytes } from 'node:crypto';
import type { NgCommand, NgReply } from './ng-client.js';
import { readCounters } from './ng-counters.js';
import { type MediaSide, otherSide } from './rtp-statistics.js';
import { type ExchangeTurn, type MediaNode, MediaUnavailable, type RtpenginePool } from './rtpengine-pool.js';

type Parameters = Readonly<Record<string, unknown>>;

const ended = 'The call has ended.';

/** A session at its rtpengine node: sends the commands of one call, from the first offer to the deletion. */
export class Anchor {
  private node: MediaNode | undefined;
  /** Of the node, when it took the session; undefined: unknown. */
  private lossesBefore: number | undefined;
  private firstNode: string | null = null;
  private released = false;

  /**
   * @param callId rtpengine's call-id: ours, so that callers cannot collide with each other's
   * @param turn whose work it is; read when a command is sent
   * @param opener made the first offer: a tag that rtpengine knows from the first command on
   */
  constructor(
    private callId: string,
    private readonly pool: RtpenginePool,
    private readonly turn: () => ExchangeTurn,
    private opener: MediaSide = 'trunk',
  ) {}

  /** Of another process: the node has the session. */
  static at(node: string | null, ...anchor: ConstructorParameters<typeof Anchor>): Anchor {
    const taken = new Anchor(...anchor);
    taken.node = node === null ? undefined : taken.pool.nodeNamed(node);
    return taken;
  }

  get id(): string {
    return this.callId;
  }

  get firstOfferer(): MediaSide {
    return this.opener;
  }

  get nodeName(): string | null {
    return this.node?.name ?? null;
  }

  get isNodeDown(): boolean {
    return this.node?.state === 'down';
  }

  /** True: the node was found down since it took the session, or that is unknown. */
  get mayBeLost(): boolean {
    return this.node !== undefined && this.node.losses !== this.lossesBefore;
  }

  /** Name of the node where the session began, if another one had to take the answer. */
  get movedFrom(): string | null {
    return this.firstNode;
  }

  /** The address of this process that the node can reach; undefined: there is no node, or no connection to it. */
  get localAddress(): string | undefined {
    return this.node === undefined ? undefined : this.pool.addressTowards(this.node);
  }

  /** The node has been asked, and has the session. */
  noteFound(): void {
    this.lossesBefore = this.node?.losses;
  }

  /** An offer; the first one is made to the node that the pool chooses. Returns rtpengine's description for the answerer. */
  async offer(from: MediaSide, parameters: Parameters): Promise<string> {
    if (this.node !== undefined) return this.exchange('offer', { ...parameters, 'to-tag': otherSide(from) });
    this.opener = from;
    const { node, reply } = await this.pool.open(this.callId, parameters, {
      isWanted: () => !this.released,
      turn: this.turn(),
    });
    this.node = node;
    this.lossesBefore = node.losses;
    if (this.released) {
      // The call ended during the command: the session that rtpengine made must not remain.
      void this.pool.delete(node, this.callId, this.opener);
      throw new MediaUnavailable(ended);
    }
    return descriptionIn(reply);
  }

  /** An answer; returns rtpengine's description for the offerer. */
  answer(parameters: Parameters): Promise<string> {
    return this.exchange('answer', parameters);
  }

  /** Makes the offer to another node, since the node that took it is down. Undefined: it is not, or no other node takes it. */
  async offerElsewhere(from: MediaSide, parameters: Parameters): Promise<string | undefined> {
    const { node, callId } = this;
    if (this.released || node === undefined || node.state !== 'down') return undefined;
    void this.pool.delete(node, callId, this.opener);
    this.firstNode = node.name;
    this.node = undefined;
    this.callId = `${callId}-${randomBytes(4).toString('hex')}`;
    return this.offer(from, parameters).catch(() => undefined);
  }

  async command(command: NgCommand, parameters: object, blob?: Buffer): Promise<NgReply> {
    if (this.node === undefined || this.released) throw new MediaUnavailable(ended);
    return this.pool.command(this.node, command, this.callId, parameters, blob);
  }

  /** A command that must succeed. Throws `MediaUnavailable`. */
  async demand(command: NgCommand, parameters: object, blob?: Buffer): Promise<NgReply> {
    return this.succeeded(await this.command(command, parameters, blob));
  }

  /** rtpengine's view of the call; undefined: there is none. Throws `MediaUnavailable` when the node is silent. */
  async query(): Promise<NgReply | undefined> {
    if (this.node === undefined || this.released) return undefined;
    return this.pool.command(this.node, 'query', this.callId, {});
  }

  /** Of `query` only the result and what `packetsFrom` reads. Throws `MediaUnavailable` when the node is silent. */
  async count(): Promise<NgReply | undefined> {
    if (this.node === undefined || this.released) return undefined;
    return this.pool.command(this.node, 'query', this.callId, {}, undefined, readCounters);
  }

  /** Ends the session, in the background if the node is down; its last reply, if it answers. Never throws. */
  async release(): Promise<NgReply | undefined> {
    this.released = true;
    if (this.node === undefined) return undefined;
    return this.pool.delete(this.node, this.callId, this.opener);
  }

  private async exchange(command: 'offer' | 'answer', parameters: Parameters): Promise<string> {
    if (this.node === undefined || this.released) throw new MediaUnavailable(ended);
    const reply = await this.pool.exchange(this.node, command, this.callId, parameters, this.turn());
    return descriptionIn(this.succeeded(reply));
  }

  private succeeded(reply: NgReply): NgReply {
    if (reply.result === 'ok') return reply;
    throw new MediaUnavailable(`rtpengine ${this.nodeName}: ${reply['error-reason'] ?? reply.result}`);
  }
}

function descriptionIn({ sdp }: NgReply): string {
  if (typeof sdp !== 'string') throw new MediaUnavailable('rtpengine gave no session description.');
  return sdp;
}
