import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readyEdgesKey } from '../../src/contract/keys.js';
import type { TestCall } from '../../src/contract/test-call.js';
import { openDatabase } from '../../src/control/database/database.js';
import { createKey } from '../../src/control/organizations/keys.js';
import { createOrganization } from '../../src/control/organizations/organizations.js';
import { until } from '../../src/testkit/waiting.js';
import { type ApiUnderTest, startApi } from '../contract/control/api-under-test.js';
import { drachtioDiffers } from '../support/drachtio-server.js';
import { freePort } from '../support/free-ports.js';
import { sharedDatabase } from '../support/shared-postgres.js';
import { Stopwatch } from '../support/stopwatch.js';
import { Carrier } from './carrier.js';
import { waitForTone } from './hearing.js';
import { type PhoneOptions, Stack } from './stack.js';

let stack: Stack;
let api: ApiUnderTest;
let key: string;
let certificateFile: string;

beforeAll(async () => {
  const [started, databaseUrl] = await Promise.all([Stack.start(), sharedDatabase()]);
  stack = started;
  const secretKey = stack.keyForSecrets;
  api = await startApi({ databaseUrl, redis: stack.redis }, { DEMARC_SECRET_KEY: secretKey });
  const database = openDatabase(
    { url: databaseUrl, maximumConnections: 2, timeoutMilliseconds: 5_000 },
    () => {},
  );
  const { id } = await createOrganization(database, { name: 'acme', sipEnabled: true });
  ({ key } = await createKey(database, id, 'test'));
  await database.destroy();
  await until(
    async () => (await stack.redisClient.zcard(readyEdgesKey)) > 0,
    20_000,
    'the edge takes orders',
  );
  const issued = await stack.authority.issue('phone');
  certificateFile = join(stack.directory, 'phone.pem');
  writeFileSync(certificateFile, issued.cert + issued.key, { mode: 0o600 });
});
afterEach(() => stack.endTest());
afterAll(async () => {
  await api?.stop();
  await stack?.finish();
});

let lastNumber = 14_155_550_300;

async function attach(sipEndpoint: string, options: Record<string, unknown> = {}): Promise<string> {
  const number = `+${++lastNumber}`;
  const directions = [{ type: 'outbound', sip_endpoint: sipEndpoint, options }];
  const attached = await api.post('/v1/sip/attach', key, {
    phone_number: number,
    directions,
    service: 'sip',
  });
  expect(attached.body.data.configured).toEqual([number]);
  await until(
    async () => (await stack.numberWriter.get(number.slice(1))) !== null,
    20_000,
    'the edge can know the number',
  );
  return number;
}

async function order(number: string): Promise<string> {
  const ordered = await api.post('/v1/sip/test-call', key, { phone_number: number });
  expect([ordered.status, ordered.text]).toEqual([200, expect.stringContaining('"tc_')]);
  return ordered.body.data.call_id;
}

type Status = TestCall & { readonly history_call_id: string };

const statusOf = async (id: string): Promise<Status> =>
  (await api.get(`/v1/sip/test-call/status?call_id=${id}`, key)).body.data;

async function outcomeOf(id: string, milliseconds = 40_000): Promise<Status> {
  let last: Status | undefined;
  await until(
    async () => {
      last = await statusOf(id);
      return last.result !== 'pending';
    },
    milliseconds,
    () => `the end of the test call: ${JSON.stringify(last)}`,
  );
  return last!;
}

const events = ({ timeline }: TestCall): string[] => timeline.map(({ event }) => event);

/** A phone that is the customer's PBX. */
async function pbx(number: string, options: PhoneOptions = {}) {
  const phone = await stack.phone({ user: number, certificateFile, answersByItself: true, ...options });
  return { phone, endpoint: `sip:${[...phone.ownAddresses][1]};transport=tls` };
}

describe('a test call', () => {
  it('reaches the PBX through a carrier with digest, and the announcement is heard', async () => {
    const number = `+${lastNumber + 1}`;
    const { phone, endpoint } = await pbx(number);
    const tlsPort = await stack.ports.take();
    const carrier = await Carrier.start({
      directory: join(stack.directory, 'carrier'),
      tlsPort,
      certificate: await stack.authority.issue('carrier'),
      caFile: stack.authority.caFile,
      algorithm: 'SHA-256',
      realm: 'carrier.test',
      user: 'trunk-1',
      password: 'correct-horse',
      callee: endpoint,
    });
    const credentials = { sip_username: 'trunk-1', sip_password: 'correct-horse' };
    const watch = Stopwatch.start();
    const id = await order(await attach(`sip:127.0.0.1:${tlsPort};transport=tls`, credentials));
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    expect((await statusOf(id)).status).toMatch(/initiated|ringing|in-progress/);
    for (const hertz of [523, 659, 784]) await waitForTone(phone, hertz, 1);
    const done = await outcomeOf(id);
    expect(done).toMatchObject({
      status: 'completed',
      result: 'connected',
      sip_code: 200,
      phone_number: number,
      timeline: expect.arrayContaining([
        expect.objectContaining({
          event: 'announcement',
          detail: expect.stringContaining('AES_CM_128_HMAC_SHA1_80'),
        }),
        expect.objectContaining({ event: 'media', detail: expect.stringMatching(/sent \d+ packets/) }),
      ]),
    });
    expect(events(done)).toEqual(
      expect.arrayContaining(['queued', 'initiated', 'answered', 'announcement', 'media', 'completed']),
    );
    expect(done.duration_seconds).toBeGreaterThan(6.5);
    expect(done.duration_seconds).toBeLessThan(watch.bound(20_000) / 1_000);
    await phone.waitFor('CALL_CLOSED', 20_000);
    await until(
      async () => (await api.get(`/v1/sip/calls/${done.history_call_id}`, key)).status === 200,
      20_000,
      'the call is in the history',
    );
    const call = (await api.get(`/v1/sip/calls/${done.history_call_id}`, key)).body.data;
    const summaries = call.trace.map(({ summary }: { summary: string }) => summary);
    expect(summaries).toEqual(expect.arrayContaining(['INVITE', 'ACK', 'BYE', '200 OK']));
    expect(JSON.stringify(call)).not.toContain('correct-horse');
    await carrier.stop();
  });

  it('can be ended by the callee', async () => {
    const number = `+${lastNumber + 1}`;
    const { phone, endpoint } = await pbx(number);
    const id = await order(await attach(endpoint));
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    // Long before the announcement of six and a half seconds is over.
    await phone.hangup();
    const done = await outcomeOf(id);
    expect(done).toMatchObject({
      status: 'completed',
      result: 'connected',
      cause: 'The called person hung up.',
    });
  });

  it.each([
    ['in the clear', { secure_media: false }, { mediaEncryption: 'none' } as const, undefined],
    ['in Opus', {}, { codecs: ['opus/48000/2'] }, ['Opus']],
  ] as const)('is heard %s, where the number says so', async (_, options, phoneOptions, codecs) => {
    const number = `+${lastNumber + 1}`;
    const { phone, endpoint } = await pbx(number, phoneOptions);
    await attach(endpoint, options);
    if (codecs !== undefined) {
      const body = { phone_number: number, direction: 'outbound', codec_config: { codecs } };
      expect((await api.patch('/v1/sip/config', key, body)).status).toBe(200);
    }
    const id = await order(number);
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    await waitForTone(phone, 523, 0.4);
    await phone.hangup();
    expect((await outcomeOf(id)).result).toBe('connected');
  });

  it('reports the refusing server', async () => {
    const { endpoint } = await pbx('+19999999999');
    const done = await outcomeOf(await order(await attach(endpoint)));
    expect(done).toMatchObject({ status: 'failed', result: 'failed', sip_code: 404, duration_seconds: 0 });
    expect(done.cause).toContain('404');
    expect(events(done)).toEqual(['queued', 'initiated', 'failed']);
  });

  it('reports the fault of an unreachable server', async () => {
    const port = await freePort();
    const refused = await outcomeOf(await order(await attach(`sip:127.0.0.1:${port};transport=tcp`)));
    expect(refused).toMatchObject({ status: 'failed', result: 'failed' });
    const tellsWhy = !drachtioDiffers(
      'it answers 503 for a server that refuses the connection, and does not tell why.',
    );
    expect(refused.timeline.at(-1)!.detail).toMatch(
      tellsWhy ? /unreachable.*ECONNREFUSED/ : /unreachable.*503/,
    );
    const stranger = await outcomeOf(await order(await attach('sip:no-such-host.invalid')));
    expect(stranger).toMatchObject({ status: 'failed', result: 'failed' });
    expect(stranger.timeline.at(-1)!.detail).toMatch(/no-such-host\.invalid/);
    expect(stranger.advice).toBeTruthy();
  });
});
