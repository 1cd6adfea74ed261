import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { registrationId, registrationKey } from '../../../src/contract/registration.js';
import { until } from '../../../src/testkit/waiting.js';
import { drachtioDiffers } from '../../support/drachtio-server.js';
import { RegistrarKamailio, type RegistrarSettings } from '../../support/registrar-kamailio.js';
import { waitForAudioBothWays } from '../hearing.js';
import type { Stack } from '../stack.js';
import { messagesOf } from '../traces.js';

const user = 'demarc-trunk';
const password = 'correct-horse-battery';
let stack: Stack;
let pbx: RegistrarKamailio;
let ports: { udp: number; tcp: number; tls: number };
let certificateFile: string;

async function startPbx(
  settings: Pick<RegistrarSettings, 'port' | 'tlsPort' | 'callsBack'>,
): Promise<RegistrarKamailio> {
  return RegistrarKamailio.start({
    certificate: await stack.authority.issue('pbx'),
    caFile: stack.authority.caFile,
    algorithm: 'SHA-256',
    user,
    password,
    ...settings,
  });
}

/** A number that only the PBX with which it is registered may call. */
async function registeredNumber(
  transport: 'udp' | 'tcp' | 'tls',
  port: number = ports[transport],
): Promise<string> {
  const registrar = { host: '127.0.0.1', port, transport };
  const registration = { ...registrar, username: user, password: stack.seal(password) };
  const credentials = [{ username: user, password: stack.seal(password) }];
  const key = registrationKey(registrationId('acme', registrar, user));
  await until(async () => (await stack.redisClient.get(key)) === null, 20_000, 'the one before is over');
  const number = await stack.number({ inbound: { allowed_sources: [], credentials, registration } });
  await until(
    async () => (await stack.redisClient.get(key))?.includes('"state":"registered"') === true,
    20_000,
    () => `registered over ${transport}:\n${pbx.output.slice(-2_000)}`,
  );
  return number;
}

export function registeredAtPbx(stage: () => Stack): void {
  describe('a trunk that the edge registers at', () => {
    beforeAll(async () => {
      stack = stage();
      const issued = await stack.authority.issue('phone');
      certificateFile = join(stack.directory, 'phone.pem');
      writeFileSync(certificateFile, issued.cert + issued.key, { mode: 0o600 });
      const port = await stack.ports.take();
      ports = { udp: port, tcp: port, tls: await stack.ports.take() };
      pbx = await startPbx({ port, tlsPort: ports.tls });
    });

    afterEach(() => stack.endTest());

    afterAll(async () => {
      await pbx?.stop();
    });

    describe('a PBX at which the edge is registered (Kamailio)', () => {
      it.each(['tls', 'tcp', 'udp'] as const)(
        'calls the number over %s, with audio both ways',
        async (transport) => {
          const number = await registeredNumber(transport);
          const phone = await stack.phone({ certificateFile });
          // An extension of the PBX, for all that it knows.
          await phone.dial(`sip:${user}@127.0.0.1:${ports.tls};transport=tls`);
          await phone.waitFor('CALL_ESTABLISHED', 20_000);
          await waitForAudioBothWays(phone);
          await phone.hangup();
          const record = await stack.record((each) => each.number === number);
          expect(record).toMatchObject({
            outcome: 'completed',
            end_reason: 'caller_hung_up',
            source: { protocol: transport },
          });
          const [invite] = messagesOf(record, { leg: 'trunk', summary: 'INVITE' });
          expect(invite).not.toContain('uthorization');
          await stack.numberWriter.delete(number);
          await until(() => pbx.registers.at(-1)!.endsWith('expires=0'), 20_000, 'the binding is removed');
        },
      );

      it('calls over the connection that the edge has opened, as through a NAT', async () => {
        const port = await stack.ports.take();
        const tls = await stack.ports.take();
        const natted = await startPbx({ port, tlsPort: tls, callsBack: true });
        const number = await registeredNumber('tls', tls);
        const phone = await stack.phone({ certificateFile });
        await phone.dial(`sip:${user}@127.0.0.1:${tls};transport=tls`);
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        await waitForAudioBothWays(phone);
        await phone.hangup();
        const record = await stack.record((each) => each.number === number);
        expect(record).toMatchObject({ outcome: 'completed', end_reason: 'caller_hung_up' });
        const invite = record.trace.find(({ leg, summary }) => leg === 'trunk' && summary === 'INVITE')!;
        expect(invite.source).toBe(`127.0.0.1:${tls}`);
        const namesListener = drachtioDiffers(
          'its HEP names the listener instead of the port of a connection.',
        );
        if (!namesListener) expect(invite.destination).not.toBe(`127.0.0.1:${stack.tlsPort}`);
        await stack.numberWriter.delete(number);
        await until(() => natted.registers.at(-1)!.endsWith('expires=0'), 20_000, 'the binding is removed');
        await natted.stop();
      });

      it('is of no use to others: without the token of the binding they are challenged', async () => {
        const number = await registeredNumber('tls');
        const phone = await stack.phone({ certificateFile });
        await phone.dial(stack.uri(number));
        await phone.waitFor('CALL_CLOSED', 20_000);
        const record = await stack.recordOf(number);
        expect(record).toMatchObject({ outcome: 'refused', sip_status: 401 });
        await stack.numberWriter.delete(number);
        await until(() => pbx.registers.at(-1)!.endsWith('expires=0'), 20_000, 'the binding is removed');
      });

      it('is unregistered when the edge stops', async () => {
        const number = await registeredNumber('tls');
        const before = pbx.registers.length;
        await stack.edge.stop();
        await until(
          () => pbx.registers.slice(before).some((line) => line.endsWith('expires=0')),
          20_000,
          'the binding is removed',
        );
        expect(stack.logs).not.toContain(password);
        expect(stack.logs).not.toMatch(/response="[0-9a-f]{32}/);
        await stack.startEdge();
        await stack.numberWriter.delete(number);
      });
    });
  });
}
