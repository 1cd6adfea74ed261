import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitForTone } from './hearing.js';
import { phoneToneHertz, Stack } from './stack.js';

/** An agent runtime (a softphone on the private side) that calls out through a number's trunk (a phone over TLS). */
const callee = '+14155550100';
const runtimeToneHertz = 600;
let stack: Stack;
let certificateFile: string;

beforeAll(async () => {
  stack = await Stack.start();
  const { cert, key } = await stack.authority.issue('phone');
  certificateFile = join(stack.directory, 'phone.pem');
  writeFileSync(certificateFile, cert + key, { mode: 0o600 });
});
afterEach(() => stack.endTest());
afterAll(() => stack?.finish());

describe('an INVITE of the agent runtime', () => {
  it('goes out through the trunk of the number in From, and is heard both ways', async () => {
    const phone = await stack.phone({ user: callee, certificateFile, answersByItself: true });
    const number = await stack.number({
      outbound: [
        {
          id: 'carrier',
          host: '127.0.0.1',
          port: Number([...phone.ownAddresses][1]!.split(':')[1]),
          transport: 'tls',
        },
      ],
    });
    const runtime = await stack.phone({
      user: `+${number}`,
      transport: 'tcp',
      mediaEncryption: 'none',
      toneHertz: runtimeToneHertz,
    });
    await runtime.dial(stack.privateUri(callee));
    await runtime.waitFor('CALL_ESTABLISHED', 10_000);
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
