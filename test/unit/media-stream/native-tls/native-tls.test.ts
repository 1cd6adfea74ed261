import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import * as net from 'node:net';
import * as tls from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/base/seeded-random.js';
import type { TlsConnection } from '../../../../src/media-stream/native-tls/connection.js';
import { NativeTls } from '../../../../src/media-stream/native-tls/native-tls.js';
import { loadOpenSsl } from '../../../../src/media-stream/native-tls/open-ssl.js';
import { loadSystemCalls } from '../../../../src/media-stream/system-calls/system-calls.js';
import { until } from '../../../../src/testkit/waiting.js';
import { TestAuthority } from '../../../support/certificates.js';

const waitMilliseconds = 10_000;
let authority: TestAuthority;
let native: NativeTls;
const servers: net.Server[] = [];
const connections: TlsConnection[] = [];
const peers: net.Socket[] = [];

const addressesOf =
  (...addresses: string[]): net.LookupFunction =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: net.isIP(address) })),
    );

const descriptors = (): number => readdirSync('/proc/self/fd').length;

/** Keeps it until the end of the test. */
async function listening(server: net.Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket) => peers.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as net.AddressInfo).port;
}

async function serve(serveOne: (peer: tls.TLSSocket) => void, options: tls.TlsOptions = {}): Promise<number> {
  const { cert, key } = await authority.issue('server', ['localhost']);
  return listening(
    tls.createServer({ cert, key, ...options }, (peer) => {
      peer.on('error', () => {});
      serveOne(peer);
    }),
  );
}

interface Opened {
  readonly connection: TlsConnection;
  /** `end`, `error …` and `close`, in their order. */
  readonly events: string[];
  received(): Buffer;
}

function open(
  port: number,
  {
    host = 'localhost',
    lookup = addressesOf('127.0.0.1'),
    heard = () => {},
  }: { host?: string; lookup?: net.LookupFunction; heard?: (octets: Buffer) => void } = {},
): Opened {
  const events: string[] = [];
  const octets: Buffer[] = [];
  const connection = native.connect({
    host,
    port,
    servername: net.isIP(host) === 0 ? host : '',
    lookup,
    received: (piece) => {
      octets.push(Buffer.from(piece));
      heard(piece);
    },
  });
  connections.push(connection);
  for (const name of ['end', 'close', 'timeout']) connection.on(name, () => events.push(name));
  connection.on('error', (error) => events.push(`error ${error.message}`));
  return { connection, events, received: () => Buffer.concat(octets) };
}

const closing = (events: string[]): Promise<void> =>
  until(() => events.at(-1) === 'close', waitMilliseconds, 'the end of the connection');

function randomOctets(seed: number, length: number): Buffer {
  const random = seededRandom(seed);
  return Buffer.from(Uint8Array.from({ length }, () => Math.floor(random() * 256)));
}

describe.runIf(process.platform === 'linux')('a connection over TLS by the functions of OpenSSL', () => {
  beforeAll(async () => {
    authority = await TestAuthority.create();
    native = new NativeTls(loadOpenSsl(), await loadSystemCalls(), [...tls.rootCertificates, authority.ca]);
  });
  afterEach(() => {
    for (const connection of connections.splice(0)) connection.destroy();
    for (const peer of peers.splice(0)) peer.destroy();
    for (const server of servers.splice(0)) server.close();
  });
  afterAll(() => authority?.remove());

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'carries octets both ways, in any pieces, by %s',
    async (version) => {
      const sent = randomOctets(1, 600_000);
      const port = await serve((peer) => peer.pipe(peer), { minVersion: version, maxVersion: version });
      const { connection, received } = open(port);
      const random = seededRandom(2);
      for (let at = 0; at < sent.length; ) {
        // The first ones before the connection is open, some larger than a record.
        const length = 1 + Math.floor(random() * [4, 400, 50_000][Math.floor(random() * 3)]!);
        connection.write(sent.subarray(at, at + length));
        at += length;
        if (random() < 0.05) await new Promise((resolve) => setImmediate(resolve));
      }
      await until(() => received().length >= sent.length, waitMilliseconds, 'all octets');
      expect(received().equals(sent)).toBe(true);
      expect(connection.writableLength).toBe(0);
    },
  );

  it('keeps what a server does not read, and sends it when the server reads again', async () => {
    let peer: tls.TLSSocket | undefined;
    const octets: Buffer[] = [];
    const port = await serve((accepted) => {
      peer = accepted.pause();
      accepted.on('data', (piece: Buffer) => octets.push(piece)).pause();
    });
    const { connection, events } = open(port);
    await until(() => peer !== undefined, waitMilliseconds, 'the connection');
    const sent = randomOctets(3, 100_000);
    let pieces = 0;
    for (; pieces < 1_000 && connection.writableLength < 1_000_000; pieces++) connection.write(sent);
    expect(connection.writableLength).toBeGreaterThan(0);
    connection.end(() => events.push('ended'));
    peer!.resume();
    await once(peer!, 'end');
    expect(Buffer.concat(octets).equals(Buffer.concat(Array.from({ length: pieces }, () => sent)))).toBe(
      true,
    );
    await closing(events);
    expect(events).toEqual(['ended', 'end', 'close']);
  });

  it('passes on nothing while it is paused, also of what it has read, and everything afterwards', async () => {
    const sent = randomOctets(4, 200_000);
    const port = await serve((peer) => {
      for (let at = 0; at < sent.length; at += 1_000) peer.write(sent.subarray(at, at + 1_000));
    });
    let pauses = 0;
    let isResting = false;
    const opened = open(port, {
      heard: () => {
        expect(isResting).toBe(false);
        isResting = true;
        pauses++;
        opened.connection.pause();
        setImmediate(() => {
          isResting = false;
          opened.connection.resume();
        });
      },
    });
    await until(() => opened.received().length >= sent.length, waitMilliseconds, 'all octets');
    expect(opened.received().equals(sent)).toBe(true);
    expect(pauses).toBeGreaterThan(10);
  });

  it('may be destroyed by what it has received, and gives its descriptor and its octets back', async () => {
    const port = await serve((peer) => peer.write(Buffer.alloc(100_000)));
    const first = open(port);
    await until(() => first.received().length > 0, waitMilliseconds, 'octets');
    const before = descriptors();
    const opened = open(port, { heard: () => opened.connection.destroy() });
    await closing(opened.events);
    expect(opened.events).toEqual(['close']);
    expect(opened.received().length).toBeLessThanOrEqual(16_384);
    opened.connection.write(Buffer.from('too late'));
    opened.connection.pause();
    opened.connection.resume();
    opened.connection.destroy();
    await until(() => descriptors() <= before + 1, waitMilliseconds, 'the descriptors');
  });

  it.each([
    ['of an unknown authority', ['localhost'], 'localhost', true],
    ['for another name', ['bot.example.com'], 'localhost', false],
    ['for a name with a wildcard in a part', ['loc*.example.com'], 'local.example.com', false],
    ['for another address', ['127.0.0.2'], '127.0.0.1', false],
    ['for a name, when an address is asked for', ['localhost'], '127.0.0.1', false],
  ])('is not made with a certificate %s', async (_name, names, host, isStranger) => {
    const issuer = isStranger ? await TestAuthority.create() : authority;
    const { cert, key } = await issuer.issue('other', names);
    let accepted = 0;
    const octets: Buffer[] = [];
    const port = await serve(
      (peer) => {
        accepted++;
        peer.on('data', (piece: Buffer) => octets.push(piece));
      },
      { cert, key },
    );
    const { connection, events } = open(port, { host });
    connection.write(Buffer.from('secret'));
    await closing(events);
    expect(events).toEqual([
      expect.stringMatching(/^error the certificate of \S+ is not accepted: /),
      'close',
    ]);
    expect([accepted, octets]).toEqual([0, []]);
    if (isStranger) issuer.remove();
  });

  it.each([
    ['its name with a wildcard', ['*.example.com'], 'bot.example.com'],
    ['its address', ['127.0.0.1'], '127.0.0.1'],
  ])('is made with a certificate for %s', async (_name, names, host) => {
    const { cert, key } = await authority.issue('named', names);
    let servername: string | false | null = '';
    const port = await serve(
      (peer) => {
        ({ servername } = peer as unknown as { servername: string | false });
        peer.write('hello');
      },
      { cert, key },
    );
    const { received } = open(port, { host });
    await until(() => received().length > 0, waitMilliseconds, 'octets');
    expect(servername).toBe(net.isIP(host) === 0 ? host : false);
  });

  it('ends with an error when the server speaks no TLS', async () => {
    const port = await listening(net.createServer((peer) => peer.write('HTTP/1.1 400 Bad Request\r\n\r\n')));
    const { events } = open(port);
    await closing(events);
    expect(events).toEqual([expect.stringMatching(/^error TLS: /), 'close']);
  });

  it('ends with an error when the server closes before TLS is there', async () => {
    const port = await listening(net.createServer((peer) => peer.destroy()));
    const { events } = open(port);
    await closing(events);
    expect(events).toEqual([expect.stringMatching(/^error /), 'close']);
  });

  it('ends with the error of a server that resets the connection', async () => {
    const port = await serve((peer) => {
      peer.write('hello');
      peer.once('data', () => peers.at(-1)!.resetAndDestroy());
    });
    const { connection, events, received } = open(port);
    await until(() => received().length > 0, waitMilliseconds, 'octets');
    connection.write(Buffer.from('hello'));
    await closing(events);
    expect(events).toEqual([expect.stringContaining('ECONNRESET'), 'close']);
  });

  it('ends without an error when TCP ends, with what came before', async () => {
    const port = await serve((peer) => {
      peer.write('the last octets', () => peers.at(-1)!.destroySoon());
    });
    const { events, received } = open(port);
    await closing(events);
    expect(received().toString()).toBe('the last octets');
    expect(events).toEqual(['end', 'close']);
  });

  it('tries the next address of a server', async () => {
    const port = await serve((peer) => peer.write('hello'));
    const { received, events } = open(port, { lookup: addressesOf('127.0.0.2', '127.0.0.1') });
    await until(() => received().length > 0, waitMilliseconds, 'octets');
    expect(events).toEqual([]);
  });

  it('ends with the error of the last address', async () => {
    const port = await serve(() => {});
    const before = descriptors();
    const { events } = open(port, { lookup: addressesOf('127.0.0.2', '127.0.0.3') });
    await closing(events);
    expect(events).toEqual([`error connect ECONNREFUSED 127.0.0.3:${port}`, 'close']);
    expect(descriptors()).toBeLessThanOrEqual(before);
  });

  it('ends with the error of the lookup', async () => {
    const { events } = open(1, { lookup: (_name, _options, callback) => callback(new Error('unknown'), '') });
    await closing(events);
    expect(events).toEqual(['error unknown', 'close']);
  });

  it('says that the time is over in which it was to be made', async () => {
    const port = await listening(net.createServer());
    const { connection, events } = open(port);
    connection.setTimeout(20);
    await until(() => events.length > 0, waitMilliseconds, 'the timeout');
    expect(events).toEqual(['timeout']);
    connection.end(() => events.push('ended'));
    await closing(events);
    expect(events).toEqual(['timeout', 'ended', 'close']);
  });
});
