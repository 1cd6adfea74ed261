import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Linphone } from '../../../dev/softphone/linphone.js';
import { hearTone } from '../../../dev/softphone/tone.js';
import { packetsFrom } from '../../../src/edge/media/rtp-statistics.js';
import type { SrtpSuite } from '../../../src/sdp/srtp-key.js';
import { until } from '../../../src/testkit/waiting.js';
import { TestAuthority } from '../../support/certificates.js';
import { drachtioDiffers } from '../../support/drachtio-server.js';
import { agentToneHertz, phoneToneHertz, type Stack } from '../stack.js';
import { directionsOf, messagesOf } from '../traces.js';

/** linphonec 5.1 has no other of those that edges may take; its offer without any gets 488. */
const phoneSuites = ['AES_CM_128_HMAC_SHA1_32', 'AES_256_CM_HMAC_SHA1_80'] as const;

let stack: Stack;
let phone: Linphone | undefined;

/** linphonec, which takes SRTP only and verifies chain and name of the server. */
async function startPhone(caFile: string, srtpSuite?: SrtpSuite): Promise<Linphone> {
  const rtp = await stack.ports.takeRun(4);
  phone = await Linphone.start({
    directory: join(stack.directory, `linphone-${rtp}`),
    address: '127.0.0.1',
    tlsPort: await stack.ports.take(),
    rtpPorts: { low: rtp, high: rtp + 3 },
    user: 'caller',
    caFile,
    toneHertz: phoneToneHertz,
    ...(srtpSuite === undefined ? {} : { srtpSuite }),
  });
  return phone;
}

const dialled = (number: string): string => `${stack.uri(number, 'localhost')};transport=tls`;
const secondsHeard = (hertz: number): number => hearTone(phone!.heard, hertz).seconds;

/** Packets to the phone. Its recording can be read only after the call. */
async function sentTo(): Promise<number> {
  const [session] = await stack.rtpengines[0]!.sessions();
  const reply = await stack.rtpengines[0]!.command('query', { 'call-id': session });
  return packetsFrom(reply, 'agent') ?? 0;
}

const number = (): Promise<string> => stack.number({ codecs: { order: ['PCMU'] } });

/** Writes another certificate over the one in use; the running engine takes it. */
async function replaceCertificate(names: readonly string[]): Promise<void> {
  if (drachtioDiffers('it reads certificates only when it starts.')) {
    await stack.authority.issue('server', names);
    await stack.engine!.stop();
    await stack.startEngine();
    await until(async () => (await stack.health()) === 200, 20_000, 'the edge has found the engine');
    return;
  }
  const reloads = (): number => stack.engine!.output.split('certificates reloaded').length;
  const before = reloads();
  await stack.authority.issue('server', names);
  await until(() => reloads() > before, 20_000, 'the engine took the new certificate');
}

export function callsOfLinphone(stage: () => Stack): void {
  describe('a trunk that is a phone', () => {
    beforeAll(() => {
      stack = stage();
    });

    afterEach(async () => {
      await phone?.stop();
      await stack.endTest();
    });

    describe('linphonec', () => {
      it('verifies certificate and name, has audio both ways, holds and resumes', async () => {
        const called = await number();
        const caller = await startPhone(stack.authority.caFile);
        caller.dial(dialled(called));
        await caller.waitUntilEstablished(30_000);
        await until(async () => (await sentTo()) >= 125, 20_000, 'two seconds and a half of audio');
        caller.hold();
        await until(
          () => /paused/i.test(caller.output),
          20_000,
          () => `hold: ${caller.output}`,
        );
        caller.resume();
        const established = (): number => caller.output.split('Media streams established').length - 1;
        await until(
          () => established() === 2,
          20_000,
          () => `resume: ${caller.output}`,
        );
        const held = await sentTo();
        await until(
          async () => (await sentTo()) >= held + 150,
          20_000,
          'three seconds of audio after the hold',
        );
        caller.hangup();
        await caller.waitUntilEnded(20_000);
        expect(secondsHeard(agentToneHertz)).toBeGreaterThan(0.3);
        // Before the hold there was time for half a second of echo: the rest was heard after it.
        expect(secondsHeard(phoneToneHertz)).toBeGreaterThan(1.8);
        const record = await stack.recordOf(called);
        expect(record).toMatchObject({
          outcome: 'completed',
          end_reason: 'caller_hung_up',
          media: { trunk_codec: 'PCMU', agent_codec: 'PCMU', srtp_suite: 'AES_CM_128_HMAC_SHA1_80' },
        });
        const onAgentLeg = messagesOf(record, { leg: 'agent', method: 'INVITE' }).map(directionsOf);
        expect(onAgentLeg.flat()).toEqual([
          'sendrecv',
          'sendrecv',
          'sendonly',
          'recvonly',
          'sendrecv',
          'sendrecv',
        ]);
      });

      it.each(phoneSuites)('is heard with %s alone, where the operator allows it', async (srtpSuite) => {
        const called = await number();
        const caller = await startPhone(stack.authority.caFile, srtpSuite);
        caller.dial(dialled(called));
        await caller.waitUntilEstablished(30_000);
        await until(async () => (await sentTo()) >= 75, 20_000, 'a second and a half of audio');
        caller.hangup();
        await caller.waitUntilEnded(20_000);
        expect(secondsHeard(agentToneHertz)).toBeGreaterThan(0.3);
        expect((await stack.recordOf(called)).media?.srtp_suite).toBe(srtpSuite);
      });

      it('places no call when it does not know the authority', async () => {
        const stranger = await TestAuthority.create('CN=Another authority');
        try {
          const called = await number();
          const caller = await startPhone(stranger.caFile);
          caller.dial(dialled(called));
          await expect(caller.waitUntilEstablished(30_000)).rejects.toThrow(/error|ended/i);
          await expect(stack.recordOf(called, 900)).rejects.toThrow('call record');
          expect(caller.log).toMatch(/certificate/i);
        } finally {
          stranger.remove();
        }
      });

      it('places no call when the certificate is for another name, and does once it matches again', async () => {
        const called = await number();
        await replaceCertificate(['elsewhere.test']);
        const caller = await startPhone(stack.authority.caFile);
        caller.dial(dialled(called));
        await expect(caller.waitUntilEstablished(30_000)).rejects.toThrow(/error|ended/i);
        await replaceCertificate(['localhost']);
        caller.dial(dialled(called));
        await caller.waitUntilEstablished(30_000);
        caller.hangup();
        // The first record: there is none of the call that was not placed.
        expect((await stack.recordOf(called)).outcome).toBe('completed');
      });
    });
  });
}
