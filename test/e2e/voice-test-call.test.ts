import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PathwayAgent } from '../../dev/agent/pathway/pathway-agent.js';
import { pathwayServices } from '../../dev/agent/pathway/pathway-settings.js';
import { createLog } from '../../src/base/log.js';
import { type CallLook, callLookChannel } from '../../src/contract/call-look.js';
import { type LiveCall, liveCallsKey } from '../../src/contract/live.js';
import { SecretBox } from '../../src/contract/secret.js';
import { signTestGrant, type TestGrant, testCallee, testTokenHeader } from '../../src/contract/test-grant.js';
import type { VoiceCallReport } from '../../src/contract/voice-call.js';
import { measure } from '../../src/control/agent-testing/voice/measurements.js';
import { espeak } from '../../src/control/agent-testing/voice/speech/espeak.js';
import { TestCallerProcess } from '../../src/control/agent-testing/voice/test-caller-process.js';
import type { VoiceCall } from '../../src/control/agent-testing/voice/voice-call.js';
import { createKey } from '../../src/control/organizations/keys.js';
import { decode, encode } from '../../src/rtp/g711.js';
import { decodeTones, encodeTones } from '../../src/rtp/tone-code.js';
import { until } from '../../src/testkit/waiting.js';
import { ControlBench } from '../contract/control/control-bench.js';
import { type ControlProcess, startControlProcess } from '../support/control-process.js';
import { Stopwatch } from '../support/stopwatch.js';
import { type BotStream, StreamBot } from '../support/stream-bot.js';
import { shareOfSpeech } from './heard-speech.js';
import { agentAddress, Stack } from './stack.js';

let stack: Stack;
const caller = new TestCallerProcess(createLog({ level: 'warn', role: 'test' }));
beforeAll(async () => {
  stack = await Stack.start({
    edge: {
      DEMARC_PRIVATE_ENDPOINTS: 'refuse',
      DEMARC_PRIVATE_NETWORKS: '127.0.0.2',
      DEMARC_SOURCE_POLICY: 'none',
    },
  });
});
afterAll(async () => {
  await caller.stop();
  await stack?.finish();
});
afterEach(() => stack.endTest());

interface Options {
  readonly grant?: Partial<TestGrant>;
  readonly maximumMilliseconds?: number;
  readonly answerMilliseconds?: number;
  readonly token?: string;
}

async function call(number: string, options: Options = {}): Promise<VoiceCall> {
  const sipCallId = `${randomUUID()}@test`;
  const grant: TestGrant = {
    organization: 'acme',
    run_id: 'run-1',
    sip_call_id: sipCallId,
    number,
    agent_uri: null,
    persona: null,
    expires_at: Math.ceil(Date.now() / 1_000) + 60,
    ...options.grant,
  };
  return caller.call({
    id: randomUUID(),
    target: { protocol: 'tls', host: '127.0.0.1', port: stack.tlsPort },
    ...(grant.number === null ? testCallee(grant) : { number, uriParameters: '' }),
    callerNumber: '14155550123',
    sipCallId,
    headers: { [testTokenHeader]: options.token ?? signTestGrant(new SecretBox([stack.secretKey]), grant) },
    answerMilliseconds: options.answerMilliseconds ?? 10_000,
    maximumMilliseconds: options.maximumMilliseconds ?? 15_000,
    // The default of the API: the agent on a busy machine is stalled for less.
    endOfTurnMilliseconds: 700,
    isRecorded: false,
  });
}

/** Looks at the number's call as an open page does, until the result is called. */
function look(number: string): () => void {
  const lookOnce = async (): Promise<void> => {
    const redis = stack.redisClient;
    for (const key of await redis.keys(liveCallsKey('*'))) {
      for (const json of Object.values(await redis.hgetall(key))) {
        const { call_id, organization, number: called } = JSON.parse(json) as LiveCall;
        if (called !== number || organization === null) continue;
        const look = { look_id: randomUUID(), call_id, organization } satisfies CallLook;
        await redis.publish(callLookChannel, JSON.stringify(look));
      }
    }
  };
  const timer = setInterval(() => void lookOnce(), 200);
  const leave = (): void => clearInterval(timer);
  // A test that fails must not continue to read from a Redis that its file then stops.
  onTestFinished(leave);
  return leave;
}

/** The words of the agent's next turn. */
async function heard(call: VoiceCall): Promise<string | undefined> {
  const samples = await new Promise<Int16Array>((resolve, reject) => {
    const fail = (report: VoiceCallReport): void =>
      reject(new Error(`The call ended: ${JSON.stringify(report)}`));
    if (call.report !== undefined) return fail(call.report);
    call.once('turn', (_stretch, heard) => resolve(heard));
    call.once('ended', fail);
  });
  return decodeTones(samples);
}

async function ended(call: VoiceCall): Promise<VoiceCallReport> {
  if (call.report === undefined) await once(call, 'ended', { signal: AbortSignal.timeout(20_000) });
  return call.report!;
}

/** Less than what the agent takes for the end of a line, with what its own hearing adds. */
const inaudibleStall = 100;
const mostAttempts = 4;

/** A call whose caller could speak without a pause. Where the machine stalled it, the agent rightly replied within the line: that call is repeated. */
async function undisturbed(place: () => Promise<VoiceCallReport>): Promise<VoiceCallReport> {
  for (let attempt = 1; ; attempt++) {
    const report = await place();
    if (report.packets.stalled_ms < inaudibleStall || attempt === mostAttempts) return report;
  }
}

const measured = (report: VoiceCallReport) =>
  measure({ durationMilliseconds: report.duration_ms, ...report }, report.packets);

const near = (actual: number | null | undefined, expected: number, tolerance = 150, shown = ''): void =>
  expect(
    Math.abs((actual ?? Number.NaN) - expected),
    `${actual} instead of ${expected} ${shown}`,
  ).toBeLessThanOrEqual(tolerance);

describe('a test call', () => {
  it('talks with the agent, and measures that it replies after 400 ms', async () => {
    expect(getPriority(stack.agent.pid)).toBe(
      process.getuid?.() === 0 ? constants.priority.PRIORITY_HIGH : constants.priority.PRIORITY_NORMAL,
    );
    const watch = Stopwatch.start();
    let lines: (string | undefined)[] = [];
    let number = '';
    const report = await undisturbed(async () => {
      // No source is allowed: the token alone lets the caller in.
      number = await stack.number({ behaviour: 'talk-400', inbound: { allowed_sources: ['192.0.2.1'] } });
      const testCall = await call(number);
      const leave = look(number);
      lines = [await heard(testCall)];
      testCall.say(encodeTones('HOURS?'));
      lines.push(await heard(testCall));
      testCall.say(encodeTones('BYE'));
      return ended(testCall).finally(leave);
    });
    expect(lines).toEqual(['HELLO THERE', 'NINE TO FIVE']);
    expect(report).toMatchObject({ ended_by: 'agent', sip_status: 200, codec: 'PCMU' });
    const figures = measured(report);
    const timeline = JSON.stringify({ caller: report.caller, agent: report.agent, packets: report.packets });
    expect(figures.response_ms.values, timeline).toHaveLength(2);
    for (const value of figures.response_ms.values) near(value, 400, watch.bound(150), timeline);
    expect(figures.interruptions).toBe(0);
    expect(figures.talk_over.total_ms).toBe(0);
    expect(figures.packets.lost).toBe(0);

    const record = await stack.recordOf(number);
    expect(record).toMatchObject({
      test_run_id: 'run-1',
      organization: 'acme',
      number,
      end_reason: 'agent_hung_up',
      outcome: 'completed',
      media: { srtp_suite: 'AES_CM_128_HMAC_SHA1_80', trunk_codec: 'PCMU' },
    });
    // The agent counts from the caller's first packet.
    near(figures.first_audio_ms, 400, watch.bound(150), timeline);
    // The edge has measured the same replies in its copy of the audio, and not the greeting.
    expect(record.media?.turns).toMatchObject({ count: 2, interruptions: 0 });
    for (const [, milliseconds] of record.media!.turns!.replies) near(milliseconds, 400, watch.bound(100));
    const invites = record.trace.filter(({ summary }) => summary === 'INVITE').map(({ message }) => message);
    expect(invites.some((message) => message.includes('X-Demarc-Test-Token: [redacted]'))).toBe(true);
    // The agent gets what it gets in any call, and nothing of the test.
    const agents = invites.find((message) => message.includes('X-Demarc-Call-ID'));
    expect(agents).toMatch(/^X-Demarc-Token: \[redacted\]/m);
    expect(agents).not.toContain('Test-Token');
    expect(stack.logs).not.toContain('Test-Token: ey');
  });

  it('measures how long an agent that is interrupted talks on', async () => {
    const timelines: object[] = [];
    const [yields, insists] = await Promise.all(
      ['talk-300', 'insist-300'].map(async (behaviour) => {
        const number = await stack.number({ behaviour });
        const report = await undisturbed(async () => {
          const testCall = await call(number, { maximumMilliseconds: 4_500 });
          // Begins 400 ms after the agent's greeting did, which lasts 1300 ms.
          testCall.say(encodeTones('STOP IT'), 400);
          return ended(testCall);
        });
        timelines.push({ behaviour, caller: report.caller, agent: report.agent, packets: report.packets });
        return measured(report);
      }),
    );
    expect(yields!.barge_ins, JSON.stringify(timelines)).toHaveLength(1);
    near(yields!.barge_ins[0]!.stopped_after_ms, 200, 80);
    near(yields!.talk_over.total_ms, 200, 80);
    expect(insists!.barge_ins).toHaveLength(1);
    expect(insists!.barge_ins[0]!.stopped_after_ms ?? 900).toBeGreaterThan(700);
    near(insists!.talk_over.total_ms, 840, 120);
  });

  it('says why the agent was not reached', async () => {
    const [busy, unanswered, forged, expired, foreign] = await Promise.all(
      (
        [
          ['busy', {}],
          ['noanswer', { answerMilliseconds: 1_000 }],
          ['talk-300', { token: 'eyJvcmciOiJhY21lIn0.AAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
          ['talk-300', { grant: { expires_at: 1 } }],
          ['talk-300', { grant: { organization: 'other' } }],
        ] as const
      ).map(async ([behaviour, options]) => ended(await call(await stack.number({ behaviour }), options))),
    );
    expect(busy).toMatchObject({ ended_by: 'refused', sip_status: 486, answered_at: null });
    expect(unanswered).toMatchObject({
      ended_by: 'no_answer',
      detail: expect.stringContaining('within 1 s'),
    });
    for (const refused of [forged, expired, foreign])
      expect(refused).toMatchObject({ ended_by: 'refused', sip_status: 403 });
  });

  it('calls an agent without a number, and outlives its edge', async () => {
    const testCall = await call('000', {
      grant: { number: null, agent_uri: stack.agentUri('talk-300') },
      // On a busy machine an edge takes more than 15 s to start.
      maximumMilliseconds: 60_000,
    });
    expect(await heard(testCall)).toBe('HELLO THERE');
    stack.edge.signal('SIGKILL');
    await stack.startEdge();
    testCall.say(encodeTones('HI'));
    expect(await heard(testCall)).toBe('OK');
    testCall.hangUp();
    expect(await ended(testCall)).toMatchObject({ ended_by: 'caller' });
    // The edge that took the call over knows that it is a test.
    const record = await stack.record(({ number }) => number === '000');
    expect(record).toMatchObject({ test_run_id: 'run-1', organization: 'acme' });
    expect(record.adoptions).toHaveLength(1);
  });
});

/** Last: control owns the numbers in Redis from then on. */
describe('a run by voice', () => {
  let bench: ControlBench;
  let control: ControlProcess;
  let key: string;
  beforeAll(async () => {
    bench = await ControlBench.start();
    control = await startControl();
    ({ key } = await createKey(bench.database, bench.organization, 'test'));
  });
  afterAll(async () => {
    await control?.child.stop();
    await bench?.stop();
  });

  const startControl = (): Promise<ControlProcess> =>
    startControlProcess(
      { databaseUrl: bench.databaseUrl, redis: stack.redis },
      {
        DEMARC_SECRET_KEY: stack.secretKey,
        DEMARC_API_REQUESTS_PER_SECOND: '10000',
        DEMARC_DATABASE_TIMEOUT_MS: '15000',
        DEMARC_TEST_CALL_SPEECH: 'tones',
        DEMARC_TEST_CALLS_PER_ORGANIZATION: '3',
        // A process that is silent for so long is dead.
        DEMARC_AGENT_TEST_LEASE_SECONDS: '5',
      },
    );

  const request = (path: string, body?: object, method = body === undefined ? 'GET' : 'POST') =>
    fetch(control.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });

  /** The data of an answer without errors. */
  // biome-ignore lint/suspicious/noExplicitAny: Tests say themselves what they expect of an answer.
  async function ask(...sent: Parameters<typeof request>): Promise<any> {
    const text = await (await request(...sent)).text();
    expect(text).toContain('"errors":null');
    return JSON.parse(text).data;
  }

  /** Calls of the organization that count. */
  async function usage(): Promise<number> {
    const counted = await bench.database
      .selectFrom('call_minutes')
      .select('calls')
      .where('organization_id', '=', bench.organization)
      .execute();
    return counted.reduce((sum, { calls }) => sum + Number(calls), 0);
  }

  async function run(values: object, order: object = {}) {
    const { id } = await ask('/v1/agent-testing/scenarios', {
      name: randomUUID(),
      scenario_type: 'REPLAY',
      channel: 'voice',
      input_messages: [
        { role: 'user', content: 'HOURS?' },
        { role: 'user', content: 'BYE' },
      ],
      ...values,
    });
    const { run_id } = await ask(`/v1/agent-testing/scenarios/${id}/run`, order);
    const show = async () => ask(`/v1/agent-testing/runs/${run_id}`);
    await until(async () => !['PENDING', 'RUNNING'].includes((await show()).status), 90_000, 'the run ends');
    return show();
  }

  it('calls the agent, measures what a caller hears, and is judged by it', async () => {
    const persona = await ask('/v1/personas', { name: 'Front desk', orchestration_prompt: 'Answer.' });
    await ask('/v1/sip/attach', {
      phone_numbers: ['+12025550177'],
      service: 'sip',
      // Half a second of silence ends a line for it: on a busy machine audio stalls for less.
      directions: [{ type: 'inbound', allowed_ips: ['192.0.2.1'], agent: stack.agentUri('talk-600') }],
    });
    await until(
      async () => (await stack.redisClient.get('demarc:number:12025550177')) !== null,
      10_000,
      'number',
    );
    const metric = (name: string, limits: object, more: object = {}) => ({
      type: 'VOICE_METRIC',
      name,
      config: { metric: name, ...limits },
      ...more,
    });
    const voice = { caller_number: '+14155550123' };
    const [passed, interrupting, busy, silent] = await Promise.all([
      run({
        persona_id: persona.id,
        voice: { ...voice, destination: '+12025550177' },
        assertions: [
          metric('maximum_latency_ms', { minimum: 150, maximum: 900 }),
          metric('first_audio_ms', { maximum: 1_500 }),
          metric('talk_over_ms', { maximum: 0 }),
          { type: 'STRING_CHECK', config: { value: 'nine to five', target: 'agent' } },
        ],
      }),
      run({
        agent: { sip_uri: stack.agentUri('interrupt-300') },
        input_messages: [{ role: 'user', content: 'A LONG STORY' }],
        voice: {
          ...voice,
          conditions: {
            gain_db: -3,
            noise: { kind: 'office', level_dbov: -55 },
            loss_share: 0.02,
            jitter_ms: 10,
          },
        },
        assertions: [metric('interruptions', { maximum: 0 })],
      }),
      run({
        agent: { sip_uri: stack.agentUri('busy') },
        voice,
        assertions: [metric('interruptions', { maximum: 0 })],
      }),
      run({
        agent: { sip_uri: stack.agentUri('silent') },
        voice: { ...voice, reply_timeout_ms: 700 },
        assertions: [metric('unanswered_turns', { maximum: 0 })],
      }),
    ]);
    expect(passed).toMatchObject({
      status: 'PASSED',
      chat_history: [
        { role: 'assistant', content: 'HELLO THERE' },
        { role: 'user', content: 'HOURS?' },
        { role: 'assistant', content: 'NINE TO FIVE' },
        { role: 'user', content: 'BYE' },
        // On a busy machine the agent may hang up before all of it has arrived.
        { role: 'assistant', content: expect.any(String) },
      ],
      ending: { transfer: 'none', transferred_to: null },
      answer_ms: expect.any(Number),
      sip_status: null,
      voice: { speech: 'tones', transcription: 'tones', codec: 'PCMU', interruptions: 0, packets_lost: 0 },
    });
    expect(
      passed.voice.turns.map(({ speaker, text }: { speaker: string; text: string }) => `${speaker}: ${text}`),
    ).toEqual([
      ...['agent: HELLO THERE', 'caller: HOURS?', 'agent: NINE TO FIVE', 'caller: BYE'],
      expect.stringMatching(/^agent: /),
    ]);
    // The call is in the history with its ladder, as the version under test got it, and counts as no usage.
    const data = await ask(`/v1/sip/calls/${passed.voice.call_id}`);
    expect(data).toMatchObject({
      test_run_id: passed.id,
      phone_number: '+12025550177',
      outcome: 'completed',
    });
    const invites = data.trace.map(({ message }: { message: string }) => message).join('\n');
    expect(invites).toContain(`X-Demarc-Persona-ID: ${persona.id}`);
    expect(invites).toContain('X-Demarc-Persona-Version: 1');
    expect(await usage()).toBe(0);
    // The caller is left and the agent right, at the times of the timeline.
    const sound = await request(`/v1/agent-testing/runs/${passed.id}/recording`);
    expect(sound.status).toBe(200);
    const octets = Buffer.from(await sound.arrayBuffer()).subarray(58);
    const side = (channel: number): Int16Array =>
      decode(
        'PCMU',
        octets.filter((_, at) => at % 2 === channel),
      );
    const [caller, agent] = [side(0), side(1)];
    const tolerance = 200;
    for (const { speaker, text, from_ms: from, to_ms: to } of passed.voice.turns.slice(0, 4)) {
      const samples = speaker === 'caller' ? caller : agent;
      const sound = samples.subarray(Math.max(0, from - tolerance) * 8, (to + tolerance) * 8);
      expect(decodeTones(sound)).toBe(text);
    }
    expect(passed.voice.agent_loudness_dbov).toBeLessThan(0);
    expect(passed.voice.agent_talk_share).toBeGreaterThan(0.3);

    expect(interrupting.status).toBe('FAILED');
    // On a busy machine a line of the caller may have a gap, in which the agent begins again.
    expect(interrupting.voice.interruptions).toBeGreaterThanOrEqual(1);
    expect(busy).toMatchObject({
      status: 'ERROR',
      error_message: expect.stringContaining('486 Busy Here'),
      answer_ms: null,
      sip_status: 486,
    });
    const { load_test_id: load } = await ask('/v1/agent-testing/load-tests', {
      scenario_ids: [busy.scenario_id],
      concurrency: [2],
      callers_per_step: 3,
    });
    const showLoad = async () => ask(`/v1/agent-testing/load-tests/${load}`);
    await until(async () => (await showLoad()).status !== 'RUNNING', 60_000, 'the load test ends');
    expect(await showLoad()).toMatchObject({
      status: 'COMPLETED',
      breaks_at: 2,
      steps: [{ agent_errors: 3, reasons: [{ kind: 'agent', sip_status: 486, callers: 3 }] }],
    });
    expect(silent).toMatchObject({ status: 'FAILED', voice: { first_audio_ms: null } });
  });

  it('talks with the bot of a number by WebSocket, and with that of a draft before it is live', async () => {
    await stack.startMediaStream();
    const certificate = await stack.authority.issue('bot', ['localhost']);
    const bot = await StreamBot.start({ certificate, serve: converse });
    onTestFinished(() => bot.stop());
    const number = '+12025550188';
    const { id: persona } = await ask('/v1/personas', {
      name: 'At a bot',
      agent: { type: 'websocket', url: bot.url('/live'), parameters: { tenant: 'blue' } },
    });
    await ask('/v1/sip/attach', {
      phone_numbers: [number],
      service: 'sip',
      directions: [{ type: 'inbound', allowed_ips: ['192.0.2.1'], agent: bot.url('/number') }],
    });
    await until(
      async () => (await stack.redisClient.exists(`demarc:number:${number.slice(1)}`)) === 1,
      10_000,
      'number',
    );
    const wordsOf = ({ chat_history: words }: { chat_history: { content: string }[] }): string[] =>
      words.map(({ content }) => content);
    const assertions = [{ type: 'STRING_CHECK', config: { value: 'nine to five', target: 'agent' } }];
    const reported = [
      {
        type: 'TOOL_CALLED',
        config: { node_id: 'hours', max_count: 1, arguments: [{ path: 'day', value: 'Monday' }] },
      },
      { type: 'VARIABLE_EXTRACTED', config: { variable_name: 'intent', expected_value: 'hours' } },
    ];
    const [ofNumber, ofDraft, without] = await Promise.all([
      run({
        agent: { sip_uri: 'sip:nobody@127.0.0.1' },
        voice: {
          destination: number,
          reply_timeout_ms: 3_000,
          steps: [
            { turn: 2, hold_ms: 500 },
            { turn: 3, digits: '7#' },
          ],
        },
        assertions: [...assertions, ...reported],
      }),
      run({ persona_id: persona, voice: { destination: number }, assertions }),
      run({ persona_id: persona, voice: {}, assertions }),
    ]);
    expect(wordsOf(ofNumber)).toEqual([
      'AT NUMBER',
      'HOURS?',
      'NINE TO FIVE',
      '[on hold for 0.5 s]',
      '[keys pressed: 7#]',
      'BYE',
    ]);
    const keys = bot.streams.find(({ path }) => path === '/number')!.of('dtmf');
    expect(keys.map(({ dtmf }) => (dtmf as { digit: string }).digit)).toEqual(['7', '#']);
    expect(ofNumber).toMatchObject({ status: 'PASSED', voice: { codec: 'PCMU' } });
    expect(wordsOf(ofDraft).slice(0, 3)).toEqual(['AT LIVE', 'HOURS?', 'NINE TO FIVE']);
    // It has no number: its bot is called all the same.
    expect(wordsOf(without).slice(0, 3)).toEqual(['AT LIVE', 'HOURS?', 'NINE TO FIVE']);
    const starts = bot.streams.filter(({ path }) => path === '/live').map(({ start }) => start?.start);
    for (const start of starts)
      expect(start).toMatchObject({
        customParameters: { tenant: 'blue', persona_id: persona, persona_version: '1' },
      });
    expect(starts).toHaveLength(2);
  });

  const pathwayDocument = (greeting: string, hours: string) => ({
    start_node_id: 'greeting',
    nodes: [
      { id: 'greeting', name: 'Greeting', type: 'default', text: greeting },
      { id: 'hours', name: 'Hours', type: 'default', text: hours },
      { id: 'end', name: 'End', type: 'end', text: 'BYE' },
    ],
    edges: [
      { id: 'asked', source: 'greeting', target: 'hours', label: 'The caller asks for the hours' },
      { id: 'done', source: 'hours', target: 'end', label: 'The caller says goodbye' },
    ],
  });

  /** A number whose calls follow the pathway at the reference agent. @param speech of the agent, as DEMARC_TEST_CALL_SPEECH */
  async function pathwayNumber(digits: string, speech: 'voice' | 'tones', document: object) {
    if (stack.mediaStream === undefined) await stack.startMediaStream();
    const log = createLog({ level: 'warn', role: 'agent' });
    const services = await pathwayServices({ DEMARC_TEST_CALL_SPEECH: speech }, log);
    const agent = await PathwayAgent.start(
      { listen: { host: agentAddress, port: 0 }, signing: undefined },
      { ...services, apiUrl: control.url, language: 'en-US', endOfTurnMilliseconds: 700, log },
    );
    onTestFinished(() => agent.stop());
    const { id } = await ask('/v1/pathways', { name: digits, document });
    await ask(`/v1/pathways/${id}/versions/promote`, {});
    await ask('/v1/sip/attach', {
      phone_numbers: [`+${digits}`],
      service: 'sip',
      directions: [
        {
          type: 'inbound',
          allowed_ips: ['127.0.0.1', agentAddress],
          agent: `ws://${agentAddress}:${agent.port}/`,
        },
      ],
    });
    await ask(`/v1/pathways/${id}/inbound/attach`, { inbound_numbers: [`+${digits}`] });
    const stored = async () => (await stack.redisClient.get(`demarc:number:${digits}`)) ?? '';
    await until(async () => (await stored()).includes(id), 10_000, 'the number with its pathway');
    return id;
  }

  it('tests the version of a pathway that it names, not the live one', async () => {
    const pathway = await pathwayNumber('12025550178', 'tones', pathwayDocument('LIVE', 'NINE TO FIVE'));
    await ask(`/v1/pathways/${pathway}`, { document: pathwayDocument('DRAFT HERE', 'TEN TO SIX') }, 'PATCH');
    const tested = await run(
      {
        pathway_id: pathway,
        input_messages: [{ role: 'user', content: 'HOURS?' }],
        voice: { destination: '+12025550178' },
      },
      { version_number: 2 },
    );
    expect(tested).toMatchObject({
      error_message: null,
      version_number: 2,
      chat_history: [
        { role: 'assistant', content: 'DRAFT HERE' },
        { role: 'user', content: 'HOURS?' },
        { role: 'assistant', content: 'TEN TO SIX' },
      ],
    });
  });

  it('tests the agent that answers the phone: a softphone hears the words of the node', async () => {
    // One sentence: the agent synthesizes each apart from the others.
    const greeting = 'Welcome to the harbour clinic, we are open from nine to five.';
    const speak = (text: string) =>
      espeak.speak(text, { language: 'en-US', voice: undefined }, AbortSignal.timeout(60_000));
    const [expected, unrelated] = await Promise.all([
      speak(greeting),
      speak('Sorry, nobody is here at the moment, please call again tomorrow.'),
    ]);
    await pathwayNumber('12025550179', 'voice', pathwayDocument(greeting, 'NINE TO FIVE'));
    // At one of the addresses that this edge sends audio to, and silent: sampled at 8000 Hz, this tone is zeros. A tone that is heard
    // after the greeting has begun would interrupt it.
    const phone = await stack.phone({ address: agentAddress, toneHertz: 8_000 });
    await phone.dial(stack.uri('12025550179'));
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    // The agent may synthesize for long on a busy machine.
    const loud = (samples: Iterable<number>, fullScale: number): number => {
      let count = 0;
      for (const sample of samples) if (Math.abs(sample) > 0.02 * fullScale) count++;
      return count;
    };
    const spoken = () => Math.max(0, ...phone.heard.map(({ samples }) => loud(samples, 1)));
    await until(() => spoken() > 0.9 * loud(expected, 32_768), 30_000, 'as much sound as the greeting has');
    await phone.hangup();
    const heard = phone.heard.at(-1)!;
    expect(shareOfSpeech(heard, expected)).toBeGreaterThan(0.6);
    expect(shareOfSpeech(heard, unrelated)).toBeLessThan(0.3);
    // It is no test, so it counts.
    await until(async () => (await usage()) === 1, 20_000, 'the usage of the call');
  });

  it('is repeated once when the process that runs it is killed, and counts once', async () => {
    const usageBefore = await usage();
    const { id: scenario } = await ask('/v1/agent-testing/scenarios', {
      name: 'Killed',
      agent: { sip_uri: stack.agentUri('talk-600') },
      scenario_type: 'REPLAY',
      channel: 'voice',
      voice: {},
      input_messages: [
        { role: 'user', content: 'HOURS?' },
        { role: 'user', content: 'BYE' },
      ],
      // Holds however late the audio is: this is about what counts.
      assertions: [{ type: 'VOICE_METRIC', config: { metric: 'interruptions', minimum: 0 } }],
    });
    const batch = await ask('/v1/agent-testing/batch-run', {
      scenario_ids: [scenario],
      webhook_url: 'https://hooks.example.com/tests',
    });
    const [{ run_id: id }] = batch.runs;
    // The agent has greeted the caller.
    const hasBegun = async (): Promise<boolean> => {
      const { rows } = await sql`select 1 from agent_test_conversations
        where run_id = ${id} and jsonb_array_length(chat_history) > 0`.execute(bench.database);
      return rows.length === 1;
    };
    await until(hasBegun, 20_000, 'the conversation begins');
    control.child.signal('SIGKILL');
    await control.child.exit(5_000);
    control = await startControl();
    const show = async () => ask(`/v1/agent-testing/runs/${id}`);
    await until(async () => (await show()).completed_at !== null, 40_000, 'the repeated run');
    const repeated = await show();
    expect(repeated).toMatchObject({
      status: 'PASSED',
      attempts: 2,
      assertion_results: [{ passed: true }],
    });
    // One conversation is stored, not two after each other.
    expect(repeated.chat_history.filter(({ role }: { role: string }) => role === 'user')).toHaveLength(2);
    expect(await ask(`/v1/agent-testing/batches/${batch.batch_id}`)).toMatchObject({
      status: 'PASSED',
      total_scenarios: 1,
      passed_scenarios: 1,
    });
    const { rows } = await sql`select id from deliveries where subject = ${batch.batch_id}`.execute(
      bench.database,
    );
    expect(rows).toHaveLength(1);
    // The call of the killed process ended with it: no agent is left in it.
    const calls = async () => {
      const { rows: found } = await sql<{ end_reason: string }>`
        select end_reason from calls where test_run_id = ${id}`.execute(bench.database);
      return found;
    };
    await until(async () => (await calls()).length === 2, 15_000, 'both calls are in the history');
    expect(await usage()).toBe(usageBefore);
  });
});

const silentFrames = 25;

/**
 * A bot that greets with its path, says its hours after the caller's first line, and hangs up after the next one. It does not
 * understand words: on a busy machine what it gets in place of late packets is no tone.
 */
function converse(stream: BotStream): void {
  const say = (words: string): void => {
    stream.media(encode('PCMU', encodeTones(words)));
    stream.send({ event: 'mark', streamSid: stream.streamSid, mark: { name: words } });
  };
  const isLoud = (frame: Buffer): boolean => decode('PCMU', frame).some((sample) => Math.abs(sample) > 1_000);
  let isAnswered = false;
  let hasSpoken = false;
  let silence = 0;
  stream.socket.on('message', () => {
    const { event } = stream.messages.at(-1)!;
    if (event === 'start') say(`AT ${stream.path.slice(1).toUpperCase()}`);
    // A line begins when the bot's own words are over: their mark is back.
    if (event !== 'media' || stream.of('mark').length < (isAnswered ? 2 : 1)) return;
    silence = isLoud(stream.audio.at(-1)!) ? 0 : silence + 1;
    hasSpoken ||= silence === 0;
    if (!hasSpoken || silence < silentFrames) return;
    hasSpoken = false;
    if (isAnswered) stream.socket.close(1_000);
    else {
      const lookup = JSON.stringify({ name: 'hours', arguments: { day: 'Monday' }, status: 200 });
      stream.send({ event: 'metadata', values: { 'tool_call.1': lookup, intent: 'hours' } });
      say('NINE TO FIVE');
    }
    isAnswered = true;
  });
}
