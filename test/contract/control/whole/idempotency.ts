import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { type ApiUser, WholeApi } from './whole-api.js';

let api: WholeApi;
let user: ApiUser;
let secret: string;
beforeAll(async () => {
  api = await WholeApi.shared();
}, 300_000);
beforeEach(async () => {
  user = await api.user();
  secret = (await createKey(api.database, user.organizationId, 'repeats', {})).key;
});

const create = (name: string, key: string) =>
  api.server.inject({
    method: 'POST',
    url: '/v1/personas',
    headers: { authorization: `Bearer ${secret}`, 'idempotency-key': key },
    payload: { name },
  });
const names = async (): Promise<string[]> =>
  (await user.get('/personas')).data.personas.map(({ name }: { name: string }) => name);

describe('a request with an Idempotency-Key', () => {
  it('is carried out once, and its repetition gets the first answer', async () => {
    const [first, again] = [await create('Anna', 'k1'), await create('Anna', 'k1')];
    expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body]);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(await names()).toEqual(['Anna']);
    await create('Anna', 'k2');
    expect(await names()).toEqual(['Anna', 'Anna']);
  });

  it('is refused with another body, and is free again after a refusal', async () => {
    await create('Anna', 'k1');
    const refused = await create('Berta', 'k1');
    expect([refused.statusCode, refused.json().errors[0].error]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    const invalid = await create('', 'k3');
    expect(invalid.statusCode).toBe(400);
    expect((await create('Carla', 'k3')).statusCode).toBe(200);
    expect(await names()).toEqual(expect.arrayContaining(['Anna', 'Carla']));
  });

  it.each(['', 'with blank', 'ü', 'x'.repeat(256)])('is refused with the key %j', async (key) => {
    const refused = await create('Anna', key);
    expect(refused.statusCode).toBe(400);
    expect(await names()).toEqual([]);
  });
});
