import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEntry, storeEntries } from '../../../../src/control/calls/history/call-storage.js';
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
  readonly limits: readonly { kind: string; measured: number; percent: number; notified_at: string | null }[];
}

describe('GET /v1/usage/breakdown', () => {
  it('sums calls by number and by agent, the most minutes first', async () => {
    const tenant = await api.tenant();
    const other = await api.tenant();
    await store(tenant, 1, { number: '14155550101', agent: 'sip:sales@agents.example' });
    await store(tenant, 2, { number: '14155550102', agent: 'sip:sales@agents.example' });
    await store(tenant, 4, { number: '14155550102', direction: 'outbound', agent: 'wss://bot.example/v1' });
    await store(tenant, 1, { number: '14155550102' });
    await store(other, 9, { number: '14155550109', agent: 'sip:other@agents.example' });
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
