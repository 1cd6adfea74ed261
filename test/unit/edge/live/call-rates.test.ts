import { describe, expect, it } from 'vitest';
import { begunSeconds, heartbeatMilliseconds, maximumOrganizations } from '../../../../src/contract/live.js';
import type { Call } from '../../../../src/edge/call/call.js';
import { CallRates } from '../../../../src/edge/live/call-rates.js';
import { callSamples, endOf, stateOf, viewOf } from '../../../../src/edge/live/live-view.js';

const heartbeats = (begunSeconds * 1_000) / heartbeatMilliseconds;

const call = (state: object): Call =>
  ({
    state: {
      id: 'call-1',
      organization: 'acme',
      number: '12025550100',
      direction: 'inbound',
      from: '<sip:a@x>',
      to: '<sip:b@y>',
      startedAt: 0,
      ringingAt: null,
      answeredAt: null,
      endedAt: null,
      ending: null,
      testRunId: null,
      source: { address: '192.0.2.1', port: 5_060, protocol: 'udp' },
      trunkSipCallId: 'sip-1',
      sipStatus: null,
      sipReason: null,
      ...state,
    },
  }) as unknown as Call;

describe('the rates of calls', () => {
  it('count each call once, under its organization, for as long as a rate looks back', () => {
    const rates = new CallRates();
    const [first, second] = [call({}), call({ organization: 'other' })];
    for (const each of [first, first, second]) rates.note(each);
    const { all, callsPerSecond, organizations } = rates.take([]);
    expect(all).toEqual({ ringing: 0, answered: 0, begun: 2 });
    expect(callsPerSecond).toBe(2 / begunSeconds);
    expect(organizations).toEqual({
      acme: { ringing: 0, answered: 0, begun: 1 },
      other: { ringing: 0, answered: 0, begun: 1 },
    });
    for (let beat = 2; beat <= heartbeats; beat++) expect(rates.take([]).all.begun).toBe(2);
    expect(rates.take([]).all.begun).toBe(0);
  });

  it('count active calls as ringing until they are answered', () => {
    const rates = new CallRates();
    const active = [call({}), call({ ringingAt: 1 }), call({ answeredAt: 2, ringingAt: 1 })];
    expect(rates.take(active)).toMatchObject({
      all: { ringing: 2, answered: 1, begun: 0 },
      organizations: { acme: { ringing: 2, answered: 1 } },
    });
  });

  it('count calls to unknown numbers in the total alone', () => {
    const rates = new CallRates();
    const unknown = call({ organization: null });
    rates.note(unknown);
    const { all, organizations } = rates.take([unknown]);
    expect(all).toEqual({ ringing: 1, answered: 0, begun: 1 });
    expect(organizations).toEqual({});
  });

  it('name the busiest organizations where there are too many', () => {
    const rates = new CallRates();
    for (let index = 0; index < maximumOrganizations; index++)
      rates.note(call({ organization: `o${index}` }));
    const busy = [call({ organization: 'busy' }), call({ organization: 'busy', answeredAt: 1 })];
    const { organizations } = rates.take(busy);
    expect(Object.keys(organizations)).toHaveLength(maximumOrganizations);
    expect(Object.keys(organizations)[0]).toBe('busy');
  });
});

describe('a call as people who watch see it', () => {
  it('has come as far as its last event', () => {
    expect(stateOf(call({}))).toBe('setup');
    expect(stateOf(call({ ringingAt: 1 }))).toBe('ringing');
    expect(stateOf(call({ answeredAt: 2 }))).toBe('answered');
  });

  it('names its peer, an IPv6 address in brackets, and none that is not known', () => {
    const trunkOf = (address: string) =>
      viewOf(call({ source: { address, port: 5_060, protocol: 'udp' } })).trunk.address;
    expect(trunkOf('192.0.2.1')).toBe('192.0.2.1:5060');
    expect(trunkOf('2001:db8::1')).toBe('[2001:db8::1]:5060');
    expect(trunkOf('')).toBe('');
  });

  it('says what it is worth saying', () => {
    expect(viewOf(call({ answeredAt: 2_000 }))).toMatchObject({
      answered_at: '1970-01-01T00:00:02.000Z',
      ringing_at: null,
      media: null,
    });
    expect(viewOf(call({}))).not.toHaveProperty('test_run_id');
    expect(viewOf(call({ testRunId: 'run-1' }))).toMatchObject({ test_run_id: 'run-1' });
    const media = { summary: { trunkCodec: 'PCMU', suite: null } };
    expect(viewOf(Object.assign(call({}), { media })).media).toEqual({ codec: 'PCMU', srtp_suite: null });
  });

  it('has an end once it has ended', () => {
    expect(endOf(call({}))).toBeUndefined();
    const ended = call({
      ending: { reason: 'caller_hung_up', by: 'caller', detail: 'x'.repeat(1_000) },
      answeredAt: 1,
      endedAt: 3_000,
      sipStatus: 200,
      sipReason: 'OK',
    });
    expect(endOf(ended)).toEqual({
      at: '1970-01-01T00:00:03.000Z',
      end_reason: 'caller_hung_up',
      ended_by: 'caller',
      outcome: 'completed',
      sip_status: 200,
      sip_reason: 'OK',
      detail: 'x'.repeat(500),
    });
  });
});

it('counts active calls by direction and answer', () => {
  const calls = [
    call({}),
    call({ answeredAt: 1 }),
    call({ direction: 'outbound', answeredAt: 1 }),
    call({ direction: 'outbound', answeredAt: 1 }),
  ];
  const samples = callSamples(calls).map(({ labels, value }) => [labels.direction, labels.state, value]);
  expect(samples).toEqual([
    ['inbound', 'ringing', 1],
    ['inbound', 'answered', 1],
    ['outbound', 'ringing', 0],
    ['outbound', 'answered', 2],
  ]);
});
