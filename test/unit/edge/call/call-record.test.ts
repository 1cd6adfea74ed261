import { describe, expect, it } from 'vitest';
import { callRecordSchema, endReasons } from '../../../../src/contract/call-record.js';
import { type CallState, callRecord } from '../../../../src/edge/call/call-record.js';

const state = (fields: Partial<CallState> = {}): CallState => ({
  id: 'c1',
  direction: 'inbound',
  from: '<sip:a@x>',
  to: '<sip:b@y>',
  source: { address: '192.0.2.1', port: 5061, protocol: 'tls' },
  earlierTrunkSipCallIds: [],
  attempts: [],
  trunkSipCallId: 't1',
  agentSipCallId: null,
  organization: null,
  number: null,
  agentUri: null,
  trunkDialogId: null,
  agentDialogId: null,
  startedAt: 1_000_000,
  ringingAt: null,
  answeredAt: null,
  endedAt: 1_004_500,
  sipStatus: 486,
  sipReason: 'Busy Here',
  newParties: { trunk: false, agent: false },
  transfers: [],
  ending: { reason: 'agent_refused', by: 'agent' },
  descriptions: {
    trunk: { remote: 'a=crypto:1 X inline:SECRET', local: undefined },
    agent: { remote: undefined, local: undefined },
  },
  ...fields,
});
const trace = { entries: [], truncated: false };

describe('a call record', () => {
  it('matches its schema for every end reason and holds no description', () => {
    for (const reason of endReasons) {
      const record = callRecord('e1', state({ ending: { reason, by: 'edge' } }), null, undefined, trace);
      expect(callRecordSchema.parse(record)).toEqual(record);
      expect(JSON.stringify(record)).not.toContain('SECRET');
    }
  });

  it.each([
    ['agent_refused', null, 'refused', 0],
    ['refused_source', null, 'refused', 0],
    ['caller_cancelled', null, 'cancelled', 0],
    ['agent_unreachable', null, 'failed', 0],
    ['media_failed', null, 'failed', 0],
    ['caller_hung_up', 1_001_000, 'completed', 3_500],
    ['media_timeout', 1_001_000, 'completed', 3_500],
  ] as const)('%s answered at %s is %s', (reason, answeredAt, outcome, duration) => {
    const record = callRecord(
      'e1',
      state({ answeredAt, ending: { reason, by: 'edge' } }),
      null,
      undefined,
      trace,
    );
    expect(record).toMatchObject({ outcome, duration_milliseconds: duration });
  });

  it('of an answer with media that cannot be used is failed, and not one whose media was lost later', () => {
    const outcome = (remote: string | undefined) =>
      callRecord(
        'e1',
        state({
          direction: 'outbound',
          answeredAt: 1_001_000,
          ending: { reason: 'media_failed', by: 'edge' },
          descriptions: { trunk: { remote, local: 'v=0' }, agent: { remote: 'v=0', local: undefined } },
        }),
        null,
        undefined,
        trace,
      ).outcome;
    expect([outcome(undefined), outcome('v=0')]).toEqual(['failed', 'completed']);
  });

  it('has media without counters when rtpengine was away at the end', () => {
    const media = { node: 'n1', trunkCodec: 'PCMU', agentCodec: 'PCMU', suite: 'AES_CM_128_HMAC_SHA1_80' };
    expect(callRecord('e1', state(), media, undefined, trace).media).toMatchObject({
      node: 'n1',
      trunk: null,
      agent: null,
    });
  });
});
