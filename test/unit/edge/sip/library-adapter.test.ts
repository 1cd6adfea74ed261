import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import Srf from 'drachtio-srf';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineLink } from '../../../../src/edge/sip/engine-link.js';
import { FrameReader } from '../../../../src/edge/sip/frame-reader.js';
import { refuseInvite } from '../../../../src/edge/sip/refuse-invite.js';
import type { UnreadInvite } from '../../../../src/edge/sip/unread-invite.js';
import { until } from '../../../../src/testkit/waiting.js';

const transaction = '70000001-0000-4000-8000-000000000000';

/** Prototypes of drachtio-srf's public classes. */
const classes = Srf as unknown as Record<
  'Dialog' | 'SipMessage' | 'SipRequest' | 'SipResponse',
  { readonly prototype: object }
> & { readonly prototype: object };
const descriptors = () =>
  [classes, classes.Dialog, classes.SipMessage, classes.SipRequest, classes.SipResponse].map(
    ({ prototype }) => Object.getOwnPropertyDescriptors(prototype),
  );
const original = descriptors();

let server: Server;
let peer: Socket;
let link: EngineLink;
let frames: string[];
let logged: string[];
/** Ids of `route` frames without a reply. */
let routes: string[];
let isRouting: boolean;

/** Connects a link to a socket on which the test speaks as the engine does. */
async function connect(version: string): Promise<void> {
  server = createServer((socket) => {
    peer = socket;
    const reader = new FrameReader((frame, start) => {
      const payload = frame.toString('utf8', start);
      const [id = '', type = ''] = payload.split('|');
      if (type === 'authenticate')
        send(`e1|response|${id}|OK|udp/192.0.2.1:5060|${version}|udp/192.0.2.1:5060|`);
      else if (type === 'route') routes.push(id);
      else frames.push(payload);
      if (isRouting) for (const route of routes.splice(0)) send(`e3|response|${route}|OK`);
    });
    socket.on('error', () => {});
    socket.on('data', (chunk) => reader.push(chunk));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const isUp = once(link, 'up');
  link.connect({ host: '127.0.0.1', port, secret: 'secret' });
  await isUp;
}

const send = (payload: string): void => {
  peer.write(`${Buffer.byteLength(payload)}#${payload}`);
};

const receive = (method: string, dialogId = '', extra = ''): void =>
  send(
    `e2|sip|network|300|udp|192.0.2.9|5060|10:20:30.000123|${transaction}|${dialogId}|\r\n${method} sip:a@192.0.2.1 SIP/2.0\r\n${extra}From: <sip:b@192.0.2.9>;tag=f\r\nTo: <sip:a@192.0.2.1>\r\nCall-ID: c1\r\nCSeq: 1 ${method}\r\nContact: <sip:b@192.0.2.9>\r\nContent-Length: 0\r\n\r\n`,
  );

beforeEach(() => {
  frames = [];
  logged = [];
  routes = [];
  isRouting = true;
  const log = pino({ level: 'warn' }, { write: (line) => logged.push(line) });
  link = new EngineLink(log);
});
afterEach(() => {
  link.close();
  peer.destroy();
  server.close();
});

describe('drachtio-srf on our own connection', () => {
  it('answers 481 to requests that no handler takes, and keeps the connection', async () => {
    await connect('v0.9.10-embedded');
    for (const count of [1, 2]) {
      receive('NOTIFY', 'unknown;from-tag=f');
      await until(() => frames.length === count, 5_000, 'the response');
    }
    expect(frames[1]).toContain(`|sip|${transaction}|\r\nSIP/2.0 481 `);
    expect(link.isUp).toBe(true);
  });

  it('sends statuses that the library does not know', async () => {
    link.handle('invite', (_request, response) => {
      expect(refuseInvite(response, { status: 607, headers: { 'X-A': '1' } })).toBe(607);
    });
    await connect('v0.9.10-embedded');
    receive('INVITE');
    await until(() => frames.length === 1, 5_000, 'the response');
    expect(frames[0]).toContain('\r\nSIP/2.0 607 Unwanted\r\n');
    expect(frames[0]).toContain('\r\nX-A: 1\r\n');
    expect(frames[0]).toMatch(/\r\n\r\n$/);
  });

  it('sends an unregistered status as the x00 of its class', async () => {
    link.handle('invite', (_request, response) => {
      expect(refuseInvite(response, { status: 699, reason: 'Odd' })).toBe(600);
    });
    await connect('v0.9.10-embedded');
    receive('INVITE');
    await until(() => frames.length === 1, 5_000, 'the response');
    expect(frames[0]).toContain('\r\nSIP/2.0 600 Odd\r\n');
  });

  it('logs the size of a message that the library cannot read, and prints nothing of it', async () => {
    const write = process.stderr.write;
    const printed: unknown[] = [];
    process.stderr.write = ((text: unknown) => printed.push(text) > 0) as typeof write;
    try {
      await connect('v0.9.10');
      receive('INVITE', '', 'a header without colon\r\n');
      await until(() => logged.length > 0, 5_000, 'the warning');
    } finally {
      process.stderr.write = write;
    }
    expect(logged.join('')).toContain('drachtio-srf cannot read a message');
    expect(logged.join('')).not.toContain('192.0.2.9');
    expect(printed).toEqual([]);
  });

  it('reports the connection once the engine has taken all routes', async () => {
    isRouting = false;
    const isConnected = connect('v0.9.10-embedded');
    await until(() => routes.length >= 4, 5_000, 'the routes');
    expect(link.isUp).toBe(false);
    for (const route of routes) send(`e3|response|${route}|OK`);
    await isConnected;
    expect(link.isUp).toBe(true);
  });

  it('refuses, in overload, INVITEs that begin a call before the library reads them', async () => {
    const seen: string[] = [];
    link.handle('invite', (request, response) => {
      seen.push(request.get('To')!);
      response.send(486, undefined, {});
    });
    const asked: UnreadInvite[] = [];
    const refusal = (invite: UnreadInvite) => {
      asked.push(invite);
      return { status: 503, headers: { 'Retry-After': '5' } };
    };
    link.shedder = { isShedding: true, refusal };
    await connect('v0.9.10-embedded');
    // The library could not read it, so it has not.
    receive('INVITE', '', 'a header without colon\r\n');
    await until(() => frames.length === 1, 5_000, 'the refusal');
    expect(frames[0]).toMatch(/^[^|]+\|sip\|/);
    expect(frames[0]!.slice(frames[0]!.indexOf('|'))).toBe(
      `|sip|${transaction}|\r\nSIP/2.0 503 Service Unavailable\r\nRetry-After: 5\r\n\r\n`,
    );
    expect(asked).toEqual([
      {
        sourceAddress: '192.0.2.9',
        arrivedAt: '10:20:30.000123',
        requestUri: 'sip:a@192.0.2.1',
        transactionId: transaction,
        isTest: false,
      },
    ]);
    // Those of existing dialogs, and other methods, are handled.
    receive('INVITE', '', 'Replaces: c2;to-tag=1;from-tag=2\r\n');
    receive('INVITE', '', 't : <sip:a@192.0.2.1> ; Tag=x\r\n');
    receive('INVITE', 'c1;from-tag=f');
    receive('NOTIFY');
    await until(() => frames.length === 5, 5_000, 'the responses');
    expect(asked).toHaveLength(1);
    link.shedder = { isShedding: false, refusal };
    receive('INVITE');
    await until(() => frames.length === 6, 5_000, 'the response');
    expect(asked).toHaveLength(1);
    expect(seen).toHaveLength(4);
  });

  it('replaces no function of the library', async () => {
    await connect('v0.9.10-embedded');
    expect(descriptors()).toEqual(original);
  });
});
