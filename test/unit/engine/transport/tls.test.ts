import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import {
  type ConnectionOptions,
  connect,
  createServer,
  type Server,
  type TLSSocket,
  type TlsOptions,
} from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Flow, Target, TransportError } from '../../../../src/engine/transport/flow.js';
import type { TlsSettings } from '../../../../src/engine/transport/settings.js';
import { readTrust, type Trust } from '../../../../src/engine/transport/trust.js';
import { ManualClock } from '../../../../src/testkit/manual-clock.js';
import { pause, until } from '../../../../src/testkit/waiting.js';
import { type IssuedCertificate, TestAuthority } from '../../../support/certificates.js';
import { freePorts } from '../../../support/free-ports.js';
import { ok, RawPeer, request, TestLayer } from './layer.js';

const tlsTarget = (port: number, serverName: string): Target => ({
  protocol: 'tls',
  address: '127.0.0.1',
  port,
  serverName,
});

describe('TLS', () => {
  let authority: TestAuthority;
  let stranger: TestAuthority;
  let own: IssuedCertificate;
  let otherCertificate: IssuedCertificate;
  let foreign: IssuedCertificate;
  const layers: TestLayer[] = [];
  const servers: Server[] = [];
  const sockets: { destroy(): unknown }[] = [];

  beforeAll(async () => {
    authority = await TestAuthority.create();
    stranger = await TestAuthority.create('CN=Somebody else');
    own = await authority.issue('own');
    otherCertificate = await authority.issue('other', ['sip.example.com']);
    foreign = await stranger.issue('foreign');
  });
  afterAll(() => {
    authority.remove();
    stranger.remove();
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close();
    for (const { layer } of layers.splice(0)) {
      await layer.stop();
      expect(layer.openConnections).toBe(0);
    }
  });

  const start = async (
    tls: Partial<TlsSettings> = {},
    options: Parameters<typeof TestLayer.start>[0] = {},
    more: Parameters<typeof TestLayer.start>[1] = {},
  ): Promise<TestLayer> => {
    const test = await TestLayer.start(
      {
        listeners: [{ protocol: 'tls', address: '127.0.0.1', port: 0 }],
        tls: {
          keyFile: own.keyFile,
          certificateFile: own.certFile,
          trustedCaFile: authority.caFile,
          trustWellKnownAuthorities: false,
          ...tls,
        },
        ...options,
      },
      more,
    );
    layers.push(test);
    return test;
  };

  /** A TLS client; resolves when the handshake is through. */
  const client = async (test: TestLayer, options: ConnectionOptions = {}): Promise<TLSSocket> => {
    const socket = connect({
      host: '127.0.0.1',
      port: test.listener('tls').port,
      ca: authority.ca,
      servername: 'localhost',
      ...options,
    });
    sockets.push(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve);
      socket.once('error', reject);
    });
    socket.on('error', () => {});
    return socket;
  };

  /** A TLS server of another operator. */
  const server = async (options: TlsOptions) => {
    const names: (string | false | null | undefined)[] = [];
    const certificates: string[] = [];
    const received: string[] = [];
    const tls = createServer(options, (socket) => {
      sockets.push(socket);
      names.push(socket.servername);
      certificates.push(JSON.stringify(socket.getPeerCertificate()?.subject ?? null));
      socket.on('error', () => {});
      socket.on('data', (chunk) => received.push(chunk.toString('latin1')));
    });
    tls.on('tlsClientError', () => {});
    servers.push(tls);
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    return { names, certificates, received, port: (tls.address() as { port: number }).port };
  };

  const failureOf = async (test: TestLayer, target: Target): Promise<TransportError> => {
    const outcome = await (test.layer.connect(target) as Promise<Flow>).catch(
      (error: TransportError) => error,
    );
    if (!('failure' in outcome)) throw new Error('it connected');
    return outcome;
  };

  it('carries messages both ways, a body in a later record too', async () => {
    const test = await start();
    const socket = await client(test);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    const bytes = request({ method: 'MESSAGE', body: 'hello' });
    socket.write(bytes.slice(0, -5));
    await pause(30);
    socket.write('hello');
    const { message, flow } = await test.next();
    expect(message.body).toBe('hello');
    expect(flow).toMatchObject({ protocol: 'tls', remotePort: socket.localPort, remoteAddress: '127.0.0.1' });
    test.layer.send(flow, ok());
    await until(() => received === ok(), 10_000, 'answer');
    socket.write('\r\n\r\n');
    await until(() => received === `${ok()}\r\n`, 10_000, 'pong');
  });

  it('speaks TLS 1.2 and 1.3, and nothing older', async () => {
    const test = await start();
    expect((await client(test, { maxVersion: 'TLSv1.2' })).getProtocol()).toBe('TLSv1.2');
    expect((await client(test)).getProtocol()).toBe('TLSv1.3');
    await expect(
      client(test, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toThrow();
    await until(() => test.layer.counters.handshakeFailures === 1, 10_000, 'count');
    expect(
      test.notices.some(({ kind, remote }) => kind === 'handshake-failed' && remote === '127.0.0.1'),
    ).toBe(true);
  });

  it('does not renegotiate', async () => {
    const test = await start();
    const socket = await client(test, { maxVersion: 'TLSv1.2' });
    const error = await new Promise<Error | null>((resolve) => {
      socket.once('error', resolve);
      socket.renegotiate({}, resolve);
    });
    expect(error).toBeInstanceOf(Error);
  });

  it('closes who does not shake hands, and counts it only until then', async () => {
    const test = await start({}, { limits: { handshakeMilliseconds: 1_500, handshakesPerSource: 1 } });
    const silent = await RawPeer.connect(test.listener('tls').port);
    sockets.push(silent.socket);
    const second = await RawPeer.connect(test.listener('tls').port);
    sockets.push(second.socket);
    await until(() => second.isClosed, 10_000, 'refusal of the second');
    expect(test.layer.counters.refusedHandshakes).toBe(1);
    await until(() => silent.isClosed, 10_000, 'close of the silent one');
    await until(() => test.layer.openConnections === 0, 10_000, 'its end here');
    for (let i = 0; i < 2; i++) {
      (await client(test)).write(request());
      await test.next();
    }
  });

  it('survives garbage instead of a handshake', async () => {
    const test = await start();
    const peer = await RawPeer.connect(test.listener('tls').port);
    sockets.push(peer.socket);
    peer.send(request());
    await until(() => peer.isClosed, 10_000, 'close');
    expect(test.layer.openConnections).toBe(0);
    (await client(test)).write(request());
    await test.next();
  });

  describe('client certificates', () => {
    it('are required where configured', async () => {
      const test = await start({ clientCertificates: 'required', clientCaFile: authority.caFile });
      // With TLS 1.3 a client learns of the refusal only after its own part of the handshake.
      const anonymous = await client(test);
      await new Promise((resolve) => anonymous.once('close', resolve));
      const wrong = await client(test, { cert: foreign.cert, key: foreign.key });
      await new Promise((resolve) => wrong.once('close', resolve));
      expect(test.layer.openConnections).toBe(0);
      const right = await client(test, { cert: otherCertificate.cert, key: otherCertificate.key });
      right.write(request());
      expect((await test.next()).flow.isOpen).toBe(true);
    });

    it('are optional where configured, but a wrong one is refused', async () => {
      const test = await start({ clientCertificates: 'optional', clientCaFile: authority.caFile });
      (await client(test)).write(request());
      await test.next();
      const wrong = await client(test, { cert: foreign.cert, key: foreign.key });
      await new Promise((resolve) => wrong.once('close', resolve));
      expect(test.layer.counters.handshakeFailures).toBe(1);
      (await client(test, { cert: otherCertificate.cert, key: otherCertificate.key })).write(request());
      await test.next();
    });

    it('require a configured CA', async () => {
      await expect(start({ clientCertificates: 'required' })).rejects.toThrow(/clientCaFile/);
    });
  });

  describe('outgoing connections', () => {
    it('verify chain and name, and send the name in SNI', async () => {
      const test = await start();
      const { names, received, port } = await server({
        key: otherCertificate.key,
        cert: otherCertificate.cert,
      });
      const flow = await test.layer.connect(tlsTarget(port, 'sip.example.com'));
      test.layer.send(flow, request());
      await until(() => received.join('') === request(), 10_000, 'request');
      expect(names).toEqual(['sip.example.com']);
      expect(flow).toMatchObject({ protocol: 'tls', remotePort: port, listener: test.listener('tls') });
    });

    it('refuse a certificate of another name', async () => {
      const test = await start();
      const { port } = await server({ key: otherCertificate.key, cert: otherCertificate.cert });
      const error = await failureOf(test, tlsTarget(port, 'pbx.example.net'));
      expect(error.failure).toBe('tls');
      expect(error.message).toMatch(/pbx\.example\.net .*does not carry that name/);
      expect(error.message).toMatch(/sip\.example\.com/);
      expect(test.layer.openConnections).toBe(0);
      // The application hears 503; who looks for the reason reads the log.
      expect(test.notices).toContainEqual({
        kind: 'connect-failed',
        text: error.message,
        remote: '127.0.0.1',
      });
    });

    it('refuse an authority that is not trusted', async () => {
      const test = await start();
      const { port } = await server({ key: foreign.key, cert: foreign.cert });
      const error = await failureOf(test, tlsTarget(port, 'localhost'));
      expect(error.failure).toBe('tls');
      expect(error.message).toMatch(/certificate is refused: its issuer is not trusted/);
    });

    it('refuse an authority that has the name of a trusted one, but not its key', async () => {
      const test = await start();
      const namesake = await TestAuthority.create();
      const { key, cert } = await namesake.issue('namesake', ['localhost']);
      namesake.remove();
      const { port } = await server({ key, cert });
      const error = await failureOf(test, tlsTarget(port, 'localhost'));
      expect(error).toMatchObject({ failure: 'tls', certificateFailure: 'certificate' });
      expect(error.message).toMatch(/its signature is not that of the trusted authority of the same name/);
    });

    const trusting = (...pems: string[]): Trust => {
      const base64 = (pem: string): string => pem.replace(/-----[A-Z ]+-----|\s/g, '');
      const trust = readTrust(pems.map(base64).join(','));
      if (trust === undefined) throw new Error('These are no certificates.');
      return trust;
    };

    it('may trust a private CA instead of all others', async () => {
      const test = await start();
      const private_ = await server({ key: foreign.key, cert: foreign.cert });
      const trust = trusting(stranger.ca);
      const flow = await test.layer.connect({ ...tlsTarget(private_.port, 'localhost'), trust });
      expect(flow.isOpen).toBe(true);
      const error = await failureOf(test, { ...tlsTarget(private_.port, 'another.example.com'), trust });
      expect(error.message).toMatch(/does not carry that name/);
      const public_ = await server({ key: own.key, cert: own.cert });
      const refused = await failureOf(test, { ...tlsTarget(public_.port, 'localhost'), trust });
      expect(refused).toMatchObject({ failure: 'tls', certificateFailure: 'certificate' });
    });

    it('may trust one certificate, regardless of its issuer and name', async () => {
      const test = await start();
      const pinned = await server({ key: foreign.key, cert: foreign.cert });
      const trust = trusting(foreign.cert);
      await test.layer.connect({ ...tlsTarget(pinned.port, 'pbx.example.com'), trust });
      const impostor = await stranger.issue('impostor', ['pbx.example.com']);
      const other_ = await server({ key: impostor.key, cert: impostor.cert });
      expect((await failureOf(test, { ...tlsTarget(other_.port, 'pbx.example.com'), trust })).failure).toBe(
        'tls',
      );
    });

    it('are shared only by those who trust the same', async () => {
      const test = await start();
      const { port } = await server({ key: foreign.key, cert: foreign.cert });
      const target = tlsTarget(port, '127.0.0.1');
      const trust = trusting(stranger.ca);
      const flow = await test.layer.connect({ ...target, trust });
      expect(await test.layer.connect({ ...target, trust: trusting(stranger.ca) })).toBe(flow);
      expect(await test.layer.connect({ ...target, trust: trusting(stranger.ca, foreign.cert) })).not.toBe(
        flow,
      );
      expect((await failureOf(test, target)).failure).toBe('tls');
    });

    it('check an address against the IP names, and send no SNI for it', async () => {
      const test = await start();
      const good = await server({ key: own.key, cert: own.cert });
      await test.layer.connect(tlsTarget(good.port, '127.0.0.1'));
      await until(() => good.names.length === 1, 10_000, 'connection');
      expect(good.names[0] || undefined).toBeUndefined();
      const bad = await server({ key: otherCertificate.key, cert: otherCertificate.cert });
      expect((await failureOf(test, tlsTarget(bad.port, '127.0.0.1'))).failure).toBe('tls');
    });

    it('skip verification only for hosts that are listed', async () => {
      const test = await start({ unverifiedHosts: [{ host: 'Lab.example.com', reason: 'self-made PBX' }] });
      const { port } = await server({ key: foreign.key, cert: foreign.cert });
      expect((await failureOf(test, tlsTarget(port, 'pbx.example.com'))).failure).toBe('tls');
      expect((await test.layer.connect(tlsTarget(port, 'lab.example.com'))).isOpen).toBe(true);
    });

    it('present our certificate, another one, or none', async () => {
      const asking: TlsOptions = {
        key: own.key,
        cert: own.cert,
        requestCert: true,
        rejectUnauthorized: false,
      };
      const { certificates, port } = await server(asking);
      for (const outboundCertificate of [
        undefined,
        { keyFile: otherCertificate.keyFile, certificateFile: otherCertificate.certFile },
        'none' as const,
      ]) {
        const test = await start(outboundCertificate === undefined ? {} : { outboundCertificate });
        await test.layer.connect(tlsTarget(port, 'localhost'));
      }
      await until(() => certificates.length === 3, 10_000, 'connections');
      expect(certificates[0]).toContain('localhost');
      expect(certificates[1]).toContain('sip.example.com');
      expect(certificates[2]).toMatch(/null|\{\}/);
    });

    it('fail with `tls` where the far side speaks something else, and with `timeout` where it is silent', async () => {
      const clock = new ManualClock();
      const test = await start({}, {}, { clock });
      const plain = createTcpServer((socket) => {
        sockets.push(socket);
        socket.on('error', () => {});
        socket.end('SIP/2.0 400 No TLS here\r\n\r\n');
      });
      const silent = createTcpServer((socket) => {
        sockets.push(socket);
        socket.on('error', () => {});
      });
      const ports: number[] = [];
      for (const each of [plain, silent]) {
        await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
        ports.push((each.address() as { port: number }).port);
        sockets.push({ destroy: () => each.close() });
      }
      expect((await failureOf(test, tlsTarget(ports[0]!, 'localhost'))).failure).toBe('tls');
      const hanging = failureOf(test, tlsTarget(ports[1]!, 'localhost'));
      const before = sockets.length;
      await until(() => sockets.length > before || sockets.length >= 4, 10_000, 'connection');
      await pause(30);
      await clock.advance(4_001);
      expect(await hanging).toMatchObject({ failure: 'timeout' });
    });

    it('are shared by requests for the same name, or for the address alone; not by those for another name', async () => {
      const test = await start();
      const both = await authority.issue('both', ['a.example.com', 'b.example.com']);
      const { port } = await server({ key: both.key, cert: both.cert });
      const a = await test.layer.connect(tlsTarget(port, 'a.example.com'));
      expect(test.layer.connect(tlsTarget(port, 'A.example.com'))).toBe(a);
      expect(test.layer.connect(tlsTarget(port, '127.0.0.1'))).toBe(a);
      const b = await test.layer.connect(tlsTarget(port, 'b.example.com'));
      expect(b).not.toBe(a);
      expect((await failureOf(test, tlsTarget(port, 'c.example.com'))).failure).toBe('tls');
    });
  });

  describe('reuse of incoming connections (RFC 5923)', () => {
    it('by address and port, not for an unverified name', async () => {
      const test = await start();
      const socket = await client(test);
      socket.write(request());
      const { flow } = await test.next();
      expect(test.layer.connect(tlsTarget(socket.localPort!, '127.0.0.1'))).toBe(flow);
      expect((await failureOf(test, tlsTarget(socket.localPort!, 'sip.example.com'))).failure).toBe(
        'refused',
      );
    });

    it('by alias, when the client certificate proves the name', async () => {
      const test = await start({ clientCertificates: 'optional', clientCaFile: authority.caFile });
      // No listener has them, so that a connection that is not reused is refused.
      const [port = 0, anonymousPort = 0] = await freePorts(2);
      const proven = await client(test, { cert: otherCertificate.cert, key: otherCertificate.key });
      proven.write(request({ via: `SIP/2.0/TLS sip.example.com:${port};branch=z9hG4bK1;alias` }));
      const { flow } = await test.next();
      expect(test.layer.connect(tlsTarget(port, 'sip.example.com'))).toBe(flow);
      expect((await failureOf(test, tlsTarget(port, 'elsewhere.example.com'))).failure).toBe('refused');

      const anonymous = await client(test);
      anonymous.write(request({ via: `SIP/2.0/TLS sip.example.com:${anonymousPort};branch=z9hG4bK1;alias` }));
      await test.next();
      expect((await failureOf(test, tlsTarget(anonymousPort, 'sip.example.com'))).failure).toBe('refused');
      expect((await failureOf(test, tlsTarget(anonymousPort, '127.0.0.1'))).failure).toBe('refused');

      proven.destroy();
      await until(() => test.closedFlows.includes(flow), 10_000, 'close');
      expect((await failureOf(test, tlsTarget(port, 'sip.example.com'))).failure).toBe('refused');
    });
  });

  describe('reload', () => {
    it('gives new connections the new certificate and keeps open ones', async () => {
      const keyFile = join(authority.directory, 'live-key.pem');
      const certificateFile = join(authority.directory, 'live-cert.pem');
      writeFileSync(keyFile, own.key);
      writeFileSync(certificateFile, own.cert);
      const test = await start({ keyFile, certificateFile });
      const before = await client(test);
      expect(before.getPeerCertificate().subject.CN).toBe('localhost');

      writeFileSync(keyFile, otherCertificate.key);
      await expect(test.layer.reloadCertificates()).rejects.toThrow(/is not the key of/);
      expect((await client(test)).getPeerCertificate().subject.CN).toBe('localhost');

      writeFileSync(certificateFile, otherCertificate.cert);
      await test.layer.reloadCertificates();
      const after = await client(test, { servername: 'sip.example.com' });
      expect(after.getPeerCertificate().subject.CN).toBe('sip.example.com');
      before.write(request());
      expect((await test.next()).flow.isOpen).toBe(true);

      writeFileSync(certificateFile, 'not a certificate');
      await expect(test.layer.reloadCertificates()).rejects.toThrow(/live-cert\.pem is no certificate/);
      writeFileSync(certificateFile, readFileSync(otherCertificate.certFile));
      writeFileSync(keyFile, 'not a key');
      await expect(test.layer.reloadCertificates()).rejects.toThrow(/live-key\.pem is no private key/);
      expect((await client(test, { servername: 'sip.example.com' })).authorized).toBe(true);
    });

    it('keeps asking for client certificates', async () => {
      const test = await start({ clientCertificates: 'required', clientCaFile: authority.caFile });
      await test.layer.reloadCertificates();
      const anonymous = await client(test);
      await new Promise((resolve) => anonymous.once('close', resolve));
      (await client(test, { cert: otherCertificate.cert, key: otherCertificate.key })).write(request());
      await test.next();
    });
  });

  it('does not start a listener without a pair', async () => {
    const test = TestLayer.start({ listeners: [{ protocol: 'tls', address: '127.0.0.1', port: 0 }] });
    await expect(test).rejects.toThrow(/tls 127\.0\.0\.1 port 0: it needs a key and a certificate/);
  });
});
