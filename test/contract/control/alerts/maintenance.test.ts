import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EndpointHealth, endpointName } from '../../../../src/contract/health.js';
import { evaluateAlerts } from '../../../../src/control/alerts/evaluation.js';
import { countActive } from '../../../../src/control/alerts/index.js';
import { maintenanceRoutes } from '../../../../src/control/alerts/maintenance/routes.js';
import { alertRoutes } from '../../../../src/control/alerts/routes.js';
import { storeChecks } from '../../../../src/control/health/health-storage.js';
import { trunkRoutes } from '../../../../src/control/trunks/routes.js';
import { ApiUnderTest, attachBody, freshNumber, outbound, type Tenant } from '../api/fixture.js';

let api: ApiUnderTest;

beforeAll(async () => {
  api = await ApiUnderTest.start({}, [trunkRoutes, maintenanceRoutes, alertRoutes({} as never)]);
});
afterAll(() => api?.stop());

const minute = 60_000;
const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
const windows = '/v1/sip/maintenance-windows';

interface Window {
  readonly window_id: string;
  readonly is_open: boolean;
  readonly starts_at: string | null;
}

const create = (tenant: Tenant, body: object) =>
  api.call<Window>(tenant, 'POST', windows, {
    name: 'PBX upgrade',
    time_zone: 'UTC',
    schedule: {
      type: 'once',
      starts_at: iso(Date.now() - 60 * minute),
      ends_at: iso(Date.now() + 60 * minute),
    },
    ...body,
  });

let checks = 0;

/** A number whose only server has been down for an hour, with an alert after five minutes. */
async function brokenTrunk(tenant: Tenant) {
  const number = freshNumber();
  const host = `pbx${number.slice(-4)}.example.com`;
  await api.call(tenant, 'POST', '/v1/sip/attach', attachBody([number], outbound(`sip:${host}`)));
  const alert_config = {
    thresholds: { unreachable_minutes: 5 },
    channels: { webhook: 'https://hooks.example.com/alerts' },
  };
  const body = { phone_number: number, direction: 'outbound', alert_config };
  expect((await api.call(tenant, 'PATCH', '/v1/sip/config', body)).status).toBe(200);
  const report = (status: EndpointHealth['status'], checkedAt: number) =>
    storeChecks(api.database, [
      {
        id: `${++checks}-0`,
        json: JSON.stringify({
          version: 1,
          edge_id: 'edge-1',
          endpoint: endpointName({ host, transport: 'tls' }),
          status,
          checked_at: iso(checkedAt),
          reason: status === 'healthy' ? null : 'timeout',
          detail: null,
          sip_status: status === 'healthy' ? 200 : null,
          response_time_milliseconds: status === 'healthy' ? 20 : null,
          evidence: 'probe',
          targets: [],
        }),
      },
    ]);
  await report('unreachable', Date.now() - 60 * minute);
  await report('unreachable', Date.now());
  return { number, report };
}

const evaluate = async (now = new Date()) => {
  await sql`update alert_evaluation set evaluated_at = '2000-01-01'`.execute(api.database);
  const registrations = { read: async () => new Map<string, never>() };
  return (await evaluateAlerts(
    { database: api.database, settings: api.parts.settings, registrations },
    now,
  ))!;
};

const noticesOf = async (tenant: Tenant): Promise<string[]> =>
  (
    await api.database
      .selectFrom('deliveries')
      .select('event')
      .where('organization_id', '=', tenant.organizationId)
      .orderBy('created_at')
      .execute()
  ).map(({ event }) => event);

interface Alerts {
  readonly alerts: { readonly state: string; readonly maintenance: object | null }[];
}

describe('an alert in a maintenance window', () => {
  it('is recorded with the window, not sent, counts as noticed, and is sent after the window if it persists', async () => {
    const tenant = await api.tenant();
    await brokenTrunk(tenant);
    const { data } = await create(tenant, {});
    expect(data).toMatchObject({ is_open: true, created_by: 'test', updated_by: 'test' });
    await evaluate();
    const maintenance = { window_id: data.window_id, name: 'PBX upgrade', withheld: true };
    const list = async () => (await api.call<Alerts>(tenant, 'GET', '/v1/sip/alerts')).data.alerts;
    expect(await list()).toMatchObject([{ state: 'active', maintenance }]);
    expect(await noticesOf(tenant)).toEqual([]);
    expect(await countActive(api.database, tenant.organizationId)).toEqual({ active: 1, unnoticed: 0 });
    await evaluate();
    expect(await noticesOf(tenant)).toEqual([]);
    await api.call(tenant, 'PATCH', `${windows}/${data.window_id}`, { enabled: false });
    await evaluate();
    expect(await noticesOf(tenant)).toEqual(['alert.fired']);
    expect(await list()).toMatchObject([{ maintenance: { ...maintenance, withheld: false } }]);
    await evaluate();
    expect(await noticesOf(tenant)).toEqual(['alert.fired']);
  });

  it('is never sent when it ends within the window', async () => {
    const tenant = await api.tenant();
    const { report } = await brokenTrunk(tenant);
    const { data } = await create(tenant, {});
    await evaluate();
    await report('healthy', Date.now());
    await api.call(tenant, 'DELETE', `${windows}/${data.window_id}`);
    await report('healthy', Date.now() + minute);
    const changes = await evaluate(new Date(Date.now() + 4 * minute));
    expect(changes.filter(({ organizationId }) => organizationId === tenant.organizationId)).toMatchObject([
      { change: 'recovered', isWithheld: true },
    ]);
    expect(await noticesOf(tenant)).toEqual([]);
  });

  it('is sent when the window is for another number, kind or organization, or not open', async () => {
    const tenant = await api.tenant();
    const secondTrunk = await brokenTrunk(tenant);
    await create(tenant, { phone_number: secondTrunk.number });
    const { number } = await brokenTrunk(tenant);
    await create(tenant, { phone_number: number, kinds: ['failure_rate'] });
    await create(tenant, { enabled: false });
    const weekday = { type: 'weekly', weekdays: ['monday'], start_time: '00:00', duration_minutes: 1 };
    await create(tenant, { schedule: weekday });
    await create(await api.tenant(), {});
    await evaluate();
    expect(await noticesOf(tenant)).toEqual(['alert.fired']);
    const open = await api.call<{ windows: Window[] }>(tenant, 'GET', `${windows}?open=true`);
    expect(open.data.windows).toHaveLength(2);
    const query = `${windows}?phone_number=${encodeURIComponent(secondTrunk.number)}`;
    expect((await api.call<{ windows: Window[] }>(tenant, 'GET', query)).data.windows).toHaveLength(3);
  });
});

describe('a maintenance window', () => {
  it('takes local times of its zone', async () => {
    const { data } = await create(await api.tenant(), {
      time_zone: 'America/New_York',
      schedule: { type: 'once', starts_at: '2099-07-01T02:00', ends_at: '2099-07-01T04:00' },
    });
    expect(data).toMatchObject({
      is_open: false,
      starts_at: '2099-07-01T06:00:00.000Z',
      schedule: { starts_at: '2099-07-01T06:00:00.000Z', ends_at: '2099-07-01T08:00:00.000Z' },
    });
  });

  it.each([
    [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
    [{ phone_number: '+14155559999' }, 'phone_number'],
    [{ trunk_id: 'trk_of_another' }, 'trunk_id'],
    [{ kinds: [] }, 'kinds'],
    [
      { schedule: { type: 'once', starts_at: '2099-07-01T02:00', ends_at: '2099-07-01T02:00' } },
      'schedule.ends_at',
    ],
    [
      { schedule: { type: 'once', starts_at: '2099-07-01T02:00', ends_at: '2099-09-01T02:00' } },
      'schedule.ends_at',
    ],
    [
      { schedule: { type: 'weekly', weekdays: ['sunday'], start_time: '24:00', duration_minutes: 60 } },
      'schedule.start_time',
    ],
    [
      { schedule: { type: 'weekly', weekdays: ['sunday'], start_time: '02:00', duration_minutes: 1_441 } },
      'schedule.duration_minutes',
    ],
  ])('is refused as %j', async (body, path) => {
    const refused = await create(await api.tenant(), body);
    expect([refused.status, refused.errors?.[0]]).toEqual([400, expect.objectContaining({ path })]);
  });

  it('is refused in years that PostgreSQL cannot write, and none stored before stops the alerts', async () => {
    const tenant = await api.tenant();
    const schedule = {
      type: 'once',
      starts_at: '9999-12-20T00:00:00Z',
      ends_at: '9999-12-31T23:59:59-23:59',
    };
    const refused = await create(tenant, { schedule });
    expect([refused.status, refused.errors?.[0]?.path]).toEqual([400, 'schedule.starts_at']);
    const { data } = await create(tenant, {});
    const stored = { ...schedule, ends_at: new Date(schedule.ends_at).toISOString() };
    await sql`update maintenance_windows set schedule = ${JSON.stringify(stored)}::jsonb
      where id = ${data.window_id}`.execute(api.database);
    await brokenTrunk(tenant);
    await evaluate();
    expect(await noticesOf(tenant)).toEqual(['alert.fired']);
  });

  it('can be disabled after its number was detached', async () => {
    const tenant = await api.tenant();
    const number = freshNumber();
    await api.call(tenant, 'POST', '/v1/sip/attach', attachBody([number], outbound('sip:pbx.example.com')));
    const { data } = await create(tenant, { phone_number: number });
    const body = { phone_number: number, directions: [{ type: 'outbound' }], service: 'sip' };
    const detached = await api.call(tenant, 'POST', '/v1/sip/detach', body);
    expect(detached.status).toBe(200);
    const changed = await api.call(tenant, 'PATCH', `${windows}/${data.window_id}`, { enabled: false });
    expect([changed.status, changed.errors]).toEqual([200, null]);
  });

  it('is not seen, changed or deleted by another organization', async () => {
    const { data } = await create(await api.tenant(), {});
    const stranger = await api.tenant();
    const path = `${windows}/${data.window_id}`;
    expect((await api.call<{ windows: Window[] }>(stranger, 'GET', windows)).data.windows).toEqual([]);
    for (const reply of [
      await api.call(stranger, 'GET', path),
      await api.call(stranger, 'PATCH', path, { enabled: false }),
      await api.call(stranger, 'DELETE', path),
    ]) {
      expect(reply.status).toBe(404);
    }
  });
});
