import { sql } from 'kysely';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readEntry, storeEntries } from '../../../../src/control/calls/history/call-storage.js';
import {
  clearIncident,
  continueIncident,
  deleteOldIncidents,
  openIncident,
  readIncidents,
  readOpenIncidents,
} from '../../../../src/control/noc/incidents/incident-storage.js';
import { IncidentWatch } from '../../../../src/control/noc/incidents/incident-watch.js';
import type { SeenReason } from '../../../../src/control/noc/incidents/seen-reasons.js';
import type { NocSummary } from '../../../../src/control/noc/view.js';
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
  await sql`delete from incidents`.execute(api.database);
  [user, stranger] = [await api.user(), await api.user()];
});

const seconds = (count: number): Date => new Date(Date.now() + count * 1_000);
const reason = (fields: Partial<SeenReason> = {}): SeenReason => ({
  key: 'calls',
  kind: 'calls',
  text: '5 of 5 calls failed',
  cause: 'The trunk refused.',
  advice: 'Ask the carrier.',
  phone_number: null,
  end_reason: 'trunk_refused',
  sip_status: 503,
  since: seconds(-10),
  ...fields,
});
async function call(secondsAgo: number, fields: object = {}, by = user): Promise<string> {
  const id = `incident-${++serial}`;
  const record = sampleRecord(id, {
    organization: by.organizationId,
    number: '14155551234',
    started_at: seconds(-secondsAgo).toISOString(),
    answered_at: null,
    ended_at: seconds(1 - secondsAgo).toISOString(),
    outcome: 'failed',
    end_reason: 'trunk_refused',
    sip_status: 503,
    ...fields,
  });
  await storeEntries(api.database, [readEntry({ id: `${serial}-5`, json: JSON.stringify(record) })]);
  return id;
}
const audit = (action: string, secondsAgo: number, by = user) =>
  sql`insert into audit_events (organization_id, occurred_at, actor_kind, actor_id, actor_name, action, summary, subject, fields, address)
    values (${by.organizationId}, ${seconds(-secondsAgo)}, 'key', 'key_1', 'Ada', ${action}, ${`${action} ${secondsAgo}`}, '', '', null)`.execute(
    api.database,
  );
const open = async (by: ApiUser | null, reasons: readonly SeenReason[] = [reason()]) =>
  openIncident(api.database, by?.organizationId ?? null, reasons, new Date());

describe('an incident', () => {
  it('opens once with its first call and what was changed before', async () => {
    const first = await call(600);
    await call(300);
    await call(7_000);
    await call(900, { sip_status: 486 });
    await call(900, { end_reason: 'media_failed' });
    await call(900, {}, stranger);
    for (const [action, at] of [
      ['updateTrunk', 700],
      ['attachNumber', 80_000],
      ['updateTrunk', 100],
      ['updateTrunk', 90_000],
      ['signIn', 800],
    ] as const)
      await audit(action, at);
    await audit('updateTrunk', 750, stranger);
    const row = await open(user);
    expect(row).toMatchObject({
      first_call_id: first,
      title: '5 of 5 calls failed',
      organization_id: user.organizationId,
    });
    expect(row!.first_failure_at!.getTime()).toBeLessThan(row!.opened_at.getTime());
    expect(row!.changes.map(({ summary }) => summary)).toEqual(
      expect.arrayContaining(['updateTrunk 700', 'attachNumber 80000']),
    );
    expect(row!.changes).toHaveLength(2);
    expect(await open(user)).toBeUndefined();
    const own = await open(stranger, [reason({ phone_number: '+14155551234' })]);
    expect(own!.first_call_id).not.toBeNull();
    expect((await open(null, [reason({ kind: 'component', end_reason: null })]))!.first_call_id).toBeNull();
    expect(await readOpenIncidents(api.database)).toHaveLength(3);
  });

  it('looks for its first call by its number and final status', async () => {
    await call(900, { number: '14155559999' });
    const wanted = await call(600);
    const row = await open(user, [
      reason({ key: 'other', end_reason: null }),
      reason({ phone_number: '+14155551234' }),
    ]);
    expect(row!.first_call_id).toBe(wanted);
    const late = await open(stranger, [reason({ since: seconds(-4_000) })]);
    expect(late).toMatchObject({ first_call_id: null, first_failure_at: late!.opened_at });
  });

  it('continues while the verdict is red, and ends a minute after it was', async () => {
    const row = (await open(user))!;
    const strange = (await open(stranger))!;
    const shown = async () => (await readOpenIncidents(api.database)).find(({ id }) => id === row.id)!;
    const now = new Date();
    expect(await continueIncident(api.database, user.organizationId, [reason({ key: 'more' })], now)).toBe(
      true,
    );
    expect((await shown()).reasons.map(({ key }) => key)).toEqual(['calls', 'more']);
    expect(await clearIncident(api.database, await shown(), seconds(0))).toBe(false);
    const cleared = await shown();
    expect(cleared.clear_since).not.toBeNull();
    expect(await clearIncident(api.database, cleared, seconds(30))).toBe(false);
    // Red again for another process.
    await continueIncident(api.database, user.organizationId, [reason()], seconds(31));
    expect((await shown()).clear_since).toBeNull();
    expect(await clearIncident(api.database, cleared, seconds(70))).toBe(false);
    await clearIncident(api.database, await shown(), seconds(70));
    expect(await clearIncident(api.database, await shown(), seconds(131))).toBe(true);
    expect(await continueIncident(api.database, user.organizationId, [reason()], now)).toBe(false);
    expect((await readOpenIncidents(api.database)).map(({ id }) => id)).toEqual([strange.id]);
    expect(strange.clear_since).toBeNull();
  });

  it('is shown to its organization, and to all if it is of a component', async () => {
    const operator = await api.user({ isOperator: true });
    const own = (await open(user, [reason({ since: seconds(-30) })]))!;
    const foreign = (await open(stranger, [reason({ since: seconds(-20) })]))!;
    const component = reason({ kind: 'component', text: 'Redis: down', since: seconds(-10) });
    const service = (await open(null, [component, reason({ text: 'Calls of the service' })]))!;
    const list = async (by: ApiUser, query = '') => {
      const { data, body } = await by.get(`/noc/incidents${query}`);
      expect(data, JSON.stringify(body)).toBeTruthy();
      return data.incidents.map(({ incident_id }: Record<string, unknown>) => incident_id);
    };
    expect(await list(user)).toEqual([service.id, own.id]);
    expect(await list(stranger)).toEqual([service.id, foreign.id]);
    expect(await list(user, '?limit=1')).toEqual([service.id]);
    expect((await user.get('/noc/incidents?limit=1')).body).toMatchObject({
      has_more: true,
      next: service.id,
    });
    expect(await list(user, `?after=${service.id}`)).toEqual([own.id]);
    expect((await user.get(`/noc/incidents?after=${foreign.id}`)).path).toBe('after');
    expect((await user.get('/noc/incidents?scope=fleet')).error).toBe('OPERATOR_ONLY');
    expect(await list(operator, '?scope=fleet')).toEqual([service.id, foreign.id, own.id]);
    expect(await list(operator)).toEqual([service.id]);
    expect((await user.get(`/noc/incidents/${foreign.id}`)).status).toBe(404);
    expect((await user.get(`/noc/incidents/${service.id}`)).data).toMatchObject({
      title: 'Redis: down',
      reasons: [{ kind: 'component' }],
    });
    expect((await operator.get(`/noc/incidents/${foreign.id}`)).data).toMatchObject({
      organization: { id: stranger.organizationId },
    });
    expect((await user.patch(`/noc/incidents/${service.id}`, { acknowledged: true })).error).toBe(
      'OPERATOR_ONLY',
    );
    expect((await user.patch(`/noc/incidents/${foreign.id}`, { note: 'x' })).status).toBe(404);
    expect((await user.patch(`/noc/incidents/${own.id}`, {})).status).toBe(400);
    const patched = async (body: object) => (await user.patch(`/noc/incidents/${own.id}`, body)).data;
    expect(await patched({ acknowledged: true, note: 'On it' })).toMatchObject({
      acknowledged_by: 'test',
      note: 'On it',
    });
    expect(await patched({ note: '' })).toMatchObject({ acknowledged_by: 'test', note: null });
    expect(await patched({ acknowledged: false })).toMatchObject({
      acknowledged_by: null,
      acknowledged_at: null,
    });
    expect((await stranger.get(`/noc/incidents/${foreign.id}`)).data).toMatchObject({
      acknowledged_by: null,
    });
    await sql`update incidents set recovered_at = now() - interval '1 day' where id = ${own.id}`.execute(
      api.database,
    );
    expect(await list(user, '?state=open')).toEqual([service.id]);
    expect(await list(user, '?state=recovered')).toEqual([own.id]);
    expect(await readIncidents(api.database, { organizationId: user.organizationId, limit: 1 })).toHaveLength(
      1,
    );
    await sql`update incidents set recovered_at = now() - interval '401 days' where id = ${foreign.id}`.execute(
      api.database,
    );
    await deleteOldIncidents(api.database);
    expect(await list(operator, '?scope=fleet')).toEqual([service.id, own.id]);
  });
});

describe('the watch for incidents', () => {
  const up = { edges: 'up', media: 'up', redis: 'up', database: 'up' };
  const green = {
    parts: up,
    calls: { windows: null },
    figures: { calls: { state: 'current' }, trunks: { state: 'current' } },
    trunk_counts: { unreachable: 0, failing: 0 },
    trunks: [],
    registrations: null,
    alerts: null,
  };
  const red = { ...green, alerts: { unnoticed: 2 } };
  const watchOf = (of: (organizationId: string) => object, service: () => object = () => green) =>
    new IncidentWatch({
      database: api.database,
      summaries: {
        of: async ({ organizationId }) => of(organizationId) as unknown as NocSummary,
        ofService: async () => service() as unknown as NocSummary,
      },
      log: pino({ level: 'silent' }),
    });
  const ids = async () => (await readOpenIncidents(api.database)).map(({ organization_id: id }) => id);

  it('looks at every organization in turn, and opens an incident at the second red look', async () => {
    const own = user.organizationId;
    const seen: string[] = [];
    let now: object = red;
    const watch = watchOf((id) => {
      seen.push(id);
      return id === own ? now : green;
    });
    for (let looks = 0; looks < 200 && !seen.includes(own); looks += 1) await watch.look(seconds(0));
    expect([seen.includes(own), await ids()]).toEqual([true, []]);
    const first = seconds(5);
    await watch.look(first);
    expect(await ids()).toEqual([own]);
    const [row] = await readOpenIncidents(api.database);
    expect(row).toMatchObject({ title: 'Active alerts that reached no recipient: 2', clear_since: null });
    expect(row!.opened_at.getTime()).toBeLessThan(first.getTime());
    // What is not known now neither begins nor ends anything.
    now = { ...green, figures: { ...green.figures, calls: { state: 'stale' } } };
    await watch.look(seconds(10));
    expect((await readOpenIncidents(api.database))[0]!.clear_since).toBeNull();
    now = { ...green, figures: { ...green.figures, trunks: { state: 'stale' } } };
    await watch.look(seconds(11));
    expect((await readOpenIncidents(api.database))[0]!.clear_since).toBeNull();
    now = green;
    await watch.look(seconds(12));
    expect((await readOpenIncidents(api.database))[0]!.clear_since).not.toBeNull();
    await watch.look(seconds(73));
    expect(await ids()).toEqual([]);
  });

  it('opens the incident of a component for all organizations', async () => {
    let parts: object = { ...up, redis: 'down' };
    const watch = watchOf(
      () => green,
      () => ({ ...green, parts }),
    );
    await watch.look(seconds(0));
    parts = up;
    await watch.look(seconds(5));
    parts = { ...up, redis: 'down' };
    // One look between two green ones may catch the moment in which it starts again.
    await watch.look(seconds(10));
    expect(await ids()).toEqual([]);
    await watch.look(seconds(15));
    expect(await ids()).toEqual([null]);
    expect((await readOpenIncidents(api.database))[0]!.title).toBe('Redis: down');
  });

  it('is done by one process at a time', async () => {
    let judged = 0;
    const service = () => {
      judged += 1;
      return green;
    };
    await sql`update incident_watch set watched_at = now() - interval '1 minute'`.execute(api.database);
    await watchOf(() => green, service).watch();
    await watchOf(() => green, service).watch();
    expect(judged).toBe(1);
  });
});
