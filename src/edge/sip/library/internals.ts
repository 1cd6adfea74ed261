import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { HeaderNaming, ParsedText, WritableMessage } from './message-text.js';

/**
 * The parts of drachtio-srf that this folder replaces, typed as they behave in the versions that `install.ts` lists.
 */

/** `lib/sip-parser/message.js` */
export interface LibraryMessage extends WritableMessage {
  headers: Record<string, string>;
  status?: number;
  reason?: string;
  method?: string;
  uri?: string;
  version?: string;
  body?: string;
  payload?: readonly unknown[];
  get(name: string): string | undefined;
  has(name: string): boolean;
  set(name: string | Record<string, string>, value?: string): LibraryMessage;
  getHeaderName(name: string): string | undefined;
  toString(): string;
}

/** Where a message came from or went, by the fields of its frame. */
export interface Meta {
  readonly source: string | undefined;
  readonly address: string | undefined;
  readonly port: string | undefined;
  readonly protocol: string | undefined;
  readonly time: string | undefined;
  readonly transactionId: string | undefined;
  readonly dialogId: string | undefined;
  readonly server?: { readonly address: string | undefined; readonly hostport: string | null };
  readonly receivedOn?: string | undefined;
  readonly sessionToken?: string | undefined;
}

interface Exchanged extends EventEmitter {
  msg: LibraryMessage;
  meta: Meta;
  agent: Agent;
  socket: Socket;
  readonly stackTxnId: string;
  has(name: string): boolean;
  get(name: string): string | undefined;
}

/** `lib/request.js` */
export interface LibraryRequest extends Exchanged {
  res: LibraryResponse;
  auth?: unknown;
  readonly method: string;
  readonly uri: string;
  _originalParams?: unknown;
}

/** `lib/response.js` */
export interface LibraryResponse extends Exchanged {
  req: LibraryRequest;
  _req: LibraryRequest;
  _agent: Agent;
  status: number;
  readonly statusCode: number;
  readonly headersSent: boolean;
  finished: boolean;
  send(status: number, first?: unknown, second?: unknown, third?: unknown, fourth?: unknown): void;
  sendAck(dialogId: string | undefined, options?: object, callback?: unknown): void;
  sendPrack(dialogId: string | undefined, options?: object, callback?: unknown): void;
}

export type Reply = (token: readonly string[], text: string | undefined, meta: Meta) => void;

/** State of one connection, in `lib/drachtio-agent.js`. */
export interface Connection {
  readonly socket?: Socket;
  readonly hostport: string | null;
  readonly pendingPingRequests: Set<string>;
  readonly pendingRequests: Map<string, Reply>;
  readonly pendingSipRequests: Map<string, { readonly req: LibraryRequest }>;
  readonly pendingSipAuthRequests: Map<string, unknown>;
  readonly pendingNetworkInvites: Map<string, { req: LibraryRequest; res: LibraryResponse }>;
  readonly pendingAckOrPrack: Map<string | undefined, (request: LibraryRequest) => void>;
}

export interface Wire {
  /** Sends a frame; returns its id. */
  send(socket: Socket, text: string): string;
}

export interface RequestParameters {
  readonly socket: Socket;
  readonly options: WritableMessage & {
    uri?: unknown;
    method: string;
    readonly stackTxnId?: string;
    readonly stackDialogId?: string;
    readonly proxy?: string;
    readonly auth?: unknown;
  };
  readonly callback: (error: unknown, request?: LibraryRequest) => void;
}

/** `lib/drachtio-agent.js` */
export interface Agent {
  readonly wp: Wire;
  readonly mapServer: Map<Socket, Connection>;
  readonly puntUpTheMiddleware: (request: LibraryRequest, response: LibraryResponse) => void;
  _onMsg(socket: Socket, text: string): void;
  sendMessage(socket: Socket, message: LibraryMessage, options: SentOptions): string;
  sendResponse(
    response: LibraryResponse,
    options: SentOptions,
    callback?: (error: unknown, sent?: LibraryMessage) => void,
    acknowledged?: (request: LibraryRequest) => void,
  ): void;
  _makeRequest(parameters: RequestParameters): unknown;
}

export interface SentOptions {
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly stackTxnId?: string;
  readonly stackDialogId?: string;
}

type Class<Instance, Arguments extends unknown[]> = {
  new (...parameters: Arguments): Instance;
  readonly prototype: Instance;
};

export interface Internals {
  readonly version: string;
  readonly parser: {
    parseSipMessage(text: string, isLazy: boolean): (ParsedText & { payload: unknown[] }) | undefined;
    stringifySipMessage(message: WritableMessage): string;
    getHeaderName: HeaderNaming;
  };
  readonly Message: Class<LibraryMessage, [content?: string | object]>;
  readonly Request: Class<LibraryRequest, [message: LibraryMessage, meta: Meta]>;
  readonly Response: Class<LibraryResponse, [agent?: Agent]>;
  readonly Agent: { readonly prototype: Agent };
  readonly Wire: { readonly prototype: Wire };
  /** Reason phrases by status. */
  readonly statusCodes: Readonly<Record<number, string>>;
}

/** Loads the modules of the library that EngineLink's `import` uses. Throws when a file of it has moved. */
export function loadInternals(): Internals {
  const load = createRequire(import.meta.url);
  const own = createRequire(load.resolve('drachtio-srf'));
  return {
    version: (load('drachtio-srf/package.json') as { version: string }).version,
    parser: load('drachtio-srf/lib/sip-parser/parser') as Internals['parser'],
    Message: load('drachtio-srf/lib/sip-parser/message') as Internals['Message'],
    Request: load('drachtio-srf/lib/request') as Internals['Request'],
    Response: load('drachtio-srf/lib/response') as Internals['Response'],
    Agent: load('drachtio-srf/lib/drachtio-agent') as Internals['Agent'],
    Wire: load('drachtio-srf/lib/wire-protocol') as Internals['Wire'],
    statusCodes: own('sip-status') as Internals['statusCodes'],
  };
}
