import type { Redis } from 'ioredis';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectRedis } from '../../../src/base/redis.js';
import { Subscriber } from '../../../src/base/subscriber.js';
import { until } from '../../../src/testkit/waiting.js';
import { BreakableLink } from '../call/breakable-link.js';
import { PrivateRedis } from './private-redis.js';

const log = pino({ level: 'silent' });
const channel = 'demarc:test';

let server: PrivateRedis;
let client: Redis;
let link: BreakableLink;
beforeAll(async () => {
  server = await PrivateRedis.start();
  client = server.client();
});
afterAll(async () => {
  client?.disconnect();
  await server?.stop();
});
beforeEach(async () => {
  link = await BreakableLink.to({ host: '127.0.0.1', port: server.port });
});
afterEach(() => link.close());

const connected = (): Redis => connectRedis(`redis://127.0.0.1:${link.port}`, log, 'test');

it('subscribes again after connections that break while it subscribes', async () => {
  const redis = connected();
  const messages: string[] = [];
  const failures: string[] = [];
  let subscriptions = 0;
  const subscriber = new Subscriber({
    redis,
    name: 'test-channels',
    channels: { [channel]: (message) => messages.push(message) },
    subscribed: () => subscriptions++,
    failed: ({ message }) => failures.push(message),
  });
  subscriber.start();
  try {
    await until(() => subscriber.isSubscribed, 5_000, 'first subscription');
    let breaks = 3;
    link.onData = (from, chunk) => {
      if (from === 'near' && /\r\nsubscribe\r/i.test(chunk.toString()) && breaks-- > 0) link.break();
    };
    link.break();
    await until(() => subscriptions === 2, 20_000, 'second subscription');
    expect(failures).toHaveLength(3);
    expect(subscriber.isSubscribed).toBe(true);
    await client.publish(channel, 'heard');
    await until(() => messages.length > 0, 5_000, 'message');
    expect(messages).toEqual(['heard']);
  } finally {
    subscriber.stop();
    redis.disconnect();
  }
});

it('is the only one that subscribes: a failure of ioredis would be an unhandled rejection', async () => {
  const redis = connected();
  let subscriptions = 0;
  const subscriber = new Subscriber({
    redis,
    name: 'test-channels',
    channels: { [channel]: () => {} },
    subscribed: () => subscriptions++,
  });
  subscriber.start();
  try {
    await until(() => subscriptions === 1, 5_000, 'first subscription');
    let sent = '';
    link.onData = (from, chunk) => {
      if (from === 'near') sent += chunk.toString();
    };
    link.break();
    await until(() => subscriptions === 2, 20_000, 'second subscription');
    expect(sent.match(/\r\nsubscribe\r/gi)).toHaveLength(1);
  } finally {
    subscriber.stop();
    redis.disconnect();
  }
});
