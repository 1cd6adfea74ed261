import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callStream } from '../../../src/contract/keys.js';
import { MediaStreamMetrics } from '../../../src/media-stream/metrics.js';
import { until } from '../../../src/testkit/waiting.js';
import { PeerCall } from '../../support/peer-call.js';
import type { PrivatePostgres } from '../../support/postgres.js';
import { type CallBench, calledNumber } from '../call/bench.js';
import type { ApiUnderTest } from '../control/api-under-test.js';
import { EventReader } from '../control/event-reader.js';
import { trunkDescription } from '../media/descriptions.js';
import { WatchedBench } from './watched-bench.js';

let watched: WatchedBench;
let bench: CallBench;
let postgres: PrivatePostgres;
let api: ApiUnderTest;
let organization: string;
/** Of the organization that has the called number, of another one, and of those who run the service. */
let key: string;
let stranger: string;
let operator: string;

beforeAll(async () => {
  watched = await WatchedBench.start({ ownPostgres: true });
  ({ calls: bench, postgres, api, organization } = watched);
  ({ own: key, stranger, operator } = watched.keys);
}, 180_000);
afterAll(() => watched?.stop());

describe('a client of the live stream', () => {
  it('sees a call while it is active, its end, and its result', async () => {
    const headers = (of: string) => ({ authorization: `Bearer ${of}` });
    const [mine, strangers, fleet] = await Promise.all([
      EventReader.open(`${api.url}/v1/noc/events`, headers(key)),
      EventReader.open(`${api.url}/v1/noc/events`, headers(stranger)),
      EventReader.open(`${api.url}/v1/noc/events?scope=fleet`, headers(operator)),
    ]);
    await Promise.all([mine, strangers, fleet].map((reader) => reader.next('snapshot')));
    const { trunk, agent } = await bench.establish();
    const began = await mine.next('call');
    expect(began.data.call).toMatchObject({
      phone_number: `+${calledNumber}`,
      direction: 'inbound',
      organization_id: organization,
    });
    const callId = began.data.call.call_id;
    expect((await fleet.next('call')).data.call).toMatchObject({ call_id: callId, edge_id: 'bench' });
    await until(
      async () => (await api.get('/v1/noc/calls/live', key)).body.data.calls[0]?.state === 'answered',
      3_000,
      'the call is listed as answered',
    );
    const edges = async () => (await api.get('/v1/noc/summary', operator)).body.data.fleet.edges;
    await until(async () => (await edges())[0]?.counts.answered === 1, 6_000, 'the heartbeat counts it');
    expect(await edges()).toMatchObject([{ id: 'bench', state: 'up', rtpengine: [{ state: 'up' }] }]);
    await trunk.send('BYE');
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    await trunk.response(200, 'BYE');
    let ended = await mine.next('call');
    while (ended.data.change !== 'ended') ended = await mine.next('call');
    expect(ended.data).toMatchObject({
      call: { call_id: callId },
      end: { end_reason: 'caller_hung_up', cause: 'The caller hung up.' },
    });
    await until(
      async () => (await api.get('/v1/noc/summary', key)).body.data.calls.windows['5m'].answered === 1,
      8_000,
      'the call is counted',
    );
    expect((await api.get(`/v1/sip/calls/${callId}`, key)).body.data).toMatchObject({
      call_id: callId,
      cause: 'The caller hung up.',
      media: { trunk_codec: 'PCMU' },
    });
    expect(strangers.seen.map(({ event }) => event)).not.toContain('call');
    for (const reader of [mine, strangers, fleet]) reader.close();
  });
});

/** Metrics that files name: whole names, without what histograms add. */
function named(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/\b(?:demarc|drachtio|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(bucket|sum|count)$/, ''),
    ),
  );
}

async function pages(): Promise<string> {
  const urls = [`${bench.edge.httpUrl}/metrics`, `${api.url}/metrics`, bench.engine.metricsUrl ?? ''];
  const texts = await Promise.all(urls.map(async (url) => (url === '' ? '' : (await fetch(url)).text())));
  // No media-stream process runs here; `contract/media-stream` reads the page of one.
  texts.push(await new MediaStreamMetrics(() => undefined).registry.metrics());
  return texts.join('\n');
}

describe('metrics of a running stack', () => {
  it.skipIf(process.env.DRACHTIO_HOST !== undefined)(
    'are all those that the Grafana dashboard and the alert rules name',
    async () => {
      const metrics = await pages();
      const types = new Set([...metrics.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!));
      const dashboard = JSON.parse(readFileSync('docker/grafana/dashboards/demarc.json', 'utf8')) as {
        panels: { targets?: { expr: string }[] }[];
      };
      const expressions = dashboard.panels.flatMap(({ targets }) => (targets ?? []).map(({ expr }) => expr));
      expect(expressions.length).toBeGreaterThan(30);
      const rules = readFileSync('docker/prometheus/alerts.yml', 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(summary|description|- alert|#)/.test(line))
        .join('\n');
      for (const text of [expressions.join('\n'), rules]) {
        const names = named(text);
        expect(names.size).toBeGreaterThan(9);
        expect([...names].filter((name) => !types.has(name))).toEqual([]);
      }
      // Labels that the files select by are there as well.
      for (const [, metric, label, value] of `${expressions.join('\n')}\n${rules}`.matchAll(
        /(demarc_[a-z_]+)\{([a-z]+)="([a-z_]+)"\}/g,
      )) {
        const docs = readFileSync('docs/metrics.md', 'utf8');
        const row = docs
          .split('\n')
          .find((line) => line.includes(`\`${metric!.replace(/_(bucket|count|sum)$/, '')}\``));
        expect(row, `${metric} ${label}`).toContain(`\`${label}\`:`);
        if (label !== 'reason') expect(row, `${metric} ${value}`).toContain(value!);
      }
    },
  );

  it('count the call, its setup and its media, and report every component', async () => {
    const metrics = await pages();
    for (const pattern of [
      /^demarc_calls_total\{direction="inbound",trunk_class="tcp",termination="completed"\} 1$/m,
      /^demarc_call_setup_duration_seconds_count\{direction="inbound"\} 1$/m,
      /^demarc_call_post_dial_delay_seconds_count\{direction="inbound"\} 1$/m,
      /^demarc_rtpengine_up\{node="127\.0\.0\.1:\d+"\} 1$/m,
      /^demarc_rtpengine_round_trip_seconds\{node="[^"]+"\} 0\.\d+$/m,
      /^demarc_engine_up 1$/m,
      /^demarc_stream_lag_entries\{stream="calls"\} 0$/m,
      /^demarc_http_requests_total\{method="GET",route="\/v1\/noc\/summary",status="200"\} \d+$/m,
      /^demarc_control_part_ready\{part="redis"\} 1$/m,
      /^process_resident_memory_bytes\{role="edge"\} \d+$/m,
      /^nodejs_eventloop_lag_p99_seconds\{role="control"\} \S+$/m,
    ]) {
      expect(metrics).toMatch(pattern);
    }
  });

  it('do not grow with what strangers send', async () => {
    const series = (text: string): string[] =>
      [...text.matchAll(/^((?:demarc|drachtio)_.*) \S+$/gm)].map(([, name]) => name!).toSorted();
    const send = async (from: number, to: number): Promise<void> => {
      for (let at = from; at < to; at++) {
        const call = PeerCall.to(bench.trunk, `99999${at}`);
        const From = `"x{y='${at}'} evil" <sip:evil-${at}@evil-${at}.example>;tag=${at}`;
        await call.invite({ body: trunkDescription(), headers: { From } });
        const answer = await call.response((status) => status >= 400);
        await call.ack(answer.message);
        await fetch(`${api.url}/v1/never-${at}/demarc_evil`);
        await fetch(`${api.url}/v1/sip/calls/call-${at}`);
      }
    };
    /** The pages once they count the requests before that number; a page of control's is the same for half a second. */
    const counted = async (to: number): Promise<string> => {
      await until(async () => (await bench.edge.counts()).ending === 0, 5_000, 'records are written');
      const requests = ['route="none",status="404"', 'route="/v1/sip/calls/:call_id",status="401"'];
      let metrics = '';
      await until(
        async () => {
          metrics = await pages();
          return requests.every((request) =>
            metrics.includes(`demarc_http_requests_total{method="GET",${request}} ${to}\n`),
          );
        },
        5_000,
        'control counts them',
      );
      return metrics;
    };
    await send(0, 2);
    const before = await counted(2);
    await send(2, 30);
    const after = await counted(30);
    expect(series(after)).toEqual(series(before));
    expect(after).not.toContain('evil');
    expect(after).not.toContain(calledNumber);
  });

  it('show records that wait to be stored', async () => {
    await postgres.kill();
    await bench.redis.xadd(callStream, '*', 'record', '{}');
    await until(
      async () => {
        const text = await (await fetch(`${api.url}/metrics`)).text();
        return (
          /^demarc_stream_lag_entries\{stream="calls"\} [1-9]/m.test(text) &&
          /lag_seconds\{stream="calls"\} [1-9]/.test(text)
        );
      },
      8_000,
      'the lag is reported while PostgreSQL is down',
    );
    await postgres.up();
    await until(
      async () =>
        /^demarc_stream_lag_entries\{stream="calls"\} 0$/m.test(
          await (await fetch(`${api.url}/metrics`)).text(),
        ),
      20_000,
      'the lag is over',
    );
  });
});
