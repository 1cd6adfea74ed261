import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readControlSettings } from '../../src/config/control-settings.js';
import { numberKey } from '../../src/contract/keys.js';
import { generateSecretKey } from '../../src/contract/secret.js';
import { Control } from '../../src/control/control.js';
import { createKey } from '../../src/control/organizations/keys.js';
import { createOrganization } from '../../src/control/organizations/organizations.js';
import type { Baresip } from '../../src/launcher/softphone/baresip.js';
import { PrivatePostgres } from '../support/postgres.js';
import { until } from '../support/waiting.js';
import { secondsHeard, waitForAudioBothWays, waitForTone } from './hearing.js';
import { agentToneHertz, type PhoneOptions, phoneToneHertz, Stack } from './stack.js';

/** POST /v1/calls against everything real: PostgreSQL, Redis, control, edge, engine, rtpengine, agent, a phone over TLS. */
const callee = '+14155550100';
let stack: Stack;
let postgres: PrivatePostgres;
let control: Control;
let key: string;
let certificateFile: string;
let numbers = 0;

beforeAll(async () => {
  [stack, postgres] = await Promise.all([
    Stack.start({ edge: { DEMARC_HELD_ANSWER_SECONDS: '2' } }),
    PrivatePostgres.start(),
  ]);
  const settings = readControlSettings({
    DATABASE_URL: await postgres.database(),
    DEMARC_REDIS_URL: stack.redis.url,
    DEMARC_HTTP_PORT: '0',
    DEMARC_SECRET_KEY: generateSecretKey(),
  });
  control = await Control.start(settings, pino({ level: 'silent' }));
  const { database } = control.parts;
  const organization = await createOrganization(database, { name: 'acme', sipEnabled: true });
  ({ key } = await createKey(database, organization.id, 'test'));
  const { cert, key: privateKey } = await stack.authority.issue('phone');
  certificateFile = join(stack.directory, 'phone.pem');
  writeFileSync(certificateFile, cert + privateKey, { mode: 0o600 });
});
afterEach(() => stack.endTest());
afterAll(async () => {
  await control?.stop();
  await stack?.finish();
  await postgres?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: Tests say themselves what they expect of an answer.
async function ask(path: string, body?: object): Promise<any> {
  const answer = await fetch(`http://${control.host}:${control.port}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
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
    5_000,
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
    5_000,
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
    10_000,
    () => `the call is over: ${JSON.stringify(call)}`,
  );
  return call;
}

describe('a call placed by the API', () => {
  it('is heard both ways over SRTP, and ended by POST …/stop', async () => {
    const { phone, from } = await phoneAndNumber({ answersByItself: true });
    const callId = await place(from, { request_data: { name: 'Ada' } });
    await phone.waitFor('CALL_ESTABLISHED', 10_000);
    expect(await ask(`/v1/calls/${callId}`)).toMatchObject({
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
      media: { srtp_suite: 'AES_CM_128_HMAC_SHA1_80', trunk_codec: 'PCMU' },
    });
    expect(data.media.rtp.trunk.packets_received).toBeGreaterThan(20);
    expect(JSON.stringify(data.trace)).not.toMatch(/inline:(?!\[redacted\])/);
  });

  it('is heard over plain RTP where the trunk wants no SRTP, and ended by the callee', async () => {
    const { phone, from } = await phoneAndNumber({
      answersByItself: true,
      mediaEncryption: 'none',
      secureMedia: false,
    });
    const callId = await place(from);
    await phone.waitFor('CALL_ESTABLISHED', 10_000);
    await waitForAudioBothWays(phone);
    await phone.hangup();
    expect(await ended(callId)).toMatchObject({ status: 'completed', call_ended_by: 'USER' });
  });

  // By default the agent is held after 20 s; RING_MS=37000 shows a phone that is answered after the agent's 32 s.
  it('is heard both ways when the phone is answered late', async () => {
    const { phone, from } = await phoneAndNumber();
    const callId = await place(from);
    await phone.waitFor('CALL_INCOMING', 10_000);
    await sleep(Number(process.env.RING_MS ?? 4_000));
    await phone.answer();
    await phone.waitFor('CALL_ESTABLISHED', 10_000);
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
    const callId = await place(from, { precall_dtmf_sequence: '12w*0#' });
    await phone.waitFor('CALL_ESTABLISHED', 10_000);
    const pressed = () =>
      phone.seen.filter(({ type }) => type === 'CALL_DTMF_START').map(({ param }) => param);
    await until(
      () => pressed().length === 5,
      5_000,
      () => `five digits: ${pressed().join(' ')}`,
    );
    expect(pressed()).toEqual(['1', '2', '*', '0', '#']);
    // What the phone says comes back; the agent's tone, which lasts a second, was over before it could be heard.
    await waitForTone(phone, phoneToneHertz, 0.4);
    expect(secondsHeard(phone, agentToneHertz)).toBeLessThan(0.2);
    await phone.hangup();
    expect(await ended(callId)).toMatchObject({ status: 'completed', sip: { code: 200 } });
  });

  it('is busy when the callee declines', async () => {
    const { phone, from } = await phoneAndNumber();
    const callId = await place(from);
    await phone.waitFor('CALL_INCOMING', 10_000);
    await phone.hangup();
    const call = await ended(callId);
    expect(call).toMatchObject({ status: 'busy', sip: { code: 486, side: 'callee' } });
  });

  it('is not dialled again by an edge that was killed while it rang', async () => {
    const { phone, from } = await phoneAndNumber();
    const callId = await place(from);
    await phone.waitFor('CALL_INCOMING', 10_000);
    stack.edge.signal('SIGKILL');
    await stack.edge.exit(5_000);
    await phone.waitFor('CALL_CLOSED', 10_000);
    await stack.startEdge();
    await sleep(7_000);
    expect(
      phone.trace.filter(({ method, status }) => method === 'INVITE' && status === undefined),
    ).toHaveLength(1);
    expect(phone.seen.filter(({ type }) => type === 'CALL_INCOMING')).toHaveLength(1);
    await until(
      async () => (await ask(`/v1/calls/${callId}`)).queue_status === 'call_error',
      20_000,
      'the lost call is told',
    );
    // The dead process's media session is nobody's; rtpengine's own timeout would end it.
    const [rtpengine] = stack.rtpengines;
    expect(await rtpengine!.sessions()).toEqual([callId]);
    await rtpengine!.command('delete', { 'call-id': callId, 'delete-delay': 0 });
  });
});
