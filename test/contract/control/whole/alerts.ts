import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readOpenWindows, readWindows } from '../../../../src/control/alerts/maintenance/windows.js';
import { countActive, countAllActive, readNotifiedBetween } from '../../../../src/control/alerts/read.js';
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

const minute = (at: number): Date => new Date(Date.UTC(2026, 10, 20, 10, at));

/** An alert that fired in that minute. */
async function fire(by: ApiUser, at: number, fields: object = {}): Promise<string> {
  const id = `alt_${++serial}`;
  await api.database
    .insertInto('alerts')
    .values({
      id,
      organization_id: by.organizationId,
      // Of one threshold only one is active.
      number: `1415555${5_000 + serial}`,
      direction: 'inbound',
      kind: 'unreachable',
      threshold: 1,
      title: 'Unreachable',
      summary: 'It is down.',
      cause: 'Unknown.',
      advice: 'Look.',
      since: minute(at),
      fired_at: minute(at),
      ...fields,
    } as never)
    .execute();
  return id;
}

const listed = async (query: string, by = user): Promise<string[]> => {
  const { data, body } = await by.get(`/sip/alerts${query}`);
  expect(data, JSON.stringify(body)).toBeTruthy();
  return data.alerts.map(({ alert_id }: { alert_id: string }) => alert_id);
};

describe('alerts', () => {
  it('are listed with the active ones first, each newest first, to their organization alone', async () => {
    const recovered = { state: 'recovered', recovered_at: minute(9) };
    const [old, ended, late, fresh] = [
      await fire(user, 1),
      await fire(user, 2, recovered),
      await fire(user, 3, recovered),
      await fire(user, 4),
    ];
    await fire(stranger, 5);
    expect(await listed('')).toEqual([fresh, old, late, ended]);
    expect((await user.get('/sip/alerts')).data).toMatchObject({ active_count: 2, has_more: false });
    expect(await listed('?limit=3')).toEqual([fresh, old, late]);
    for (const [after, rest] of [
      [fresh, [old, late, ended]],
      [old, [late, ended]],
      [ended, []],
    ] as const)
      expect(await listed(`?after=${after}`)).toEqual(rest);
    const { body } = await user.get('/sip/alerts?limit=3');
    expect([body.has_more, body.next]).toEqual([true, late]);
    expect((await user.get('/sip/alerts?limit=4')).body).toMatchObject({ has_more: false, next: null });
  });

  it('are listed by number, direction and state', async () => {
    const [inbound, neighbour, outbound, over] = [
      await fire(user, 1, { number: '14155550100' }),
      await fire(user, 2, { number: '14155550101' }),
      await fire(user, 3, { direction: 'outbound' }),
      await fire(user, 4, { state: 'closed', recovered_at: minute(9) }),
    ];
    expect(await listed('?phone_number=%2B14155550101')).toEqual([neighbour]);
    expect(await listed('?direction=outbound')).toEqual([outbound]);
    expect(await listed('?state=closed')).toEqual([over]);
    expect(await listed('?state=active&direction=inbound&phone_number=%2B14155550100')).toEqual([inbound]);
    expect((await user.get('/sip/alerts?state=closed')).data.active_count).toBe(0);
  });

  it('refuse a page after an alert that another organization has', async () => {
    const foreign = await fire(stranger, 1);
    for (const name of ['after', 'before']) {
      const { status, path } = await user.get(`/sip/alerts?${name}=${foreign}`);
      expect([status, path]).toEqual([400, name]);
    }
  });

  it('are acknowledged and muted by their own organization, one at a time', async () => {
    const [handled, untouched] = [await fire(user, 1), await fire(user, 2)];
    const change = { acknowledged: true, note: 'On it', mute_minutes: 60 };
    expect((await stranger.patch(`/sip/alerts/${handled}`, change)).status).toBe(404);
    expect((await user.patch(`/sip/alerts/${handled}`, change)).data).toMatchObject({
      alert_id: handled,
      acknowledged_by: 'test',
      note: 'On it',
      muted_by: 'test',
    });
    expect((await user.get(`/sip/alerts/${untouched}`)).data).toMatchObject({
      acknowledged_at: null,
      note: null,
      muted_until: null,
    });
    expect((await stranger.get(`/sip/alerts/${handled}`)).status).toBe(404);
    expect((await user.patch(`/sip/alerts/${handled}`, {})).status).toBe(400);
    const withdrawn = await user.patch(`/sip/alerts/${handled}`, { acknowledged: false });
    expect(withdrawn.data).toMatchObject({ acknowledged_at: null, note: 'On it', muted_by: 'test' });
  });

  it('count as unnoticed until a colleague acknowledges them', async () => {
    const id = await fire(user, 1);
    await fire(user, 2, { is_withheld: true });
    await fire(user, 3, { state: 'recovered', recovered_at: minute(9) });
    await fire(stranger, 1);
    expect(await countActive(api.database, user.organizationId)).toEqual({ active: 2, unnoticed: 1 });
    await user.patch(`/sip/alerts/${id}`, { acknowledged: true });
    expect(await countActive(api.database, user.organizationId)).toEqual({ active: 2, unnoticed: 0 });
    const all = await countAllActive(api.database);
    await fire(user, 4, { state: 'closed', recovered_at: minute(9) });
    expect(await countAllActive(api.database)).toBe(all);
  });

  it('are read in order of firing within a time, its ends included', async () => {
    const [, first, last] = [
      await fire(user, 1),
      await fire(user, 2),
      await fire(user, 5),
      await fire(user, 6),
    ];
    await fire(stranger, 3);
    const read = (limit: number) =>
      readNotifiedBetween(api.database, user.organizationId, { from: minute(2), until: minute(5), limit });
    expect((await read(10)).map(({ alert }) => alert.id)).toEqual([first, last]);
    expect((await read(1)).map(({ alert }) => alert.id)).toEqual([first]);
  });
});

describe('the contacts of alerts', () => {
  it('are replaced by channel, for the own organization', async () => {
    expect((await user.get('/sip/alerts/contacts')).data).toMatchObject({ emails: [], phone_numbers: [] });
    await user.patch('/sip/alerts/contacts', { emails: ['a@acme.example', 'b@acme.example'] });
    await user.patch('/sip/alerts/contacts', { phone_numbers: ['+14155550123'] });
    expect((await user.get('/sip/alerts/contacts')).data).toMatchObject({
      emails: ['a@acme.example', 'b@acme.example'],
      phone_numbers: ['+14155550123'],
    });
    await user.patch('/sip/alerts/contacts', { emails: [] });
    expect((await user.get('/sip/alerts/contacts')).data).toMatchObject({
      emails: [],
      phone_numbers: ['+14155550123'],
    });
    expect((await stranger.get('/sip/alerts/contacts')).data).toMatchObject({
      emails: [],
      phone_numbers: [],
    });
    expect((await user.patch('/sip/alerts/contacts', {})).status).toBe(400);
  });
});

describe('maintenance windows', () => {
  const weekly = { type: 'weekly', weekdays: ['sunday'], start_time: '02:00', duration_minutes: 120 };
  const now = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
  const open = { type: 'once', starts_at: now(-60), ends_at: now(60) };
  const create = async (fields: object, by = user) => {
    const { status, data, body } = await by.post('/sip/maintenance-windows', {
      name: 'Upgrade',
      time_zone: 'UTC',
      schedule: weekly,
      ...fields,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    return data;
  };
  const names = async (query: string): Promise<string[]> =>
    (await user.get(`/sip/maintenance-windows${query}`)).data.windows.map(
      ({ name }: { name: string }) => name,
    );

  it('are filtered by whether they are open', async () => {
    await create({ name: 'open', schedule: open });
    await create({ name: 'over', schedule: { ...open, starts_at: now(-120), ends_at: now(-60) } });
    await create({ name: 'off', schedule: open, enabled: false });
    expect(await names('?open=true')).toEqual(['open']);
    expect(await names('?open=false')).toEqual(['off', 'over']);
    expect(await names('')).toEqual(['off', 'over', 'open']);
  });

  it('are read for all organizations while they are open', async () => {
    const windows = [
      await create({ name: 'open', schedule: open }),
      await create({ name: 'foreign', schedule: open }, stranger),
    ];
    await create({ name: 'over', schedule: { ...open, starts_at: now(-120), ends_at: now(-60) } });
    await create({ name: 'off', schedule: open, enabled: false });
    const owners = [user.organizationId, stranger.organizationId];
    const found = (await readOpenWindows(api.database, new Date())).filter(({ organization_id: id }) =>
      owners.includes(id),
    );
    expect(found.map(({ id }) => id)).toEqual(windows.map(({ window_id: id }) => id));
  });

  it('are filtered by the number that they cover', async () => {
    const phone_number = '+14155559901';
    const directions = [{ type: 'inbound', allowed_ips: ['203.0.113.0/24'] }];
    const { trunk_id } = (await user.post('/trunks', { name: 'HQ', directions })).data;
    const { trunk_id: branch } = (await user.post('/trunks', { name: 'Branch', directions })).data;
    await user.post(`/trunks/${trunk_id}/numbers`, { phone_numbers: [phone_number, '+14155559902'] });
    await create({ name: 'all' });
    await create({ name: 'number', phone_number });
    await create({ name: 'other number', phone_number: '+14155559902' });
    await create({ name: 'trunk', trunk_id });
    await create({ name: 'other trunk', trunk_id: branch });
    expect(await names(`?phone_number=${encodeURIComponent(phone_number)}`)).toEqual([
      'trunk',
      'number',
      'all',
    ]);
    // A number without a trunk.
    expect(await names('?phone_number=%2B14155559909')).toEqual(['all']);
  });

  it('keep what a change does not name, and who changed them', async () => {
    const { window_id, created_at } = await create({ name: 'Upgrade', kinds: ['unreachable'] });
    const colleague = await api.colleague(user.organizationId);
    const { data } = await colleague.patch(`/sip/maintenance-windows/${window_id}`, { enabled: false });
    expect(data).toMatchObject({
      name: 'Upgrade',
      kinds: ['unreachable'],
      enabled: false,
      schedule: weekly,
      created_at,
    });
    expect((await readWindows(api.database, user.organizationId)).length).toBe(1);
  });
});
