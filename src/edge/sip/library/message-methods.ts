import type { Internals, LibraryMessage, LibraryRequest, LibraryResponse, SentOptions } from './internals.js';
import type { HeaderNaming } from './message-text.js';
import type { MessageReading } from './messages.js';

/** Names that the library may keep in two spellings: `X-A` and `x-a` of one message are two headers. */
const mayBeTwo = /^[xpd]/;

/** Look-ups in messages without a list of all names. */
export function replaceMessageMethods(
  { Message, parser }: Internals,
  { write }: MessageReading,
  spell: HeaderNaming,
): void {
  const { prototype } = Message;
  const { stringifySipMessage } = parser;
  prototype.getHeaderName = function (this: LibraryMessage, name) {
    const lower = name.toLowerCase();
    const { headers } = this;
    if (!mayBeTwo.test(lower) && Object.hasOwn(headers, lower)) return lower;
    for (const key in headers) {
      if (key.length === lower.length && key.toLowerCase() === lower) return key;
    }
    return undefined;
  };
  prototype.get = function (this: LibraryMessage, name) {
    const key = this.getHeaderName(spell(name));
    return key === undefined ? undefined : this.headers[key];
  };
  prototype.has = function (this: LibraryMessage, name) {
    return this.getHeaderName(name) !== undefined;
  };
  prototype.set = function (this: LibraryMessage, name, value) {
    const given = typeof name === 'string' ? { [name]: value } : name;
    const { headers } = this;
    for (const one of Object.keys(given)) {
      const key = spell(one);
      headers[key] = key in headers ? `${headers[key]},${given[one]}` : `${given[one]}`;
    }
    return this;
  };
  prototype.toString = function (this: LibraryMessage) {
    return write(this) ?? stringifySipMessage(this);
  };
}

/** Requests and responses: direct access to their message, without debug texts of all that they hold. */
export function replaceExchangeMethods({ Request, Response, statusCodes }: Internals): void {
  for (const { prototype } of [Request, Response]) {
    prototype.get = function (this: LibraryRequest | LibraryResponse, name: string) {
      return this.msg.get(name);
    };
    prototype.has = function (this: LibraryRequest | LibraryResponse, name: string) {
      return this.msg.has(name);
    };
  }
  replaceSetter(Request.prototype, 'meta', function (this: Record<string, unknown>, meta: never) {
    const {
      source,
      address,
      port,
      protocol,
      time,
      transactionId,
      dialogId,
      server,
      receivedOn,
      sessionToken,
    } = meta as LibraryRequest['meta'];
    this.source = source;
    this.source_address = address;
    this.source_port = port ? Number.parseInt(port, 10) : 5060;
    this.protocol = protocol;
    this.stackTime = time;
    this.stackTxnId = transactionId;
    this.stackDialogId = dialogId;
    if (server) this.server = server;
    if (receivedOn) this.receivedOn = receivedOn;
    if (sessionToken) this.sessionToken = sessionToken;
  });
  replaceSetter(Response.prototype, 'req', function (this: LibraryResponse, request: LibraryRequest) {
    this._req = request;
    for (const name of dialogHeaders) {
      if (this.has(name)) continue;
      const value = request.get(name);
      if (value !== undefined) this.msg.set(name, value);
    }
  });
  replaceSend(Response.prototype, statusCodes);
}

const dialogHeaders = ['call-id', 'cseq', 'from', 'to'] as const;

function replaceSetter<Target extends object>(
  target: Target,
  name: string,
  set: (this: never, value: never) => void,
): void {
  const { get } = Object.getOwnPropertyDescriptor(target, name) ?? {};
  Object.defineProperty(target, name, { configurable: true, ...(get && { get }), set });
}

type Sent = (error: unknown, sent?: LibraryMessage) => void;
type Acknowledged = (request: LibraryRequest) => void;

function replaceSend(prototype: LibraryResponse, statusCodes: Readonly<Record<number, string>>): void {
  prototype.send = function (this: LibraryResponse, status, first, second, third, fourth) {
    if (typeof status !== 'number' || !(status in statusCodes)) {
      throw new Error('Response#send: status is required and must be a valid sip response code');
    }
    // `send(180, callback)`, `send(180, options, callback)`, `send(180, 'Ringing', options, callback)`
    const hasReason = typeof first !== 'function' && typeof first !== 'object';
    const [options, callback, acknowledged] = (
      typeof first === 'function'
        ? [second, first, third]
        : hasReason
          ? [second, third, fourth]
          : [first, second, third]
    ) as [SentOptions | undefined, Sent | undefined, Acknowledged | undefined];
    if (this.headersSent) {
      callback?.(new Error('Response#send: final response already sent'));
      return;
    }
    this.status = status;
    this.msg.status = status;
    this.msg.reason = (hasReason ? (first as string | undefined) : undefined) || statusCodes[status]!;
    takeTag(this.msg, options?.headers);
    this._agent.sendResponse(this, options ?? {}, callback, acknowledged);
    if (status < 200) return;
    this.finished = true;
    this.emit('end', { status, reason: this.msg.reason });
  };
}

/** An application may set the To tag by a To header among its own. */
function takeTag(message: LibraryMessage, headers: Record<string, string> | undefined): void {
  const to = headers?.to || headers?.To;
  if (headers === undefined || !to) return;
  delete headers.to;
  delete headers.To;
  const tag = /tag=(.*)/.exec(to)?.[1];
  if (tag !== undefined && message.headers.to && !message.headers.to.includes('tag='))
    message.headers.to += `;tag=${tag}`;
}
