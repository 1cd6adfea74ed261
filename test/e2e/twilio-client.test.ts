import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import twilio from 'twilio';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Baresip } from '../../dev/softphone/baresip.js';
import { hearTone } from '../../dev/softphone/tone.js';
import { readControlSettings } from '../../src/config/control-settings.js';
import { botStateKey } from '../../src/contract/agent-stream.js';
import { numberKey } from '../../src/contract/keys.js';
import { accountSidOf, callSidOf } from '../../src/contract/stream-ids.js';
import { writeWave } from '../../src/control/agent-testing/voice/speech/wave.js';
import { Control } from '../../src/control/control.js';
import { createKey } from '../../src/control/organizations/keys.js';
import { createOrganization } from '../../src/control/organizations/organizations.js';
import { until } from '../../src/testkit/waiting.js';
import { sharedDatabase } from '../support/shared-postgres.js';
import { type BotStream, StreamBot } from '../support/stream-bot.js';
import { secondsHeard, waitForTone } from './hearing.js';
import { agentToneHertz, phoneToneHertz, Stack } from './stack.js';

/** Twilio's own client, unchanged, as a bot uses it on its calls: against control, edge, engine, rtpengine and phones. */
const newPartysHertz = 600;
const botHertz = 500;
const nextHertz = 700;
const speechHertz = 900;
/** The customer's: documents and files; and a speech endpoint. */
const host = createServer();
const requests: {
  readonly url: string;
  readonly signature: string;
  readonly form: Record<string, string>;
}[] = [];
let documents: Readonly<Record<string, string | Buffer>> = {};
let spoken: unknown;
let isSpeechDown = false;
let environment: Record<string, string>;
let bot: StreamBot;
let nextBot: StreamBot;
let stack: Stack;
let control: Control;
let key: string;
let account: string;
let otherAccount: string;
let otherKey: string;
let certificateFile: string;
let numbers = 0;

beforeAll(async () => {
  host.on('request', (request, response) => void serve(request, response));
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const [started, databaseUrl] = await Promise.all([Stack.start(), sharedDatabase()]);
  stack = started;
  await stack.startMediaStream();
  const certificate = await stack.authority.issue('bot', ['localhost']);
  [bot, nextBot] = await Promise.all([StreamBot.start({ certificate }), StreamBot.start({ certificate })]);
  environment = {
    DATABASE_URL: databaseUrl,
    DEMARC_REDIS_URL: stack.redis.url,
    DEMARC_HTTP_PORT: '0',
    DEMARC_SECRET_KEY: stack.secretKey,
    DEMARC_API_REQUESTS_PER_SECOND: '10000',
    DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true',
    DEMARC_TTS_URL: `${hostOrigin()}/v1`,
  };
  control = await Control.start(readControlSettings(environment), pino({ level: 'silent' }));
  const { database } = control.deps;
  const own = await createOrganization(database, { name: 'acme', sipEnabled: true });
  const stranger = await createOrganization(database, { name: 'other', sipEnabled: true });
  account = accountSidOf(own.id);
  otherAccount = accountSidOf(stranger.id);
  ({ key } = await createKey(database, own.id, 'bot'));
  ({ key: otherKey } = await createKey(database, stranger.id, 'bot'));
  const { cert, key: privateKey } = await stack.authority.issue('phone');
  certificateFile = join(stack.directory, 'phone.pem');
  writeFileSync(certificateFile, cert + privateKey, { mode: 0o600 });
});
afterEach(() => stack.endTest());
afterAll(async () => {
  host.close();
  await control?.stop();
  await bot?.stop();
  await nextBot?.stop();
  await stack?.finish();
});

const hostOrigin = (): string => `http://127.0.0.1:${(host.address() as AddressInfo).port}`;

const tone = (hertz: number, milliseconds: number): Int16Array =>
  Int16Array.from({ length: milliseconds * 8 }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hertz * index) / 8_000)),
  );

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const url = request.url ?? '';
  if (url === '/v1/audio/speech') {
    if (isSpeechDown) {
      response.writeHead(500).end();
      return;
    }
    spoken = JSON.parse(body);
    response.end(writeWave(tone(speechHertz, 1_000)));
    return;
  }
  const form = Object.fromEntries(new URLSearchParams(body));
  requests.push({ url, form, signature: String(request.headers['x-twilio-signature'] ?? '') });
  const document = documents[url.split('?')[0]!];
  if (document === undefined) response.writeHead(404).end();
  else response.end(document);
}

const playsTone =
  (hertz: number) =>
  (stream: BotStream): void => {
    stream.socket.once('message', () => stream.tone(hertz));
  };

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
async function attachNumber(
  agent?: string,
): Promise<{ readonly number: string; readonly newParty: Baresip }> {
  const newParty = await stack.phone({
    user: '1001',
    certificateFile,
    toneHertz: newPartysHertz,
    answersByItself: true,
  });
  const [, tls] = [...newParty.ownAddresses];
  const number = `+1202555${String(1_000 + ++numbers)}`;
  const directions = [
    { type: 'inbound', allowed_ips: ['127.0.0.0/8'], ...(agent === undefined ? {} : { agent }) },
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
async function talk(agent?: string, hertz = agentToneHertz): Promise<Talk> {
  const { number, newParty } = await attachNumber(agent);
  const phone = await stack.phone();
  await phone.dial(stack.uri(number.slice(1)));
  await phone.waitFor('CALL_ESTABLISHED', 20_000);
  await waitForTone(phone, hertz, 0.3);
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
 * A request of Pipecat's `TwilioFrameSerializer` with `base_url` (src/pipecat/serializers/twilio.py of August 2026), octet by octet as its aiohttp
 * client writes it (client_reqrep.py of 3.13): PyPI is out of reach of these tests. Pipecat reads nothing of the answer but the status
 * and the code of a 404.
 */
async function askAsPipecat(
  sid: string,
  form: string,
): Promise<{ readonly status: number; readonly body: { readonly code?: number } }> {
  const baseUrl = `${origin()}/`;
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/2010-04-01/Accounts/${account}/Calls/${sid}.json`);
  const request = [
    `POST ${url.pathname} HTTP/1.1`,
    `Host: ${url.host}`,
    'Accept: */*',
    'Accept-Encoding: gzip, deflate',
    'User-Agent: Python/3.12 aiohttp/3.13.2',
    `Authorization: Basic ${Buffer.from(`${account}:${key}`, 'latin1').toString('base64')}`,
    `Content-Length: ${form.length}`,
    'Content-Type: application/x-www-form-urlencoded',
    '',
    form,
  ].join('\r\n');
  const socket = connect(control.port, control.host);
  socket.write(request);
  let answer = '';
  for await (const octets of socket.setEncoding('utf8')) {
    answer += octets;
    if (answer.endsWith('}')) break;
  }
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/\r\ncontent-type: application\/json/i);
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) as { code?: number } };
}

const hears = (stream: BotStream): number =>
  hearTone(
    { samples: Float32Array.from(stream.samples(10), (sample) => sample / 32_768), rate: 8_000 },
    phoneToneHertz,
  ).seconds;

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
    const gather = '<Response><Gather/><Hangup/></Response>';
    expect(await refusal(call.update({ twiml: gather }))).toMatchObject({
      status: 501,
      code: 12200,
      message: expect.stringContaining('Gather is not offered'),
    });
    // The agent of this call is one by SIP.
    const say = '<Response><Say>Goodbye</Say></Response>';
    expect(await refusal(call.update({ twiml: say }))).toMatchObject({ status: 400, code: 21220 });
    expect(await refusal(call.update({ twiml: '<Response><Dial>911</Dial></Response>' }))).toMatchObject({
      status: 400,
    });
    const elsewhere = '<Response><Dial><Sip>sip:desk@example.com</Sip></Dial></Response>';
    expect(await refusal(call.update({ twiml: elsewhere }))).toMatchObject({ status: 403, code: 13225 });
    expect((await call.fetch()).status).toBe('in-progress');
    await call.update({ twiml: '<Response><Hangup/></Response>' });
    await phone.waitFor('CALL_CLOSED', 20_000);
  });

  it('moves a call to another bot, which the caller hears at once', async () => {
    bot.serve = playsTone(botHertz);
    nextBot.serve = playsTone(nextHertz);
    const { phone, id, sid } = await talk(bot.url(), botHertz);
    const stream = bot.streams.at(-1)!;
    const twiml = new twilio.twiml.VoiceResponse();
    twiml
      .connect()
      .stream({ url: nextBot.url('/second') })
      .parameter({ name: 'tenant', value: 'blue' });
    await clientOf().calls(sid).update({ twiml });
    expect(stream.messages.at(-1)).toMatchObject({ event: 'stop' });
    await until(() => stream.closedWith !== undefined, 5_000, 'the end of the first stream');
    await waitForTone(phone, nextHertz, 1);
    const next = nextBot.streams.at(-1)!;
    expect(next.path).toBe('/second');
    expect(next.start).toMatchObject({
      start: { callSid: sid, accountSid: account, customParameters: { tenant: 'blue' } },
    });
    await until(() => hears(next) > 0.5, 10_000, "the caller's tone at the next bot");
    // A bot that does not take the call: the one that has it keeps it.
    nextBot.refuse = () => 486;
    const refused = '<Response><Connect><Stream url="URL"/></Connect></Response>'.replace(
      'URL',
      nextBot.url('/third'),
    );
    expect(await refusal(clientOf().calls(sid).update({ twiml: refused }))).toMatchObject({
      status: 400,
      message: expect.stringContaining('486'),
    });
    nextBot.refuse = () => undefined;
    expect(next.closedWith).toBeUndefined();
    // It outlives its process at the bot that has it now.
    stack.mediaStream!.signal('SIGKILL');
    await stack.startMediaStream();
    await until(() => nextBot.streams.at(-1) !== next, 10_000, 'the stream of the next process');
    expect(bot.streams.at(-1)).toBe(stream);
    nextBot.streams.at(-1)!.socket.close();
    await phone.waitFor('CALL_CLOSED', 10_000);
    expect((await ask(`/v1/sip/calls/${id}`)).data).toMatchObject({ direction: 'inbound' });
  });

  it('runs documents that it fetches and signs, speech and files among them', async () => {
    const { data } = await ask('/v1/agent-streams/signing-secrets', {});
    bot.serve = playsTone(botHertz);
    const { phone, sid } = await talk(bot.url(), botHertz);
    documents = {
      '/first': '<Response><Redirect method="GET">/second?step=2</Redirect></Response>',
      '/second': '<Response><Say>Goodbye</Say><Play>/tone.wav</Play><Hangup/></Response>',
      '/tone.wav': writeWave(tone(newPartysHertz, 1_000)),
    };
    requests.length = 0;
    const call = clientOf().calls(sid);
    await call.update({ url: `${hostOrigin()}/first` });
    await phone.waitFor('CALL_CLOSED', 20_000);
    expect(secondsHeard(phone, speechHertz)).toBeGreaterThan(0.7);
    expect(secondsHeard(phone, newPartysHertz)).toBeGreaterThan(0.7);
    expect(spoken).toMatchObject({ input: 'Goodbye', response_format: 'wav' });
    const [first, second] = requests;
    expect(first!.form).toMatchObject({ CallSid: sid, AccountSid: account, CallStatus: 'in-progress' });
    const isOurs = (request: (typeof requests)[number] | undefined): boolean =>
      twilio.validateRequest(data.secret, request!.signature, hostOrigin() + request!.url, request!.form);
    expect([isOurs(first), isOurs(second)]).toEqual([true, true]);
    expect(second!.url).toContain('step=2&AccountSid=');
  });

  it('learns why a document is not fetched, or runs no further', async () => {
    bot.serve = playsTone(botHertz);
    const { phone, sid } = await talk(bot.url(), botHertz);
    documents = { '/loop': '<Response><Redirect>/loop</Redirect></Response>', '/text': 'Goodbye' };
    const call = clientOf().calls(sid);
    const at = (path: string): Promise<unknown> => refusal(call.update({ url: hostOrigin() + path }));
    expect(await at('/missing')).toMatchObject({ code: 11200, message: expect.stringContaining('404') });
    expect(await at('/loop')).toMatchObject({ code: 11200, message: expect.stringContaining('More than 5') });
    expect(await at('/text')).toMatchObject({ code: 12100 });
    const play = `<Response><Play>${hostOrigin()}/missing</Play></Response>`;
    expect(await refusal(call.update({ twiml: play }))).toMatchObject({
      status: 400,
      message: expect.stringContaining('404'),
    });
    expect((await call.fetch()).status).toBe('in-progress');
    await phone.hangup();
  });

  it('reports that there is no speech endpoint, or that it fails', async () => {
    bot.serve = playsTone(botHertz);
    const { phone, sid } = await talk(bot.url(), botHertz);
    const twiml = '<Response><Say>Goodbye</Say><Hangup/></Response>';
    isSpeechDown = true;
    expect(await refusal(clientOf().calls(sid).update({ twiml }))).toMatchObject({ status: 503 });
    isSpeechDown = false;
    const { DEMARC_TTS_URL: _, ...without } = environment;
    const mute = await Control.start(readControlSettings(without), pino({ level: 'silent' }));
    try {
      const client = clientOf();
      client.api.baseUrl = `http://${mute.host}:${mute.port}`;
      expect(await refusal(client.calls(sid).update({ twiml }))).toMatchObject({
        status: 501,
        code: 12200,
        message: expect.stringContaining('no speech endpoint (DEMARC_TTS_URL)'),
      });
    } finally {
      await mute.stop();
    }
    expect((await clientOf().calls(sid).fetch()).status).toBe('in-progress');
    await phone.hangup();
  });

  it('is refused with a wrong key, for another account, and for calls that it does not have', async () => {
    const { phone, sid } = await talk();
    const unauthorized = { status: 401, code: 20003 };
    const notFound = { status: 404, code: 20404, moreInfo: expect.stringContaining('20404') };
    const { calls } = clientOf();
    expect(await refusal(clientOf(account, 'wrong').calls(sid).fetch())).toMatchObject(unauthorized);
    expect(await refusal(clientOf(otherAccount).calls(sid).fetch())).toMatchObject(notFound);
    const foreign = clientOf(otherAccount, otherKey).calls(sid);
    expect(await refusal(foreign.fetch())).toMatchObject(notFound);
    expect(await refusal(foreign.update({ status: 'completed' }))).toMatchObject(notFound);
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

describe('the API of our own, for an active call', () => {
  it('plays a file at a bot in place of what it has queued, and says why it plays none', async () => {
    bot.serve = playsTone(botHertz);
    documents = { '/tone.wav': writeWave(tone(newPartysHertz, 1_000)) };
    const { phone, id } = await talk(bot.url(), botHertz);
    expect(await ask(`/v1/calls/${id}/play`, { url: `${hostOrigin()}/tone.wav` })).toMatchObject({
      status: 'success',
      duration_seconds: 1,
    });
    await waitForTone(phone, newPartysHertz, 0.7);
    const errorOf = async (body: object): Promise<unknown> =>
      (await ask(`/v1/calls/${id}/play`, body)).errors;
    expect(await errorOf({ url: `${hostOrigin()}/missing` })).toMatchObject([
      { error: 'CALL_ACTION_FAILED', message: expect.stringContaining('404') },
    ]);
    expect(await errorOf({ url: 'sip:desk@example.com' })).toMatchObject([
      { error: 'VALIDATION_ERROR', path: 'url', message: expect.stringContaining('https') },
    ]);
    await ask(`/v1/calls/${id}/hold`, {});
    expect(await errorOf({ url: `${hostOrigin()}/tone.wav` })).toMatchObject([
      { error: 'CALL_NOT_READY', message: expect.stringContaining('on hold') },
    ]);
    await phone.hangup();
  });

  it('adds values to the record of a call, within bounds, also without a bot', async () => {
    const { phone, id } = await talk();
    const note = (values: object) => ask(`/v1/calls/${id}/agent-metadata`, { values });
    expect(await note({ intent: 'billing', score: '3' })).toMatchObject({ status: 'success' });
    expect((await note({ score: '5' })).agent_metadata).toEqual({ intent: 'billing', score: '5' });
    const many = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`n${index}`, '']));
    const tooMany = { error: 'VALIDATION_ERROR', message: expect.stringContaining('at most 50 values') };
    expect((await note(many)).errors).toMatchObject([{ ...tooMany, path: 'values' }]);
    expect((await note({ ...many, a: '', b: '' })).errors).toMatchObject([{ ...tooMany, path: 'values' }]);
    expect((await note({ 'a b': '' })).errors).toMatchObject([{ error: 'VALIDATION_ERROR' }]);
    const url = `${hostOrigin()}/tone.wav`;
    expect((await ask(`/v1/calls/${id}/play`, { url })).errors).toMatchObject([
      { error: 'CALL_NOT_READY', message: expect.stringContaining('is not a WebSocket server') },
    ]);
    await phone.hangup();
    let record: { state?: string; agent_metadata?: object } = {};
    await until(
      async () => {
        record = (await ask(`/v1/sip/calls/${id}`)).data;
        return record.state === 'ended';
      },
      20_000,
      'the record of the call',
    );
    expect(record.agent_metadata).toEqual({ intent: 'billing', score: '5' });
    expect((await note({ late: 'yes' })).errors).toMatchObject([{ error: 'NOT_FOUND' }]);
  });
});

describe("the requests of Pipecat's serializer", () => {
  it('hang up a call, are no error for one that is over, and get 20404 for one that never was', async () => {
    const { phone, sid } = await talk();
    expect((await askAsPipecat(sid, 'Status=completed')).status).toBe(200);
    await phone.waitFor('CALL_CLOSED', 20_000);
    expect((await askAsPipecat(sid, 'Status=completed')).status).toBe(200);
    const unknown = await askAsPipecat(`CA${'0'.repeat(32)}`, 'Status=completed');
    expect([unknown.status, unknown.body.code]).toEqual([404, 20404]);
  });

  it('transfer a call', async () => {
    const { newParty, phone, sid } = await talk();
    // `urllib.parse.urlencode`, as aiohttp's FormData applies it.
    const twiml =
      '%3CResponse%3E%3CDial%3E%3CSip%3Esip%3A1001%40127.0.0.1%3C%2FSip%3E%3C%2FDial%3E%3C%2FResponse%3E';
    expect((await askAsPipecat(sid, `Twiml=${twiml}`)).status).toBe(200);
    await newParty.waitFor('CALL_ESTABLISHED', 20_000);
    await waitForTone(newParty, phoneToneHertz, 0.3);
    await phone.hangup();
    await newParty.waitFor('CALL_CLOSED', 20_000);
  });
});
