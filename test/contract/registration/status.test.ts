import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateSecretKey } from '../../../src/contract/secret.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { until } from '../../../src/testkit/waiting.js';
import { TestAuthority } from '../../support/certificates.js';
import { type EngineUnderTest, startEngine } from '../../support/engine-under-test.js';
import { freePorts } from '../../support/free-ports.js';
import { RegistrarKamailio } from '../../support/registrar-kamailio.js';
import { type ApiUnderTest, startApi } from '../control/api-under-test.js';
import { ControlBench } from '../control/control-bench.js';
import { EdgeProcesses } from '../edge-processes.js';

const secretKey = generateSecretKey();
const number = '+14155550181';
const register_auth = { username: 'demarc', password: 'shared-with-customer' };
let bench: ControlBench;
let api: ApiUnderTest;
let key: string;
let authority: TestAuthority;
let engine: EngineUnderTest;
let kamailio: RegistrarKamailio | undefined;
let ports: [number, number];
let edges: EdgeProcesses;

beforeAll(async () => {
  authority = await TestAuthority.create();
  [bench, engine] = await Promise.all([ControlBench.start(), startEngine({ authority })]);
  api = await startApi(bench, { DEMARC_SECRET_KEY: secretKey });
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ports = (await freePorts(2)) as [number, number];
  edges = new EdgeProcesses(engine, bench.redis.url, {
    DEMARC_SECRET_KEY: secretKey,
    DEMARC_DRAIN_SECONDS: '1',
  });
  await Promise.all(['edge-one', 'edge-two'].map((id) => edges.start(id)));
}, 180_000);

afterAll(async () => {
  await edges?.stop();
  await kamailio?.stop();
  await api?.stop();
  await Promise.all([bench?.stop(), engine?.stop()]);
  authority?.remove();
});

const status = async (parameters = '') =>
  (await api.get(`/v1/sip/status?phone_number=${encodeURIComponent(number)}${parameters}`, key)).body.data;

const registrationIs = (state: string, milliseconds = 8_000): Promise<void> => {
  let last: unknown;
  return until(
    async () => {
      last = (await status()).registration;
      return (last as { state: string } | null)?.state === state;
    },
    milliseconds,
    () => `${state}; is ${JSON.stringify(last)}`,
  );
};

describe('the registration of a number, from attach to detach, with two edges', () => {
  it('warns while there is nowhere to register', async () => {
    const attached = await api.post('/v1/sip/attach', key, {
      phone_number: number,
      directions: [{ type: 'inbound', auth_mode: 'register', register_auth }],
      service: 'sip',
    });
    expect(attached.body.data.warnings).toMatchObject([{ warning: 'NO_REGISTRAR' }]);
    expect((await status()).registration).toMatchObject({
      state: 'failed',
      registrar: null,
      username: 'demarc',
      last_error: expect.stringContaining('No registrar'),
    });
    const password = attached.body.data.register_password_for_pbx;
    kamailio = await RegistrarKamailio.start({
      port: ports[0],
      tlsPort: ports[1],
      certificate: await authority.issue('registrar'),
      caFile: authority.caFile,
      algorithm: 'SHA-256',
      user: 'demarc',
      password,
    });
  });

  it('registers at the outbound endpoint, with the derived password', async () => {
    const attached = await api.post('/v1/sip/attach', key, {
      phone_number: number,
      directions: [{ type: 'outbound', sip_endpoint: `sip:127.0.0.1:${ports[1]};transport=tls` }],
      service: 'sip',
    });
    expect(attached.status).toBe(200);
    await registrationIs('registered');
    const { registration } = await status();
    expect(registration).toMatchObject({
      registrar: `tls:127.0.0.1:${ports[1]}`,
      sip_code: 200,
      last_error: null,
      edge: expect.stringMatching(/^edge-(one|two)$/),
    });
    expect(Date.parse(registration.expires_at)).toBeGreaterThan(Date.now());
    const counts = async () => (await api.get('/v1/noc/summary', key)).body.data.registrations;
    await until(async () => (await counts()) !== null, 6_000, 'counted');
    expect(await counts()).toEqual({ total: 1, registered: 1, failed: 0 });
  });

  it('registers at once when asked to probe', async () => {
    const before = (await status()).registration;
    await until(() => Date.now() - Date.parse(before.attempted_at) > 1_000, 4_000, 'not too often');
    const after = (await status('&probe=now')).registration;
    expect(Date.parse(after.attempted_at)).toBeGreaterThan(Date.parse(before.attempted_at));
  });

  it('is taken over by the other edge within seconds when the one that holds it is killed', async () => {
    const first = (await status()).registration.edge;
    edges.running.get(first)!.signal('SIGKILL');
    await until(
      async () => {
        const { registration } = await status();
        return registration.edge !== first && registration.state === 'registered';
      },
      8_000,
      'registered by the other edge',
    );
  });

  it('is removed from the PBX by detach, and when the last edge stops', async () => {
    const removed = () => kamailio!.registers.filter((line) => line.endsWith('expires=0')).length;
    const before = removed();
    const directions = [{ type: 'inbound' }];
    await api.post('/v1/sip/detach', key, { phone_number: number, directions, service: 'sip' });
    await until(() => removed() === before + 1, 5_000, 'the binding is removed');
    expect((await status()).registration).toBeNull();
    await api.post('/v1/sip/attach', key, {
      phone_number: number,
      directions: [{ type: 'inbound', auth_mode: 'register', register_auth }],
      service: 'sip',
    });
    await registrationIs('registered');
    await edges.stop();
    expect(removed()).toBe(before + 2);
    expect((await status()).registration).toMatchObject({ state: 'unregistered' });
  });

  it('never reveals a password', async () => {
    const logs = [...edges.running.values()].map(({ output }) => output).join('\n');
    expect(logs).toContain('Registration state changed');
    const client = bench.redis.client();
    const stored = await Promise.all(
      (await client.keys('demarc:registration:*')).map((name) => client.get(name)),
    );
    client.disconnect();
    expect(logs + stored.join('\n')).not.toMatch(/shared-with-customer|Digest |response="/);
  });
});
