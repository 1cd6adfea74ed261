import { readSession } from '../../sdp/sdp.js';
import { endpointOf } from './media-egress.js';
import type { NgReply } from './ng-client.js';
import { sourceFlags } from './ng-parameters.js';
import type { MediaSide } from './rtp-statistics.js';

/** An address that a side's packets come from, instead of the one that it described. */
export interface LearnedSource {
  /** `address port` of its description. */
  readonly described: string;
  readonly address: string;
  readonly port: number;
}

/** How rtpengine gets a description of the side. */
export interface SourceCommand {
  readonly sdp: string;
  readonly flags: readonly string[];
}

/**
 * Where the packets of a side of plain RTP behind NAT or in a container come from (symmetric RTP, RFC 4961). Plain RTP proves nothing, so
 * rtpengine learns the source while both directions are off: a stranger who sends first neither hears nor is heard. Once packets come
 * from an allowed address, that address is the side's as if it had described it, and no other one is accepted.
 */
export class PlainSource {
  private isLearning = false;
  private isParked = false;
  /** As last described, `address port`. */
  private described: string | undefined;
  /** Nothing came while it was learned: the description holds. */
  private givenUp: string | undefined;

  /**
   * @param isAllowed whether packets may come from an address, given the described one
   * @param learned by another process
   */
  constructor(
    readonly side: MediaSide,
    private readonly isAllowed: (address: string, described: string) => boolean,
    private learned: LearnedSource | undefined = undefined,
  ) {}

  get known(): LearnedSource | undefined {
    return this.learned;
  }

  /** True: rtpengine is learning the source, and has to have both directions off. */
  get isOpen(): boolean {
    return this.isLearning;
  }

  /** The other side's description for rtpengine: an offer with a direction would let audio flow until it is answered. */
  ofOtherSide(sdp: string): string {
    return this.isLearning || this.isParked ? withDirection(sdp, 'inactive') : sdp;
  }

  command(sdp: string): SourceCommand {
    const described = describedIn(sdp);
    const flags = sourceFlags['RTP/AVP'];
    if (this.isParked) return { sdp: withDirection(atDiscard(sdp), 'inactive'), flags };
    this.isLearning = false;
    this.described = described;
    if (described === undefined || described === this.givenUp) return { sdp, flags };
    if (this.learned?.described === described) return { sdp: withEndpoint(sdp, this.learned), flags };
    this.isLearning = true;
    return {
      sdp: withDirection(sdp, 'inactive'),
      flags: ['strict-source', 'endpoint-learning-heuristic'],
    };
  }

  /**
   * Takes the source that rtpengine has learned.
   * @returns `learned`: it is allowed. `silent`: nothing came yet. Else the address that packets came from, which is not allowed
   */
  take(reply: NgReply): 'learned' | 'silent' | { readonly refused: string } {
    const stream = streamOf(reply, this.side);
    if (stream?.endpoint?.address === undefined || (stream.stats?.packets ?? 0) === 0) return 'silent';
    const { address, port } = stream.endpoint;
    const described = this.described ?? '';
    if (!this.isAllowed(address, described.split(' ', 1)[0]!)) return { refused: `${address} port ${port}` };
    this.learned = { described, address, port };
    return 'learned';
  }

  /**
   * rtpengine keeps a source that it has learned as long as the description is the same. In between, the side is described at the
   * discard port with both directions off, so that a stranger who came last is forgotten.
   */
  async parked(describe: () => Promise<void>): Promise<void> {
    this.isParked = true;
    try {
      await describe();
    } finally {
      this.isParked = false;
    }
  }

  /** The described address is the side's source, as without learning. */
  giveUp(): void {
    this.givenUp = this.described;
  }
}

interface Stream {
  readonly flags?: readonly string[];
  readonly endpoint?: { readonly address: string; readonly port: number };
  readonly stats?: { readonly packets?: number };
}

function streamOf(reply: NgReply, side: MediaSide): Stream | undefined {
  const tags = reply.tags as
    | Record<string, { readonly medias?: readonly { readonly streams?: readonly Stream[] }[] }>
    | undefined;
  return tags?.[side]?.medias?.[0]?.streams?.find(({ flags }) => flags?.includes('RTP') === true);
}

function describedIn(sdp: string): string | undefined {
  const session = readSession(sdp);
  const audio = session?.media[0];
  return session === undefined || audio === undefined ? undefined : endpointOf(session, audio);
}

/** Port 9 (RFC 863): nothing is sent from there. */
const atDiscard = (sdp: string): string =>
  sdp.replace(/^m=audio \d+/m, 'm=audio 9').replace(/^a=rtcp:.*\r?\n/gm, '');

function withEndpoint(sdp: string, { address, port }: LearnedSource): string {
  const family = address.includes(':') ? 'IP6' : 'IP4';
  return sdp
    .replace(/^c=.*?(\r?)$/gm, `c=IN ${family} ${address}$1`)
    .replace(/^m=audio \d+/m, `m=audio ${port}`)
    .replace(/^a=rtcp:.*\r?\n/gm, '');
}

/** With that direction for its only audio line (RFC 8866 §6.7). */
export function withDirection(sdp: string, direction: string): string {
  const without = sdp.replace(/^a=(?:sendrecv|sendonly|recvonly|inactive)\r?\n/gm, '');
  return `${without}${without.endsWith('\n') ? '' : '\r\n'}a=${direction}\r\n`;
}
