import { randomBytes } from 'node:crypto';
import type { BotState, StreamOrder } from '../../contract/agent-stream.js';
import { accountSidOf, callSidOf } from '../../contract/stream-ids.js';
import { handshakeHeaders } from '../../contract/stream-signatures.js';
import type { G711 } from '../../rtp/g711.js';
import type { BotFormat, BotListener, NoticeFields, StreamFacts } from '../formats/format.js';
import type { BotSocket, OpenBotSocket, SocketEnd } from './bot-socket.js';

export interface BotLinkDeps {
  readonly order: StreamOrder;
  /** Opened header fields of the handshake. */
  readonly headers: Readonly<Record<string, string>>;
  /** Opened signing secrets, the current one first. */
  readonly secrets: readonly string[];
  readonly open: OpenBotSocket;
  readonly makeFormat: () => BotFormat;
  /** How long a lost connection is tried again. */
  readonly reconnectMilliseconds: number;
  readonly version: string;
  /** For the first message. */
  readonly facts: Readonly<Record<string, string>>;
  /** The server has accepted the connection, and nothing has been sent yet. */
  readonly accepted?: () => void;
  /** Called in place of `over` when the first connection fails. */
  readonly refused?: (end: SocketEnd) => void;
}

export interface BotLinkListener extends BotListener {
  /** The stream has begun, or begun again. */
  started(isReconnected: boolean): void;
  /** The connection is lost and is being tried again. */
  lost(text: string): void;
  /** It is over: closed by the bot, refused, or not to be had again. */
  over(end: SocketEnd): void;
  /** The peer does not take its audio: frames are being dropped. */
  congested(): void;
}

/** Octets in the socket that stand for 400 ms of audio: 20 messages of some 330 octets. */
const congestedOctets = (frameOctets: number): number => 20 * (frameOctets + 8);
const congestionMilliseconds = 5_000;
const firstRetryMilliseconds = 250;
const longestRetryMilliseconds = 2_000;

/**
 * The connection of one call to its bot. A clean close ends the call; a lost one is made again for a while, and the new stream says
 * so. There are never two open connections for a call.
 */
export class BotLink {
  private socket: BotSocket | undefined;
  private format: BotFormat;
  private retry: NodeJS.Timeout | undefined;
  private retryMilliseconds = firstRetryMilliseconds;
  /** When trying ends, monotonic; undefined: the connection is there, or has never been. */
  private giveUpAt: number | undefined;
  private isOpen = false;
  private wasOpen: boolean;
  private isOver = false;
  private frameOctets = 330;
  private congestedSince: number | undefined;
  private frames = 0;
  /** Frames that a slow peer did not get. */
  droppedFrames = 0;
  private reconnects = 0;

  /** @param isContinued true: a process before this one had a connection for the call */
  constructor(
    private readonly deps: BotLinkDeps,
    private readonly listener: BotLinkListener,
    isContinued: boolean,
  ) {
    this.format = deps.makeFormat();
    this.wasOpen = isContinued;
  }

  get isConnected(): boolean {
    return this.isOpen;
  }

  get state(): Omit<BotState, 'queued_ms'> {
    const latency = this.socket?.latency;
    return {
      url: this.deps.order.stream.url,
      connected: this.isOpen,
      reconnects: this.reconnects,
      latency_ms: latency === undefined ? null : Math.round(latency * 10) / 10,
    };
  }

  connect(): void {
    if (this.wasOpen) this.giveUpAt = performance.now() + this.deps.reconnectMilliseconds;
    this.attempt();
  }

  /** One frame of the caller. Every call counts as 20 ms, whether or not the bot gets it. */
  media(octets: Uint8Array, now: number): void {
    const { socket } = this;
    const milliseconds = this.frames++ * 20;
    if (!this.isOpen || socket === undefined) return;
    if (socket.buffered > congestedOctets(this.frameOctets)) {
      this.congest(now);
      return;
    }
    this.congestedSince = undefined;
    const { format } = this;
    const message = format.media(octets, milliseconds);
    this.frameOctets = message.length;
    socket.sendAudio(message, format.hasTextAudio);
  }

  digit(digit: string): void {
    this.send(this.format.digit(digit));
  }

  mark(name: string, isPlayed: boolean, playedMilliseconds: number): void {
    this.send(this.format.mark(name, isPlayed, playedMilliseconds));
  }

  useCodec(codec: G711): void {
    this.format.useCodec(codec);
  }

  notice(event: string, fields: NoticeFields): void {
    this.send(this.format.notice(event, fields));
  }

  /** Filters forget what the bot has discarded. */
  cleared(): void {
    this.format.cleared();
  }

  /** The call has ended. */
  end(reason: string): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.retry);
    if (this.isOpen) this.send(this.format.ending(reason));
    this.isOpen = false;
    this.socket?.close(1_000, reason);
  }

  private attempt(): void {
    const { order, headers, secrets, open, version } = this.deps;
    const format = this.deps.makeFormat();
    this.format = format;
    const { url } = order.stream;
    const [accountSid, callSid] = [accountSidOf(order.organization), callSidOf(order.call_id)];
    const seconds = Math.floor(Date.now() / 1_000);
    const proofs = handshakeHeaders(secrets, { url, accountSid, callSid }, seconds);
    this.socket = open(
      {
        url,
        subprotocol: format.subprotocol,
        headers: { 'User-Agent': `demarc/${version}`, ...headers, ...proofs },
      },
      {
        open: () => this.opened(format, { accountSid, callSid }),
        message: (data, isBinary) => format.read(data, isBinary, this.listener),
        end: (end) => this.ended(end),
      },
    );
  }

  private opened(format: BotFormat, ids: { readonly accountSid: string; readonly callSid: string }): void {
    this.deps.accepted?.();
    const { from, to, direction, sip_call_id: sipCallId, stream, facts: agent } = this.deps.order;
    const isReconnected = this.wasOpen;
    const facts: StreamFacts = {
      streamSid: `MZ${randomBytes(16).toString('hex')}`,
      ...ids,
      from,
      to,
      direction,
      sipCallId,
      parameters: stream.parameters,
      ...(agent === undefined ? {} : { agent }),
      headers: this.deps.facts,
      isReconnected,
    };
    this.isOpen = true;
    this.wasOpen = true;
    if (isReconnected) this.reconnects++;
    this.frames = 0;
    this.giveUpAt = undefined;
    this.retryMilliseconds = firstRetryMilliseconds;
    for (const message of format.opening(facts)) this.socket?.send(message);
    this.listener.started(isReconnected);
  }

  private ended(end: SocketEnd): void {
    this.isOpen = false;
    this.socket = undefined;
    if (this.isOver) return;
    // A server that refuses the handshake, or an address that is forbidden, says the same a moment later; before the first stream the
    // caller still rings, and others can answer.
    const mayRetry = this.wasOpen && end.kind !== 'clean' && end.kind !== 'forbidden';
    if (mayRetry) {
      const now = performance.now();
      const isFirst = this.giveUpAt === undefined;
      this.giveUpAt ??= now + this.deps.reconnectMilliseconds;
      const wait = isFirst ? 0 : this.retryMilliseconds;
      if (now + wait < this.giveUpAt) {
        if (isFirst) this.listener.lost(end.text);
        else this.retryMilliseconds = Math.min(longestRetryMilliseconds, this.retryMilliseconds * 2);
        this.retry = setTimeout(() => this.attempt(), wait);
        return;
      }
    }
    this.isOver = true;
    const { refused } = this.deps;
    if (!this.wasOpen && refused !== undefined) refused(end);
    else this.listener.over(end);
  }

  private congest(now: number): void {
    this.droppedFrames++;
    if (this.congestedSince === undefined) {
      this.congestedSince = now;
      this.listener.congested();
    } else if (now - this.congestedSince > congestionMilliseconds) {
      const { socket } = this;
      this.congestedSince = undefined;
      socket?.close(1_013, 'audio is not taken');
      this.ended({
        kind: 'lost',
        text: `the server did not take audio for ${congestionMilliseconds / 1_000} s`,
      });
    }
  }

  private send(message: string | undefined): void {
    if (message !== undefined && this.isOpen) this.socket?.send(message);
  }
}
