import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { askApi } from '../../../src/launcher/api-request.js';
import { until } from '../../../src/testkit/waiting.js';
import { TestAuthority } from '../../support/certificates.js';
import { type ApiUnderTest, startApi } from './api-under-test.js';
import { ControlBench, log } from './control-bench.js';

let bench: ControlBench;
let api: ApiUnderTest;
let edge: Server;
let edgeIsReady = true;
/** Times that the edge was asked for its metrics. */
let pages = 0;
let askedWith: string | undefined;
/** And for its readiness. */
let probes = 0;

const state = async () => {
  const { status, body } = await api.get('/readyz', '');
  const notReady = (body.parts as { name: string; ready: boolean }[]).filter(({ ready }) => !ready);
  return { status, notReady: notReady.map(({ name }) => name) };
};

beforeAll(async () => {
  bench = await ControlBench.start({ ownPostgres: true });
  edge = createServer((request, response) => {
    if (request.url === '/metrics') {
      pages++;
      askedWith = request.headers.authorization;
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end('demarc_calls 3\n');
      return;
    }
    probes++;
    response.writeHead(edgeIsReady ? 200 : 503, { 'content-type': 'application/json' });
    const parts = [{ name: 'engine', ready: edgeIsReady, detail: 'x' }];
    response.end(JSON.stringify({ status: edgeIsReady ? 'ready' : 'draining', parts }));
  });
  await new Promise<void>((resolve) => edge.listen(0, '127.0.0.1', resolve));
  const { port } = edge.address() as AddressInfo;
  api = await startApi(bench, { DEMARC_EDGE_HEALTH_URL: `http://127.0.0.1:${port}` });
});

afterAll(async () => {
  await api?.stop();
  edge?.close();
  await bench?.stop();
});

it('is ready when every part is, without a key', async () => {
  await until(async () => (await state()).status === 200, 5_000, 'ready');
  expect((await api.get('/livez', '')).status).toBe(200);
});

it('forwards the state that the edge reports', async () => {
  const { text } = await api.get('/metrics', '');
  expect(text).toMatch(/^demarc_calls 3$/m);
  expect(text).toMatch(/^demarc_control_part_ready\{part="redis"\} 1$/m);
  const before = pages;
  await Promise.all(Array.from({ length: 50 }, () => api.get('/metrics', '')));
  // Simultaneous requests share one: 5 on an idle machine, 50 without.
  expect(pages - before).toBeLessThan(25);
  const asked = probes;
  await Promise.all(Array.from({ length: 100 }, () => api.get('/readyz', '')));
  expect(probes - asked).toBeGreaterThan(0);
  expect(probes - asked).toBeLessThan(50);
  edgeIsReady = false;
  expect(await state()).toEqual({ status: 503, notReady: ['edge', 'edge engine'] });
  edgeIsReady = true;
  expect((await state()).status).toBe(200);
});

it('serves metrics to clients with the token, and uses it to query the edge', async () => {
  const { port } = edge.address() as AddressInfo;
  const token = 'a-token-of-the-test';
  const guarded = await startApi(bench, {
    DEMARC_EDGE_HEALTH_URL: `http://127.0.0.1:${port}`,
    DEMARC_METRICS_TOKEN: token,
  });
  try {
    for (const wrong of ['', 'wrong', `${token}.`]) {
      const { status, headers, body } = await guarded.get('/metrics', wrong);
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      const message = expect.stringContaining('DEMARC_METRICS_TOKEN');
      expect(body).toEqual({ data: null, errors: [{ error: 'UNAUTHORIZED', message }] });
    }
    const { status, text } = await guarded.get('/metrics', token);
    expect(status).toBe(200);
    expect(text).toMatch(/^demarc_calls 3$/m);
    expect(askedWith).toBe(`Bearer ${token}`);
    await until(async () => (await guarded.get('/readyz', '')).status === 200, 5_000, 'ready, without it');
    // Strangers learn whether it is ready, and nothing about listeners, addresses and numbers.
    expect((await guarded.get('/readyz', '')).body).toEqual({ status: 'ready' });
    const names = (await guarded.get('/readyz', token)).body.parts.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['database', 'redis', 'edge']));
  } finally {
    await guarded.stop();
  }
});

it('uses TLS where it has a certificate, reloads a renewed one but no broken pair, and reports its expiry', async () => {
  const authority = await TestAuthority.create();
  try {
    const [first, second] = [await authority.issue('first'), await authority.issue('second')];
    const files = { cert: join(authority.directory, 'http.crt'), key: join(authority.directory, 'http.key') };
    const use = async (pair: typeof first): Promise<void> => {
      await copyFile(pair.keyFile, files.key);
      await copyFile(pair.certFile, files.cert);
    };
    await use(first);
    const refusals = vi.spyOn(log, 'error');
    onTestFinished(() => refusals.mockRestore());
    const secure = await startApi(bench, {
      DEMARC_HTTP_TLS_CERT: files.cert,
      DEMARC_HTTP_TLS_KEY: files.key,
    });
    const { port } = new URL(secure.url);
    const shown = async (): Promise<X509Certificate> => {
      const socket = connect({ host: '127.0.0.1', port: Number(port), ca: authority.ca, servername: '' });
      await once(socket, 'secureConnect');
      const certificate = new X509Certificate(socket.getPeerCertificate().raw);
      socket.destroy();
      return certificate;
    };
    const ask = (path: string) =>
      askApi(`https://127.0.0.1:${port}${path}`, authority.caFile, {
        method: 'GET',
        headers: {},
      });
    try {
      expect(await ask('/livez')).toMatchObject({ status: 200 });
      await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow();
      const certificate = await shown();
      const { text } = await ask('/metrics');
      expect(text).toContain(
        `demarc_http_certificate_expiry_seconds ${Date.parse(certificate.validTo) / 1_000}`,
      );
      await copyFile(second.keyFile, files.key);
      await until(() => refusals.mock.calls.length > 0, 10_000, 'the pair is refused');
      expect(refusals.mock.calls[0]).toEqual([
        { error: expect.stringContaining('do not belong together') },
        'HTTP certificate not reloaded; the previous one stays in use.',
      ]);
      expect((await shown()).serialNumber).toBe(certificate.serialNumber);
      await use(second);
      await until(async () => (await shown()).serialNumber !== certificate.serialNumber, 10_000, 'renewed');
      expect(await ask('/livez')).toMatchObject({ status: 200 });
    } finally {
      await secure.stop();
    }
  } finally {
    authority.remove();
  }
});

it('reports which component is down, and when it recovers', async () => {
  await bench.redis.kill();
  const missing = [
    ...['redis', 'projection', 'call history', 'trunk health', 'call events'],
    ...['porting', 'knowledge', 'agent-tests'],
  ];
  await until(async () => (await state()).notReady.length === missing.length, 10_000, 'Redis is missed');
  expect((await state()).notReady.toSorted()).toEqual(missing.toSorted());
  await bench.redis.up();
  await until(async () => (await state()).status === 200, 10_000, 'ready again');

  await bench.postgres.kill();
  await until(async () => (await state()).notReady.includes('database'), 10_000, 'PostgreSQL is missed');
  expect((await api.get('/livez', '')).status).toBe(200);
  await bench.postgres.up();
  await until(async () => (await state()).status === 200, 10_000, 'ready again');
});
