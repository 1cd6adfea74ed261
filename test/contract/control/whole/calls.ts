import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallRecord } from '../../../../src/contract/call-record.js';
import { readEntry, storeEntries } from '../../../../src/control/calls/history/call-storage.js';
import { readTrunkCalls } from '../../../../src/control/noc/trunk-calls.js';
import { sampleRecord } from '../../../contract/control/history/sample-record.js';
import { type ApiUser, WholeApi } from './whole-api.js';

let api: WholeApi;
let user: ApiUser;
let stranger: ApiUser;
let serial = 0;
beforeAll(async () => {
  api = await WholeApi.shared();
}, 300_000);
beforeEach(async () => {
  [user, stranger] = [await api.user(), await api.user()];
});

const minute = (at: number): string => new Date(Date.UTC(2026, 10, 20, 15, at)).toISOString();

/** A call that began in that minute and lasted for another one. */
async function record(at: number, fields: Partial<CallRecord> = {}, by = user): Promise<string> {
  const id = `history-${++serial}`;
  const call = sampleRecord(id, {
    organization: by.organizationId,
    started_at: minute(at),
    answered_at: minute(at),
    ended_at: minute(at + 1),
    sip_call_ids: { trunk: `${id}@carrier.example`, agent: id },
    ...fields,
  });
  const entry = readEntry({ id: `${serial}-0`, json: JSON.stringify(call) });
  expect(entry.ok, JSON.stringify(entry.row)).toBe(true);
  await storeEntries(api.database, [entry]);
  return id;
}

const listed = async (query: string, by = user): Promise<string[]> => {
  const { data, body } = await by.get(`/sip/calls${query}`);
  expect(data, JSON.stringify(body)).toBeTruthy();
  return data.calls.map(({ call_id }: { call_id: string }) => call_id);
};

describe('the call history', () => {
  it('lists the calls of the own organization, the newest first, in pages', async () => {
    const [first, second, third] = [await record(1), await record(2), await record(3)];
    await record(4, {}, stranger);
    expect(await listed('')).toEqual([third, second, first]);
    const { body } = await user.get('/sip/calls?limit=2&include_total=true');
    expect(body).toMatchObject({ has_more: true, next: second });
    expect(body.data.total).toEqual({ calls: 3, is_complete: true });
    expect(await listed(`?limit=2&after=${second}`)).toEqual([first]);
    expect((await user.get('/sip/calls?limit=3')).body).toMatchObject({ has_more: false, next: null });
    const foreign = await user.get(`/sip/calls?after=${(await listed('', stranger))[0]}`);
    expect([foreign.status, foreign.path]).toEqual([400, 'after']);
  });

  it.each<[string, Partial<CallRecord>]>([
    ['phone_number=%2B14155550111', { number: '14155550111' }],
    ['direction=outbound', { direction: 'outbound' }],
    ['outcome=failed', { outcome: 'failed', end_reason: 'media_failed' }],
    ['sip_code=486', { sip_status: 486 }],
    ['end_reason=agent_hung_up', { end_reason: 'agent_hung_up' }],
    ['from=%2B14155550177', { from: '<sip:+14155550177@carrier.example>;tag=1' }],
    ['to=alice', { to: '<sip:alice@demarc.test>' }],
    ['source_ip=203.0.113.5', { source: { address: '203.0.113.5', port: 1, protocol: 'tls' } }],
    ['source_ip=203.0.113.0/24', { source: { address: '203.0.113.5', port: 1, protocol: 'tls' } }],
    ['sip_call_id=wanted', { sip_call_ids: { trunk: 'wanted', agent: null } }],
    ['started_before=2026-11-20T15:03:00Z', { started_at: minute(2) }],
    ['ended_before=2026-11-20T15:04:00Z', { started_at: minute(2), ended_at: minute(3) }],
    ['started_after=2026-11-20T15:50:00Z', { started_at: minute(50), ended_at: minute(51) }],
    ['ended_after=2026-11-20T15:50:00Z', { started_at: minute(49), ended_at: minute(50) }],
    ['problem=audio', { end_reason: 'media_failed' }],
    ['problem=any', { outcome: 'refused', end_reason: 'refused_limit' }],
    ['q=5550177', { from: '<sip:+14155550177@carrier.example>;tag=1' }],
    ['q=Zo%C3%AB', { from: '"Zoë" <sip:+14155550177@carrier.example>;tag=1' }],
    ['header=X-Tenant%3A%20acme', { trace: traceWith('X-Tenant: Acme, Ltd.') }],
  ])('finds one call by %s', async (query, fields) => {
    const usual = { from: '<sip:+14155550122@carrier.example>;tag=1' };
    await record(10, { ...usual, trace: traceWith('X-Tenant: other') });
    const wanted = await record(10, { ...usual, ...fields });
    await record(10, { ...usual, ...fields }, stranger);
    await record(10, usual);
    expect(await listed(`?${query}`)).toEqual([wanted]);
    const { body } = await user.get(`/sip/calls?${query}&include_total=true`);
    expect(body.data.total.calls).toBe(1);
  });

  it.each([
    ['header=X-Tenant', 'header'],
    ['header=Via%3A%20x', 'header'],
    ['source_ip=203.0.113.0/33', 'source_ip'],
    ['source_ip=nonsense/8', 'source_ip'],
    ['organization_id=another', 'organization_id'],
  ])('refuses %s', async (query, path) => {
    const refused = await user.get(`/sip/calls?${query}`);
    expect([refused.status, refused.path]).toEqual([400, path]);
  });

  it('shows a call and its trace to its own organization alone', async () => {
    const id = await record(1);
    const { data } = await user.get(`/sip/calls/${id}`);
    expect(data).toMatchObject({ call_id: id, outcome: 'completed', end_reason: 'caller_hung_up' });
    expect(data.trace[0]).toMatchObject({ summary: 'INVITE', direction: 'received' });
    // No edge says here whether it is an active call.
    expect((await stranger.get(`/sip/calls/${id}`)).status).toBe(503);
  });

  it('stores a call once, as it came first', async () => {
    const id = await record(1);
    serial -= 1;
    await record(9);
    expect(await listed('')).toEqual([id]);
    const { data } = await user.get(`/sip/calls/${id}`);
    expect(data.started_at).toBe(minute(1));
  });
});

/** A trace of one INVITE with that header. */
function traceWith(header: string): CallRecord['trace'] {
  const [first] = sampleRecord('x').trace;
  return [{ ...first!, message: first!.message.replace('\r\nVia:', `\r\n${header}\r\nVia:`) }];
}

it('counts how calls to the numbers of an organization ended within the last hour', async () => {
  const now = Date.UTC(2026, 10, 20, 16, 0);
  const number = '14155559801';
  const foreign = await api.user();
  for (const at of [30, 31]) await record(at, { number });
  await record(32, { number, outcome: 'failed', end_reason: 'media_failed', sip_status: 500 });
  await record(33, { number: '14155559802' }, foreign);
  const own = await readTrunkCalls(api.database, user.organizationId, now);
  expect([...own.keys()]).toEqual([number]);
  const all = await readTrunkCalls(api.database, undefined, now);
  expect([...all.keys()]).toEqual(expect.arrayContaining([number, '14155559802']));
  expect(all.get(number)).toEqual(own.get(number));
  expect((await readTrunkCalls(api.database, user.organizationId, now + 3_600_000)).size).toBe(0);
});
