import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Baresip } from '../../../dev/softphone/baresip.js';
import type { CallCommand } from '../../../src/contract/commands.js';
import { commandStream } from '../../../src/contract/keys.js';
import { operatorAgent } from '../../support/agent-credentials.js';
import { waitForTone } from '../hearing.js';
import { phoneToneHertz, type Stack } from '../stack.js';

/** An agent runtime (a softphone on the private side) that calls out through a number's trunk (a phone over TLS). */
const callee = '+14155550100';
const runtimeToneHertz = 600;
let stack: Stack;
let certificateFile: string;

/** A number whose trunk is the phone. */
const numberWith = (phone: Baresip, inbound: Record<string, unknown> = {}): Promise<string> =>
  stack.number({
    inbound,
    outbound: [
      {
        id: 'carrier',
        host: '127.0.0.1',
        port: Number([...phone.ownAddresses][1]!.split(':')[1]),
        transport: 'tls',
      },
    ],
  });

export function callsOfAgents(stage: () => Stack): void {
  describe('a call of an agent runtime', () => {
    beforeAll(async () => {
      stack = stage();
      const { cert, key } = await stack.authority.issue('phone');
      certificateFile = join(stack.directory, 'phone.pem');
      writeFileSync(certificateFile, cert + key, { mode: 0o600 });
    });

    afterEach(() => stack.endTest());

    describe('an agent runtime that is a softphone', () => {
      it('is held while the phone rings for long, and then heard both ways', async () => {
        const phone = await stack.phone({ user: callee, certificateFile });
        const runtime = await stack.phone({
          transport: 'tcp',
          mediaEncryption: 'none',
          toneHertz: runtimeToneHertz,
          answersByItself: true,
        });
        const [address] = [...runtime.ownAddresses];
        const number = await numberWith(phone, { agent_uri: `sip:caller@${address};transport=tcp` });
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
        await phone.waitFor('CALL_INCOMING', 20_000);
        // It takes the call when its answer is held no longer.
        await runtime.waitFor('CALL_ESTABLISHED', 20_000);
        await phone.answer();
        await waitForTone(phone, runtimeToneHertz, 0.4);
        await waitForTone(runtime, phoneToneHertz, 0.4);
        await phone.hangup();
        const record = await stack.record(({ call_id: id }) => id === command.call_id);
        expect(record).toMatchObject({ outcome: 'completed', end_reason: 'callee_hung_up' });
        const toAgent = record.trace.filter(({ leg, summary }) => leg === 'agent' && summary === 'INVITE');
        expect(toAgent).toHaveLength(2);
      });
    });

    describe('an INVITE of the agent runtime', () => {
      it('is placed through the trunk of the number in From, with audio both ways', async () => {
        const phone = await stack.phone({ user: callee, certificateFile, answersByItself: true });
        const number = await numberWith(phone);
        const runtime = await stack.phone({
          user: `+${number}`,
          credentials: operatorAgent,
          transport: 'tcp',
          mediaEncryption: 'none',
          toneHertz: runtimeToneHertz,
        });
        await runtime.dial(stack.privateUri(callee));
        await runtime.waitFor('CALL_ESTABLISHED', 20_000);
        await waitForTone(phone, runtimeToneHertz, 0.4);
        await waitForTone(runtime, phoneToneHertz, 0.4);
        await runtime.hangup();
        const record = await stack.recordOf(callee);
        expect(record).toMatchObject({
          direction: 'outbound',
          number,
          outcome: 'completed',
          end_reason: 'agent_hung_up',
          media: { srtp_suite: 'AES_CM_128_HMAC_SHA1_80' },
        });
        expect(record.media!.trunk!.packets_received).toBeGreaterThan(20);
      });
    });
  });
}
