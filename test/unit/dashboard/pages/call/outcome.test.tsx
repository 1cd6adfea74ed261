import { afterEach, describe, expect, it } from 'vitest';
import type { CallDetail, EndedCall, UnfinishedCall } from '../../../../../src/dashboard/api/calls.js';
import { ZoneSwitch } from '../../../../../src/dashboard/frame/zone-switch.js';
import { Now, talkedFor } from '../../../../../src/dashboard/pages/call/now.js';
import { Outcome } from '../../../../../src/dashboard/pages/call/outcome.js';
import { Particulars } from '../../../../../src/dashboard/pages/call/particulars.js';
import { Phases } from '../../../../../src/dashboard/pages/call/phases.js';
import { TurnsPanel } from '../../../../../src/dashboard/pages/call/turns-panel.js';
import { zone } from '../../../../../src/dashboard/parts/format.js';
import { type Rendered, rendered } from '../../rendered.js';

const at = (seconds: number): string =>
  new Date(Date.parse('2026-11-22T10:00:00.000Z') + seconds * 1_000).toISOString();

const call = (fields: object = {}): EndedCall =>
  ({
    state: 'ended',
    outcome: 'completed',
    end_reason: 'caller_hung_up',
    status: 200,
    duration_seconds: 65,
    mos: null,
    cause: 'The caller hung up.',
    advice: null,
    detail: null,
    started_at: at(0),
    ringing_at: at(1),
    answered_at: at(4),
    ended_at: at(69),
    media: null,
    from_header: '<sip:a@x>',
    to_header: '<sip:b@x>',
    phone_number: '+13125550161',
    direction: 'inbound',
    source_ip: '192.0.2.1',
    source_port: 5061,
    source_protocol: 'tls',
    ended_by: 'caller',
    edge_id: 'edge-1',
    call_id: 'c1',
    sip_call_id: 's1',
    agent_sip_call_id: 'g1',
    ...fields,
  }) as unknown as EndedCall;

describe('the outcome of a call', () => {
  const outcome = (fields: object = {}): Rendered => rendered(<Outcome call={call(fields)} />);
  const line = (fields: object = {}): string => outcome(fields).all('.outcome-line')[0]!;

  it('has its duration alone when it went well', () => {
    expect(line()).toMatch(/^CompletedCaller hung up after 1:05/);
    expect(outcome().text).not.toContain('The caller hung up.');
    expect(outcome().text).not.toContain('answered 200');
  });

  it('has the status, the cause and what to do when it failed', () => {
    const failed = {
      outcome: 'failed',
      end_reason: 'trunk_refused',
      status: 503,
      cause: 'It refused.',
      advice: 'Call them.',
    };
    expect(line(failed)).toMatch(/^FailedRefused by the trunk, answered 503/);
    expect(outcome(failed).text).toContain('It refused. What to do: Call them.');
    expect(outcome({ ...failed, advice: '' }).text).not.toContain('What to do');
    expect(line({ ...failed, status: null })).not.toContain('answered');
    expect(outcome({ ...failed, cause: null, advice: null }).all('p')).toEqual([]);
  });

  it('with bad audio was answered for a time', () => {
    const impaired = { end_reason: 'one_way_audio' };
    expect(line(impaired)).toMatch(/^One-way audioAnswered for 1:05/);
    expect(outcome(impaired).html).toContain('outcome impaired');
    expect(outcome(impaired).text).toContain('The caller hung up.');
  });

  it('is no failure when another edge began it again, and leads to the call that continues it', () => {
    const lost = {
      outcome: 'failed',
      end_reason: 'edge_lost',
      status: null,
      continued_as: 'c2',
      continues: null,
    };
    expect(line(lost)).toMatch(/^ContinuedEdge died/);
    const shown = outcome({ ...lost, cause: 'Another edge began the call again.' });
    expect(shown.text).toContain('Another edge began the call again.');
    expect(shown.elements('a').map(({ href }) => href)).toEqual(['/calls/c2']);
    const next = outcome({ continued_as: null, continues: 'c1' });
    expect(next.text).toContain('Both records count as one call.');
    expect(next.elements('a').map(({ href }) => href)).toEqual(['/calls/c1']);
    expect(outcome({ continued_as: null, continues: null }).all('a')).toEqual([]);
  });

  it('names a low MOS, and a detail', () => {
    expect(line({ mos: 4.2 })).not.toContain('MOS');
    expect(line({ mos: 2.54 })).toContain('MOS 2.5, bad');
    expect(outcome({ detail: 'x' }).all('p')).toEqual(['x']);
  });
});

describe('the phases of a call', () => {
  const phases = (fields: object): readonly string[] => rendered(<Phases call={call(fields)} />).all('li');

  it('have their times', () => {
    expect(phases({})).toEqual(['Setting up 1.00 s', 'Ringing 3.00 s', 'Conversation 1:05']);
    expect(phases({ ringing_at: null })).toEqual(['Setting up 4.00 s', 'Conversation 1:05']);
    expect(phases({ answered_at: null, ended_at: at(11) })).toEqual(['Setting up 1.00 s', 'Ringing 10 s']);
  });

  it('stay wide enough to be read', () => {
    const widths = (fields: object): unknown[] =>
      rendered(<Phases call={call(fields)} />)
        .elements('li')
        .map(({ style }) => (style as { flexGrow: number }).flexGrow);
    expect(widths({ ringing_at: at(0.1), answered_at: at(50), ended_at: at(100) })).toEqual([
      0.02, 0.499, 0.5,
    ]);
    expect(widths({ ringing_at: null, answered_at: null, ended_at: at(0) })).toEqual([1]);
  });
});

describe('a call that is up', () => {
  const unfinished = (fields: object = {}): UnfinishedCall =>
    ({
      ...call(),
      state: 'answered',
      ended_at: null,
      at: at(30),
      open_transfer: null,
      ...fields,
    }) as unknown as UnfinishedCall;
  const shown = (fields: object = {}): Rendered => rendered(<Now call={unfinished(fields)} />);

  it.each<[object, string]>([
    [{}, 'In conversationfor 26 s'],
    [{ state: 'ringing' }, 'Ringingfor 29 s'],
    [{ state: 'ringing', ringing_at: null }, 'Ringingfor 30 s'],
    [{ state: 'setup' }, 'Setting upfor 30 s'],
    [{ state: 'ending', ended_at: at(25) }, 'Endingfor 5.0 s'],
    [{ answered_at: null }, 'In conversationfor 30 s'],
  ])('with %j has been so for a time', (fields, words) => {
    expect(shown(fields).all('.outcome-line')[0]).toMatch(new RegExp(`^${words.replace('.', '\\.')}`));
  });

  it('names its transfer', () => {
    expect(shown().text).not.toContain('Being transferred');
    const open_transfer = { target: 'sip:desk', requested_by: 'agent', requested_at: at(20) };
    expect(shown({ open_transfer }).text).toContain(
      'Being transferred to sip:desk: requested by the agent at',
    );
  });

  it.each<[object, string]>([
    [{}, 'Bot connected wss://bot.example.com/a latency 13 ms, reconnects: 0, audio waiting: 0.0 s'],
    [
      { latency_ms: null, queued_ms: 61_440 },
      'Bot connected wss://bot.example.com/a reconnects: 0, audio waiting: 61.4 s',
    ],
    [
      { connected: false, reconnects: 2, latency_ms: 8 },
      'Connecting to the bot wss://bot.example.com/a latency 8 ms, reconnects: 2, audio waiting: 0.0 s',
    ],
  ])('has the connection to its bot with %j', (fields, words) => {
    const bot = {
      url: 'wss://bot.example.com/a',
      connected: true,
      reconnects: 0,
      latency_ms: 12.6,
      queued_ms: 0,
      ...fields,
    };
    expect(shown({ bot }).all('p')).toContain(words);
    expect(shown({ bot: null }).text).not.toMatch(/bot/i);
  });

  it('has a talk time since the answer', () => {
    expect(talkedFor(call())).toBe(65_000);
    expect(talkedFor(unfinished())).toBe(26_000);
    expect(talkedFor(call({ answered_at: null }))).toBe(0);
  });
});

describe('the details of a call', () => {
  const facts = (fields: object = {}): Readonly<Record<string, string>> => {
    const { all } = rendered(<Particulars call={call(fields) as CallDetail} />);
    return Object.fromEntries(all('dt').map((name, index) => [name, all('dd')[index]!]));
  };

  it('have address and identifiers', () => {
    expect(facts()).toMatchObject({
      Number: '+13125550161',
      Direction: 'Inbound',
      'Trunk address': '192.0.2.1:5061 TLS',
      'Ended by': 'Caller',
      Edge: 'edge-1',
      'Call-ID, trunk': expect.stringContaining('s1'),
      'Call-ID, agent': expect.stringContaining('g1'),
    });
  });

  it('say what there is not', () => {
    const none = facts({
      phone_number: null,
      source_ip: '',
      edge_id: '',
      sip_call_id: '',
      agent_sip_call_id: null,
    });
    expect(none).toMatchObject({
      Number: 'unknown',
      'Trunk address': 'none: no request was sent',
      Edge: 'none',
    });
    expect(Object.keys(none)).not.toContain('Call-ID, trunk');
    expect(Object.keys(none)).not.toContain('Call-ID, agent');
    expect(facts({ source_ip: '', ended_by: null })).toMatchObject({ 'Trunk address': 'unknown' });
    expect(Object.keys(facts({ ended_by: null }))).not.toContain('Ended by');
  });
});

describe('how soon the agent replied', () => {
  const turns = {
    p50_milliseconds: 800,
    p95_milliseconds: 1_500,
    worst_milliseconds: 2_000,
    count: 3,
    measured_seconds: 61,
    interruptions: 1,
    replies: [{ at: at(5), milliseconds: 800 }],
  };
  const panel = (fields: object): Rendered => rendered(<TurnsPanel call={call(fields) as CallDetail} />);

  it('needs a conversation, and a measurement', () => {
    expect(panel({ media: { turns }, answered_at: null }).html).toBe('');
    expect(panel({ media: null }).html).toBe('');
    expect(panel({ media: { turns: null } }).text).toContain('Not measured.');
    expect(panel({ media: { turns: null }, state: 'answered' }).text).toContain('No reply heard yet.');
    expect(panel({ media: { turns } }).text).toContain(
      'Median (p50) 800 ms p95 1.50 s Slowest 2.00 s Replies 3 in 1:01 measured',
    );
  });
});

describe('the time zone of all times', () => {
  afterEach(() => {
    zone.value = 'local';
  });

  it('changes to UTC and back', () => {
    const press = (): void =>
      rendered(<ZoneSwitch />)
        .elements('button')[0]!
        .onClick();
    const title = (): unknown => rendered(<ZoneSwitch />).elements('button')[0]!.title;
    expect(title()).toBe('Show times in UTC');
    press();
    expect(zone.value).toBe('utc');
    expect(title()).toBe('Show times in this browser’s zone');
    expect(rendered(<ZoneSwitch />).text).toBe('Times in UTC');
    press();
    expect(zone.value).toBe('local');
    expect(rendered(<ZoneSwitch isAlone />).html).not.toContain('wide-only');
    expect(rendered(<ZoneSwitch />).html).toContain('wide-only');
  });
});
