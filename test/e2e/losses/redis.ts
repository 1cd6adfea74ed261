import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { numberChannel, numberKey } from '../../../src/contract/keys.js';
import { until } from '../../../src/testkit/waiting.js';
import { waitForAudioBothWays } from '../hearing.js';
import type { Stack } from '../stack.js';
import { callFrom } from '../talking.js';

let stack: Stack;

const call = (number: string) => callFrom(stack, number);

export function lossOfRedis(stage: () => Stack): void {
  describe('the loss of Redis', () => {
    beforeAll(() => {
      stack = stage();
    });

    afterEach(() => stack.endTest());

    describe('Redis', () => {
      it.each([
        ['is killed, loses its data, and is started again', 'kill'],
        ['hangs and recovers', 'hang'],
      ] as const)(
        '%s: active calls continue, new ones are set up, every record arrives',
        async (_what, fault) => {
          const number = await stack.number();
          await (await call(number)).hangup();
          await stack.recordOf(number);
          const during = await call(number);
          if (fault === 'kill') await stack.redis.kill();
          else stack.redis.hang();
          const meanwhile = await call(number);
          await Promise.all([waitForAudioBothWays(during), waitForAudioBothWays(meanwhile)]);
          await during.hangup();
          await meanwhile.hangup();
          const unknown = await stack.phone();
          await unknown.dial(stack.uri('12025550123'));
          // Whether this number exists is unknown: the caller gets Retry-After.
          await expect(unknown.waitFor('CALL_ESTABLISHED', 20_000)).rejects.toThrow(/^503 /);
          const after = await call(number);
          if (fault === 'kill') await stack.redis.up();
          else stack.redis.resume();
          await after.hangup();
          const outcomes = new Map<string, string>();
          // Each at least once: what Redis was given while it hung is sent again, and may come twice.
          while (outcomes.size < 3) {
            const { call_id, outcome } = await stack.recordOf(number);
            outcomes.set(call_id, outcome);
          }
          expect([...outcomes.values()]).toEqual(['completed', 'completed', 'completed']);
          expect(await stack.recordOf('12025550123')).toMatchObject({
            outcome: 'refused',
            sip_status: 503,
          });
          // The number is still known, though Redis came back without it.
          await (await call(number)).hangup();
          expect((await stack.recordOf(number)).outcome).toBe('completed');
        },
      );
    });

    describe('a number document that is malformed', () => {
      it.each([
        ['is not JSON', () => '{"version":1,'],
        [
          'has a field that does not exist',
          (good: string) => good.replace('"organization"', '"organisation":"x","organization"'),
        ],
        ['allows every source', (good: string) => good.replace('127.0.0.0/8', '0.0.0.0/0')],
      ])('since it %s: the one before stays in force, and that is reported', async (_what, spoil) => {
        const number = await stack.number();
        await (await call(number)).hangup();
        await stack.recordOf(number);
        const good = await stack.redisClient.get(numberKey(number));
        await stack.redisClient.set(numberKey(number), spoil(good!));
        await stack.redisClient.publish(numberChannel, number);
        await until(
          async () => {
            await (await call(number)).hangup();
            return (
              (await stack.recordOf(number)).outcome === 'completed' &&
              stack.edge.output.includes('malformed')
            );
          },
          20_000,
          'the edge says that the document is malformed',
        );
        const report = stack.edge.output
          .split('\n')
          .find((line) => line.includes('malformed') && line.includes(number));
        expect(JSON.parse(report!)).toMatchObject({ level: 50, number, servesEarlier: true });
        await stack.redisClient.set(numberKey(number), good!.replace('"acme"', '"acme-2"'));
        await stack.redisClient.publish(numberChannel, number);
        await until(
          async () => {
            await (await call(number)).hangup();
            return (await stack.recordOf(number)).organization === 'acme-2';
          },
          20_000,
          'the good document is in force',
        );
      });
    });
  });
}
