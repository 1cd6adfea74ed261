import { expect, it } from 'vitest';
import { spansOfCall } from '../../../src/control/calls/history/call-spans.js';
import { sampleRecord } from '../../contract/control/history/sample-record.js';

const callId = '0af76519-16cd-43dd-8448-eb211c80319c';

it('makes one trace of a call, its agent and the SIP transactions that crossed the engine', () => {
  const record = sampleRecord(callId);
  const spans = spansOfCall(record);
  const [call, agent] = spans;
  expect(call).toMatchObject({ name: 'inbound call', service: 'demarc-edge', kind: 'server' });
  expect(call?.start).toBe(Date.parse(record.started_at));
  expect(call?.end).toBe(Date.parse(record.ended_at));
  expect(agent).toMatchObject({ name: 'agent', parentSpanId: call?.spanId });
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([callId.replaceAll('-', '')]));
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  const invites = spans.filter(({ name }) => name === 'SIP INVITE');
  expect(invites.map(({ kind, attributes }) => [kind, attributes['demarc.leg']])).toEqual(
    expect.arrayContaining([['server', 'trunk']]),
  );
  for (const { service, start, end } of spans) {
    expect(['demarc-edge', 'demarc-engine']).toContain(service);
    expect(end).toBeGreaterThanOrEqual(start);
  }
});

it('names neither caller nor callee', () => {
  const text = JSON.stringify(spansOfCall(sampleRecord(callId)));
  for (const secret of ['4155550199', '2025550100', 'Zoë']) expect(text).not.toContain(secret);
});

it('marks a call that failed, and an attempt that was refused', () => {
  const record = sampleRecord(callId, {
    direction: 'outbound',
    outcome: 'failed',
    end_reason: 'trunk_refused',
    attempts: [
      {
        server: 'sip.example',
        sip_call_id: 'x',
        started_at: '2026-11-20T15:00:00.000Z',
        duration_milliseconds: 250,
        sip_status: 503,
        sip_reason: 'x',
        is_local: false,
        trigger: null,
      },
    ],
  });
  const spans = spansOfCall(record);
  expect(spans[0]).toMatchObject({ name: 'outbound call', kind: 'client', error: 'trunk_refused' });
  expect(spans.find(({ name }) => name === 'trunk attempt')).toMatchObject({ error: '503' });
});
