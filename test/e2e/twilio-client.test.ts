import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import twilio from 'twilio';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Baresip } from '../../dev/softphone/baresip.js';
import { readControlSettings } from '../../src/config/control-settings.js';
import { botStateKey } from '../../src/contract/agent-stream.js';
import { numberKey } from '../../src/contract/keys.js';
import { accountSidOf, callSidOf } from '../../src/contract/stream-ids.js';
import { Control } from '../../src/control/control.js';
import { createKey } from '../../src/control/organizations/keys.js';
import { createOrganization } from '../../src/control/organizations/organizations.js';
import { until } from '../../src/testkit/waiting.js';
import { sharedDatabase } from '../support/shared-postgres.js';
import { waitForTone } from './hearing.js';
import { agentToneHertz, phoneToneHertz, Stack } from './stack.js';

/** Twilio's own client, unchanged, as a bot uses it on its calls: against control, edge, engine, rtpengine and phones. */
const newPartysHertz = 600;
let stack: Stack;
let control: Control;
let key: string;
let account: string;
let otherAccount: string;
let otherKey: string;
let certificateFile: string;
let numbers = 0;

beforeAll(async () => {
  const [started, databaseUrl] = await Promise.all([Stack.start(), sharedDatabase()]);
  stack = started;
  const environment = {
    DATABASE_URL: databaseUrl,
    DEMARC_REDIS_URL: stack.redis.url,
    DEMARC_HTTP_PORT: '0',
    DEMARC_SECRET_KEY: stack.secretKey,
    DEMARC_API_REQUESTS_PER_SECOND: '10000',
  };
  control = await Control.start(readControlSettings(environment), pino({ level: 'silent' }));
  const { database } = control.deps;
  const own = await createOrganization(database, { name: 'acme', sipEnabled: true });
  const other = await createOrganization(database, { name: 'other', sipEnabled: true });
  account = accountSidOf(own.id);
  otherAccount = accountSidOf(other.id);
  ({ key } = await createKey(database, own.id, 'bot'));
  ({ key: otherKey } = await createKey(database, other.id, 'bot'));
  const { cert, key: privateKey } = await stack.authority.issue('phone');
  certificateFile = join(stack.directory, 'phone.pem');
  writeFileSync(certificateFile, cert + privateKey, { mode: 0o600 });
});
afterEach(() => stack.endTest());
afterAll(async () => {
  await control?.stop();
  await stack?.finish();
});

const origin = (): string => `http://${control.host}:${control.port}`;

// biome-ignore lint/suspicious/noExplicitAny: Tests say themselves what they expect of an answer.
async function ask(path: string, body?: object): Promise<any> {
  const answer = await fetch(origin() + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.json();
}

function clientOf(accountSid = account, password = key) {
  const client = twilio(accountSid, password);
  client.api.baseUrl = origin();
  return client;
}

/** A number with an agent, and a phone at its server. */
async function attachNumber(): Promise<{ readonly number: string; readonly newParty: Baresip }> {
  const newParty = await stack.phone({
    user: '1001',
    certificateFile,
    toneHertz: newPartysHertz,
    answersByItself: true,
  });
  const [, tls] = [...newParty.ownAddresses];
  const number = `+1202555${String(1_000 + ++numbers)}`;
  const directions = [
    { type: 'inbound', allowed_ips: ['127.0.0.0/8'] },
    { type: 'outbound', sip_endpoint: `sip:${tls};transport=tls` },
  ];
  const attached = await ask('/v1/sip/attach', { phone_numbers: [number], directions, service: 'sip' });
  expect(attached.data.failed).toEqual([]);
  await until(
    async () => (await stack.redisClient.exists(numberKey(number.slice(1)))) === 1,
    20_000,
    'the edges know the number',
  );
  return { number, newParty };
}

interface Talk {
  readonly number: string;
  readonly newParty: Baresip;
  readonly phone: Baresip;
  readonly id: string;
  readonly sid: string;
}

/** A call of a phone to a number, answered by its agent. */
async function talk(): Promise<Talk> {
  const { number, newParty } = await attachNumber();
  const phone = await stack.phone();
  await phone.dial(stack.uri(number.slice(1)));
  await phone.waitFor('CALL_ESTABLISHED', 20_000);
  await waitForTone(phone, agentToneHertz, 0.3);
  let id = '';
  await until(
    async () => {
      const { data } = await ask('/v1/noc/calls/live');
      id = data.calls.find((call: { to: string }) => call.to === number)?.call_id ?? '';
      return id !== '';
    },
    20_000,
    'control knows the call',
  );
  return { number, newParty, phone, id, sid: callSidOf(id) };
}

/**
 * A request of Pipecat's `TwilioFrameSerializer` with `base_url` (src/pipecat/serializers/twilio.py), which its aiohttp client sends: PyPI is out of
 * reach of these tests. Pipecat reads nothing of the answer but the status and the code of a 404.
 */
async function askAsPipecat(sid: string, fields: Record<string, string>) {
  const answer = await fetch(`${origin()}/2010-04-01/Accounts/${account}/Calls/${sid}.json`, {
    method: 'POST',
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip, deflate',
      authorization: `Basic ${Buffer.from(`${account}:${key}`, 'latin1').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'Python/3.11 aiohttp/3.12.15',
    },
    body: new URLSearchParams(fields).toString(),
  });
  return { status: answer.status, body: (await answer.json()) as { code?: number } };
}

const refusal = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("Twilio's client", () => {
  it('reads a call, hangs it up, and reads it again', async () => {
    const { number, phone, id, sid } = await talk();
    const call = clientOf().calls(sid);
    expect((await ask(`/v1/sip/calls/${id}`)).data.bot).toBeNull();
    const bot = {
      url: 'wss://bot.example.com/',
      connected: false,
      reconnects: 2,
      latency_ms: 31,
      queued_ms: 500,
    };
    await stack.redisClient.set(botStateKey(id), JSON.stringify(bot), 'PX', 10_000);
    expect((await ask(`/v1/sip/calls/${id}`)).data.bot).toEqual(bot);
    expect(await call.fetch()).toMatchObject({
      sid,
      accountSid: account,
      status: 'in-progress',
      direction: 'inbound',
      to: number,
      startTime: expect.any(Date),
      endTime: null,
      duration: null,
      uri: `/2010-04-01/Accounts/${account}/Calls/${sid}.json`,
    });
    expect(await call.update({ status: 'completed' })).toMatchObject({ sid });
    await phone.waitFor('CALL_CLOSED', 20_000);
    let ended = await call.fetch();
    await until(
      async () => {
        ended = await call.fetch();
        return ended.status === 'completed' && ended.endTime !== null;
      },
      20_000,
      () => `the call is completed: ${JSON.stringify(ended)}`,
    );
    expect(ended.duration).toMatch(/^\d+$/);
    expect(ended.endTime.getTime()).toBeGreaterThanOrEqual(ended.startTime.getTime());
    // Hanging up twice is no error.
    expect(await call.update({ status: 'completed' })).toMatchObject({ status: 'completed' });
    expect(await refusal(call.update({ twiml: '<Response><Hangup/></Response>' }))).toMatchObject({
      status: 400,
      code: 21220,
    });
  });

  it('transfers a call with the TwiML that its own library writes', async () => {
    const { newParty, phone, id, sid } = await talk();
    const twiml = new twilio.twiml.VoiceResponse();
    twiml.pause({ length: 1 });
    twiml.dial().sip('sip:1001@127.0.0.1');
    expect(await clientOf().calls(sid).update({ twiml })).toMatchObject({ sid });
    await newParty.waitFor('CALL_ESTABLISHED', 20_000);
    await waitForTone(newParty, phoneToneHertz, 0.3);
    await phone.hangup();
    await newParty.waitFor('CALL_CLOSED', 20_000);
    let transfers: unknown;
    await until(
      async () => {
        const { data } = await ask(`/v1/sip/calls/${id}`);
        transfers = data.transfers;
        return data.state === 'ended';
      },
      20_000,
      'the record of the call',
    );
    expect(transfers).toMatchObject([{ status: 'completed', target: expect.stringContaining('1001') }]);
  });

  it('hangs up by TwiML, and reports what is not offered', async () => {
    const { phone, sid } = await talk();
    const call = clientOf().calls(sid);
    const say = '<Response><Say>Goodbye</Say><Hangup/></Response>';
    expect(await refusal(call.update({ twiml: say }))).toMatchObject({
      status: 501,
      code: 12200,
      message: expect.stringContaining('Say is not offered'),
    });
    expect(await refusal(call.update({ url: 'https://example.com/next' }))).toMatchObject({ status: 501 });
    expect(await refusal(call.update({ twiml: '<Response><Dial>911</Dial></Response>' }))).toMatchObject({
      status: 400,
    });
    const elsewhere = '<Response><Dial><Sip>sip:desk@example.com</Sip></Dial></Response>';
    expect(await refusal(call.update({ twiml: elsewhere }))).toMatchObject({ status: 403, code: 13225 });
    expect((await call.fetch()).status).toBe('in-progress');
    await call.update({ twiml: '<Response><Hangup/></Response>' });
    await phone.waitFor('CALL_CLOSED', 20_000);
  });

  it('is refused with a wrong key, for another account, and for calls that it does not have', async () => {
    const { phone, sid } = await talk();
    const unauthorized = { status: 401, code: 20003 };
    const notFound = { status: 404, code: 20404, moreInfo: expect.stringContaining('20404') };
    const { calls } = clientOf();
    expect(await refusal(clientOf(account, 'wrong').calls(sid).fetch())).toMatchObject(unauthorized);
    expect(await refusal(clientOf(otherAccount).calls(sid).fetch())).toMatchObject(notFound);
    const other = clientOf(otherAccount, otherKey).calls(sid);
    expect(await refusal(other.fetch())).toMatchObject(notFound);
    expect(await refusal(other.update({ status: 'completed' }))).toMatchObject(notFound);
    expect(await refusal(calls(`CA${'0'.repeat(32)}`).fetch())).toMatchObject(notFound);
    const bearer = await fetch(`${origin()}/2010-04-01/Accounts/${account}/Calls/${sid}.json`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(bearer.status).toBe(401);
    expect(bearer.headers.get('www-authenticate')).toBe('Basic realm="Demarc"');
    expect((await calls(sid).fetch()).status).toBe('in-progress');
    await phone.hangup();
  });
});

describe("the requests of Pipecat's serializer", () => {
  it('hang up a call, are no error for one that is over, and get 20404 for one that never was', async () => {
    const { phone, sid } = await talk();
    expect((await askAsPipecat(sid, { Status: 'completed' })).status).toBe(200);
    await phone.waitFor('CALL_CLOSED', 20_000);
    expect((await askAsPipecat(sid, { Status: 'completed' })).status).toBe(200);
    const unknown = await askAsPipecat(`CA${'0'.repeat(32)}`, { Status: 'completed' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 20404]);
  });

  it('transfer a call', async () => {
    const { newParty, phone, sid } = await talk();
    const Twiml = '<Response><Dial><Sip>sip:1001@127.0.0.1</Sip></Dial></Response>';
    expect((await askAsPipecat(sid, { Twiml })).status).toBe(200);
    await newParty.waitFor('CALL_ESTABLISHED', 20_000);
    await waitForTone(newParty, phoneToneHertz, 0.3);
    await phone.hangup();
    await newParty.waitFor('CALL_CLOSED', 20_000);
  });
});
