import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CallCommand } from '../../../src/contract/commands.js';
import { commandStream, orderedCallKey, stopChannel } from '../../../src/contract/keys.js';
import { until } from '../../../src/testkit/waiting.js';
import { Carrier } from '../carrier.js';
import { waitForAudioBothWays } from '../hearing.js';
import type { Stack } from '../stack.js';

const callee = '+14155550100';
let stack: Stack;
let certificateFile: string;
const carriers: Carrier[] = [];

/** A call through a carrier that wants these credentials and is given those. */
async function callThrough(algorithm: 'MD5' | 'SHA-256', password: string) {
  const phone = await stack.phone({ user: callee, certificateFile, answersByItself: true });
  const tlsPort = await stack.ports.take();
  const carrier = await Carrier.start({
    directory: join(stack.directory, `carrier ${tlsPort}`.replace(' ', '-')),
    tlsPort,
    certificate: await stack.authority.issue('carrier'),
    caFile: stack.authority.caFile,
    algorithm,
    realm: 'carrier.test',
    user: 'trunk-1',
    password: 'correct-horse',
    callee: `sip:${[...phone.ownAddresses][1]};transport=tls`,
  });
  carriers.push(carrier);
  const number = await stack.number({
    // By then both have been heard: a phone records no more after a hold.
    behaviour: 'hold-4',
    outbound: [
      {
        id: 'carrier',
        host: '127.0.0.1',
        port: tlsPort,
        transport: 'tls',
        credential: { username: 'trunk-1', password: stack.seal(password) },
      },
    ],
  });
  const command: CallCommand = {
    version: 1,
    call_id: randomUUID(),
    organization: 'acme',
    number,
    phone_number: callee.slice(1),
    max_duration_seconds: 60,
    expires_at: new Date(Date.now() + 60_000).toISOString(),
  };
  await stack.redisClient.xadd(commandStream, '*', 'command', JSON.stringify(command));
  const recorded = () => stack.record(({ call_id: id }) => id === command.call_id);
  const stop = async () => {
    await stack.redisClient.hset(orderedCallKey(command.call_id), 'stop', '1');
    await stack.redisClient.publish(stopChannel, command.call_id);
  };
  return { phone, carrier, recorded, stop };
}

export function digestAtCarrier(stage: () => Stack): void {
  describe('a trunk that requires credentials', () => {
    beforeAll(async () => {
      stack = stage();
      const { cert, key } = await stack.authority.issue('phone');
      certificateFile = join(stack.directory, 'phone.pem');
      writeFileSync(certificateFile, cert + key, { mode: 0o600 });
    });

    afterEach(async () => {
      await stack.endTest();
      for (const carrier of carriers.splice(0)) await carrier.stop();
    });

    describe('a carrier that requires digest credentials (Kamailio, TLS)', () => {
      it.each(['MD5', 'SHA-256'] as const)(
        'takes %s, the call is heard both ways, and is held, resumed and ended with credentials',
        async (algorithm) => {
          const { phone, carrier, recorded, stop } = await callThrough(algorithm, 'correct-horse');
          await phone.waitFor('CALL_ESTABLISHED', 20_000);
          await waitForAudioBothWays(phone, 0.2);
          const inside = (method: string) =>
            [...carrier.output.matchAll(/authenticated trunk-1 with (\S+) for (\S+)/g)].filter(
              ([, , of]) => of === method,
            );
          await until(
            () => inside('INVITE').length === 2,
            20_000,
            () => `hold and resume:\n${carrier.output}`,
          );
          await stop();
          const record = await recorded();
          expect(record).toMatchObject({ outcome: 'completed', end_reason: 'stopped', sip_status: 200 });
          await until(
            () => inside('BYE').length === 1,
            20_000,
            () => `BYE:\n${carrier.output}`,
          );
          const challenge = record.trace.find(({ summary }) => summary.startsWith('407 '))!;
          expect(challenge.message).toMatch(new RegExp(`algorithm="?${algorithm}`));
          expect(carrier.output).toMatch(
            /authenticated trunk-1 with sip:\+14155550100@127\.0\.0\.1:\d+;transport=tls/,
          );
          expect(stack.logs).not.toContain('correct-horse');
        },
      );

      it('refuses the call when they are wrong, and is tried once only', async () => {
        const { recorded } = await callThrough('SHA-256', 'battery-staple');
        const record = await recorded();
        expect(record).toMatchObject({ outcome: 'refused', end_reason: 'trunk_refused', sip_status: 407 });
        const invites = record.trace.filter(({ leg, summary }) => leg === 'trunk' && summary === 'INVITE');
        expect(invites).toHaveLength(2);
      });
    });
  });
}
