import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { streamOrderSchema } from '../../../src/contract/agent-stream.js';
import type { EngineLink } from '../../../src/edge/sip/engine-link.js';
import type { Dialog, ReceivedRequest, ResponseSender } from '../../../src/edge/sip/messages.js';
import type {
  BotSocketListener,
  BotTarget,
  OpenBotSocket,
} from '../../../src/media-stream/bot/bot-socket.js';
import { DgramSockets } from '../../../src/media-stream/rtp-sockets/dgram-sockets.js';
import { StreamCall } from '../../../src/media-stream/stream-call.js';
import { headerFields } from '../../support/header-fields.js';

/** A connection to a bot under the test's control. */
export interface HeldSocket {
  readonly target: BotTarget;
  readonly listener: BotSocketListener;
  readonly sent: string[];
  closed?: number;
}

/** Opens such connections, in the order of the list. */
export const holdSockets =
  (opened: HeldSocket[]): OpenBotSocket =>
  (target, listener) => {
    const socket: HeldSocket = { target, listener, sent: [] };
    opened.push(socket);
    return {
      buffered: 0,
      latency: undefined,
      awaitsPong: false,
      ping: () => {},
      send: (message) => socket.sent.push(String(message)),
      sendAudio: (message) => socket.sent.push(String(message)),
      isClosed: () => false,
      close: (code) => {
        socket.closed = code;
      },
    };
  };

export const testOrder = streamOrderSchema.parse({
  version: 1,
  call_id: '9e107d9d-372b-4682-8bd8-1d3542a419d6',
  organization: 'acme',
  from: '+13125550100',
  to: '+13125550199',
  direction: 'inbound',
  sip_call_id: 'x',
  stream: { url: 'wss://bot.example.com/stream', parameters: { tenant: 'blue' } },
});

interface StreamCallOptions {
  readonly rtpPort?: number;
  /** Of the order. */
  readonly stream?: Readonly<Record<string, unknown>>;
  /** The caller's description; absent: one that is taken. */
  readonly offer?: string;
}

/** A call that a bot has answered, whose ticks are the test's; RTP goes to that port of 127.0.0.1. */
export async function answeredCall(rtpPort = 9) {
  const begun = await begunCall({ rtpPort });
  begun.sockets[0]!.listener.open();
  return begun;
}

/** The same before the bot's server has accepted the connection. */
export async function begunCall({ rtpPort = 9, stream = {}, offer: described }: StreamCallOptions = {}) {
  const sockets: HeldSocket[] = [];
  const requests: string[] = [];
  /** The same with what they say. */
  const asked: { method: string; headers?: Readonly<Record<string, string>>; body?: string }[] = [];
  const byes: Readonly<Record<string, string>>[] = [];
  const responses: { status: number; headers: Readonly<Record<string, string>> }[] = [];
  const outcome = { status: 202, reason: '', isOver: false };
  const warnings: string[] = [];
  const dialog = Object.assign(new EventEmitter(), {
    connected: true,
    id: 'x;from-tag=theirs',
    type: 'uas',
    req: {
      uri: 'sip:bot@127.0.0.1',
      source_address: '127.0.0.1',
      source_port: 5060,
      protocol: 'tcp',
      get: (name: string) => ({ To: '<sip:bot@x>;tag=ours', From: '<sip:edge@y>;tag=theirs' })[name],
    },
    sip: { callId: 'x', localTag: 'ours', remoteTag: 'theirs' },
    local: { contact: '<sip:bot@127.0.0.1>' },
    remote: { uri: 'sip:edge@127.0.0.1:5060' },
    request: (request: (typeof asked)[number], done: (error: unknown, response: object) => void) => {
      requests.push(request.method);
      asked.push(request);
      done(undefined, { status: outcome.status, reason: outcome.reason, get: () => undefined });
    },
    destroy: ({ headers }: { headers: Readonly<Record<string, string>> }) => {
      requests.push('BYE');
      byes.push(headers);
    },
  }) as unknown as Dialog;
  const offer =
    described ??
    `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio ${rtpPort} RTP/AVP 0\r\n`;
  const counters = {
    answered: 0,
    refused: 0,
    reconnected: 0,
    unknownMessages: 0,
    droppedToBots: 0,
    droppedFromBotsMilliseconds: 0,
  };
  const request = Object.assign(new EventEmitter(), { body: offer, ...headerFields({}) });
  const call = new StreamCall(
    {
      engine: {
        answer: (...[, , , done]: Parameters<EngineLink['answer']>) => done(undefined, dialog),
      } as unknown as EngineLink,
      opened: {
        order: { ...testOrder, stream: { ...testOrder.stream, ...stream } },
        headers: {},
        secrets: [],
      },
      facts: {},
      traceparent: undefined,
      sockets: new DgramSockets(),
      address: '127.0.0.1',
      open: holdSockets(sockets),
      fetchSound: () => Promise.reject(new Error('no sound')),
      openAction: () => {
        throw new Error('no action');
      },
      readSound: async () => undefined,
      findDialog: async () => undefined,
      sealFallback: (uri) => uri,
      settings: { reconnectMilliseconds: 10_000, queueMilliseconds: 120_000 },
      version: 'test',
      log: pino(
        { level: 'warn' },
        { write: (line) => warnings.push((JSON.parse(line) as { msg: string }).msg) },
      ),
      counters,
      changed: () => {},
      ended: () => {
        outcome.isOver = true;
      },
    },
    {
      request: request as unknown as ReceivedRequest,
      response: {
        send: (status: number, _reason: unknown, { headers = {} }: { headers?: Record<string, string> }) =>
          responses.push({ status, headers }),
        get finalResponseSent() {
          return responses.some(({ status }) => status >= 200);
        },
      } as unknown as ResponseSender,
    },
  );
  await call.begin();
  return {
    call,
    sockets,
    requests,
    asked,
    byes,
    responses,
    counters,
    warnings,
    outcome,
    dialog,
    /** The caller gives up. */
    cancel: () => request.emit('cancel'),
    /** One message of the bot, over its last connection. */
    say: (message: object) => sockets.at(-1)!.listener.message(Buffer.from(JSON.stringify(message)), false),
    end: () => dialog.emit('destroy'),
    /** A re-INVITE of the edge with that description of several. */
    offer: (version: number, headers: Readonly<Record<string, string>> = {}) => {
      const body = offer.replace('o=- 1 1', `o=- 1 ${version}`);
      dialog.emit('modify', { method: 'INVITE', body, ...headerFields(headers) }, { send: () => {} });
    },
  };
}
