import type { NgReply } from './ng-client.js';
import { packetsFrom } from './rtp-statistics.js';

export interface GuardedMedia {
  /** Undefined: the session is over. */
  query(): Promise<NgReply | undefined>;
  /** Whether what the agent says is kept from the trunk. */
  blockAgent(isBlocked: boolean): Promise<void>;
}

/** A blocked endpoint that begins to send is detected within this time. */
const pollMilliseconds = 500;

/**
 * Keeps a description from directing a stream of media at a third party: the endpoint that a trunk describes
 * gets media for a short while, and then none until authentic packets have come from the trunk's side. rtpengine sends to
 * the source of packets as soon as there are any, so a peer that describes another's address gets the stream itself.
 */
export class ReflectionGuard {
  private endpoint: string | undefined;
  /** Packets received before the endpoint was described. */
  private baseline: number | undefined = 0;
  private isBlocked = false;
  private isDone = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly media: GuardedMedia,
    private readonly boundMilliseconds: number,
  ) {}

  /** The trunk's new media address; call this once rtpengine has it. */
  describe(endpoint: string | undefined): void {
    if (endpoint === undefined || endpoint === this.endpoint || this.isDone) return;
    const isFirst = this.endpoint === undefined;
    this.endpoint = endpoint;
    clearTimeout(this.timer);
    if (!isFirst) void this.count();
    this.checkIn(this.boundMilliseconds);
  }

  stop(): void {
    this.isDone = true;
    clearTimeout(this.timer);
  }

  /** Earlier packets prove nothing about a later endpoint. */
  private async count(): Promise<void> {
    this.baseline = undefined;
    this.baseline = await this.packets();
  }

  private checkIn(milliseconds: number): void {
    this.timer = setTimeout(() => void this.check(), milliseconds).unref();
  }

  private async check(): Promise<void> {
    const { endpoint } = this;
    const packets = await this.packets();
    if (this.isDone || endpoint !== this.endpoint) return;
    const isProven = packets !== undefined && this.baseline !== undefined && packets > this.baseline;
    this.baseline ??= packets;
    if (isProven === this.isBlocked) await this.block(!isProven);
    if (!isProven && !this.isDone && endpoint === this.endpoint) this.checkIn(pollMilliseconds);
  }

  private async block(isBlocked: boolean): Promise<void> {
    try {
      await this.media.blockAgent(isBlocked);
      this.isBlocked = isBlocked;
    } catch {
      // The node is down: nothing is sent, and the next check tries again.
    }
  }

  /** Undefined: currently unknown. */
  private async packets(): Promise<number | undefined> {
    const reply = await this.media.query().catch(() => undefined);
    return reply === undefined ? undefined : (packetsFrom(reply, 'trunk') ?? 0);
  }
}
