import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { BotCall } from './bot-call.js';
import { factsOf, isMessage, type Message, passOn } from './messages.js';
import { isSigned, type Signing } from './verify-signature.js';

export interface ServeOptions {
  /** Its upgrades are calls. Outside of one machine it serves TLS, or a proxy before it does. */
  readonly server: HttpServer | HttpsServer;
  /** Path of the calls, such as `/stream`; default: any. Upgrades of other paths are left to others. */
  readonly path?: string;
  /** Other handshakes get 403; absent: all are accepted. */
  readonly signing?: Signing;
}

export interface CallServer {
  /** Of the connections that are open. */
  readonly calls: number;
  /** Takes no further calls; those that are open continue. */
  close(): void;
}

const maximumMessage = 1_048_576;

/** Serves calls of Demarc. Calls back with each one when its first messages are read, in either format. */
export function serveCalls(
  { server, path, signing }: ServeOptions,
  onCall: (call: BotCall) => void,
): CallServer {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maximumMessage,
  });
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (path !== undefined && request.url?.split('?', 1)[0] !== path) return;
    if (signing !== undefined && !isSigned(request.headers, signing)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (accepted) => serve(accepted, onCall));
  };
  server.on('upgrade', upgrade);
  return {
    get calls() {
      return sockets.clients.size;
    },
    close: () => {
      server.off('upgrade', upgrade);
      sockets.close();
    },
  };
}

function serve(socket: WebSocket, onCall: (call: BotCall) => void): void {
  let call: BotCall | undefined;
  socket.on('error', () => {});
  socket.on('message', (data: RawData, isBinary) => {
    if (isBinary) {
      call?.emit('audio', data as Buffer);
      return;
    }
    const message = parsed(String(data));
    if (message === undefined) {
      socket.close(1_003, 'a message is not JSON');
    } else if (call !== undefined) {
      passOn(message, call);
    } else if (message.event === 'start') {
      call = new BotCall(socket, factsOf(message));
      onCall(call);
    }
  });
}

function parsed(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMessage(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
