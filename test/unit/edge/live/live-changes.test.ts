import { describe, expect, it } from 'vitest';
import { liveEventSchema, maximumLiveCalls, maximumOrganizations } from '../../../../src/contract/live.js';
import type { Call } from '../../../../src/edge/call/call.js';
import type { CallState } from '../../../../src/edge/call/call-state.js';
import { CallRates } from '../../../../src/edge/live/call-rates.js';
import { LiveCallChanges } from '../../../../src/edge/live/live-changes.js';

const now = 1_795_000_000_000;

type Settable = { -readonly [Field in keyof CallState]: CallState[Field] };
const settable = (call: Call): Settable => call.state as Settable;

/** What the live state reads of a call. */
function call(id: string, changes: Partial<CallState> = {}): Call {
  const state: Partial<CallState> = {
    id,
    direction: 'inbound',
    from: 'a',
    to: 'b',
    trunkSipCallId: `sip-${id}`,
    organization: 'acme',
    source: { address: '2001:db8::1', port: 5061, protocol: 'tls' },
    number: '12025550100',
    startedAt: now - 1_000,
    ringingAt: null,
    answeredAt: null,
    endedAt: null,
    ending: null,
    sipStatus: null,
    sipReason: null,
    ...changes,
  };
  return { state, media: undefined } as unknown as Call;
}

const ended = (call: Call): Call => {
  settable(call).ending = { reason: 'caller_hung_up', by: 'caller', detail: 'x'.repeat(2_000) };
  settable(call).endedAt = now;
  return call;
};

describe('call events', () => {
  it('is each change once, as the contract has it', () => {
    const changes = new LiveCallChanges();
    const active = call('one');
    const first = changes.look([active], now);
    expect(first).toMatchObject({ deleted: [], lost: false, events: [{ change: 'began' }] });
    expect(first.events[0]!.call.trunk.address).toBe('[2001:db8::1]:5061');
    expect(JSON.parse(first.written[0]![1])).toEqual(first.events[0]!.call);
    expect(changes.look([active], now)).toEqual({ written: [], deleted: [], events: [], lost: false });
    settable(active).ringingAt = now;
    expect(changes.look([active], now).events).toMatchObject([{ change: 'ringing' }]);
    settable(active).answeredAt = now;
    expect(changes.look([active], now).events).toMatchObject([{ change: 'answered' }]);
    changes.noteEnd(ended(active));
    const last = changes.look([], now);
    expect(last).toMatchObject({ written: [], deleted: ['one'], events: [{ change: 'ended' }] });
    expect(last.events[0]!.end!.detail).toHaveLength(500);
    for (const event of [...first.events, ...last.events]) liveEventSchema.parse(event);
    expect(changes.size).toBe(0);
  });

  it('is looked for no more in a call whose answer was published', () => {
    const changes = new LiveCallChanges();
    const [ringing, answered, unknown] = [
      call('ringing', { ringingAt: now }),
      call('answered', { answeredAt: now }),
      call('unknown', { answeredAt: now, organization: null }),
    ];
    const settled: Call[] = [];
    changes.look([ringing, answered, unknown], now, (call) => settled.push(call));
    expect(settled).toEqual([]);
    changes.look([ringing, answered, unknown], now, (call) => settled.push(call));
    expect(settled).toEqual([answered]);
  });

  it('waits for admission to find whose call it is, but not for ever', () => {
    const changes = new LiveCallChanges();
    const unknown = call('one', { organization: null, startedAt: now });
    expect(changes.look([unknown], now + 100).events).toEqual([]);
    expect(changes.look([unknown], now + 3_000).events).toMatchObject([{ call: { organization: null } }]);
    settable(unknown).organization = 'acme';
    expect(changes.look([unknown], now + 3_500).events).toMatchObject([{ call: { organization: 'acme' } }]);
  });

  it('is nothing of challenges and floods', () => {
    const changes = new LiveCallChanges();
    changes.noteEnd(ended(call('challenged', { isChallenged: true })));
    changes.noteEnd(ended(call('flood', { isUnrecorded: true })));
    expect(changes.look([], now)).toEqual({ written: [], deleted: [], events: [], lost: false });
  });

  it('is bounded: a burst is published as a hash, too many calls as their count', () => {
    const changes = new LiveCallChanges();
    const many = Array.from({ length: maximumLiveCalls + 50 }, (_, index) => call(String(index)));
    const burst = changes.look(many, now);
    expect(burst.written).toHaveLength(500);
    expect(burst.events).toHaveLength(300);
    expect(burst.lost).toBe(true);
    for (let look = 0; look < 20; look++) changes.look(many, now);
    expect(changes.size).toBe(maximumLiveCalls);
    for (let at = 0; at < 2_000; at++) changes.noteEnd(ended(call(`short ${at}`)));
    const shorts = changes.look(many, now);
    expect(shorts.events).toHaveLength(300);
    expect(shorts.lost).toBe(true);
  });

  it('is a full snapshot after a loss', () => {
    const changes = new LiveCallChanges();
    const calls = [call('one'), call('two')];
    changes.look(calls, now);
    changes.forget();
    const { written, lost } = changes.look(calls, now);
    expect(written.map(([id]) => id)).toEqual(['one', 'two']);
    expect(lost).toBe(true);
  });
});

describe('rates', () => {
  it('count each call once, for ten seconds, by organization', () => {
    const rates = new CallRates();
    const answered = call('one', { answeredAt: now });
    const ringing = call('two', { organization: 'other' });
    for (const call of [answered, ringing, answered]) rates.note(call);
    rates.note(call('nobody', { organization: null }));
    const first = rates.take([answered, ringing]);
    expect(first.all).toEqual({ ringing: 1, answered: 1, begun: 3 });
    expect(first.callsPerSecond).toBe(0.3);
    expect(first.organizations).toEqual({
      acme: { ringing: 0, answered: 1, begun: 1 },
      other: { ringing: 1, answered: 0, begun: 1 },
    });
    for (let beat = 0; beat < 3; beat++) rates.take([answered]);
    expect(rates.take([answered]).all.begun).toBe(3);
    expect(rates.take([answered])).toMatchObject({
      all: { begun: 0 },
      organizations: { acme: { answered: 1 } },
    });
  });

  it('cover the busiest organizations only', () => {
    const rates = new CallRates();
    const busy = Array.from({ length: 5 }, (_, index) => call(`busy ${index}`, { organization: 'busy' }));
    const many = Array.from({ length: 2_000 }, (_, index) =>
      call(String(index), { organization: `org ${index}` }),
    );
    const { organizations, all } = rates.take([...many, ...busy]);
    expect(Object.keys(organizations)).toHaveLength(maximumOrganizations);
    expect(organizations.busy).toEqual({ ringing: 5, answered: 0, begun: 0 });
    expect(all.ringing).toBe(2_005);
  });
});
