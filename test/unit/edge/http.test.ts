import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/base/log.js';
import { type EdgeHttp, type EdgeHttpParts, startEdgeHttp } from '../../../src/edge/http.js';
import { EdgeMetrics } from '../../../src/edge/metrics.js';
import { sampleRecord } from '../../contract/control/history/sample-record.js';

const log = createLog({ level: 'silent', role: 'edge', edge: 'test' });

let http: EdgeHttp;
afterEach(() => http.close());

const state = { engine: true, redis: true, draining: false };
const metrics = new EdgeMetrics();

async function start(more: Partial<EdgeHttpParts> = {}): Promise<void> {
  http = await startEdgeHttp({
    listen: { host: '127.0.0.1', port: 0 },
    parts: (['engine', 'redis'] as const).map((name) => ({
      name,
      state: () => ({ ready: state[name], detail: state[name] ? 'fine' : 'away' }),
    })),
    isDraining: () => state.draining,
    metrics,
    log,
    ...more,
  });
}

describe('health over HTTP', () => {
  it('is live regardless of other faults', async () => {
    await start();
    state.engine = false;
    expect((await fetch(`${http.url}/livez`)).status).toBe(200);
    state.engine = true;
  });

  it('is ready only when every part is, and names each', async () => {
    await start();
    const ready = await fetch(`${http.url}/readyz`);
    expect(ready.status).toBe(200);
    state.redis = false;
    const notReady = await fetch(`${http.url}/readyz`);
    expect(notReady.status).toBe(503);
    expect(await notReady.json()).toEqual({
      status: 'not ready',
      parts: [
        { name: 'engine', ready: true, detail: 'fine' },
        { name: 'redis', ready: false, detail: 'away' },
      ],
    });
    state.redis = true;
    state.draining = true;
    const draining = await fetch(`${http.url}/readyz`);
    expect(draining.status).toBe(503);
    expect(await draining.json()).toMatchObject({ status: 'draining' });
    state.draining = false;
  });

  it('gives metrics', async () => {
    await start();
    metrics.callEnded(sampleRecord('one', { source: { address: 'x', port: 1, protocol: 'TLS' } }));
    metrics.callRefused('refused_source', 403);
    metrics.rtpengineAnswered('offer', 'ok', 0.002);
    const text = await (await fetch(`${http.url}/metrics`)).text();
    expect(text).toContain('demarc_call_ends_total{direction="inbound",reason="caller_hung_up"} 1');
    expect(text).toContain(
      'demarc_calls_total{direction="inbound",trunk_class="tls",termination="completed"} 1',
    );
    expect(text).toContain('demarc_refusals_total{reason="refused_source",status="403"} 1');
    expect(text).toContain('demarc_calls 0');
    expect(text).toMatch(
      /demarc_rtpengine_command_duration_seconds_bucket\{le="0.002",command="offer",result="ok"\} 1/,
    );
  });

  it('serves metrics to clients with the token, and uses it to query the engine', async () => {
    const metricsToken = 'a-token-of-the-test';
    const engine = createServer(({ headers }, response) => {
      const isOurs = headers.authorization === `Bearer ${metricsToken}`;
      response.writeHead(isOurs ? 200 : 401).end(isOurs ? 'engine_numbers 7\n' : '');
    });
    await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
    const engineUrl = `http://127.0.0.1:${(engine.address() as AddressInfo).port}/metrics`;
    await start({ metricsToken, engineMetricsUrl: () => engineUrl });
    for (const authorization of [undefined, metricsToken, `Bearer ${metricsToken}.`]) {
      const answer = await fetch(`${http.url}/metrics`, { headers: authorization ? { authorization } : {} });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      const message = expect.stringContaining('DEMARC_METRICS_TOKEN');
      expect(await answer.json()).toEqual({ data: null, errors: [{ error: 'UNAUTHORIZED', message }] });
    }
    const authorization = `Bearer ${metricsToken}`;
    const page = await fetch(`${http.url}/metrics`, { headers: { authorization } });
    expect(page.status).toBe(200);
    const text = await page.text();
    expect(text).toContain('demarc_calls 0');
    expect(text).toContain('engine_numbers 7');
    // Strangers learn whether it is ready, and nothing about listeners and components.
    const readiness = await fetch(`${http.url}/readyz`);
    expect(readiness.status).toBe(200);
    expect(await readiness.json()).toEqual({ status: 'ready' });
    const whole = await fetch(`${http.url}/readyz`, { headers: { authorization } });
    expect(await whole.json()).toMatchObject({ parts: [{ name: 'engine' }, { name: 'redis' }] });
    engine.close();
  });

  it('keeps connections for longer than the usual time between two scrapes', async () => {
    await start();
    const { headers } = await fetch(`${http.url}/livez`);
    expect(headers.get('keep-alive')).toBe('timeout=72');
  });

  it('says how long an answer is, also in the answer to HEAD', async () => {
    await start();
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await fetch(`${http.url}/livez`, { method });
      expect(headers.get('content-length'), method).toBe('15');
    }
  });

  it('answers 404 elsewhere, also to requests with a body', async () => {
    await start();
    expect((await fetch(`${http.url}/`)).status).toBe(404);
    const large = await fetch(`${http.url}/livez`, { method: 'POST', body: 'x'.repeat(10_000) });
    expect(large.status).toBe(404);
  });
});
