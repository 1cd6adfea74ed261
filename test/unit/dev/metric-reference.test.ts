import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allMetrics, metricReference } from '../../../dev/reference/metric-reference.js';
import { ControlMetrics } from '../../../src/control/metrics.js';
import { EdgeMetrics } from '../../../src/edge/metrics.js';
import { sampleRecord } from '../../contract/control/history/sample-record.js';

const all = allMetrics().flatMap(({ metrics }) => metrics);
/** Named by drachtio-server, for dashboards that exist. */
const ours = all.filter(({ name }) => !name.startsWith('drachtio_'));

describe('docs/metrics.md', () => {
  it('is what the code defines; otherwise run npm run docs:metrics', () => {
    expect(readFileSync('docs/metrics.md', 'utf8')).toBe(metricReference());
  });
});

describe('names', () => {
  it('are unique over all roles, which may be read at one place', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it.each(ours.map((metric) => [metric.name, metric] as const))(
    '%s follows the conventions',
    (name, metric) => {
      expect(name).toMatch(/^demarc_[a-z]+(_[a-z]+)*$/);
      expect(name.endsWith('_total')).toBe(metric.kind === 'counter');
      // Base units, and the unit at the end.
      expect(name).not.toMatch(/milliseconds|_ms(_|$)|minutes|kilobytes|_mb(_|$)|percent/);
      if (metric.kind === 'histogram') expect(name).toMatch(/_(seconds|score)$/);
      expect(metric.help).toMatch(/^[A-Z0-9].*\.$/);
    },
  );

  it('have no label that could hold a number, an address or a call', () => {
    const labels = new Set(all.flatMap(({ labels: named }) => Object.keys(named ?? {})));
    expect([...labels].sort()).toEqual([
      ...[
        'command',
        'direction',
        'event',
        'from',
        'kind',
        'method',
        'mode',
        'node',
        'part',
        'reason',
        'result',
        'role',
        'route',
        'side',
      ],
      ...['state', 'status', 'stream', 'termination', 'to', 'trunk_class', 'type', 'version'],
    ]);
  });
});

const series = (text: string): number => text.split('\n').filter((line) => /^demarc_/.test(line)).length;

describe('what strangers choose', () => {
  it('makes no series at the edge', async () => {
    const metrics = new EdgeMetrics();
    const end = (protocol: string): void =>
      metrics.callEnded(
        sampleRecord('x', {
          source: { address: '192.0.2.1', port: 5060, protocol },
          from: protocol,
          number: protocol,
        }),
      );
    end('never seen');
    metrics.rtpengineAnswered('never seen', 'ok', 1);
    const before = series(await metrics.registry.metrics());
    for (let at = 0; at < 2_000; at++) {
      end(`TLS\n${at}"} evil{x="`);
      metrics.rtpengineAnswered(`command ${at}`, 'ok', 1);
    }
    const text = await metrics.registry.metrics();
    expect(series(text)).toBe(before);
    expect(text).not.toContain('evil');
    expect(text).toContain('trunk_class="other",termination="completed"} 2001');
  });

  it('makes no series at control', async () => {
    const metrics = new ControlMetrics();
    metrics.answered('GET', undefined, 404, 0.01, false);
    const before = series(await metrics.registry.metrics());
    for (let at = 0; at < 500; at++) metrics.answered('GET', undefined, 404, 0.01, false);
    expect(series(await metrics.registry.metrics())).toBe(before);
    for (let at = 0; at < 50; at++) metrics.answered(`M${at}`, undefined, 404, 0.01, false);
    expect(series(await metrics.registry.metrics())).toBe(before + 1);
  });
});

describe('a call that ended', () => {
  it('is counted with the quality of its media', async () => {
    const metrics = new EdgeMetrics();
    metrics.callEnded(sampleRecord('one'));
    metrics.callEnded(
      sampleRecord('two', {
        direction: 'outbound',
        outcome: 'refused',
        end_reason: 'trunk_refused',
        media: null,
        answered_at: null,
        ringing_at: '2026-11-20T15:00:03.000Z',
      }),
    );
    const text = await metrics.registry.metrics();
    for (const line of [
      'demarc_calls_total{direction="inbound",trunk_class="tls",termination="completed"} 1',
      'demarc_calls_total{direction="outbound",trunk_class="tls",termination="rejected"} 1',
      'demarc_call_duration_seconds_sum{direction="inbound"} 12.25',
      'demarc_call_post_dial_delay_seconds_sum{direction="outbound"} 3',
      'demarc_rtp_packets_total{side="trunk",direction="received"} 100',
      'demarc_rtp_packets_lost_total{side="trunk"} 1',
      'demarc_rtp_jitter_seconds_sum{side="trunk"} 0.0025',
      'demarc_rtp_mos_score_bucket{le="4.4",side="trunk"} 1',
      'demarc_rtp_mos_score_bucket{le="4.2",side="trunk"} 0',
    ]) {
      expect(text).toContain(`\n${line}\n`);
    }
  });
});
