import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';

/**
 * What the edge uses of drachtio-srf, typed as it behaves: the package's own types know neither the callback forms nor
 * `connected`. Callback forms matter: they run in the turn in which the frame is read, so that a BYE in the same read
 * finds its listeners.
 */
export interface SipMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly payload?: readonly { readonly type: string | null; readonly content?: string }[];
  get(name: string): string | undefined;
  has(name: string): boolean;
}

/** A request from the network. */
export interface ReceivedRequest extends SipMessage, EventEmitter {
  readonly method: string;
  readonly uri: string;
  readonly source: 'network' | 'application';
  readonly source_address: string;
  readonly source_port: number;
  readonly protocol: string;
  /** The engine's name for its transaction. */
  readonly stackTxnId?: string;
  /** `HH:MM:SS.uuuuuu` of its arrival at the engine, by the engine's clock. */
  readonly stackTime?: string;
  /** `address:port` of the listener, for requests outside dialogs. */
  readonly receivedOn?: string;
  on(event: 'cancel', listener: (cancel: SipMessage) => void): this;
  on(event: 'update', listener: (request: ReceivedRequest, response: ResponseSender) => void): this;
}

export interface SendOptions {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Answers one received request. */
export interface ResponseSender {
  readonly finalResponseSent: boolean;
  send(
    status: number,
    reason: string | undefined,
    options: SendOptions,
    callback?: (error: unknown) => void,
    /** For a provisional response with `Require: 100rel`: its PRACK came. */
    acknowledged?: () => void,
  ): void;
}

/** A response from the network, or one that the engine generated because none came (empty `source_address`). */
export interface ReceivedResponse extends SipMessage {
  readonly status: number;
  readonly reason: string;
  /** The request that it answers, as the engine sent it. */
  readonly req: SipMessage & { readonly uri: string };
  readonly source_address: string;
  readonly source_port: number;
  readonly protocol: string;
}

/** True for a final response that the engine generated because none came; our own engine gives the cause in `Reason`. */
export const isMadeUp = ({
  source_address,
  source_port,
}: Pick<ReceivedResponse, 'source_address' | 'source_port'>): boolean =>
  source_address === '' || source_port === 0;

/** Why our own engine generated a response: `timeout`, `certificate` …; unknown from a drachtio-server. */
export function transportFailureOf(
  response: Pick<SipMessage, 'get'> | undefined,
): { readonly code: string; readonly text: string } | undefined {
  const reported = /^Transport;failure=([a-z-]+);text="([^"]*)"/.exec(response?.get('Reason') ?? '');
  return reported === null ? undefined : { code: reported[1]!, text: reported[2]! };
}

/** A request that we sent. */
export interface SentRequest extends SipMessage, EventEmitter {
  on(event: 'response', listener: (response: ReceivedResponse) => void): this;
  on(event: 'update', listener: (request: ReceivedRequest, response: ResponseSender) => void): this;
  cancel(options: { headers?: Record<string, string> }, callback: (error: unknown) => void): void;
}

export type Acknowledge = (options?: { body?: string }) => void;

/** Where a message came from. */
interface Source {
  readonly source_address: string;
  readonly source_port: number;
  readonly protocol: string;
}

/** One leg's dialog. Events: see `in-dialog.ts`. */
export interface Dialog extends EventEmitter {
  readonly id: string;
  readonly type: 'uas' | 'uac';
  readonly connected: boolean;
  readonly sip: {
    readonly callId: string;
    readonly localTag: string;
    /** Undefined: the peer speaks RFC 2543 and has none (RFC 3261 §12.1.1). */
    readonly remoteTag: string | undefined;
  };
  readonly local: { readonly sdp: string | undefined; contact: string };
  readonly remote: { readonly sdp: string | undefined; readonly uri: string };
  /** The INVITE that formed it, and its 2xx. */
  readonly req: SipMessage & Source & { readonly uri: string; readonly socket?: Socket | undefined };
  readonly res: SipMessage & Source;
  destroy(options: { headers: Record<string, string> }, callback: (error: unknown) => void): void;
  request(
    options: { method: string; headers?: Record<string, string>; body?: string; noAck?: boolean },
    callback: (error: unknown, response?: ReceivedResponse, acknowledge?: Acknowledge) => void,
  ): void;
}

/** An answered INVITE without SDP: the far side's offer, to be acknowledged with our answer. */
export interface OfferedDialog {
  readonly sdp: string;
  ack(sdp: string): Promise<Dialog>;
  /** Acknowledges and ends it. */
  destroy(): Promise<void>;
  readonly res: SipMessage;
}

type Handler = (request: ReceivedRequest, response: ResponseSender, next: () => void) => void;

/** The public methods of drachtio-srf that the edge uses, typed as they behave. */
export interface PublicSrf {
  listen(options: object): void;
  use(handler: Handler): void;
  use(method: string, handler: Handler): void;
  request(uri: string, options: object, callback: (error: unknown, request?: SentRequest) => void): void;
  createUAC(
    uri: string,
    options: object,
    progress: {
      cbRequest: (error: unknown, request?: SentRequest) => void;
      cbProvisional: (response: ReceivedResponse) => void;
    },
    callback: (error: unknown, dialog?: Dialog | OfferedDialog) => void,
  ): void;
  createUAS(
    request: ReceivedRequest,
    response: ResponseSender,
    options: object,
    callback: (error: unknown, dialog?: Dialog) => void,
  ): void;
  addDialog(dialog: Dialog): void;
  removeDialog(dialog: Dialog): void;
  findDialogById(id: string): Dialog | undefined;
  readonly app: { readonly client: unknown };
}

/** The text of a rejection: the library rejects with strings and with errors. */
export const failureText = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
