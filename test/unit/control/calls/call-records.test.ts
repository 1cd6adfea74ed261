import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CallRecord } from '../../../../src/contract/call-record.js';
import { explainEndReason } from '../../../../src/contract/explanations.js';
import type { LiveCall } from '../../../../src/contract/live.js';
import { accountSidOf, callSidOf } from '../../../../src/contract/stream-ids.js';
import { type CallMoment, eventOf, momentsOf } from '../../../../src/control/calls/events/call-events.js';
import type { CallRow } from '../../../../src/control/calls/history/call-filter.js';
import { lowestMos, nameOf, partyOf, rowOf } from '../../../../src/control/calls/history/call-row.js';
import { detailOf, spelled, summaryOf } from '../../../../src/control/calls/history/call-view.js';
import { countedOf, edgeLostRecord } from '../../../../src/control/calls/lost/edge-lost-records.js';
import type { LostEnd } from '../../../../src/control/calls/lost/lost-end.js';
import { recordOf } from '../../../../src/control/calls/lost/lost-records.js';
import { removedParty, withoutParty } from '../../../../src/control/calls/parties/without-party.js';
import { sharedCallOf, ticketOf } from '../../../../src/control/calls/shares/shared-call.js';
import { type Facts, liveStatusOf, resourceOf } from '../../../../src/control/calls/twilio/call-resource.js';
import { sampleRecord } from '../../../contract/control/history/sample-record.js';

const now = Date.UTC(2026, 10, 27, 9);
const iso = (seconds: number) => new Date(now + seconds * 1_000).toISOString();

describe('the other party of a call', () => {
  it.each([
    ['<sip:+14155550199@carrier.example>;tag=1', '+14155550199'],
    ['<sip:14155550199@carrier.example>', '14155550199'],
    ['"Zoë" <sip:zoe@carrier.example>', 'zoe'],
    ['<sip:pbx.example>', 'pbx.example'],
    ['<tel:+1-415-555-0199>', '+14155550199'],
    ['<sip:301234567;phone-context=+49@x.example>', '+49301234567'],
    ['<sip:0049301234567;phone-context=+49@x.example>', '+49301234567'],
    ['<sip:100@pbx.example>', '100'],
    ['no address', ''],
    ['', ''],
  ])('of %j is %j', (header, party) => {
    expect(partyOf(header)).toBe(party);
  });

  it.each([
    ['"Zoë" <sip:zoe@carrier.example>', 'Zoë'],
    ['Zoe Z <sip:zoe@carrier.example>', 'Zoe Z'],
    ['"  " <sip:zoe@carrier.example>', null],
    ['<sip:zoe@carrier.example>', null],
    ['no address', null],
    [`"${'x'.repeat(200)}" <sip:zoe@carrier.example>`, 'x'.repeat(128)],
  ])('of %j has the name %j', (header, name) => {
    expect(nameOf(header)).toBe(name);
  });

  it.each([
    ['14155550100', '14155550100', '+14155550100'],
    ['+14155550100', '14155550100', '+14155550100'],
    ['100', '14155550100', '100'],
    ['14155550100', null, '14155550100'],
  ])('%s of the number %s is spelled %s', (party, number, text) => {
    expect(spelled(party, number)).toBe(text);
  });
});

describe('the quality of a call', () => {
  const side = (mos?: number) => ({ mos }) as NonNullable<NonNullable<CallRecord['media']>['trunk']>;

  it.each<[unknown, number | null]>([
    [null, null],
    [{ trunk: null, agent: null }, null],
    [{ trunk: side(), agent: null }, null],
    [{ trunk: side(4.1), agent: null }, 4.1],
    [{ trunk: side(4.1), agent: side(3.2) }, 3.2],
    [{ trunk: side(3.2), agent: side(4.1) }, 3.2],
  ])('of %j is %s', (media, mos) => {
    expect(lowestMos(media as CallRecord['media'])).toBe(mos);
  });
});

describe('the row of a record', () => {
  it('has the fields that lists and searches need, and the record itself', () => {
    const record = sampleRecord('c1');
    const { search_words: words, record: packed, ...row } = rowOf(record, JSON.stringify(record));
    expect(row).toEqual({
      call_id: 'c1',
      organization_id: 'org-1',
      number: '12025550100',
      direction: 'inbound',
      caller: '+14155550199',
      called: '+12025550100',
      party_name: 'Zoë',
      sip_call_id: 'a84b4c76e66710@carrier.example',
      source_address: '198.51.100.9',
      started_at: new Date('2026-11-20T15:00:00.000Z'),
      answered_at: new Date('2026-11-20T15:00:00.500Z'),
      ended_at: new Date('2026-11-20T15:00:12.750Z'),
      duration_milliseconds: 12_250,
      outcome: 'completed',
      sip_status: 200,
      sip_reason: 'OK',
      ended_by: 'caller',
      end_reason: 'caller_hung_up',
      mos: 4.3,
      test_run_id: null,
    });
    expect(words.length).toBeGreaterThan(0);
    expect(JSON.parse(gunzipSync(packed as Buffer).toString())).toEqual(record);
  });

  it('has null for what the call never had, and the name of the callee of an outbound call', () => {
    const record = sampleRecord('c1', {
      organization: null,
      number: null,
      direction: 'outbound',
      to: '"Ann" <sip:ann@x.example>',
      answered_at: null,
      sip_status: null,
      sip_reason: null,
      media: null,
      test_run_id: 'run-1',
    });
    expect(rowOf(record, '{}')).toMatchObject({
      organization_id: null,
      number: null,
      party_name: 'Ann',
      answered_at: null,
      sip_status: null,
      sip_reason: null,
      mos: null,
      test_run_id: 'run-1',
    });
  });
});

describe('a call of the history in the API', () => {
  const rowFor = (record: CallRecord, fields: object = {}): CallRow =>
    ({ continued_as: null, ...rowOf(record, JSON.stringify(record)), ...fields }) as unknown as CallRow;

  it('has a summary', () => {
    expect(summaryOf(rowFor(sampleRecord('c1')))).toEqual({
      call_id: 'c1',
      sip_call_id: 'a84b4c76e66710@carrier.example',
      phone_number: '+12025550100',
      direction: 'inbound',
      from: '+14155550199',
      to: '+12025550100',
      status: '200 OK',
      sip_code: 200,
      outcome: 'completed',
      end_reason: 'caller_hung_up',
      ended_by: 'caller',
      audio_problem: null,
      ...explainEndReason('caller_hung_up', 200),
      continued_as: null,
      duration_seconds: 12.25,
      started_at: '2026-11-20T15:00:00.000Z',
      answered_at: '2026-11-20T15:00:00.500Z',
      ended_at: '2026-11-20T15:00:12.750Z',
      source_ip: '198.51.100.9',
      party_name: 'Zoë',
      mos: 4.3,
      organization_id: 'org-1',
      test_run_id: null,
    });
  });

  it.each([
    [486, 'Busy Here', '486 Busy Here'],
    [486, null, '486'],
    [486, '', '486'],
    [null, null, null],
  ])('with the status %s %j shows %j', (status, reason, text) => {
    expect(summaryOf(rowFor(sampleRecord('c1', { sip_status: status, sip_reason: reason }))).status).toBe(
      text,
    );
  });

  it('says why the audio was bad', () => {
    const record = sampleRecord('c1', { end_reason: 'one_way_audio' });
    expect(summaryOf(rowFor(record)).audio_problem).toBe('one_way');
  });

  it('names the call that continues it in place of its reason', () => {
    const record = sampleRecord('c1', { end_reason: 'edge_lost', answered_at: null });
    const summary = summaryOf(rowFor(record, { continued_as: 'c2' }));
    expect(summary.continued_as).toBe('c2');
    expect(summary.cause).toBe(
      'The edge that had the call was lost while it rang, and another edge began the call again.',
    );
    expect(summaryOf(rowFor(record)).cause).toBe(explainEndReason('edge_lost', 200).cause);
  });

  it('has the facts of its record in detail', () => {
    const record = sampleRecord('c1', { ringing_at: '2026-11-20T15:00:00.200Z', detail: 'Rule 7' });
    expect(detailOf(rowFor(record), record, true, 'c0')).toMatchObject({
      call_id: 'c1',
      state: 'ended',
      continues: 'c0',
      edge_id: 'edge-1',
      ringing_at: '2026-11-20T15:00:00.200Z',
      source_port: 49_152,
      source_protocol: 'tls',
      from_header: record.from,
      to_header: record.to,
      detail: 'Rule 7',
      agent_sip_call_id: 'c1',
      media: { trunk_codec: 'PCMU', transcoded_because: null, rtp: { trunk: { mos: 4.3 } }, turns: null },
      transfers: [],
      adoptions: [],
      media_moves: [],
      agent_metadata: {},
      trace_truncated: false,
      trace_unavailable: true,
    });
    expect(detailOf(rowFor(record), { ...record, media: null }, false, null)).toMatchObject({
      media: null,
      continues: null,
      trace_unavailable: false,
    });
  });
});

describe('the moments of an ended call', () => {
  const stagesOf = (changes: Partial<CallRecord>) =>
    momentsOf(sampleRecord('c1', changes)).map(({ stage }) => stage);

  it.each<[Partial<CallRecord>, string]>([
    [{ ringing_at: iso(1) }, 'initiated ringing answered completed'],
    [{ ringing_at: null }, 'initiated answered completed'],
    [{ ringing_at: iso(1), answered_at: null, outcome: 'failed' }, 'initiated ringing failed'],
    [{ answered_at: null, outcome: 'failed' }, 'initiated failed'],
    // An edge of an earlier release reported answered calls as failed.
    [{ outcome: 'failed' }, 'initiated answered completed'],
    [{ organization: null }, ''],
    [{ end_reason: 'refused_unknown_number' }, ''],
    [{ end_reason: 'refused_guessing', answered_at: null }, ''],
    [{ end_reason: 'refused_limit', answered_at: null }, 'initiated failed'],
  ])('%j are %s', (changes, stages) => {
    expect(stagesOf(changes).join(' ')).toBe(stages);
  });

  it('name the end and what continues it with the last one alone', () => {
    const moments = momentsOf(sampleRecord('c1'), 'c2');
    expect(moments.map(({ end, continuedAs }) => [end?.call_id, continuedAs])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      ['c1', 'c2'],
    ]);
  });

  const events = (changes: Partial<CallRecord> = {}, metadata: Record<string, unknown> | null = null) =>
    momentsOf(sampleRecord('c1', { ringing_at: '2026-11-20T15:00:00.100Z', ...changes })).map(
      (moment: CallMoment) => eventOf(moment, metadata === null ? undefined : { call_id: 'c1', metadata }),
    );

  it('are events with their own times, in order', () => {
    expect(events().map(({ event, occurred_at, sequence }) => [event, occurred_at, sequence])).toEqual([
      ['call.initiated', '2026-11-20T15:00:00.000Z', 1],
      ['call.ringing', '2026-11-20T15:00:00.100Z', 2],
      ['call.answered', '2026-11-20T15:00:00.500Z', 3],
      ['call.completed', '2026-11-20T15:00:12.750Z', 4],
    ]);
    expect(events({ answered_at: null }).at(-1)).toMatchObject({ event: 'call.failed', sequence: 4 });
  });

  it('have different ids, the same for the same call', () => {
    const ids = events().map(({ event_id }) => event_id);
    expect(new Set(ids).size).toBe(4);
    expect(events({ detail: 'changed' }).map(({ event_id }) => event_id)).toEqual(ids);
  });

  it('have what was known at their time', () => {
    const [initiated, ringing, answered, completed] = events({}, { crm: 9 }).map(({ data }) => data);
    expect(initiated).toMatchObject({
      call_id: 'c1',
      sip_call_id: 'a84b4c76e66710@carrier.example',
      phone_number: '+12025550100',
      direction: 'inbound',
      from: '+14155550199',
      to: '+12025550100',
      source_ip: '198.51.100.9',
      state: 'initiated',
      ringing_at: null,
      answered_at: null,
      metadata: { crm: 9 },
    });
    expect(ringing).toMatchObject({
      state: 'ringing',
      ringing_at: '2026-11-20T15:00:00.100Z',
      answered_at: null,
    });
    expect(answered).toMatchObject({ state: 'in_progress', answered_at: '2026-11-20T15:00:00.500Z' });
    expect(answered).not.toHaveProperty('ended_at');
    expect(completed).toMatchObject({
      state: 'completed',
      ended_at: '2026-11-20T15:00:12.750Z',
      duration_seconds: 12.25,
      outcome: 'completed',
      end_reason: 'caller_hung_up',
      ended_by: 'caller',
      sip_code: 200,
      sip_reason: 'OK',
      audio_problem: null,
      agent_metadata: {},
      continued_as: null,
    });
  });

  it('have null where there is no number, order, reason or detail', () => {
    expect(events({ number: null, sip_reason: null }).at(-1)!.data).toMatchObject({
      phone_number: null,
      metadata: null,
      sip_reason: null,
      detail: null,
    });
  });

  it('have no U+0000, which PostgreSQL cannot store', () => {
    const last = events({ sip_reason: 'a\0b', detail: 'c\0d', agent_metadata: { x: 'e\0f' } }).at(-1)!;
    expect(JSON.stringify(last)).not.toContain('\\u0000');
  });
});

describe('the record of a call whose edge was lost', () => {
  const live = (fields: object = {}): LiveCall =>
    ({
      call_id: 'c1',
      organization: 'acme',
      number: '14155550100',
      direction: 'inbound',
      from: '<sip:a@x.example>',
      to: '<sip:b@y.example>',
      started_at: iso(0),
      ringing_at: iso(1),
      answered_at: iso(3),
      trunk: { address: '[2001:db8::1]:5061', protocol: 'tls', sip_call_id: 'sip-1' },
      media: { codec: 'PCMA', srtp_suite: null },
      ...fields,
    }) as unknown as LiveCall;

  it('ends with the last sign of life of the edge', () => {
    expect(edgeLostRecord(live(), 'e1', now + 63_000, 'died')).toMatchObject({
      call_id: 'c1',
      edge_id: 'e1',
      organization: 'acme',
      source: { address: '2001:db8::1', port: 5_061, protocol: 'tls' },
      ended_at: iso(63),
      duration_milliseconds: 60_000,
      outcome: 'completed',
      sip_status: 200,
      sip_reason: 'OK',
      ended_by: 'edge',
      end_reason: 'edge_lost',
      media: { trunk_codec: 'PCMA', agent_codec: null, trunk: null, agent: null },
      sip_call_ids: { trunk: 'sip-1', agent: null },
      trace: [],
      trace_truncated: true,
      detail:
        'Edge e1 died during the call. The end time is the edge’s last heartbeat; the SIP trace is lost.',
    });
  });

  it.each<[string, object, number | undefined, string, number]>([
    ['when nothing is known of it, now', {}, undefined, iso(100), 97_000],
    ['never before its answer', {}, now, iso(3), 0],
    ['never before it rang', { answered_at: null }, now, iso(1), 0],
    ['never before it began', { answered_at: null, ringing_at: null }, now - 5_000, iso(0), 0],
  ])('ends %s', (_, fields, diedAt, endedAt, milliseconds) => {
    expect(edgeLostRecord(live(fields), 'e1', diedAt, 'died', now + 100_000)).toMatchObject({
      ended_at: endedAt,
      duration_milliseconds: milliseconds,
    });
  });

  it('has failed if it was not answered', () => {
    expect(
      edgeLostRecord(live({ answered_at: null, media: null }), 'e1', undefined, 'stopped'),
    ).toMatchObject({
      outcome: 'failed',
      sip_status: null,
      sip_reason: null,
      duration_milliseconds: 0,
      media: null,
      detail:
        'Edge e1 was stopped during the call, and no other edge continued it. The end time is approximate; the SIP trace is lost.',
    });
  });

  it('knows its test run, and no address that is none', () => {
    const record = edgeLostRecord(
      live({ test_run_id: 'run-1', trunk: { address: '?', protocol: 'udp', sip_call_id: '' } }),
      'e1',
      now,
      'died',
    );
    expect(record).toMatchObject({ test_run_id: 'run-1', source: { address: '', port: 0, protocol: 'udp' } });
    expect(edgeLostRecord(live(), 'e1', now, 'died')).not.toHaveProperty('test_run_id');
  });

  it('counts unless it is of an agent test', () => {
    const counted = { organization_id: 'acme', test_run_id: null } as Parameters<typeof countedOf>[0][number];
    expect(countedOf([counted, { ...counted, test_run_id: 'run-1' }])).toEqual([
      { organization_id: 'acme', ringing_at: null },
    ]);
  });
});

describe('the record of an ordered call that no edge reported', () => {
  const call = {
    call_id: 'c1',
    organization_id: 'acme',
    number: '13125550161',
    phone_number: '14155550100',
    created_at: new Date(now),
  };
  const end = (fields: Partial<LostEnd> = {}): LostEnd => ({
    status: 'failed',
    queue_status: 'queue_error',
    error_message: 'No edge took the order in time.',
    reason: 'order_not_taken',
    by: 'edge',
    endedAt: now + 30_000,
    mayBeReported: false,
    ...fields,
  });

  it('has the numbers of the order, and its end', () => {
    expect(recordOf(call, end(), 'e1')).toMatchObject({
      call_id: 'c1',
      edge_id: 'e1',
      organization: 'acme',
      number: '13125550161',
      direction: 'outbound',
      from: '<sip:+13125550161@localhost>',
      to: '<sip:+14155550100@localhost>',
      started_at: iso(0),
      answered_at: null,
      ended_at: iso(30),
      duration_milliseconds: 0,
      outcome: 'failed',
      ended_by: 'edge',
      end_reason: 'order_not_taken',
      detail: 'No edge took the order in time.',
    });
  });

  it.each<[Partial<LostEnd>, string, string]>([
    [{ status: 'canceled' }, 'cancelled', iso(30)],
    [{ status: 'unknown' }, 'failed', iso(30)],
    [{ endedAt: undefined }, 'failed', iso(100)],
    [{ endedAt: now - 1 }, 'failed', iso(0)],
  ])('with %j is %s at %s', (fields, outcome, endedAt) => {
    expect(recordOf(call, end(fields), '', now + 100_000)).toMatchObject({ outcome, ended_at: endedAt });
  });
});

describe('a record without its party', () => {
  const attempt = {
    sip_call_id: 'sip-2',
    sip_reason: 'Busy Here',
    sip_status: 486,
  } as CallRecord['attempts'][number];
  const record = sampleRecord('c1', {
    detail: 'Rule for +14155550199',
    attempts: [attempt],
    transfers: [
      { target: '+14155550199', detail: 'Refused by +14155550199', status: 'failed' },
    ] as CallRecord['transfers'],
    agent_metadata: { name: 'Zoë' },
  });

  it('keeps our own number, times and figures, and nothing of the other', () => {
    const bare = withoutParty(record);
    expect(bare).toMatchObject({
      call_id: 'c1',
      from: `<sip:${removedParty}@removed.invalid>`,
      to: record.to,
      detail: null,
      sip_call_ids: { trunk: removedParty, agent: 'c1' },
      attempts: [{ sip_call_id: removedParty, sip_reason: null, sip_status: 486 }],
      transfers: [{ target: removedParty, detail: null, status: 'failed' }],
      trace: [],
      trace_truncated: true,
      started_at: record.started_at,
      media: record.media,
    });
    expect(bare).not.toHaveProperty('agent_metadata');
    expect(JSON.stringify(bare)).not.toMatch(/14155550199|Zoë/);
  });

  it('of an outbound call hides the callee', () => {
    const { from, to } = withoutParty({ ...record, direction: 'outbound' });
    expect([from, to]).toEqual([record.from, `<sip:${removedParty}@removed.invalid>`]);
  });

  it('has no transfers where there were none', () => {
    const { transfers: _, ...plain } = record;
    expect(withoutParty(plain as CallRecord)).not.toHaveProperty('transfers');
  });
});

describe('a shared call', () => {
  const expires = new Date(now);
  const shared = (changes: Partial<CallRecord> = {}) =>
    sharedCallOf(sampleRecord('c1', changes), 'first', expires);

  it('shows the leg of the trunk with masked numbers', () => {
    const call = shared();
    expect(call).toMatchObject({
      direction: 'inbound',
      status: '200 OK',
      end_reason: 'caller_hung_up',
      cause: explainEndReason('caller_hung_up', 200).cause,
      started_at: '2026-11-20T15:00:00.000Z',
      expires_at: iso(0),
      trace_truncated: false,
    });
    expect(call.sip_call_ids).toEqual(['first', 'a84b4c76e66710@carrier.example']);
    expect(call.trace.every(({ leg }) => leg === 'trunk')).toBe(true);
    expect(call.from).not.toContain('14155550199');
    expect(JSON.stringify({ ...call, pcap: '' })).not.toContain('14155550199');
    expect(Buffer.from(call.pcap, 'base64').toString('latin1')).not.toContain('14155550199');
  });

  it.each([
    [null, null, null],
    [503, null, '503'],
    [486, 'Busy Here', '486 Busy Here'],
  ])('with the status %s %j shows %j', (status, reason, text) => {
    expect(shared({ sip_status: status, sip_reason: reason }).status).toBe(text);
  });

  it('has the text for a ticket', () => {
    const lines = ticketOf(shared(), 'https://demarc.example/s/1').split('\n');
    expect(lines).toEqual([
      'Call-ID: first, a84b4c76e66710@carrier.example',
      'Direction: from you to us',
      `From: ${shared().from}`,
      `To: ${shared().to}`,
      'Started: 2026-11-20T15:00:00.000Z',
      'Answered: 2026-11-20T15:00:00.500Z',
      'Ended: 2026-11-20T15:00:12.750Z',
      'Status: 200 OK',
      `Cause: ${explainEndReason('caller_hung_up', 200).cause}`,
      'Addresses: 198.51.100.9:49152 -> 192.0.2.1:5061, tls',
      `SIP messages and pcap: https://demarc.example/s/1 (until ${iso(0)})`,
      '',
    ]);
    const bare = ticketOf(
      shared({ direction: 'outbound', trace: [], answered_at: null, sip_status: null }),
      'x',
    );
    expect(bare).toContain('Direction: from us to you\n');
    expect(bare).toContain('Answered: never\n');
    expect(bare).toContain('Status: none\n');
    expect(bare).not.toContain('Addresses');
  });
});

describe('a call as Twilio shows it', () => {
  const call = {
    state: 'answered',
    answered_at: iso(3),
    outcome: null,
    end_reason: null,
    sip_code: null,
  } as const;

  it.each<[Partial<Parameters<typeof liveStatusOf>[0]>, string]>([
    [{}, 'in-progress'],
    [{ state: 'setup', answered_at: null }, 'queued'],
    [{ state: 'ringing', answered_at: null }, 'ringing'],
    [{ state: 'ending' }, 'completed'],
    [{ state: 'ending', answered_at: null }, 'canceled'],
    [{ state: 'ending', outcome: 'completed' }, 'completed'],
    [{ state: 'ending', outcome: 'cancelled' }, 'canceled'],
    [{ state: 'ending', outcome: 'failed', end_reason: 'trunk_refused', sip_code: 486 }, 'busy'],
    [{ state: 'ending', outcome: 'failed', end_reason: 'trunk_no_answer' }, 'no-answer'],
    [{ state: 'ending', outcome: 'failed', end_reason: 'agent_lost' }, 'failed'],
  ])('%j is %s', (fields, status) => {
    expect(liveStatusOf({ ...call, ...fields })).toBe(status);
  });

  const facts = (fields: Partial<Facts> = {}): Facts => ({
    from: '+14155550199',
    to: '+12025550100',
    direction: 'inbound',
    status: 'completed',
    createdAt: iso(0),
    startedAt: iso(1),
    answeredAt: iso(3),
    endedAt: iso(63),
    seconds: 59.6,
    ...fields,
  });
  const id = '3f2a1b0c-0000-4000-8000-000000000001';

  it('has ids, numbers and times in its forms', () => {
    const account = accountSidOf('acme');
    expect(resourceOf('acme', id, facts())).toMatchObject({
      sid: 'CA3f2a1b0c000040008000000000000001',
      account_sid: account,
      api_version: '2010-04-01',
      direction: 'inbound',
      from: '+14155550199',
      from_formatted: '+14155550199',
      to: '+12025550100',
      to_formatted: '+12025550100',
      status: 'completed',
      date_created: 'Fri, 27 Nov 2026 09:00:00 +0000',
      date_updated: 'Fri, 27 Nov 2026 09:01:03 +0000',
      start_time: 'Fri, 27 Nov 2026 09:00:03 +0000',
      end_time: 'Fri, 27 Nov 2026 09:01:03 +0000',
      duration: '60',
      uri: `/2010-04-01/Accounts/${account}/Calls/${callSidOf(id)}.json`,
    });
  });

  it.each<[Partial<Facts>, object]>([
    [{ direction: 'outbound' }, { direction: 'outbound-api' }],
    [
      { endedAt: null, seconds: null },
      { end_time: null, duration: null, date_updated: 'Fri, 27 Nov 2026 09:00:03 +0000' },
    ],
    [
      { endedAt: null, answeredAt: null },
      { start_time: 'Fri, 27 Nov 2026 09:00:01 +0000', date_updated: 'Fri, 27 Nov 2026 09:00:00 +0000' },
    ],
    [{ answeredAt: null, startedAt: null }, { start_time: null }],
    [{ seconds: 0 }, { duration: '0' }],
  ])('with %j has %j', (fields, shown) => {
    expect(resourceOf('acme', id, facts(fields))).toMatchObject(shown);
  });
});
