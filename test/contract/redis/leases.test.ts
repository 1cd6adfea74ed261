import { afterAll, beforeAll, expect, it } from 'vitest';
import { Leases } from '../../../src/base/leases.js';
import { until } from '../../../src/testkit/waiting.js';
import { PrivateRedis } from './private-redis.js';

let server: PrivateRedis;
beforeAll(async () => {
  server = await PrivateRedis.start();
});
afterAll(() => server?.stop());

it('a lease that ran out and was taken over is not released by the edge that lost it', async () => {
  const client = server.client();
  try {
    const slow = new Leases(client, 'edge one', 50);
    const successor = new Leases(client, 'edge two', 60_000);
    expect([...(await slow.take(['lease:a', 'lease:b']))]).toEqual(['lease:a', 'lease:b']);
    await until(async () => (await successor.take(['lease:a'])).has('lease:a'), 5_000, 'the lease runs out');
    // A slow drain ends long after the lease did.
    await slow.release(['lease:a', 'lease:b']);
    expect(await client.get('lease:a')).toBe('edge two');
    expect((await slow.take(['lease:a'])).size).toBe(0);
    await successor.release(['lease:a']);
    expect((await slow.take(['lease:a'])).size).toBe(1);
  } finally {
    client.disconnect();
  }
});
