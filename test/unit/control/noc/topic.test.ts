import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../../../src/contract/live.js';
import type { Audience, Summaries } from '../../../../src/control/noc/summaries.js';
import { messageText, type StreamMessage, Topic } from '../../../../src/control/noc/topic.js';

interface Stand {
  summary: Record<string, unknown>;
  trunks: { phone_number: string; status: string }[] | undefined;
}

/** A topic of an organization with one subscriber; `stand` is what the summaries say. */
function watched(audience: Partial<Audience> = {}) {
  const stand: Stand = { summary: { at: '1', alerts: null, calls: { active: 0 } }, trunks: [] };
  const summaries = {
    of: async () => ({ ...stand.summary }),
    trunksOf: async () => (stand.trunks === undefined ? undefined : { counts: {}, trunks: stand.trunks }),
    liveCalls: async () => ({ calls: [], total: 0 }),
  } as unknown as Summaries;
  const topic = new Topic(
    { organizationId: 'org_1', isOperator: false, scope: 'organization', ...audience },
    summaries,
  );
  const messages: StreamMessage[] = [];
  topic.listeners.add((message) => messages.push(message));
  const events = (): [string, unknown][] =>
    messages.map(({ text }) => [
      /^event: (.*)$/m.exec(text)![1]!,
      JSON.parse(/^data: (.*)$/m.exec(text)![1]!) as unknown,
    ]);
  return { topic, stand, messages, events };
}

const call = (organization: string, end: object | null = null): LiveEvent =>
  ({
    change: end === null ? 'answered' : 'ended',
    call: {
      call_id: 'call_1',
      organization,
      number: '14155550100',
      from: '<sip:+15551234567@x>',
      to: '<sip:+14155550100@x>',
      state: 'answered',
      started_at: '2026-11-20T12:00:00.000Z',
      test_run_id: null,
    },
    end,
  }) as unknown as LiveEvent;

describe('a message of an event stream', () => {
  it('is written as server-sent events are', () => {
    expect(messageText('a-1', 'call', { x: 1 })).toBe('id: a-1\nevent: call\ndata: {"x":1}\n\n');
    expect(messageText(undefined, 'beat', null)).toBe('event: beat\ndata: null\n\n');
    expect(messageText('a', 'x', 'two\nlines').split('\n')).toHaveLength(5);
  });
});

describe('the calls of a topic', () => {
  it('are those of its organization', () => {
    const { topic, events } = watched();
    topic.call(call('org_2'), 'edge-1');
    topic.call(call('org_1'), 'edge-1');
    expect(events()).toMatchObject([
      ['call', { change: 'answered', end: null, call: { organization_id: 'org_1', edge_id: null } }],
    ]);
  });

  it('are all of the fleet for operators, with their edges', () => {
    const { topic, events } = watched({ scope: 'fleet', isOperator: true });
    topic.call(call('org_2'), 'edge-1');
    expect(events()).toMatchObject([['call', { call: { organization_id: 'org_2', edge_id: 'edge-1' } }]]);
  });

  it('say how they ended, and what to do', () => {
    const { topic, events } = watched();
    topic.call(call('org_1', { end_reason: 'trunk_refused', sip_status: 503 }), 'edge-1');
    expect(events()).toMatchObject([
      [
        'call',
        {
          end: {
            end_reason: 'trunk_refused',
            sip_status: 503,
            cause: expect.any(String),
            advice: expect.any(String),
          },
        },
      ],
    ]);
  });
});

describe('notices and sightings of a topic', () => {
  it('are those of its organization', () => {
    const { topic, events } = watched();
    topic.notice({ organization: 'org_2', event: 'alert', data: { x: 1 } } as never);
    topic.notice({ organization: 'org_1', event: 'alert', data: { x: 2 } } as never);
    topic.sighting({ at: '2' } as never);
    expect(events()).toEqual([
      ['alert', { x: 2 }],
      ['sighting', { at: '2' }],
    ]);
  });
});

describe('the overview of a topic', () => {
  it('is sent whole at first, and then what changed in it', async () => {
    const { topic, stand, events } = watched();
    await topic.refresh();
    await topic.refresh();
    stand.summary = { at: '2', alerts: null, calls: { active: 1 } };
    await topic.refresh();
    expect(events()).toEqual([
      ['summary', { at: '1', alerts: null, calls: { active: 0 } }],
      ['summary', { at: '2', calls: { active: 1 } }],
    ]);
  });

  it('is not sent when only its time changed', async () => {
    const { topic, stand, events } = watched();
    await topic.refresh();
    stand.summary = { ...stand.summary, at: '2' };
    await topic.refresh();
    expect(events()).toHaveLength(1);
  });

  it('is sent whole after a snapshot, which may have said something else', async () => {
    const { topic, events } = watched();
    await topic.refresh();
    await topic.snapshot();
    await topic.refresh();
    expect(events().map(([name]) => name)).toEqual(['summary', 'summary']);
  });

  it('says which trunks changed their status, once both are known', async () => {
    const { topic, stand, events } = watched();
    const trunk = (phone_number: string, status: string) => ({ phone_number, status });
    stand.trunks = [trunk('+1', 'healthy'), trunk('+2', 'healthy')];
    await topic.refresh();
    stand.trunks = [trunk('+1', 'unreachable'), trunk('+2', 'healthy'), trunk('+3', 'unreachable')];
    await topic.refresh();
    stand.trunks = undefined;
    await topic.refresh();
    stand.trunks = [trunk('+1', 'healthy')];
    await topic.refresh();
    expect(events().filter(([name]) => name === 'trunk')).toEqual([
      ['trunk', { phone_number: '+1', status: 'unreachable', was: 'healthy' }],
      ['trunk', { phone_number: '+1', status: 'healthy', was: 'unreachable' }],
    ]);
  });
});

describe('subscribers that come back', () => {
  const send = (topic: Topic, count: number): void => {
    for (let index = 0; index < count; index++) topic.sighting({ index } as never);
  };

  it('get what they missed', () => {
    const { topic, messages } = watched();
    send(topic, 3);
    expect(topic.after(messages[0]!.id)).toEqual(messages.slice(1));
    expect(topic.after(messages[2]!.id)).toEqual([]);
  });

  it('get a snapshot when it is not known what they missed', () => {
    const { topic, messages } = watched();
    send(topic, 501);
    expect(topic.after(messages[0]!.id)).toBeUndefined();
    expect(topic.after(messages[1]!.id)).toHaveLength(499);
    expect(topic.after('')).toBeUndefined();
    const second = watched();
    send(second.topic, 1);
    expect(topic.after(second.messages[0]!.id)).toBeUndefined();
  });

  it('get a snapshot after two megabytes of messages', () => {
    const { topic, messages } = watched();
    const large = { text: 'x'.repeat(600_000) };
    for (let index = 0; index < 4; index++) topic.sighting(large as never);
    expect(topic.after(messages[0]!.id)).toBeUndefined();
    expect(topic.after(messages[1]!.id)).toHaveLength(2);
  });

  it('begin behind the snapshot that they got', async () => {
    const { topic, messages } = watched();
    const { id, text } = await topic.snapshot();
    expect(text.startsWith(`id: ${id}\nevent: snapshot\n`)).toBe(true);
    expect(topic.after(id)).toEqual([]);
    send(topic, 2);
    expect(topic.after(messages[0]!.id)).toHaveLength(1);
  });
});

describe('a new snapshot for all subscribers', () => {
  it('comes before what happens while it is made', async () => {
    const { topic, events, messages } = watched();
    topic.sighting({ before: true } as never);
    const sending = topic.sendSnapshot();
    await Promise.resolve();
    await Promise.resolve();
    topic.sighting({ meanwhile: true } as never);
    await sending;
    expect(events().map(([name]) => name)).toEqual(['sighting', 'snapshot', 'sighting']);
    expect(topic.after(messages[0]!.id)).toBeUndefined();
    expect(topic.after(messages[1]!.id)).toHaveLength(1);
  });

  it('is not made for none', async () => {
    const { topic, messages } = watched();
    topic.listeners.clear();
    await topic.sendSnapshot();
    expect(messages).toEqual([]);
  });
});
