import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Baresip } from '../../../dev/softphone/baresip.js';
import type { CallRecord } from '../../../src/contract/call-record.js';
import { until } from '../../../src/testkit/waiting.js';
import { waitForAudioBothWays, waitForTone } from '../hearing.js';
import { Kamailio } from '../kamailio.js';
import { agentToneHertz, type Stack } from '../stack.js';
import { directionsOf, messagesOf } from '../traces.js';

const user = 'dave';
const password = 'dave-secret';
const domain = 'pbx.test';

let stack: Stack;
let pbx: Kamailio;
/** Certificate and key of phones, which the PBX connects to. */
let phoneCertificate: string;

/** A phone that is registered at the PBX. */
async function registeredPhone(): Promise<Baresip> {
  const phone = await stack.phone({
    user,
    domain,
    registrar: pbx.uri,
    credentials: { username: user, password },
    certificateFile: phoneCertificate,
  });
  await until(
    () => phone.trace.some(({ method, status }) => method === 'REGISTER' && status === 200),
    20_000,
    () => `registration:\n${phone.output.slice(-3_000)}\n${pbx.output.slice(-2_000)}`,
  );
  return phone;
}

async function call(number: string): Promise<Baresip> {
  const phone = await registeredPhone();
  await phone.dial(`sip:${number}@${domain}`);
  await phone.waitFor('CALL_ESTABLISHED', 20_000);
  return phone;
}

const headers = (message: string, name: string): string[] =>
  [...message.matchAll(new RegExp(`^${name}:\\s*(.*?)\\r?$`, 'gim'))].map(([, value]) => value!);

/** Messages of the trunk leg came from the PBX and went there, none directly from or to the phone. */
function expectAllThroughPbx(record: CallRecord, phone: Baresip): void {
  const phoneAddresses = [...phone.ownAddresses];
  for (const { leg, source, destination } of record.trace) {
    if (leg !== 'trunk') continue;
    expect(phoneAddresses).not.toContain(source);
    expect(phoneAddresses).not.toContain(destination);
  }
}

export function behindPbx(stage: () => Stack): void {
  describe('behind the PBX of a customer', () => {
    beforeAll(async () => {
      stack = stage();
      const issued = await stack.authority.issue('phone');
      phoneCertificate = join(stack.directory, 'phone.pem');
      writeFileSync(phoneCertificate, issued.cert + issued.key, { mode: 0o600 });
      pbx = await Kamailio.start({
        directory: join(stack.directory, 'kamailio'),
        tlsPort: await stack.ports.take(),
        certificate: await stack.authority.issue('pbx'),
        caFile: stack.authority.caFile,
        users: { [user]: password },
        domain,
        trunk: `sip:127.0.0.1:${stack.tlsPort};transport=tls`,
      });
    });

    afterAll(async () => {
      await pbx?.stop();
    });

    afterEach(() => stack.endTest());

    describe("a phone behind the customer's PBX", () => {
      it('calls with audio both ways; its BYE comes by the route that the PBX recorded', async () => {
        const number = await stack.number();
        const phone = await call(number);
        await waitForAudioBothWays(phone);
        await phone.hangup();
        const record = await stack.recordOf(number);
        expect(record).toMatchObject({ outcome: 'completed', end_reason: 'caller_hung_up' });
        const [invite] = messagesOf(record, { leg: 'trunk', summary: 'INVITE' });
        const recorded = headers(invite!, 'Record-Route');
        expect(recorded).toHaveLength(1);
        expect(headers(invite!, 'Via')).toHaveLength(2);
        expect(invite).not.toContain('Authorization');
        const [ok] = messagesOf(record, { leg: 'trunk', method: 'INVITE', summary: '200 OK' });
        expect(headers(ok!, 'Record-Route')).toEqual(recorded);
        for (const summary of ['ACK', 'BYE']) {
          const [request] = messagesOf(record, { leg: 'trunk', summary });
          expect(headers(request!, 'Via')).toHaveLength(2);
        }
        expectAllThroughPbx(record, phone);
      });

      it('is hung up by the agent; the BYE goes through the PBX', async () => {
        const number = await stack.number({ behaviour: 'hangup-1' });
        const phone = await call(number);
        await waitForTone(phone, agentToneHertz, 0.2);
        await phone.waitFor('CALL_CLOSED', 20_000);
        const record = await stack.recordOf(number);
        expect(record).toMatchObject({ outcome: 'completed', end_reason: 'agent_hung_up' });
        const [invite] = messagesOf(record, { leg: 'trunk', summary: 'INVITE' });
        const [bye] = messagesOf(record, { leg: 'trunk', summary: 'BYE' });
        expect(headers(bye!, 'Route')).toEqual(headers(invite!, 'Record-Route'));
        expect(bye).toMatch(
          new RegExp(
            `^BYE ${/<(.*?)>/.exec(headers(invite!, 'Contact')[0]!)![1]!.replace(/[.?+]/g, '\\$&')} SIP/2.0`,
          ),
        );
        const atPhone = phone.trace.find(({ method, status }) => method === 'BYE' && status === undefined);
        expect(headers(atPhone!.text, 'Via')).toHaveLength(2);
        expect(headers(atPhone!.text, 'Route')).toEqual([]);
        expectAllThroughPbx(record, phone);
      });

      it('is put on hold and taken back by the agent, through the PBX', async () => {
        const number = await stack.number({ behaviour: 'hold-1' });
        const phone = await call(number);
        const answers = () =>
          new Set(
            phone.trace
              .filter(({ method, status }) => method === 'INVITE' && status === 200)
              .map(({ text }) => text),
          );
        await until(() => answers().size === 3, 20_000, 'two re-INVITEs answered by the phone');
        await phone.hangup();
        const record = await stack.recordOf(number);
        const directions = messagesOf(record, { leg: 'trunk', method: 'INVITE' }).flatMap(directionsOf);
        expect(directions).toEqual(['sendrecv', 'sendrecv', 'sendonly', 'recvonly', 'sendrecv', 'sendrecv']);
        expectAllThroughPbx(record, phone);
      });

      it('cancels while the agent rings', async () => {
        const number = await stack.number({ behaviour: 'ring' });
        const phone = await registeredPhone();
        await phone.dial(`sip:${number}@${domain}`);
        await phone.waitFor('CALL_RINGING', 20_000);
        await phone.hangup();
        expect(await stack.recordOf(number)).toMatchObject({ outcome: 'cancelled', sip_status: 487 });
      });

      it('hears the refusal of a number that is not configured', async () => {
        const phone = await registeredPhone();
        await phone.dial(`sip:12025550177@${domain}`);
        await expect(phone.waitFor('CALL_ESTABLISHED', 20_000)).rejects.toThrow('404 Not Found');
        expect((await stack.recordOf('12025550177')).end_reason).toBe('refused_unknown_number');
      });
    });
  });
}
