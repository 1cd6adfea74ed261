import { afterEach, describe, expect, it } from 'vitest';
import { type EdgeHttp, startEdgeHttp } from '../../../src/edge/http.js';
import { createLog } from '../../../src/edge/log.js';
import { EdgeMetrics } from '../../../src/edge/metrics.js';
import { sampleRecord } from '../../contract/control/history/sample-record.js';

const log = createLog({ edgeId: 'test', log: { level: 'silent' } });

let http: EdgeHttp;
afterEach(() => http.close());

const state = { engine: true, redis: true, draining: false };
const metrics = new EdgeMetrics();

async function start(): Promise<void> {
  http = await startEdgeHttp({
    listen: { host: '127.0.0.1', port: 0 },
    parts: (['engine', 'redis'] as const).map((name) => ({
      name,
      state: () => ({ ready: state[name], detail: state[name] ? 'fine' : 'away' }),
    })),
    isDraining: () => state.draining,
    metrics,
    log,
  });
}

describe('health over HTTP', () => {
  it('is live whatever else is wrong', async () => {
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

  it('answers 404 elsewhere and takes no bodies of size', async () => {
    await start();
    expect((await fetch(`${http.url}/`)).status).toBe(404);
    const large = await fetch(`${http.url}/livez`, { method: 'POST', body: 'x'.repeat(10_000) });
    expect(large.status).toBeGreaterThanOrEqual(400);
  });
});
