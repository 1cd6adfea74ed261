import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PrivateRedis } from './private-redis.js';

let server: PrivateRedis;
let client: ReturnType<PrivateRedis['client']>;
beforeAll(async () => {
  server = await PrivateRedis.start();
  client = server.client();
});
afterAll(async () => {
  client?.disconnect();
  await server?.stop();
});

/** As a test that fails leaves it. */
describe('a server that a test leaves', () => {
  it.each(['hung', 'killed'] as const)('%s answers in the next test', async (fault) => {
    expect(await client.ping()).toBe('PONG');
    if (fault === 'hung') server.hang();
    else await server.kill();
  });

  it('answers in the last test', async () => {
    expect(await client.ping()).toBe('PONG');
  });
});
