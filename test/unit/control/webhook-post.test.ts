import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownListenersOf } from '../../../src/config/own-listeners.js';
import { retryDelay } from '../../../src/control/deliveries/attempt.js';
import { requestHead } from '../../../src/control/deliveries/webhook/exchange.js';
import { ForbiddenAddress, post } from '../../../src/control/deliveries/webhook/post.js';
import { signatureOf } from '../../../src/control/deliveries/webhook/signature.js';
import { checkWebhookUrl } from '../../../src/control/deliveries/webhook/webhook-url.js';
import { InvalidRequest } from '../../../src/control/http/validation.js';
import { EgressPolicy } from '../../../src/naming/egress.js';
import { TestAuthority } from '../../support/certificates.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let server: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  server = createServer((_request, response) => response.writeHead(200).end());
  server.on('connection', () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

const send = (url: string, allowPrivate: boolean, timeoutMilliseconds = 10_000) =>
  post({
    url,
    headers: {},
    body: '{}',
    timeoutMilliseconds,
    egress: new EgressPolicy({ allowPrivate }),
    signal: new AbortController().signal,
  });

const settings = (allowPrivate: boolean, ownPorts: readonly number[] = []) => ({
  webhook: {
    allowPrivate,
    showPrivateResponses: false,
    timeoutMilliseconds: 1,
    ...ownListenersOf(['20.1.1.1'], ownPorts),
  },
});

describe('the answer', () => {
  it('has its head without cookies and its first 2 KB, and says whether it came from a public address', async () => {
    const body = `\0${'x'.repeat(5_000)}`;
    const talkative = createServer((_request, response) =>
      response.writeHead(200, { 'set-cookie': 'session=secret', 'x-trace': '7' }).end(body),
    );
    await new Promise<void>((resolve) => talkative.listen(0, '127.0.0.1', resolve));
    const answer = await send(`http://127.0.0.1:${(talkative.address() as AddressInfo).port}/`, true);
    talkative.close();
    expect(answer).toMatchObject({ status: 200, isPublic: false });
    expect(answer.head).toMatch(/^HTTP\/1\.1 200 OK\n.*x-trace: 7/s);
    expect(answer.head).not.toContain('secret');
    expect(answer.body).toBe(`\ufffd${'x'.repeat(2_047)}`);
  });

  it('is logged with the request, whose query is left out', () => {
    const head = requestHead('https://example.com:8443/hook?token=secret', { 'x-webhook-id': 'dlv_1' }, 12);
    expect(head).toBe(
      'POST /hook?… HTTP/1.1\nhost: example.com:8443\nx-webhook-id: dlv_1\ncontent-length: 12',
    );
  });
});

describe('private addresses', () => {
  it.each(['localhost', '127.0.0.1', '127.1', '0x7f000001', '2130706433', '[::ffff:127.0.0.1]', '0.0.0.0'])(
    'are not reached as %s',
    async (host) => {
      const before = connections;
      await expect(send(`http://${host}:${port}/`, false)).rejects.toThrow(ForbiddenAddress);
      expect(connections).toBe(before);
      const check = () => checkWebhookUrl(settings(false), `http://${host}:${port}/`, 'webhook');
      expect(check).toThrow(InvalidRequest);
    },
  );

  it.each(['10.0.0.1', '192.168.1.1', '169.254.169.254', '[fe80::1]', '[fd00::1]', '[::1]', '100.64.0.1'])(
    'such as %s neither',
    async (host) => {
      await expect(send(`http://${host}/`, false)).rejects.toThrow(ForbiddenAddress);
    },
  );

  it('are reached where that is allowed', async () => {
    expect(await send(`http://localhost:${port}/`, true)).toMatchObject({ status: 200 });
    checkWebhookUrl(settings(true), `http://127.0.0.1:${port}/`, 'webhook');
    checkWebhookUrl(settings(false), 'https://hooks.example.com/', 'webhook');
    await expect(send('http://224.0.0.1/', true)).rejects.toThrow(ForbiddenAddress);
  });
});

describe('listeners of this service', () => {
  it.each(['localhost', '127.0.0.1', '[::1]'])(
    'are not reached as %s where private addresses are allowed',
    async (host) => {
      const before = connections;
      const egress = new EgressPolicy(settings(true, [port]).webhook);
      const sent = post({
        url: `http://${host}:${port}/`,
        headers: {},
        body: '{}',
        timeoutMilliseconds: 10_000,
        egress,
        signal: new AbortController().signal,
      });
      await expect(sent).rejects.toThrow(ForbiddenAddress);
      expect(connections).toBe(before);
    },
  );

  it('are refused when a webhook names one, at public addresses of the service as well', () => {
    const check = (url: string) => () => checkWebhookUrl(settings(true, [5061, 443]), url, 'webhook');
    expect(check('http://20.1.1.1:5061/')).toThrow('its own listeners');
    expect(check('https://20.1.1.1/')).toThrow('its own listeners');
    expect(check('http://20.1.1.1:8000/')).not.toThrow();
  });
});

describe('an answer', () => {
  const answering = async (write: (socket: Socket) => void): Promise<{ url: string; end(): void }> => {
    const raw = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => write(socket));
    });
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${(raw.address() as AddressInfo).port}/`, end: () => raw.close() };
  };

  it('without an end has said its status', async () => {
    const raw = await answering((socket) => socket.write('HTTP/1.1 202 Accepted\r\n\r\nfirst'));
    expect(await send(raw.url, true, 300)).toMatchObject({ status: 202 });
    raw.end();
  });

  it('of any length is not read to its end', async () => {
    let sent = 0;
    const raw = await answering((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const pour = (): void => {
        while (!socket.destroyed && sent < 500_000_000) {
          sent += 65_536;
          if (!socket.write(Buffer.alloc(65_536))) break;
        }
      };
      socket.on('drain', pour);
      pour();
    });
    expect(await send(raw.url, true)).toMatchObject({ status: 200 });
    expect(sent).toBeLessThan(50_000_000);
    raw.end();
  });

  it('is a failure when it is not HTTP, or does not arrive', async () => {
    const garbage = await answering((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    await expect(send(garbage.url, true)).rejects.toThrow();
    garbage.end();
    const silent = await answering(() => {});
    await expect(send(silent.url, true, 200)).rejects.toThrow();
    silent.end();
    await expect(send('http://127.0.0.1:1/', true)).rejects.toThrow(/ECONNREFUSED/);
  });

  it('fails in time when it never arrives, regardless of garbage collection', async () => {
    const silent = await answering(() => {});
    const collecting = setInterval(collectGarbage, 50);
    await expect(send(silent.url, true, 400)).rejects.toMatchObject({ name: 'AbortError' });
    clearInterval(collecting);
    silent.end();
  });

  it('is reported by its status when it switches protocols', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
    const raw = await answering((socket) => socket.write(head));
    expect(await send(raw.url, true)).toMatchObject({ status: 101 });
    raw.end();
  });
});

it('trusts no certificate of an unknown CA', async () => {
  const authority = await TestAuthority.create();
  const { cert, key } = await authority.issue('hook', ['localhost']);
  const secure = createSecureServer({ cert, key }, (_request, response) => response.end());
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  const url = `https://localhost:${(secure.address() as AddressInfo).port}/`;
  await expect(send(url, true)).rejects.toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  secure.close();
  authority.remove();
});

it('waits twice as long each time, an hour at most', () => {
  const waits = [1, 2, 3, 4, 12, 40].map((attempts) => retryDelay(attempts, 5_000, 1));
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 3_600_000, 3_600_000]);
  expect(retryDelay(2, 5_000, 0)).toBe(7_500);
});

it('signs as in RFC 4231 (test case 2)', () => {
  expect(signatureOf('Jefe', 'what do ya want for nothing?')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

it('signs the octets that are sent: a body beyond ASCII is UTF-8', () => {
  // printf 'Zoë Müller 🚀' | openssl dgst -sha256 -hmac Jefe
  const signature = 'e2ae7b02c9c350f34273e199dc3f6483604a54710cb86579d4e143148ab0abf5';
  expect(signatureOf('Jefe', 'Zoë Müller 🚀')).toBe(signature);
});
