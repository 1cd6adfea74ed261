import type { Moment } from '../base/elapsed-time.js';
import type { Logger } from '../base/log.js';
import type { StreamOrder } from '../contract/agent-stream.js';
import type { HeldLeg } from '../contract/held-call.js';
import type { EngineLink } from '../edge/sip/engine-link.js';
import type { OpenBotSocket } from './bot/bot-socket.js';
import type { NegotiationDocument } from './negotiation.js';
import type { OpenedAction, OpenedOrder } from './orders.js';
import type { KnownDialog } from './refer-to.js';
import type { StreamPosition } from './rtp-leg.js';
import type { RtpSockets } from './rtp-sockets/rtp-sockets.js';
import type { FetchSound } from './sounds/fetch-sound.js';

/** What a call has from its process. */
export interface StreamCallParts<Call> {
  readonly engine: EngineLink;
  readonly opened: OpenedOrder;
  /** What the INVITE says of the call beside its order, for the bot's first message. */
  readonly facts: Readonly<Record<string, string>>;
  /** Of the edge (W3C Trace Context), for each handshake. */
  readonly traceparent: string | undefined;
  readonly sockets: RtpSockets;
  /** Local address of RTP. */
  readonly address: string;
  readonly open: OpenBotSocket;
  readonly fetchSound: FetchSound;
  readonly openAction: (sealed: string) => OpenedAction;
  /** μ-law that control has left; undefined: it is gone. */
  readonly readSound: (id: string) => Promise<Buffer | undefined>;
  readonly findDialog: (callSid: string) => Promise<KnownDialog | undefined>;
  /** Seals the proof that a fallback agent is the number's. */
  readonly sealFallback: (uri: string) => string;
  readonly settings: {
    readonly reconnectMilliseconds: number;
    readonly queueMilliseconds: number;
  };
  readonly version: string;
  readonly log: Logger;
  readonly counters: StreamCounters;
  /** It was answered, or what a successor needs has changed. */
  readonly changed: (call: Call) => void;
  /** Once: it has released everything. */
  readonly ended: (call: Call) => void;
}

/** What the process counts over all calls. */
export interface StreamCounters {
  answered: number;
  refused: number;
  reconnected: number;
  unknownMessages: number;
  droppedToBots: number;
  droppedFromBotsMilliseconds: number;
}

/** What a successor continues an answered call from. Secret: descriptions and orders are. */
export interface StreamCallDocument extends NegotiationDocument {
  readonly leg: NonNullable<HeldLeg>;
  readonly answeredAt: number;
  readonly order: StreamOrder;
  /** Absent from documents of releases before it. */
  readonly facts?: Readonly<Record<string, string>>;
  /** Of the edge (W3C Trace Context), for each handshake. */
  readonly traceparent?: string | undefined;
  /** Whom the bot hears in place of the caller. */
  readonly transferTarget?: string | undefined;
  readonly port: number;
  readonly position: StreamPosition;
  /** Unix milliseconds of `position`. */
  readonly at: number;
  /** The same moment; absent from documents of releases before it. */
  readonly moment?: Moment;
}
