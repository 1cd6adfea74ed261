import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { streamOrderSchema } from '../../../src/contract/agent-stream.js';
import { trustedAuthorities, trustedCertificates } from '../../../src/media-stream/bot/authorities.js';
import { BotLink, type BotLinkListener } from '../../../src/media-stream/bot/bot-link.js';
import {
  type BotSocketsDeps,
  botSockets,
  type OpenBotSocket,
  type SocketEnd,
} from '../../../src/media-stream/bot/bot-socket.js';
import { Handshakes } from '../../../src/media-stream/bot/handshakes.js';
import { MediaStreamsFormat } from '../../../src/media-stream/formats/media-streams.js';
import { NativeTls } from '../../../src/media-stream/native-tls/native-tls.js';
import { loadOpenSsl } from '../../../src/media-stream/native-tls/open-ssl.js';
import { loadSystemCalls } from '../../../src/media-stream/system-calls/system-calls.js';
import { EgressPolicy } from '../../../src/naming/egress.js';
import { until } from '../../../src/testkit/waiting.js';
import { TestAuthority } from '../../support/certificates.js';
import { Stopwatch } from '../../support/stopwatch.js';

/** Both must treat servers alike. */
const kinds = process.platform === 'linux' ? (['OpenSSL', 'Node.js'] as const) : (['Node.js'] as const);

let authority: TestAuthority;
let deps: Omit<BotSocketsDeps, 'egress'>;
let open: OpenBotSocket;
const servers: Server[] = [];

beforeAll(async () => {
  authority = await TestAuthority.create();
});
/** For the tests that follow. */
async function use(kind: (typeof kinds)[number]): Promise<void> {
  const { caFile } = authority;
  deps = {
    secureContext: trustedAuthorities(caFile),
    nativeTls:
      kind === 'OpenSSL'
        ? new NativeTls(loadOpenSsl(), await loadSystemCalls(), trustedCertificates(caFile)!)
        : undefined,
    handshakes: new Handshakes(),
  };
  open = botSockets({ ...deps, egress: new EgressPolicy({ allowPrivate: true }) });
}
afterAll(() => authority?.remove());
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that does that with each upgrade; its URL. */
async function serve(
  upgraded: (socket: Duplex, accept: () => void, server: WebSocketServer) => void,
  names: readonly string[] = ['localhost'],
  by: TestAuthority = authority,
): Promise<{ readonly url: string; readonly sockets: WebSocketServer }> {
  const { cert, key } = await by.issue(`bot-${servers.length}`, [...names]);
  const server = createServer({ cert, key });
  servers.push(server);
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {});
    const accept = (): void =>
      sockets.handleUpgrade(request, socket, head, (accepted) =>
        sockets.emit('connection', accepted, request),
      );
    upgraded(socket, accept, sockets);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `wss://localhost:${(server.address() as AddressInfo).port}/`, sockets };
}

/** How the connection ends; `opened` runs when it is open. */
function endOf(url: string, with_: OpenBotSocket = open): Promise<SocketEnd & { readonly messages: number }> {
  let messages = 0;
  return new Promise((resolve) => {
    with_(
      { url, subprotocol: undefined, headers: {} },
      {
        open: () => {},
        message: () => messages++,
        end: (end) => resolve({ ...end, messages }),
      },
    );
  });
}

describe.each(kinds)('a connection to a bot, by TLS of %s', (kind) => {
  beforeAll(() => use(kind));

  it('is given up when the server does not answer the handshake', async () => {
    const { url } = await serve(() => {});
    const watch = Stopwatch.start();
    const start = performance.now();
    expect(await endOf(url)).toMatchObject({ kind: 'lost', text: expect.stringContaining('handshake') });
    const elapsed = performance.now() - start;
    expect(elapsed).toBeGreaterThan(2_500);
    expect(elapsed).toBeLessThan(watch.bound(3_500));
  });

  it('follows no redirection', async () => {
    const { url } = await serve((socket) => {
      socket.end('HTTP/1.1 302 Found\r\nLocation: wss://localhost/\r\nContent-Length: 0\r\n\r\n');
    });
    expect(await endOf(url)).toMatchObject({ kind: 'refused', httpStatus: 302 });
  });

  it('verifies the certificate and its name', async () => {
    const stranger = await TestAuthority.create();
    try {
      const untrusted = await serve((_socket, accept) => accept(), ['localhost'], stranger);
      expect(await endOf(untrusted.url)).toMatchObject({
        kind: 'lost',
        text: expect.stringMatching(/certificate/i),
      });
      const named = await serve((_socket, accept) => accept(), ['bot.example.com']);
      expect(await endOf(named.url)).toMatchObject({
        kind: 'lost',
        text: expect.stringMatching(/altnames|localhost/i),
      });
    } finally {
      stranger.remove();
    }
  });

  it('goes to no private address, by number or by name, where the operator does not allow it', async () => {
    const strict = botSockets({ ...deps, egress: new EgressPolicy({ allowPrivate: false }) });
    for (const url of ['wss://127.0.0.1:1/', 'wss://[::1]:1/', 'wss://10.0.0.1/', 'wss://localhost:1/']) {
      expect(await endOf(url, strict)).toMatchObject({
        kind: 'forbidden',
        text: expect.stringContaining('private address'),
      });
    }
  });

  it('is lost when the bot answers no ping', async () => {
    const { url, sockets } = await serve((_socket, accept) => accept());
    sockets.options.autoPong = false;
    expect(await endOf(url)).toMatchObject({ kind: 'lost', text: 'no pong within 12 s' });
  }, 180_000);

  it('offers no compression', async () => {
    const { url, sockets } = await serve((_socket, accept) => accept());
    let extensions: string | undefined = 'not asked';
    sockets.on('connection', (bot, request) => {
      extensions = request.headers['sec-websocket-extensions'];
      bot.close();
    });
    await endOf(url);
    expect(extensions).toBeUndefined();
  });

  it('ends at a message above 256 KiB, before it is read', async () => {
    const { url, sockets } = await serve((_socket, accept) => accept());
    sockets.on('connection', (bot) => {
      bot.on('error', () => {});
      bot.send('x'.repeat(200 * 1_024));
      bot.send('x'.repeat(300 * 1_024));
    });
    expect(await endOf(url)).toMatchObject({ kind: 'lost', messages: 1 });
  });

  it.each([
    ['a frame with a mask, which servers must not send', Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x61])],
    ['a reserved operation', Buffer.from([0x83, 0x00])],
    ['text that is not UTF-8', Buffer.from([0x81, 0x01, 0xff])],
    ['a control frame that is too long', Buffer.from([0x89, 0x7e, 0x00, 0x80, ...new Uint8Array(128)])],
    ['a continuation of nothing', Buffer.from([0x80, 0x01, 0x61])],
    ['compression that was not agreed', Buffer.from([0xc1, 0x01, 0x61])],
    ['TLS that ends in a frame', Buffer.from([0x81, 0x7e, 0x01])],
  ])('ends at %s', async (_name, octets) => {
    const { url } = await serve((socket, accept, sockets) => {
      sockets.once('connection', (bot) => {
        bot.on('error', () => {});
        socket.write(octets);
        if (octets.length === 3 && octets[1] === 0x7e) socket.end();
      });
      accept();
    });
    expect(await endOf(url)).toMatchObject({ kind: 'lost' });
  });

  it('sends audio of any length between other messages, and repeats no mask', async () => {
    const { url, sockets } = await serve((_socket, accept) => accept());
    const heard: (string | Buffer)[] = [];
    const raw: Buffer[] = [];
    sockets.on('connection', (bot, request) => {
      bot.on('error', () => {});
      bot.on('message', (data: Buffer, isBinary) => heard.push(isBinary ? data : data.toString()));
      request.socket.on('data', (octets: Buffer) => raw.push(Buffer.from(octets)));
    });
    const sent: (string | Buffer)[] = [];
    for (const length of [1, 2, 3, 4, 125, 126, 127, 160, 331, 960, 65_535, 65_536]) {
      const text = 'x'.repeat(length);
      sent.push(text, Buffer.from(text.replaceAll('x', '\u0001'), 'latin1'), `{"beside":"${length} ü"}`);
    }
    const socket = open(
      { url, subprotocol: undefined, headers: {} },
      {
        open: () => {
          for (const message of sent)
            if (typeof message === 'string' && message.startsWith('{')) socket.send(message);
            else socket.sendAudio(Buffer.from(message), typeof message === 'string');
          for (let time = 0; time < 2; time++) socket.sendAudio(Buffer.from('the same'), true);
        },
        message: () => {},
        end: () => {},
      },
    );
    await until(() => heard.length === sent.length + 2, 10_000, 'all messages');
    // Texts, because two buffers are compared octet by octet in JavaScript.
    const shown = (message: string | Buffer) =>
      typeof message === 'string' ? message : `octets ${message.toString('latin1')}`;
    expect(heard.slice(0, -2).map(shown)).toEqual(sent.map(shown));
    const ends = Buffer.concat(raw).subarray(-28);
    expect(ends.subarray(0, 14).equals(ends.subarray(14))).toBe(false);
    socket.close(1_000, 'done');
  });

  it('tells a clean close from a lost one', async () => {
    const { url, sockets } = await serve((_socket, accept) => accept());
    const codes: [number | undefined, string][] = [
      [1_000, 'clean'],
      [1_001, 'clean'],
      [undefined, 'clean'],
      [1_011, 'lost'],
      [1_012, 'lost'],
      [1_013, 'lost'],
      [4_000, 'lost'],
    ];
    for (const [code, kind] of codes) {
      sockets.once('connection', (bot) => bot.close(code));
      expect([code, (await endOf(url)).kind]).toEqual([code, kind]);
    }
  });
});

/** A call's link to that server, and what it reports. */
function linkTo(url: string, with_: OpenBotSocket) {
  const order = streamOrderSchema.parse({
    version: 1,
    call_id: '0b7e9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d',
    organization: 'acme',
    from: '',
    to: '',
    direction: 'inbound',
    sip_call_id: 'x',
    stream: { url },
  });
  const events: string[] = [];
  const listener: BotLinkListener = {
    started: (isReconnected) => events.push(isReconnected ? 'again' : 'started'),
    lost: () => events.push('lost'),
    over: () => events.push('over'),
    congested: () => events.push('congested'),
    audio() {},
    mark() {},
    clear() {},
    order() {},
    unknown() {},
  };
  const link = new BotLink(
    {
      order,
      headers: {},
      secrets: [],
      open: with_,
      makeFormat: () => new MediaStreamsFormat('PCMU'),
      reconnectMilliseconds: 10_000,
      version: 'test',
      facts: {},
    },
    listener,
    false,
  );
  return { link, events };
}

describe.each(kinds)('a bot that does not read, by TLS of %s', (kind) => {
  beforeAll(() => use(kind));

  it('loses its connection with code 1013 after 5 s', async () => {
    const { url, sockets } = await serve((_socket, accept) => accept());
    const codes: number[] = [];
    sockets.on('connection', (bot) => bot.on('close', (code) => codes.push(code)));
    // As if the peer had taken nothing for a while; so the closing handshake is not behind megabytes.
    const congested: OpenBotSocket = (target, listener) => {
      const socket = open(target, listener);
      return {
        buffered: 1_000_000,
        latency: undefined,
        awaitsPong: false,
        ping: () => socket.ping(),
        send: (message) => socket.send(message),
        sendAudio: (message, isText) => socket.sendAudio(message, isText),
        isClosed: () => socket.isClosed(),
        close: (code, reason) => socket.close(code, reason),
      };
    };
    const { link, events } = linkTo(url, congested);
    link.connect();
    await until(() => events.includes('started'), 5_000, 'the stream');
    const frame = new Uint8Array(160);
    for (let now = 0; now <= 5_000; now += 20) link.media(frame, now);
    expect(events).toEqual(['started', 'congested']);
    link.media(frame, 5_020);
    expect(events).toEqual(['started', 'congested', 'lost']);
    await until(() => codes.length > 0, 5_000, 'the end of the connection');
    expect(codes).toEqual([1_013]);
    link.end('hangup');
  });

  it('loses frames, then its connection, and the next one is asked for', async () => {
    let connections = 0;
    const { url, sockets } = await serve((socket, accept) => {
      connections++;
      accept();
      socket.pause();
    });
    sockets.on('connection', (bot) => {
      bot.on('error', () => {});
      bot.pause();
    });
    const { link, events } = linkTo(url, open);
    link.connect();
    await until(() => events.includes('started'), 5_000, 'the stream');
    // A fake clock advances with each frame, because the sockets of both sides buffer some megabytes first.
    const frame = new Uint8Array(160);
    let now = 0;
    for (let turn = 0; turn < 4_000 && !events.includes('lost'); turn++) {
      for (let frames = 0; frames < 100; frames++) {
        now += 20;
        link.media(frame, now);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    // Sockets take a little more now and then.
    expect([...new Set(events)].slice(0, 3)).toEqual(['started', 'congested', 'lost']);
    expect(link.droppedFrames).toBeGreaterThan(200);
    await until(() => events.includes('again'), 5_000, 'the next connection');
    expect(connections).toBe(2);
    link.end('hangup');
  });
});
