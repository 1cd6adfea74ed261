import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NumberLimitWatch } from '../../../../src/control/alerts/number-limits/watch.js';
import { readEntry, storeEntries } from '../../../../src/control/calls/history/call-storage.js';
import type { FoundCall } from '../../../../src/control/fleet/fleet-reader.js';
import { keyRoutes } from '../../../../src/control/keys/index.js';
import { changeOrganization } from '../../../../src/control/organizations/organizations.js';
import { trunkRoutes } from '../../../../src/control/trunks/routes.js';
import { usageRoutes } from '../../../../src/control/usage/routes.js';
import { notifyOnce, UsageWatch } from '../../../../src/control/usage/usage-watch.js';
import { sampleRecord } from '../history/sample-record.js';
import { ApiUnderTest, type Tenant } from './fixture.js';

let api: ApiUnderTest;
beforeAll(async () => {
  api = await ApiUnderTest.start(
    { DEMARC_PUBLIC_URL: 'https://demarc.example.com' },
    [trunkRoutes],
    [keyRoutes, usageRoutes],
  );
});
afterAll(() => api?.stop());

let calls = 0;
const today = (): string => new Date().toISOString().slice(0, 10);

/** An answered call of today that took so many minutes. */
async function store(tenant: Tenant, minutes: number, more: object = {}): Promise<void> {
  const end = Date.now();
  const times = {
    started_at: new Date(end - minutes * 60_000).toISOString(),
    answered_at: new Date(end - minutes * 60_000).toISOString(),
    ended_at: new Date(end).toISOString(),
  };
  const id = `usage-${++calls}`;
  const record = {
    ...sampleRecord(id),
    organization: tenant.organizationId,
    ...times,
    duration_milliseconds: minutes * 60_000,
    ...more,
  };
  await storeEntries(api.database, [readEntry({ id: '1-1', json: JSON.stringify(record) })]);
}

interface Group {
  readonly phone_number: string | null;
  readonly agent: string | null;
  readonly calls: number;
  readonly minutes: number;
  readonly outbound: { readonly calls: number };
}
interface Usage {
  readonly number_limits: readonly unknown[];
  readonly limits: readonly { kind: string; measured: number; percent: number; notified_at: string | null }[];
}

describe('GET /v1/usage/breakdown', () => {
  it('sums calls by number and by agent, the most minutes first', async () => {
    const tenant = await api.tenant();
    const stranger = await api.tenant();
    await store(tenant, 1, { number: '14155550101', agent: 'sip:sales@agents.example' });
    await store(tenant, 2, { number: '14155550102', agent: 'sip:sales@agents.example' });
    await store(tenant, 4, { number: '14155550102', direction: 'outbound', agent: 'wss://bot.example/v1' });
    await store(tenant, 1, { number: '14155550102' });
    await store(stranger, 9, { number: '14155550109', agent: 'sip:other@agents.example' });
    const read = async (by: string): Promise<Group[]> =>
      (await api.call<{ groups: Group[] }>(tenant, 'GET', `/v1/usage/breakdown?by=${by}`)).data.groups;
    expect(await read('number')).toMatchObject([
      { phone_number: '+14155550102', agent: null, calls: 3, minutes: 7, outbound: { calls: 1 } },
      { phone_number: '+14155550101', agent: null, calls: 1, minutes: 1, outbound: { calls: 0 } },
    ]);
    expect((await read('agent')).map(({ agent, calls: count, minutes }) => [agent, count, minutes])).toEqual([
      ['wss://bot.example/v1', 1, 4],
      ['sip:sales@agents.example', 2, 3],
      [null, 1, 1],
    ]);
  });
});

describe('limits of usage', () => {
  it('notify the contacts once a period when 80 % is reached, and the usage shows it', async () => {
    const tenant = await api.tenant();
    const { organizationId: id } = tenant;
    await changeOrganization(api.database, id, { minutes_per_month: 10, concurrent_calls: 4 });
    await api.database
      .insertInto('alert_contacts')
      .values({ organization_id: id, emails: '["noc@example.com"]', phone_numbers: '["14155550123"]' })
      .execute();
    let queued = 0;
    const edges = [
      { isAlive: true, heartbeat: { organizations: { [id]: { ringing: 1, answered: 2, begun: 0 } } } },
      { isAlive: false, heartbeat: { organizations: { [id]: { ringing: 9, answered: 9, begun: 0 } } } },
    ];
    const deps = { ...api.parts, fleet: { edges: async () => edges as never }, queued: () => queued++ };
    const evaluate = async (): Promise<void> => {
      const watch = new UsageWatch(deps);
      await watch.evaluate();
    };
    const deliveries = () =>
      api.database
        .selectFrom('deliveries')
        .select(['channel', 'target', 'event', 'content'])
        .where('organization_id', '=', id)
        .orderBy('channel')
        .execute();
    await store(tenant, 7.9);
    await evaluate();
    // 79 % of the minutes, and 3 of 4 calls.
    expect(await deliveries()).toEqual([]);
    await store(tenant, 0.2);
    await evaluate();
    await evaluate();
    expect(queued).toBe(1);
    const sent = await deliveries();
    expect(sent.map(({ channel, target, event }) => [channel, target, event])).toEqual([
      ['email', 'noc@example.com', 'usage.near_limit'],
      ['sms', '+14155550123', 'usage.near_limit'],
    ]);
    expect(JSON.stringify(sent[0]!.content)).toContain('minutes at 81 % of the limit');
    const { data } = await api.call<Usage>(tenant, 'GET', '/v1/usage');
    expect(data.limits).toMatchObject([
      { kind: 'concurrent_calls', notified_at: null },
      {
        kind: 'minutes_per_month',
        measured: 8.1,
        percent: 81,
        notified_at: expect.stringContaining(today()),
      },
    ]);
    edges[0]!.heartbeat.organizations[id]!.answered = 3;
    await evaluate();
    expect(queued).toBe(2);
    // The next month is another period.
    const used = { kind: 'minutes_per_month', period: '2099-01', measured: 9, limit: 10 } as const;
    const both = await Promise.all([notifyOnce(api.parts, id, used), notifyOnce(api.parts, id, used)]);
    expect(both.toSorted()).toEqual([false, true]);
  });
});

describe('limits of numbers', () => {
  const number = async (tenant: Tenant, digits: string, limit: number, trunk?: string): Promise<void> => {
    const { organizationId: organization_id } = tenant;
    if (trunk !== undefined) {
      await api.database
        .insertInto('trunks')
        .values({ id: trunk, organization_id, name: trunk, directions: '[]', inbound: '{}', outbound: '{}' })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    await api.database
      .insertInto('numbers')
      .values({ number: digits, organization_id, trunk_id: trunk ?? null })
      .execute();
    await api.database
      .insertInto('direction_settings')
      .values({
        number: digits,
        direction: 'inbound',
        limits: JSON.stringify({ concurrent_calls: limit }),
      })
      .execute();
  };
  const active = (digits: string, direction: 'inbound' | 'outbound', count: number): FoundCall[] =>
    Array.from({ length: count }, () => ({ edgeId: 'a', call: { number: digits, direction } as never }));

  it('notify once a day at 80 %, with one notice for numbers that follow each other', async () => {
    const tenant = await api.tenant();
    const { organizationId: id } = tenant;
    await number(tenant, '14155550201', 10);
    await number(tenant, '14155550202', 5, 'trk_near');
    await number(tenant, '14155550203', 5, 'trk_near');
    await number(tenant, '14155550204', 0);
    await api.database
      .insertInto('alert_contacts')
      .values({ organization_id: id, emails: '["noc@example.com"]', phone_numbers: '[]' })
      .execute();
    await api.database
      .insertInto('webhook_endpoints')
      .values({
        id: 'whe_near',
        organization_id: id,
        url: 'https://hooks.example.com/usage',
        description: '',
        events: '["usage.near_limit"]',
        secret: '',
      })
      .execute();
    let calls: FoundCall[] = [];
    let queued = 0;
    const fleet = { calls: async () => calls };
    const watch = new NumberLimitWatch({ ...api.parts, fleet, queued: () => queued++ });
    const mails = async (): Promise<string[]> => {
      const rows = await api.database
        .selectFrom('deliveries')
        .select('content')
        .where('organization_id', '=', id)
        .where('channel', '=', 'email')
        .orderBy('created_at')
        .execute();
      return rows.map(({ content }) => JSON.stringify(content));
    };
    const start = Date.now();
    const evaluate = (minutes: number): Promise<void> => watch.evaluate(new Date(start + minutes * 60_000));

    calls = [...active('14155550201', 'inbound', 7), ...active('14155550204', 'inbound', 3)];
    await evaluate(0);
    expect(await mails()).toEqual([]);
    calls = active('14155550201', 'inbound', 8);
    await Promise.all([evaluate(0), evaluate(0)]);
    // Numbers of a shared trunk count together, and calls from them have the limit of calls to them.
    calls = [
      ...active('14155550201', 'inbound', 9),
      ...active('14155550202', 'outbound', 2),
      ...active('14155550203', 'outbound', 3),
    ];
    await evaluate(0);
    expect(await mails()).toHaveLength(1);
    expect((await mails())[0]).toContain('8 of 10 concurrent calls to +14155550201 (80 %)');
    const { data } = await api.call<Usage>(tenant, 'GET', '/v1/usage');
    expect(data.number_limits).toEqual([
      {
        phone_number: null,
        trunk_id: 'trk_near',
        direction: 'outbound',
        measured: 5,
        limit: 5,
        percent: 100,
        notified_at: null,
      },
      {
        phone_number: '+14155550201',
        trunk_id: null,
        direction: 'inbound',
        measured: 9,
        limit: 10,
        percent: 90,
        notified_at: expect.any(String),
      },
    ]);
    calls = [];
    await evaluate(16);
    await evaluate(32);
    expect(await mails()).toHaveLength(2);
    expect((await mails())[1]).toContain('5 of 5 concurrent calls from trunk trk_near (100 %)');
    expect(queued).toBe(2);
    const events = await api.database
      .selectFrom('deliveries')
      .select('content')
      .where('organization_id', '=', id)
      .where('channel', '=', 'webhook')
      .orderBy('created_at')
      .execute();
    expect(events.map(({ content }) => content)).toMatchObject([
      { body: { event: 'usage.near_limit', data: { kind: 'number_concurrent_calls', percent: 80 } } },
      { body: { data: { trunk_id: 'trk_near', phone_number: null, direction: 'outbound', percent: 100 } } },
    ]);
  });
});
