import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

/** A delivery that was created in that minute. */
async function deliver(at: number, fields: object = {}, by = user): Promise<string> {
  const id = `dlv_${++serial}`;
  await api.database
    .insertInto('deliveries')
    .values({
      id,
      organization_id: by.organizationId,
      event: 'alert.fired',
      subject: 'alt_1',
      channel: 'email',
      target: `${id}@acme.example`,
      content: JSON.stringify({}),
      status: 'delivered',
      created_at: minute(at),
      queue_at: minute(at),
      ...fields,
    } as never)
    .execute();
  return id;
}

const listed = async (query: string, by = user): Promise<string[]> => {
  const { data, body } = await by.get(`/webhooks/deliveries${query}`);
  expect(data, JSON.stringify(body)).toBeTruthy();
  return data.deliveries.map(({ delivery_id }: { delivery_id: string }) => delivery_id);
};

describe('deliveries', () => {
  it('are listed to their own organization, the newest first, in pages', async () => {
    const [first, second, third] = [await deliver(1), await deliver(2), await deliver(3)];
    const foreign = await deliver(4, {}, stranger);
    expect(await listed('')).toEqual([third, second, first]);
    const { body } = await user.get('/webhooks/deliveries?limit=2');
    expect([body.data.has_more, body.next]).toEqual([true, second]);
    expect(await listed(`?limit=2&after=${second}`)).toEqual([first]);
    const exact = await user.get('/webhooks/deliveries?limit=3');
    expect([exact.data.has_more, exact.body.next]).toEqual([false, null]);
    const refused = await user.get(`/webhooks/deliveries?after=${foreign}`);
    expect([refused.status, refused.path]).toEqual([400, 'after']);
  });

  it.each<[string, object]>([
    ['subject=alt_9', { subject: 'alt_9' }],
    ['webhook_id=whk_9', { endpoint_id: 'whk_9' }],
    ['event_id=evt_9', { event_id: 'evt_9' }],
    ['event=alert.recovered', { event: 'alert.recovered' }],
    ['status=failed', { status: 'failed' }],
    ['channel=sms', { channel: 'sms' }],
    ['created_after=2026-11-20T10:30:00Z', { created_at: minute(30) }],
    ['created_before=2026-11-20T10:10:00Z', { created_at: minute(9) }],
  ])('are found by %s', async (query, fields) => {
    await deliver(10);
    const wanted = await deliver(10, fields);
    await deliver(10, fields, stranger);
    expect(await listed(`?${query}`)).toEqual([wanted]);
  });

  it('are shown to their own organization alone', async () => {
    const id = await deliver(1, { status: 'failed', last_error: 'Refused.' });
    await deliver(2);
    expect((await user.get(`/deliveries/${id}`)).data).toMatchObject({
      delivery_id: id,
      status: 'failed',
      last_error: 'Refused.',
    });
    expect((await stranger.get(`/deliveries/${id}`)).status).toBe(404);
  });

  it('are sent again one at a time, by their own organization, where they are webhooks that were sent', async () => {
    const webhook = { channel: 'webhook', status: 'failed', attempts: 9 };
    const [replayed, untouched] = [await deliver(1, webhook), await deliver(2, webhook)];
    const [mail, trial, pending] = [
      await deliver(3, { status: 'failed' }),
      await deliver(4, { ...webhook, event: 'alert.test' }),
      await deliver(5, { ...webhook, status: 'pending' }),
    ];
    expect((await stranger.post(`/deliveries/${replayed}/replay`)).status).toBe(404);
    const { status, data } = await user.post(`/deliveries/${replayed}/replay`);
    expect([status, data.status]).toEqual([200, 'pending']);
    expect((await user.get(`/deliveries/${untouched}`)).data.status).toBe('failed');
    for (const id of [mail, trial, pending])
      expect((await user.post(`/deliveries/${id}/replay`)).error).toBe('DELIVERY_NOT_REPLAYABLE');
  });
});

describe('the limits of an organization', () => {
  const directions = [{ type: 'inbound', allowed_ips: ['203.0.113.0/24'] }];
  const waiting = async (number: string): Promise<number> => {
    const rows = await api.database
      .selectFrom('projection_outbox')
      .select('number')
      .where('number', '=', number.slice(1))
      .execute();
    return rows.length;
  };

  it('are changed by operators alone, and reach the edges with each number of the organization', async () => {
    const operator = await api.user({ isOperator: true });
    const [number, foreign] = ['+14155558801', '+14155558802'];
    await user.post('/sip/attach', { phone_number: number, directions, service: 'sip' });
    await stranger.post('/sip/attach', { phone_number: foreign, directions, service: 'sip' });
    await api.database.deleteFrom('projection_outbox').execute();
    const path = `/operator/organizations/${user.organizationId}`;
    expect((await user.patch(path, { limits: { concurrent_calls: 7 } })).status).toBe(403);
    for (const limits of [{ concurrent_calls: 7 }, { calls_per_second: 3 }]) {
      expect((await operator.patch(path, { limits })).status).toBe(200);
      expect([await waiting(number), await waiting(foreign)]).toEqual([1, 0]);
      await api.database.deleteFrom('projection_outbox').execute();
    }
    expect((await operator.get(path)).data.limits).toMatchObject({
      concurrent_calls: 7,
      calls_per_second: 3,
    });
    await operator.patch(path, { limits: { numbers: 9 } });
    await operator.patch(path, {});
    expect(await waiting(number)).toBe(0);
    const neighbour = await operator.get(`/operator/organizations/${stranger.organizationId}`);
    expect(neighbour.data.limits.concurrent_calls).not.toBe(7);
  });
});
