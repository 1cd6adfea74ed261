import { randomUUID, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import type { CallCommand } from '../../../src/contract/commands.js';
import { commandStream } from '../../../src/contract/keys.js';
import { type Sighting, sightingStream } from '../../../src/contract/sighting.js';
import type { GuideValues } from '../../../src/dashboard/pages/guides/guide.js';
import { until } from '../../../src/testkit/waiting.js';
import { withoutNewerPrograms } from '../../support/newer-programs.js';
import { Asterisk } from '../asterisk.js';
import { configurationBy, PbxCertificate, printedFingerprint } from '../asterisk-guide.js';
import { agentToneHertz, edgeAddress, type Stack } from '../stack.js';

/** The dashboard's guides, followed to the letter with a real Asterisk. */
const outsideHertz = 1_000;
const user = 'pbx;1';
const password = 'correct;horse battery';

let stack: Stack;

const valuesOf = (number: string, recognition: GuideValues['recognition']) => ({
  server: '127.0.0.1',
  port: stack.tlsPort,
  rtpPorts: '10000-20000',
  addresses: ['127.0.0.1'],
  authority: stack.authority.ca,
  number: `+${number}`,
  recognition,
  codecs: ['PCMU', 'PCMA'] as const,
});

export function pbxByGuide(stage: () => Stack): void {
  describe('the guides of the dashboard', () => {
    beforeAll(() => {
      stack = stage();
    });

    describe.each([
      { system: 'Asterisk', recognition: { by: 'digest', username: user, password } },
      { system: 'FreePBX', recognition: { by: 'address' } },
    ] as const)(
      'a PBX set up by the guide for $system, recognized by $recognition.by',
      ({ system, recognition }) => {
        let pbx: Asterisk;
        let number: string;
        let certificate: PbxCertificate;

        beforeAll(async () => {
          if (withoutNewerPrograms !== undefined) return;
          number = await stack.number(
            recognition.by === 'address'
              ? { inbound: { allowed_sources: ['127.0.0.1'] } }
              : {
                  inbound: {
                    allowed_sources: [],
                    credentials: [
                      { username: recognition.username, password: stack.seal(recognition.password) },
                    ],
                  },
                },
          );
          const values = valuesOf(number, recognition);
          certificate = new PbxCertificate(values);
          pbx = await Asterisk.start(
            {
              certificate: { cert: certificate.certificate, key: certificate.key },
              trusted: stack.authority.ca,
              demarcPort: stack.tlsPort,
              demarcAgentSide: { host: edgeAddress, port: stack.agentSidePort },
              user,
              password,
            },
            configurationBy(system, values, certificate),
          );
        });
        beforeEach(() => {
          onTestFailed(() =>
            console.error(`Asterisk said:\n${pbx.output}\nDemarc said:\n${stack.logs.slice(-4_000)}`),
          );
        });
        afterAll(() => pbx?.stop());

        it('has its OPTIONS answered, which Demarc attributes to the number', async () => {
          // As the guide's last commands; else the first OPTIONS come within a minute.
          await pbx.command('pjsip qualify demarc');
          await until(
            async () => (await pbx.command('pjsip show contacts')).includes('Avail'),
            10_000,
            'Demarc is available',
          );
          const seen = async (): Promise<Sighting | undefined> =>
            (await stack.redisClient.xrange(sightingStream, '-', '+'))
              .map(([, [, json]]) => JSON.parse(json!) as Sighting)
              .find((sighting) => sighting.method === 'OPTIONS' && sighting.number === number);
          await until(async () => (await seen()) !== undefined, 5_000, 'the OPTIONS is seen');
          expect(await seen()).toMatchObject({
            organization: 'acme',
            status: 200,
            user_agent: expect.stringContaining('Asterisk'),
            tls: { version: 'TLSv1.2' },
          });
        });

        it('calls the agent, and both are heard', async () => {
          await pbx.command(`channel originate Local/+${number}@to-demarc extension 1002@calls`);
          const line = await pbx.line('1002');
          await line.waitForTone(agentToneHertz);
          line.say(outsideHertz);
          await line.waitForTone(outsideHertz);
          line.hangUp();
          expect(await stack.recordOf(number)).toMatchObject({ outcome: 'completed', direction: 'inbound' });
        });

        it('is called over TLS with the certificate that it made, and both are heard', async () => {
          const trunk = { id: 'pbx', host: '127.0.0.1', port: pbx.ports.tls, transport: 'tls' };
          const calling = await stack.number({ outbound: [{ ...trunk, tls_ca: certificate.certificate }] });
          const command: CallCommand = {
            version: 1,
            call_id: randomUUID(),
            organization: 'acme',
            number: calling,
            phone_number: '14155551001',
            max_duration_seconds: 60,
            expires_at: new Date(Date.now() + 60_000).toISOString(),
          };
          await stack.redisClient.xadd(commandStream, '*', 'command', JSON.stringify(command));
          const line = await pbx.line('1001');
          await line.waitForTone(agentToneHertz);
          line.say(outsideHertz);
          await line.waitForTone(outsideHertz);
          line.hangUp();
          const record = await stack.record(({ call_id }) => call_id === command.call_id);
          expect(record).toMatchObject({ outcome: 'completed', direction: 'outbound' });
        });
      },
    );

    describe('the commands of the guide', () => {
      it('store the CA, and print the fingerprint that the page shows', () => {
        const printed = printedFingerprint(valuesOf('4930100001', { by: 'address' }));
        expect(printed).toBe(new X509Certificate(stack.authority.ca).fingerprint256);
      });
    });
  });
}
