import type { G711 } from '../../rtp/g711.js';

/** What a bot learns at the beginning of its stream. */
export interface StreamFacts {
  /** `MZ`, `CA`, `AC` and 32 hex digits. */
  readonly streamSid: string;
  readonly callSid: string;
  readonly accountSid: string;
  readonly from: string;
  readonly to: string;
  readonly direction: 'inbound' | 'outbound';
  /** Call-ID of the trunk's dialog. */
  readonly sipCallId: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Of the agent: `persona_id`, `pathway_version`, `token` and others. */
  readonly agent?: Readonly<Record<string, string>>;
  /** The caller's `X-` headers and mapped variables, as agents by SIP get them; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** True: an earlier connection for this call was lost. */
  readonly isReconnected: boolean;
}

/** What a bot may ask for on its socket, beside audio. Both formats read these. */
export type BotOrder =
  | { readonly kind: 'hangup'; readonly reason: string | undefined }
  | {
      readonly kind: 'transfer';
      /** A number or URI; undefined: `call` is given. */
      readonly target: string | undefined;
      /** `callSid` of another call of the account at a bot, whose other party takes this one over: an attended transfer. */
      readonly call: string | undefined;
    }
  | { readonly kind: 'hold'; readonly isOn: boolean }
  | { readonly kind: 'dtmf'; readonly digits: string; readonly milliseconds: number | undefined }
  | { readonly kind: 'play'; readonly url: string; readonly id: string | undefined }
  | { readonly kind: 'metadata'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'accept' }
  | { readonly kind: 'reject'; readonly status: number; readonly reason: string | undefined };

/** Receives what a bot sends. Audio is G.711 in the codec of the call, valid until the call returns. */
export interface BotListener {
  audio(octets: Uint8Array): void;
  mark(name: string): void;
  clear(): void;
  order(order: BotOrder): void;
  /** A message that the format does not define: it is ignored and counted. @param why for the log, without the message */
  unknown(why: string): void;
}

/** Of a message that tells the bot how an order ended. */
export type NoticeFields = Readonly<Record<string, string | number | boolean>>;

/** One bot's connection in one format. Keeps the state of sequence numbers and filters; a new connection needs a new one. */
export interface BotFormat {
  /** WebSocket subprotocol to offer; undefined: none. */
  readonly subprotocol: string | undefined;
  /** True: frames of the caller are in texts of ASCII, not in binary messages. */
  readonly hasTextAudio: boolean;
  /** From now on audio is in this codec. */
  useCodec(codec: G711): void;
  /** The messages that precede everything else. */
  opening(facts: StreamFacts): readonly string[];
  /**
   * One frame of the caller, 160 octets of G.711. What it returns is valid until the next one of any connection.
   * @param milliseconds since the first frame
   */
  media(octets: Uint8Array, milliseconds: number): Buffer;
  digit(digit: string): string;
  /** @param isPlayed false: cleared before the caller heard it */
  mark(name: string, isPlayed: boolean, playedMilliseconds: number): string | undefined;
  /** News of the call that the format itself does not define; bots ignore events that they do not know. */
  notice(event: string, fields: NoticeFields): string | undefined;
  /** The last message. */
  ending(reason: string): string | undefined;
  /** Takes one message. Never throws. */
  read(data: Buffer, isBinary: boolean, listener: BotListener): void;
  /** The bot has discarded what it had queued: filters begin again. */
  cleared(): void;
}
