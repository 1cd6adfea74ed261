import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Demarc, DemarcError, entries } from '../../clients/typescript/src/index.js';
import type { Baresip } from '../../dev/softphone/baresip.js';
import { numberKey, readyEdgesKey } from '../../src/contract/keys.js';
import { openDatabase } from '../../src/control/database/database.js';
import { createKey } from '../../src/control/organizations/keys.js';
import { createOrganization } from '../../src/control/organizations/organizations.js';
import { until } from '../../src/testkit/waiting.js';
import { Receiver } from '../contract/control/deliveries/receiver.js';
import { AnsweringKamailio } from '../contract/outbound/answering-kamailio.js';
import { type ControlProcess, startControlProcess } from '../support/control-process.js';
import { drachtioDiffers } from '../support/drachtio-server.js';
import { sharedDatabase } from '../support/shared-postgres.js';
import { Stopwatch } from '../support/stopwatch.js';
import { Carrier } from './carrier.js';
import { secondsHeard, waitForAudioBothWays, waitForTone } from './hearing.js';
import { agentToneHertz, type PhoneOptions, phoneToneHertz, Stack } from './stack.js';

/** POST /v1/calls against everything real: PostgreSQL, Redis, control, edge, engine, rtpengine, agent, a phone over TLS. */
const callee = '+14155550100';
/** The first note of what callers hear on hold. */
const holdNoteHertz = 262;
let stack: Stack;
let database: ReturnType<typeof openDatabase>;
let control: ControlProcess;
let key: string;
let certificateFile: string;
let receiver: Receiver;
let numbers = 0;
let startControl: () => Promise<ControlProcess>;

beforeAll(async () => {
  let databaseUrl: string;
  [stack, databaseUrl, receiver] = await Promise.all([
    Stack.start({
      edge: {
        DEMARC_HELD_ANSWER_SECONDS: '2',
        // baresip takes the first.
        DEMARC_SRTP_SUITES: 'AEAD_AES_256_GCM,AES_CM_128_HMAC_SHA1_80',
      },
    }),
    sharedDatabase(),
    Receiver.start(),
  ]);
  startControl = () =>
    startControlProcess(
      { databaseUrl, redis: stack.redis },
      {
        DEMARC_SECRET_KEY: stack.secretKey,
        DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true',
        DEMARC_API_REQUESTS_PER_SECOND: '10000',
        DEMARC_IDEMPOTENCY_LEASE_SECONDS: '1',
      },
    );
  control = await startControl();
  database = openDatabase(
    { url: databaseUrl, maximumConnections: 5, timeoutMilliseconds: 110_000 },
    () => {},
  );
  const organization = await createOrganization(database, { name: 'acme', sipEnabled: true });
  ({ key } = await createKey(database, organization.id, 'test'));
  const { cert, key: privateKey } = await stack.authority.issue('phone');
  certificateFile = join(stack.directory, 'phone.pem');
  writeFileSync(certificateFile, cert + privateKey, { mode: 0o600 });
});
afterEach(() => stack.endTest());
afterAll(async () => {
  await control?.child.stop();
  await database?.destroy();
  await stack?.finish();
  await receiver?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: Tests say themselves what they expect of an answer.
async function ask(path: string, body?: object, method = body === undefined ? 'GET' : 'POST'): Promise<any> {
  const answer = await fetch(control.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.json();
}

/** A phone that takes calls over TLS, and a number whose trunk it is. */
async function phoneAndNumber({
  secureMedia,
  ...options
}: PhoneOptions & { secureMedia?: boolean } = {}): Promise<{ phone: Baresip; from: string }> {
  const phone = await stack.phone({ user: callee, certificateFile, ...options });
  const [, tls] = [...phone.ownAddresses];
  const from = `+1202555${String(1_000 + ++numbers)}`;
  const attached = await ask('/v1/sip/attach', {
    phone_numbers: [from],
    directions: [
      {
        type: 'outbound',
        sip_endpoint: `sip:${tls};transport=tls`,
        ...(secureMedia === undefined ? {} : { options: { secure_media: secureMedia } }),
      },
    ],
    service: 'sip',
  });
  expect(attached.data.failed).toEqual([]);
  await until(
    async () => (await stack.redisClient.exists(numberKey(from.slice(1)))) === 1,
    20_000,
    'the edges know the number',
  );
  return { phone, from };
}

async function place(from: string, more: object = {}): Promise<string> {
  let answer: Record<string, unknown> = {};
  // 503 until control has heard of the edge.
  await until(
    async () => {
      answer = await ask('/v1/calls', { phone_number: callee, from, task: 'Say hello.', ...more });
      return answer.call_id !== undefined;
    },
    20_000,
    () => `the order is taken: ${JSON.stringify(answer)}`,
  );
  return answer.call_id as string;
}

async function ended(callId: string): Promise<Record<string, unknown>> {
  let call: Record<string, unknown> = {};
  await until(
    async () => {
      call = await ask(`/v1/calls/${callId}`);
      return call.completed === true;
    },
    20_000,
    () => `the call is over: ${JSON.stringify(call)}`,
  );
  return call;
}

const change = async (from: string, sections: object): Promise<void> => {
  const body = { phone_number: from, direction: 'outbound', ...sections };
  expect((await ask('/v1/sip/config', body, 'PATCH')).errors).toBeNull();
};

/** Music while it is held instead of the echo, the echo again afterwards, then digits. */
async function expectHoldAndDigits(phone: Baresip, callId: string): Promise<void> {
  const act = (action: string, body: object) => ask(`/v1/calls/${callId}/${action}`, body);
  expect(await act('resume', {})).toMatchObject({ errors: [{ error: 'CALL_NOT_READY' }] });
  expect(await act('hold', {})).toMatchObject({ status: 'success' });
  const { data } = await ask(`/v1/sip/calls/${callId}`);
  expect(data).toMatchObject({ state: 'answered', on_hold: true });
  await waitForTone(phone, holdNoteHertz, 0.5);
  const before = secondsHeard(phone, phoneToneHertz);
  const watch = Stopwatch.start();
  await waitForTone(phone, holdNoteHertz, 1);
  // What the phone said comes back no more; a moment of it was on its way.
  expect(1_000 * (secondsHeard(phone, phoneToneHertz) - before)).toBeLessThan(watch.bound(300));
  // What it sends is still counted: a call on hold is not treated as one without media.
  const { data: later } = await ask(`/v1/sip/calls/${callId}`);
  for (const side of ['trunk', 'agent'] as const) {
    const [first, second] = [data, later].map(({ media }) => media.rtp[side].packets_received);
    expect([side, second > first]).toEqual([side, true]);
  }
  expect(await act('resume', {})).toMatchObject({ status: 'success' });
  await waitForTone(phone, phoneToneHertz, before + 1);
  expect(await act('dtmf', { digits: '12w#' })).toMatchObject({ status: 'success' });
  const pressed = () => phone.seen.filter(({ type }) => type === 'CALL_DTMF_START').map(({ param }) => param);
  await until(
    () => pressed().length >= 3,
    20_000,
    () => `three digits: ${pressed().join(' ')}`,
  );
  expect(pressed()).toEqual(['1', '2', '#']);
}

describe('a call that came in', () => {
  it('is put on hold, resumed, sent digits and stopped by the API like one that it placed', async () => {
    const number = '+12025559001';
    const attached = await ask('/v1/sip/attach', {
      phone_numbers: [number],
      directions: [{ type: 'inbound', allowed_ips: ['127.0.0.0/8'] }],
      service: 'sip',
    });
    expect(attached.data.failed).toEqual([]);
    await until(
      async () => (await stack.redisClient.exists(numberKey(number.slice(1)))) === 1,
      20_000,
      'the edges know the number',
    );
    const phone = await stack.phone();
    await phone.dial(stack.uri(number.slice(1)));
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    await waitForAudioBothWays(phone);
    const { data: live } = await ask('/v1/noc/calls/live');
    const callId: string = live.calls.find(
      (call: { phone_number: string }) => call.phone_number === number,
    ).call_id;
    await expectHoldAndDigits(phone, callId);
    expect(await ask(`/v1/calls/${callId}/stop`, {})).toMatchObject({ status: 'success' });
    await phone.waitFor('CALL_CLOSED', 20_000);
    const record = await stack.record(({ call_id: id }) => id === callId);
    expect(record).toMatchObject({ outcome: 'completed', end_reason: 'stopped', ended_by: 'api' });
    // At once: each edge says that it has no such call.
    const watch = Stopwatch.start();
    const unknown = await ask('/v1/calls/nobody-has-it/stop', {});
    expect(unknown).toMatchObject({ errors: [{ error: 'NOT_FOUND' }] });
    expect(watch.milliseconds).toBeLessThan(watch.bound(2_000));
  });
});

describe('a call placed by the API', () => {
  it('is heard both ways over SRTP, and ended by POST …/stop', async () => {
    const { phone, from } = await phoneAndNumber({ answersByItself: true });
    const callId = await place(from, { request_data: { name: 'Ada' } });
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    // The phone is in the call before the edge has reported it.
    await expect
      .poll(() => ask(`/v1/calls/${callId}`))
      .toMatchObject({
        state: 'in_progress',
        answered_at: expect.any(String),
        attempts: [{ sip_status: 200 }],
        status: null,
        queue_status: 'started',
        task: 'Say hello.',
        request_data: { name: 'Ada' },
      });
    await waitForAudioBothWays(phone);
    expect(await ask(`/v1/calls/${callId}/stop`, {})).toMatchObject({ status: 'success' });
    expect(await ended(callId)).toMatchObject({
      status: 'completed',
      sip: { code: 200, side: 'api', end_reason: 'stopped' },
    });
    const { data } = await ask(`/v1/sip/calls/${callId}`);
    expect(data).toMatchObject({
      direction: 'outbound',
      media: { srtp_suite: 'AEAD_AES_256_GCM', trunk_codec: 'PCMU' },
    });
    expect(data.media.rtp.trunk.packets_received).toBeGreaterThan(20);
    expect(JSON.stringify(data.trace)).not.toMatch(/inline:(?!\[redacted\])/);
  });

  it('rings once when control is killed before it answers, and the request is repeated', async () => {
    const { phone, from } = await phoneAndNumber();
    await until(async () => (await stack.redisClient.zcard(readyEdgesKey)) > 0, 20_000, 'an edge is ready');
    const { child: doomed, url } = await startControl();
    const order = { phone_number: callee, from, task: 'Say hello.' };
    const send = (at: string): Promise<Response> =>
      fetch(`${at}/v1/calls`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': 'rings-once',
        },
        body: JSON.stringify(order),
      });
    const orders = await database.startTransaction().execute();
    await sql`lock table ordered_calls in share mode`.execute(orders);
    send(url).catch(() => {});
    const requests = () => database.selectFrom('idempotent_requests').selectAll();
    await until(async () => (await requests().execute()).length === 1, 20_000, 'the request is claimed');
    // The call is dialled from here on, but its answer cannot be stored.
    const answers = await database.startTransaction().execute();
    await answers.selectFrom('idempotent_requests').selectAll().forUpdate().execute();
    await orders.rollback().execute();
    const rings = () => phone.seen.filter(({ type }) => type === 'CALL_INCOMING').length;
    await until(
      () => rings() === 1,
      20_000,
      () => `the phone rings: ${JSON.stringify(phone.seen)}`,
    );
    doomed.signal('SIGKILL');
    await doomed.exit(5_000);
    // What has arrived at PostgreSQL already would be done still.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database);
    await answers.rollback().execute();
    let answer: Response | undefined;
    await until(
      async () => {
        answer = await send(control.url);
        return answer.status === 200;
      },
      10_000,
      'the request is repeated',
    );
    const { call_id: callId } = (await answer!.json()) as { call_id: string };
    await phone.answer();
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    await waitForAudioBothWays(phone);
    await ask(`/v1/calls/${callId}/stop`, {});
    expect(await ended(callId)).toMatchObject({ status: 'completed' });
    expect(rings()).toBe(1);
  });

  it('is heard over plain RTP where the trunk wants no SRTP, and ended by the callee', async () => {
    const { phone, from } = await phoneAndNumber({
      answersByItself: true,
      mediaEncryption: 'none',
      secureMedia: false,
    });
    const callId = await place(from, { webhook: receiver.url('/over') });
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    await waitForAudioBothWays(phone);
    await phone.hangup();
    const call = await ended(callId);
    expect(call).toMatchObject({ status: 'completed', call_ended_by: 'USER' });
    await until(() => receiver.of('/over').length > 0, 20_000, 'the webhook is delivered');
    expect(JSON.parse(receiver.of('/over')[0]!.text)).toEqual(call);
  });

  // By default the agent is held after 20 s; RING_MS=37000 shows a phone that is answered after the agent's 32 s.
  it('is heard both ways when the phone is answered late', async () => {
    const { phone, from } = await phoneAndNumber();
    const callId = await place(from);
    await phone.waitFor('CALL_INCOMING', 20_000);
    await sleep(Number(process.env.RING_MS ?? 4_000));
    await phone.answer();
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    await waitForAudioBothWays(phone);
    await phone.hangup();
    expect(await ended(callId)).toMatchObject({ status: 'completed', call_ended_by: 'USER' });
    const { data } = await ask(`/v1/sip/calls/${callId}`);
    const toAgent = data.trace.filter(
      ({ leg, summary }: { leg: string; summary: string }) => leg === 'agent' && summary === 'INVITE',
    );
    expect(toAgent).toHaveLength(2);
  });

  it('sends digits as telephone events before the agent is heard', async () => {
    const { phone, from } = await phoneAndNumber({ answersByItself: true });
    const callId = await place(from, { precall_dtmf_sequence: '12wwwwwwwwwwww*0#' });
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    const pressed = () =>
      phone.seen.filter(({ type }) => type === 'CALL_DTMF_START').map(({ param }) => param);
    await until(
      () => pressed().length >= 5,
      20_000,
      () => `five digits: ${pressed().join(' ')}`,
    );
    expect(pressed()).toEqual(['1', '2', '*', '0', '#']);
    // What the phone says comes back; the agent's tone, which lasts two seconds, was over before it could be heard.
    await waitForTone(phone, phoneToneHertz, 0.4);
    expect(secondsHeard(phone, agentToneHertz)).toBeLessThan(0.2);
    await phone.hangup();
    expect(await ended(callId)).toMatchObject({ status: 'completed', sip: { code: 200 } });
  });

  it('reports ringing, answer and answer time of an active call', async () => {
    const { phone, from } = await phoneAndNumber();
    const callId = await place(from);
    await phone.waitFor('CALL_INCOMING', 20_000);
    const inState = async (state: string) => {
      let call: Record<string, unknown> = {};
      await until(
        async () => {
          call = await ask(`/v1/calls/${callId}`);
          return call.state === state;
        },
        20_000,
        () => `the call is ${state}: ${JSON.stringify(call)}`,
      );
      return call;
    };
    expect(await inState('ringing')).toMatchObject({
      status: null,
      completed: false,
      started_at: expect.any(String),
      ringing_at: expect.any(String),
      answered_at: null,
      attempts: [{ sip_status: null, server: expect.stringContaining('127.0.0.1') }],
    });
    await phone.answer();
    const { answered_at: answeredAt } = await inState('in_progress');
    expect(answeredAt).toEqual(expect.any(String));
    await waitForTone(phone, agentToneHertz, 0.2);
    await phone.hangup();
    expect(await ended(callId)).toMatchObject({
      state: 'completed',
      answered_at: answeredAt,
      duration_seconds: expect.any(Number),
    });
  });

  it('is placed, followed, listed and stopped by the TypeScript client', async () => {
    const demarc = new Demarc({ baseUrl: control.url, apiKey: key });
    const { phone, from } = await phoneAndNumber({ answersByItself: true });
    const metadata = { campaign: from };
    const order = { phone_number: callee, from, task: 'Say hello.', metadata };
    const { call_id } = await demarc.createCall(order);
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    const inState = (state: string) =>
      until(async () => (await demarc.getCall({ call_id })).state === state, 20_000, `the call is ${state}`);
    await inState('in_progress');
    const active: string[] = [];
    const list = (after: string | undefined) =>
      demarc.listCalls({ state: 'active', metadata, limit: 1, after });
    for await (const call of entries(list)) active.push(call.call_id);
    expect(active).toEqual([call_id]);
    await demarc.stopCall({ call_id });
    await inState('completed');
    const failure = await demarc.sendDigits({ call_id }, { digits: '1' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DemarcError);
    expect(failure).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    const lines = await (await demarc.exportCallRecords({ metadata })).text();
    expect(lines).toContain(`\r\n${call_id},outbound,${from},`);
  });

  it('is put on hold with music, resumed, and sent digits, while the parties stay in it', async () => {
    const { phone, from } = await phoneAndNumber({ answersByItself: true });
    const callId = await place(from);
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    await waitForAudioBothWays(phone);
    await expectHoldAndDigits(phone, callId);
    expect(await ask(`/v1/calls/${callId}/stop`, {})).toMatchObject({ status: 'success' });
    expect(await ended(callId)).toMatchObject({ state: 'completed', sip: { end_reason: 'stopped' } });
  });

  it('is busy when the callee declines', async () => {
    const { phone, from } = await phoneAndNumber();
    const callId = await place(from);
    await phone.waitFor('CALL_INCOMING', 20_000);
    await phone.hangup();
    const call = await ended(callId);
    expect(call).toMatchObject({ status: 'busy', sip: { code: 486, side: 'callee' } });
  });

  it('is not dialled again by an edge that was killed while it rang', async () => {
    const { phone, from } = await phoneAndNumber();
    const callId = await place(from);
    await phone.waitFor('CALL_INCOMING', 20_000);
    stack.edge.signal('SIGKILL');
    await stack.edge.exit(20_000);
    const ringsOn = drachtioDiffers('it leaves the outgoing INVITE of a lost app as it is.');
    if (ringsOn) await phone.hangup();
    await phone.waitFor('CALL_CLOSED', 20_000);
    await stack.startEdge();
    await until(
      async () => (await ask(`/v1/calls/${callId}`)).queue_status === 'call_error',
      20_000,
      'the lost call is reported',
    );
    // A second attempt would have happened before.
    expect(
      phone.trace.filter(({ method, status }) => method === 'INVITE' && status === undefined),
    ).toHaveLength(1);
    expect(phone.seen.filter(({ type }) => type === 'CALL_INCOMING')).toHaveLength(1);
    const [rtpengine] = stack.rtpengines;
    // No edge adopts calls of a drachtio-server, nor their media sessions; rtpengine's timeout would end it.
    if (ringsOn) await rtpengine!.command('delete', { 'call-id': callId, 'delete-delay': 0 });
    await until(
      async () => (await rtpengine!.sessions()).length === 0,
      20_000,
      'the next edge deletes the media session of the dead one',
    );
  });

  it('ends as failed within seconds when its edge is killed before anything was dialled', async () => {
    const { phone, from } = await phoneAndNumber();
    const silentAgent = {
      type: 'inbound',
      allowed_ips: ['192.0.2.1'],
      sip_endpoint: stack.agentUri('noanswer'),
    };
    await ask('/v1/sip/attach', { phone_numbers: [from], directions: [silentAgent], service: 'sip' });
    await until(
      async () => (await stack.redisClient.get(numberKey(from.slice(1))))!.includes('noanswer'),
      20_000,
      'the edges know the agent',
    );
    const callId = await place(from);
    await until(
      async () => (await ask(`/v1/calls/${callId}`)).queue_status === 'allocated',
      20_000,
      'the edge has claimed it',
    );
    stack.edge.signal('SIGKILL');
    await stack.edge.exit(20_000);
    const watch = Stopwatch.start();
    await stack.startEdge();
    const call = await ended(callId);
    expect(watch.milliseconds).toBeLessThan(watch.bound(30_000));
    expect(call).toMatchObject({ status: 'failed', queue_status: 'call_error' });
    expect(call.error_message).toContain('not dialled again');
    expect(phone.trace.filter(({ method }) => method === 'INVITE')).toEqual([]);
  });
});

describe('a number with limits', () => {
  it('dials one after the other; what waits is queued and can be stopped', async () => {
    const { phone, from } = await phoneAndNumber();
    await change(from, { limits: { concurrent_calls: 1 } });
    await until(
      async () => (await stack.redisClient.get(numberKey(from.slice(1))))!.includes('concurrent_calls'),
      20_000,
      'the edges know the limit',
    );
    const [first, second, third] = [await place(from), await place(from), await place(from)];
    await phone.waitFor('CALL_INCOMING', 20_000);
    const isQueued = async (callId: string) => (await ask(`/v1/calls/${callId}`)).queue_status === 'queued';
    await until(async () => (await isQueued(second)) && (await isQueued(third)), 20_000, 'both wait');
    await ask(`/v1/calls/${second}/stop`, {});
    expect(await ended(second)).toMatchObject({ status: 'canceled', sip: { side: 'api' } });
    expect(phone.seen.filter(({ type }) => type === 'CALL_INCOMING')).toHaveLength(1);
    await phone.hangup();
    expect(await ended(first)).toMatchObject({ status: 'busy' });
    await until(
      () => phone.seen.filter(({ type }) => type === 'CALL_INCOMING').length === 2,
      20_000,
      'the next one rings',
    );
    await phone.hangup();
    expect(await ended(third)).toMatchObject({ status: 'busy' });
  });
});

describe('three servers (Kamailio, TLS) of which two are dead', () => {
  it('carry the call by the third, the next one at once, and fail back on request', async () => {
    const { phone, from } = await phoneAndNumber({ answersByItself: true });
    const [dead, carrierPort, deadUdp, refusing] = [
      await stack.ports.take(),
      await stack.ports.take(),
      await stack.ports.take(),
      await stack.ports.take(),
    ];
    const certificate = await stack.authority.issue('carrier');
    const unavailable = await AnsweringKamailio.start({
      udpPort: deadUdp,
      tlsPort: dead,
      certificate,
      answer: '503 Service Unavailable',
    });
    const carrier = await Carrier.start({
      directory: join(stack.directory, 'third'),
      tlsPort: carrierPort,
      certificate,
      caFile: stack.authority.caFile,
      algorithm: 'SHA-256',
      realm: 'carrier.test',
      user: 'trunk-1',
      password: 'correct-horse',
      callee: `sip:${[...phone.ownAddresses][1]};transport=tls`,
    });
    try {
      await ask('/v1/sip/update', {
        phone_number: from,
        updates: {
          type: 'outbound',
          sip_endpoint: `sip:127.0.0.1:${dead};transport=tls`,
          options: { sip_username: 'trunk-1', sip_password: 'correct-horse' },
        },
      });
      const backup = (port: number, priority: number) => ({
        host: '127.0.0.1',
        transport: 'tls',
        port,
        priority,
      });
      const failover = { endpoints: [backup(refusing, 1), backup(carrierPort, 2)], failback: 'manual' };
      await change(from, { failover_config: failover });
      await until(
        async () => (await stack.redisClient.get(numberKey(from.slice(1))))!.includes(`${carrierPort}`),
        20_000,
        'the edges know the servers',
      );
      let calls = 0;
      const attempts = async (): Promise<object[]> => {
        const callId = await place(from);
        calls += 1;
        await until(
          () => phone.seen.filter(({ type }) => type === 'CALL_ESTABLISHED').length === calls,
          20_000,
          'the phone has answered',
        );
        if (calls === 1) await waitForAudioBothWays(phone);
        await phone.hangup();
        return (await ended(callId)).attempts as object[];
      };
      expect(await attempts()).toMatchObject([
        { server: `tls:127.0.0.1:${dead}`, sip_status: 503, is_local: false, trigger: 'unreachable' },
        { server: `tls:127.0.0.1:${refusing}`, sip_status: 503, is_local: true, trigger: 'unreachable' },
        { server: `tls:127.0.0.1:${carrierPort}`, sip_status: 200, trigger: null },
      ]);
      const path = `/v1/sip/status?phone_number=${encodeURIComponent(from)}`;
      expect((await ask(path)).data.failover).toMatchObject({
        active: `tls:127.0.0.1:${carrierPort}`,
        failed_over: true,
        reason: 'unreachable',
        failback: 'manual',
      });
      expect(await attempts()).toHaveLength(1);
      const { data } = await ask('/v1/sip/failback', { phone_number: from });
      expect(data.failover).toMatchObject({ active: `tls:127.0.0.1:${dead}`, failed_over: false });
    } finally {
      await unavailable.stop();
      await carrier.stop();
    }
  });
});
