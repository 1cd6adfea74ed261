import { Socket } from 'node:net';
import { FrameIds } from '../../../base/frame-ids.js';
import { ownText } from '../../../base/own-text.js';
import { tagOf } from '../../../sip/address.js';
import type {
  Agent,
  Connection,
  Internals,
  LibraryMessage,
  LibraryRequest,
  Meta,
  RequestParameters,
} from './internals.js';
import type { HeaderNaming, WritableMessage } from './message-text.js';
import type { MessageReading } from './messages.js';

type Methods = Pick<Agent, '_onMsg' | 'sendMessage' | 'sendResponse' | '_makeRequest'>;

const doNothing = (): void => {};

/**
 * What the library makes of frames and how it composes them, without its debug texts; rare frames are left to it. Different is only
 * where an UPDATE goes (`earlyInvite`).
 */
export function agentMethods(
  { Request, Response }: Pick<Internals, 'Request' | 'Response'>,
  original: Methods,
  reading: MessageReading,
  spell: HeaderNaming,
): Methods {
  function received(
    agent: Agent,
    connection: Connection,
    socket: Socket,
    message: LibraryMessage,
    meta: Meta,
  ) {
    const request = new Request(message, meta);
    const response = new Response();
    request.res = response;
    response.req = request;
    request.agent = agent;
    response.agent = agent;
    request.socket = socket;
    response.socket = socket;
    const { method } = message;
    if (method === 'INVITE') {
      connection.pendingNetworkInvites.set(message.get('call-id')!, { req: request, res: response });
    } else if (method === 'ACK' || method === 'PRACK') {
      const acknowledged = connection.pendingAckOrPrack.get(meta.dialogId);
      if (acknowledged !== undefined) {
        connection.pendingAckOrPrack.delete(meta.dialogId);
        acknowledged(request);
      }
    }
    const invite = method === 'UPDATE' ? earlyInvite(connection, message) : undefined;
    if (invite === undefined) agent.puntUpTheMiddleware(request, response);
    else invite.emit('update', request, response);
  }

  function answered(
    agent: Agent,
    connection: Connection,
    socket: Socket,
    request: LibraryRequest,
    message: LibraryMessage,
    meta: Meta,
  ): void {
    const response = new Response(agent);
    response.msg = message;
    response.meta = meta;
    response.req = request;
    response.socket = socket;
    request.socket = socket;
    const { status } = message;
    let acknowledge: (options?: object, callback?: unknown) => void = doNothing;
    if (status! >= 200) {
      connection.pendingSipRequests.delete(meta.transactionId!);
      if (request.method === 'INVITE') {
        acknowledge = (options, callback) => response.sendAck(meta.dialogId, options, callback);
      }
    } else if (status! > 100 && message.has('RSeq')) {
      acknowledge = (options, callback) => response.sendPrack(meta.dialogId, options, callback);
    }
    request.emit('response', response, acknowledge);
  }

  return {
    _onMsg(this: Agent, socket, text) {
      const connection = this.mapServer.get(socket);
      const end = text.indexOf('\r');
      const token = (end < 0 ? text : text.slice(0, end)).split('|');
      if (connection === undefined) return original._onMsg.call(this, socket, text);
      if (token[1] === 'response') {
        const reply = connection.pendingRequests.get(token[2]!);
        if (reply === undefined) {
          connection.pendingPingRequests.delete(token[2]!);
          return;
        }
        if (token[12] !== 'continue') connection.pendingRequests.delete(token[2]!);
        reply.call(this, token.slice(3), end < 0 ? undefined : text.slice(end + 2), replyMeta(token));
        return;
      }
      // CDRs, and dialogs that the engine ended.
      if (token[1] !== 'sip' || token[2] !== 'network' || token.length <= 9) {
        return original._onMsg.call(this, socket, text);
      }
      const message = reading.received(text.slice(end + 2));
      const method = message?.method;
      if (message === undefined || method === 'CANCEL') {
        return original._onMsg.call(this, socket, text);
      }
      if (method !== undefined) {
        received(this, connection, socket, message, requestMeta(token, socket, connection));
        return;
      }
      const pending = connection.pendingSipRequests.get(token[8]!);
      if (pending === undefined) return;
      // The library's own digest client.
      if (pending.req.auth !== undefined || connection.pendingSipAuthRequests.size > 0) {
        return original._onMsg.call(this, socket, text);
      }
      answered(this, connection, socket, pending.req, message, requestMeta(token, socket, connection));
    },

    sendMessage(this: Agent, socket, message, options) {
      const { headers, body } = options ?? {};
      if (!(socket instanceof Socket)) return original.sendMessage.call(this, socket, message, options);
      const sent: WritableMessage =
        headers === undefined && !body ? message : withOptions(message, headers, body, spell);
      const text = reading.write(sent);
      if (text === undefined) return original.sendMessage.call(this, socket, message, options);
      const { stackTxnId, stackDialogId } = options;
      return this.wp.send(socket, `sip|${stackTxnId || ''}|${stackDialogId || ''}\r\n${text}`);
    },

    sendResponse(this: Agent, response, options, callback, acknowledged) {
      const connection = this.mapServer.get(response.socket);
      if (connection === undefined) {
        original.sendResponse.call(this, response, options, callback, acknowledged);
        return;
      }
      const { req: request } = response;
      const id = this.sendMessage(response.socket, response.msg, {
        stackTxnId: request.stackTxnId,
        ...options,
      });
      if (typeof callback === 'function' || acknowledged) {
        connection.pendingRequests.set(id, (token, text, meta) => {
          if (token[0] !== 'OK') {
            callback?.(token[1]);
            return;
          }
          const sent = reading.sent(text ?? '');
          response.meta = meta;
          callback?.(null, sent);
          if (typeof acknowledged === 'function' && (response.status === 200 || sent.has('RSeq')))
            connection.pendingAckOrPrack.set(meta.dialogId, acknowledged);
        });
      }
      if (response.statusCode < 200) return;
      setImmediate(() => {
        response.finished = true;
        response.emit('finish');
      });
      if (request.method === 'INVITE') connection.pendingNetworkInvites.delete(response.get('call-id')!);
    },

    _makeRequest(this: Agent, parameters) {
      const { socket, options, callback } = parameters;
      const connection = this.mapServer.get(socket);
      if (connection === undefined || !(socket instanceof Socket) || socket.destroyed) {
        return original._makeRequest.call(this, parameters);
      }
      const { stackTxnId, stackDialogId, proxy } = options;
      if (!options.uri && stackDialogId) options.uri = 'sip:placeholder';
      const text = reading.write({ ...options, headers: { ...options.headers } });
      if (text === undefined) return original._makeRequest.call(this, parameters);
      const leader = `sip|${stackTxnId || ''}|${stackDialogId || ''}${proxy ? `|${proxy}` : ''}`;
      const id = this.wp.send(socket, `${leader}\r\n${text}`);
      connection.pendingRequests.set(id, (token, echo) => {
        if (token[0] === 'OK') sent(this, connection, parameters, token, echo ?? '');
        else callback(requestFailure(token[1] || 'request failed'));
      });
      return undefined;
    },
  };

  function sent(
    agent: Agent,
    connection: Connection,
    parameters: RequestParameters,
    token: readonly string[],
    echo: string,
  ): void {
    const { options, callback } = parameters;
    const transactionId = token[7];
    const request = new Request(reading.sent(echo), {
      source: token[1],
      address: token[4],
      port: token[5],
      protocol: token[3],
      time: token[6],
      transactionId,
      dialogId: undefined,
    });
    request.agent = agent;
    request.socket = connection.socket as Socket;
    if (options.auth) {
      request.auth = options.auth;
      request._originalParams = parameters;
    }
    if (options.method !== 'CANCEL') connection.pendingSipRequests.set(transactionId!, { req: request });
    callback(null, request);
  }
}

function requestFailure(reason: string): Error {
  const code = /unable to find dialog/i.test(reason) ? 'ENODIALOG' : 'EDRACHTIO';
  return Object.assign(new Error(reason), { code });
}

/**
 * The INVITE without final response to whose early dialog an UPDATE belongs. The library takes any pending request of the Call-ID for
 * one, so that an UPDATE beside an OPTIONS, INFO or PRACK of the edge, or a re-INVITE, gets no answer; those of a dialog belong to it.
 */
function earlyInvite(connection: Connection, update: LibraryMessage): LibraryRequest | undefined {
  const callId = update.get('call-id')!;
  const received = connection.pendingNetworkInvites.get(callId)?.req;
  if (received !== undefined && isInitial(received)) return received;
  for (const { req: sent } of connection.pendingSipRequests.values())
    if (sent.method === 'INVITE' && sent.get('call-id') === callId && isInitial(sent)) return sent;
  return undefined;
}

const isInitial = (invite: LibraryRequest): boolean => tagOf(invite.get('to') ?? '') === undefined;

/** A copy of the message with the headers of one sending: repeated ones are joined by a comma. */
function withOptions(
  message: LibraryMessage,
  more: Record<string, string> | undefined,
  body: string | undefined,
  spell: HeaderNaming,
): WritableMessage {
  const headers: Record<string, string> = { ...message.headers };
  for (const given in more) {
    const name = spell(given);
    headers[name] = name in headers ? `${headers[name]},${more[given]}` : `${more[given]}`;
  }
  const { status, reason, method, uri, version } = message;
  return { status, reason, method, uri, version, headers, body: body || message.body };
}

/** Kept as long as the dialog; the frame must not be. */
const dialogId = (token: string | undefined): string | undefined =>
  token === undefined ? undefined : ownText(token);

const replyMeta = (token: readonly string[]): Meta => ({
  source: token[4],
  address: token[7],
  port: token[8],
  protocol: token[6],
  time: token[9],
  transactionId: token[10],
  dialogId: dialogId(token[11]),
});

const requestMeta = (token: readonly string[], socket: Socket, { hostport }: Connection): Meta => ({
  source: token[2],
  address: token[5],
  port: token[6],
  protocol: token[4],
  time: token[7],
  transactionId: token[8],
  dialogId: dialogId(token[9]),
  server: { address: socket.remoteAddress, hostport },
  receivedOn: token.length > 11 ? `${token[10]}:${token[11]}` : undefined,
  sessionToken: token.length > 12 ? token[12] : undefined,
});

const frameIds = new FrameIds();

/** The library sends with a closure for its debug text, which keeps each frame alive until the kernel has it. */
export function sendFrame(socket: Socket, text: string): string {
  const id = frameIds.next();
  const frame = `${id}|${text}`;
  socket.write(`${Buffer.byteLength(frame)}#${frame}`);
  return id;
}
