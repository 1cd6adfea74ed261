import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ApiUser, WholeApi } from './whole-api.js';

let api: WholeApi;
let user: ApiUser;
let stranger: ApiUser;
let serial = 100;
beforeAll(async () => {
  api = await WholeApi.shared();
}, 300_000);
beforeEach(async () => {
  [user, stranger] = [await api.user(), await api.user()];
});

const directions = [{ type: 'inbound', allowed_ips: ['203.0.113.0/24'] }];
const trunk = async (by: ApiUser = user): Promise<string> =>
  (await by.post('/trunks', { name: 'Headquarters', directions })).data.trunk_id;
/** Numbers that no other test has, in order. */
const numbers = (count: number): string[] =>
  Array.from({ length: count }, () => `+14155550${(serial++).toString().padStart(3, '0')}`);

describe('a shared trunk', () => {
  it('counts and lists its numbers, in pages and in order', async () => {
    const [id, branch] = [await trunk(), await trunk()];
    const [first, second, third, elsewhere] = numbers(4) as [string, string, string, string];
    await user.post(`/trunks/${id}/numbers`, { phone_numbers: [third, first, second] });
    await user.post(`/trunks/${branch}/numbers`, { phone_numbers: [elsewhere] });
    expect((await user.get(`/trunks/${id}`)).data.number_count).toBe(3);
    const { trunks } = (await user.get('/trunks')).data;
    expect(trunks.map((each: { number_count: number }) => each.number_count)).toEqual([1, 3]);
    const page = await user.get(`/trunks/${id}/numbers?limit=2`);
    expect(page.body).toMatchObject({ data: { phone_numbers: [first, second] }, has_more: true });
    const next = await user.get(`/trunks/${id}/numbers?limit=2&after=${encodeURIComponent(page.body.next)}`);
    expect(next.body).toMatchObject({ data: { phone_numbers: [third] }, has_more: false, next: null });
  });

  it('shows its numbers to its own organization alone', async () => {
    const id = await trunk();
    const refused = await stranger.get(`/trunks/${id}/numbers`);
    expect([refused.status, refused.error]).toEqual([404, 'NOT_FOUND']);
  });

  it('is not deleted while numbers use it', async () => {
    const id = await trunk();
    const [number] = numbers(1);
    await user.post(`/trunks/${id}/numbers`, { phone_numbers: [number] });
    const refused = await user.delete(`/trunks/${id}`);
    expect([refused.status, refused.error]).toEqual([409, 'TRUNK_IN_USE']);
    expect(refused.message).toContain('1 number');
    await user.post('/sip/detach', { phone_number: number, directions, service: 'sip' });
    const { trunk_id: left } = (await user.get(`/trunks/${id}`)).data;
    expect(left).toBe(id);
  });

  it('refuses a page after a trunk that is not there, or another organization has', async () => {
    await trunk();
    const foreign = await trunk(stranger);
    for (const after of ['trk_none', foreign]) {
      const refused = await user.get(`/trunks?after=${after}`);
      expect([refused.status, refused.error, refused.path]).toEqual([400, 'VALIDATION_ERROR', 'after']);
    }
  });

  it('takes no numbers of another organization', async () => {
    const [mine, foreign] = [await trunk(), await trunk(stranger)];
    const [number] = numbers(1);
    await stranger.post(`/trunks/${foreign}/numbers`, { phone_numbers: [number] });
    const { data } = await user.post(`/trunks/${mine}/numbers`, { phone_numbers: [number] });
    expect(JSON.stringify(data)).toContain(number);
    expect((await user.get(`/trunks/${mine}`)).data.number_count).toBe(0);
    expect((await stranger.get(`/trunks/${foreign}`)).data.number_count).toBe(1);
  });
});

describe('a number', () => {
  const attach = (phone_numbers: readonly string[], by: ApiUser = user) =>
    by.post('/sip/attach', { phone_numbers, directions, service: 'sip' });

  it('is listed and shown to its own organization alone', async () => {
    const [number] = numbers(1) as [string];
    expect((await attach([number])).status).toBe(200);
    const listed = (await user.get('/sip/numbers')).data;
    expect(JSON.stringify(listed)).toContain(number);
    expect(JSON.stringify((await stranger.get('/sip/numbers')).data)).not.toContain(number);
  });

  it('is free once its last direction is detached', async () => {
    const [number] = numbers(1) as [string];
    await attach([number]);
    const detached = await user.post('/sip/detach', {
      phone_number: number,
      directions: [{ type: 'inbound' }, { type: 'outbound' }],
      service: 'sip',
    });
    expect(detached.data).toMatchObject({ phone_number: number, detached: ['inbound'], remaining: [] });
    expect(JSON.stringify((await user.get('/sip/numbers')).data)).not.toContain(number);
  });

  it('is changed by its own organization alone', async () => {
    const [number] = numbers(1) as [string];
    await attach([number]);
    const change = { phone_number: number, updates: { type: 'inbound', allowed_ips: ['203.0.113.7'] } };
    expect((await stranger.post('/sip/update', change)).status).toBe(404);
    const { data } = await user.post('/sip/update', change);
    expect(JSON.stringify(data.configuration)).toContain('203.0.113.7');
    const detach = { phone_number: number, directions: [{ type: 'inbound' }], service: 'sip' };
    expect((await stranger.post('/sip/detach', detach)).status).toBe(404);
  });
});
