import { describe, expect, it } from 'vitest';
import { callRecordSchema, endReasons } from '../../../../src/contract/call-record.js';
import { callRecord } from '../../../../src/edge/call/call-record.js';
import { type CallState, initialState } from '../../../../src/edge/call/call-state.js';
import type { RefusedSources } from '../../../../src/edge/media/learn-plain-sources.js';
import type { MediaSide } from '../../../../src/edge/media/rtp-statistics.js';

const state = (fields: Partial<CallState> = {}): CallState => ({
  ...initialState(
    {
      id: 'c1',
      direction: 'inbound',
      from: '<sip:a@x>',
      to: '<sip:b@y>',
      source: { address: '192.0.2.1', port: 5061, protocol: 'tls' },
      trunkSipCallId: 't1',
      trunkOffer: 'a=crypto:1 X inline:SECRET',
    },
    3_600,
  ),
  startedAt: 1_000_000,
  endedAt: 1_004_500,
  sipStatus: 486,
  sipReason: 'Busy Here',
  ending: { reason: 'agent_refused', by: 'agent' },
  ...fields,
});
const trace = { entries: [], truncated: false };

describe('a call record', () => {
  it.each([
    ['sip:sales@agents.example;transport=tcp;token=x', 'sip:sales@agents.example'],
    ['sip:sales:secret@agents.example:5070?Subject=x', 'sip:sales@agents.example:5070'],
    ['wss://bot.example:8443/v1?key=secret', 'wss://bot.example:8443/v1'],
    ['wss://user:secret@bot.example/v1', 'wss://user@bot.example/v1'],
    [null, undefined],
  ])('names the agent %s without what may be secret', (agentUri, agent) => {
    expect(callRecord('e1', state({ agentUri }), null, undefined, trace).agent).toBe(agent);
  });

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
    ['media_failed', 1_001_000, 'completed', 3_500],
    ['agent_lost', 1_001_000, 'completed', 3_500],
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

  it('has media without counters when rtpengine was down at the end', () => {
    const media = {
      node: 'n1',
      trunkCodec: 'PCMU',
      agentCodec: 'PCMU',
      suite: 'AES_CM_128_HMAC_SHA1_80',
      isFlowing: true,
    };
    expect(callRecord('e1', state(), media, undefined, trace).media).toMatchObject({
      node: 'n1',
      trunk: null,
      agent: null,
    });
  });
});

describe('a call that was hung up', () => {
  const media = {
    node: 'n1',
    trunkCodec: 'PCMU',
    agentCodec: 'PCMU',
    isFlowing: true,
    suite: 'AES_CM_128_HMAC_SHA1_80',
  };
  const side = (packets: number, errors = 0) => ({
    packets_received: packets,
    packets_sent: 0,
    octets_received: 0,
    octets_sent: 0,
    errors,
  });
  const record = (
    trunk: ReturnType<typeof side> | null,
    agent: ReturnType<typeof side>,
    fields: Partial<CallState> = {},
    isFlowing = true,
    refusedSources: RefusedSources = {},
    unlearned: readonly MediaSide[] = [],
  ) =>
    callRecord(
      'e1',
      state({
        answeredAt: 990_000,
        agentDialogId: 'a1',
        ending: { reason: 'caller_hung_up', by: 'caller', detail: 'Reason: x' },
        ...fields,
      }),
      { ...media, isFlowing, refusedSources, unlearned },
      { trunk, agent },
      trace,
    );

  it.each([
    ['no side was heard', side(0), side(0), 'dead_air', 'The caller sent no audio. The agent sent no audio.'],
    ['the caller was not heard', side(0), side(500), 'one_way_audio', 'The caller sent no audio.'],
    ['the agent was not heard', side(500), side(0), 'one_way_audio', 'The agent sent no audio.'],
    ['the keys were wrong', side(0, 500), side(9), 'one_way_audio', 'could be decrypted'],
    [
      'the agent sent from elsewhere',
      side(9),
      side(0, 500),
      'one_way_audio',
      'None of the 500 packets of the agent came from the address in its SDP.',
    ],
  ] as const)('says so if %s, and is completed all the same', (_name, trunk, agent, reason, detail) => {
    const made = record(trunk, agent);
    expect(made).toMatchObject({ outcome: 'completed', end_reason: reason, ended_by: 'caller' });
    expect(made.detail).toContain(detail);
    expect(made.detail).toContain('Reason: x');
  });

  it('says why symmetric RTP had no effect', () => {
    const detailOf = (unlearned: readonly MediaSide[]) =>
      record(side(9), side(0, 500), {}, true, {}, unlearned).detail;
    expect(detailOf(['agent'])).toContain('Symmetric RTP has no effect: it requires rtpengine 26 or later.');
    expect(detailOf(['trunk'])).not.toContain('Symmetric RTP');
  });

  it('judges no side by packets of a stranger, which rtpengine refused', () => {
    expect(record(side(5, 500), side(5, 500))).toMatchObject({ end_reason: 'caller_hung_up' });
  });

  it('names the address that packets of the agent came from', () => {
    const made = record(side(9), side(20, 500), {}, true, { agent: '10.0.0.9 port 4000' });
    expect(made).toMatchObject({ end_reason: 'one_way_audio' });
    expect(made.detail).toContain('The packets of the agent came from 10.0.0.9 port 4000, which is neither');
    const ofTrunk = record(side(20, 500), side(9), {}, true, { trunk: '10.0.0.9 port 4000' });
    expect(ofTrunk.detail).toContain(
      'The packets of the caller came from 10.0.0.9 port 4000, which is neither',
    );
  });

  it.each([
    ['both were heard', record(side(9), side(9))],
    ['it was short', record(side(0), side(0), { answeredAt: 1_000_000 })],
    ['it was on hold', record(side(0), side(0), {}, false)],
    ['rtpengine did not tell', record(null, side(0))],
    ['there was no agent', record(side(9), side(0), { agentDialogId: null })],
  ])('is completed when %s', (_name, made) => {
    expect(made).toMatchObject({ outcome: 'completed', end_reason: 'caller_hung_up', detail: 'Reason: x' });
  });
});
