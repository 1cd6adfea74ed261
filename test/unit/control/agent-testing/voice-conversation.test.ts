import { beforeEach, describe, expect, it } from 'vitest';
import type { SpeechStretch, ToTestCaller, VoiceCallReport } from '../../../../src/contract/voice-call.js';
import { notUnderstood, RunFailure } from '../../../../src/control/agent-testing/conversation/channel.js';
import { voiceSettingsSchema } from '../../../../src/control/agent-testing/schemas/voice.js';
import { CallSlots } from '../../../../src/control/agent-testing/voice/call-slots.js';
import { chooseEdge } from '../../../../src/control/agent-testing/voice/choose-edge.js';
import {
  toneRecognition,
  toneSynthesis,
} from '../../../../src/control/agent-testing/voice/speech/tone-speech.js';
import { VoiceCall } from '../../../../src/control/agent-testing/voice/voice-call.js';
import { VoiceConversation } from '../../../../src/control/agent-testing/voice/voice-conversation.js';
import { decodeTones, encodeTones } from '../../../../src/rtp/tone-code.js';

const order = {
  id: 'one',
  number: '4930',
  callerNumber: null,
  uriParameters: '',
  sipCallId: 'one@test',
  headers: {},
  target: { protocol: 'tls', host: '127.0.0.1', port: 5061 },
  answerMilliseconds: 1_000,
  maximumMilliseconds: 1_000,
  endOfTurnMilliseconds: 300,
  isRecorded: false,
} as const;

/** A call whose other side is the test: lines are said at once, and the test speaks for the agent. */
class ScriptedCall {
  readonly sent: ToTestCaller[] = [];
  clock = 0;
  private readonly turns: SpeechStretch[] = [];
  readonly call = new VoiceCall(order, (message) => {
    this.sent.push(message);
    if (message.type === 'say' && message.bargeInMilliseconds === null) this.said(message.line);
    if (message.type === 'press') this.said(message.line);
    if (message.type === 'hold') {
      const { isHeld } = message;
      queueMicrotask(() => this.call.received({ type: 'held', id: 'one', isHeld }));
    }
    if (message.type === 'hangUp') this.end();
  });

  said(line: number): void {
    const from = this.clock;
    this.clock += 1_000;
    queueMicrotask(() => {
      this.call.received({ type: 'said', id: 'one', line: { line, from, to: this.clock, isCut: false } });
      this.afterLine(line);
    });
  }

  afterLine: (line: number) => void = () => {};

  agent(words: string | Int16Array, latency = 400): void {
    const stretch: SpeechStretch = { from: this.clock + latency, to: this.clock + latency + 500 };
    const samples = typeof words === 'string' ? encodeTones(words) : words;
    this.clock = stretch.to;
    this.turns.push(stretch);
    this.call.received({ type: 'began', id: 'one', at: stretch.from });
    this.call.received({ type: 'turn', id: 'one', stretch, audio: new Uint8Array(samples.buffer) });
  }

  end(values: Partial<VoiceCallReport> = {}): void {
    const report: VoiceCallReport = {
      ended_by: 'caller',
      detail: null,
      sip_call_id: 'one@test',
      sip_status: 200,
      sip_reason: 'OK',
      edge_refusal: null,
      answered_at: null,
      duration_ms: this.clock,
      codec: 'PCMU',
      caller: [],
      agent: [],
      turns: this.turns,
      recording_delays: [],
      packets: { received: 1, lost: 0, late: 0, sent: 1, jitter_ms: 0, stalled_ms: 0 },
      ...values,
    };
    this.call.received({ type: 'ended', id: 'one', report });
  }

  get lines(): (string | undefined)[] {
    return this.sent.flatMap((message) => {
      if (message.type !== 'say') return [];
      return decodeTones(new Int16Array(Uint8Array.from(message.audio).buffer));
    });
  }
}

let script: ScriptedCall;
let slotsGivenBack: number;
const { signal } = new AbortController();
beforeEach(() => {
  script = new ScriptedCall();
  slotsGivenBack = 0;
});

const converse = (voice: object = {}): VoiceConversation =>
  new VoiceConversation({
    call: script.call,
    voice: voiceSettingsSchema.parse({ reply_timeout_ms: 500, ...voice }),
    synthesis: toneSynthesis,
    recognition: toneRecognition,
    // Its record is not there.
    database: undefined as never,
    subject: { organizationId: 'acme' },
    answerMilliseconds: 0,
    ended: () => slotsGivenBack++,
  });

describe('a conversation by voice', () => {
  it('speaks in turns, and measures each reply from the end of the line', async () => {
    const conversation = converse();
    const greeting = conversation.greet(signal);
    script.agent('HELLO', 200);
    expect(await greeting).toMatchObject({ text: 'HELLO', latencyMilliseconds: 200, hasEnded: false });
    script.afterLine = () => script.agent('OK', 450);
    expect(await conversation.say('HOURS?', signal)).toMatchObject({ text: 'OK', latencyMilliseconds: 450 });
    await conversation.end();
    expect(slotsGivenBack).toBe(1);
  });

  it('adds what the agent says while the caller thinks, and takes it for no fast reply', async () => {
    const conversation = converse();
    script.agent('HELLO');
    await conversation.greet(signal);
    script.agent('ARE YOU THERE');
    script.afterLine = () => script.agent('OK', 300);
    expect(await conversation.say('YES', signal)).toMatchObject({
      text: 'ARE YOU THERE OK',
      latencyMilliseconds: 300,
    });
  });

  it('presses keys, and hears what follows', async () => {
    const conversation = converse();
    script.agent('PRESS 1');
    await conversation.greet(signal);
    script.afterLine = () => script.agent('SALES', 300);
    expect(await conversation.act({ turn: 1, digits: '1#' }, '[keys pressed: 1#]', signal)).toMatchObject({
      text: 'SALES',
      latencyMilliseconds: 300,
    });
    expect(script.sent).toContainEqual({ type: 'press', id: 'one', line: 0, digits: '1#' });
  });

  it('is silent until the agent asks, and owes it no reply that counts as late', async () => {
    const conversation = converse();
    script.agent('HELLO');
    await conversation.greet(signal);
    const silence = conversation.act({ turn: 1, silence_ms: 60_000 }, '', signal);
    script.agent('ARE YOU THERE');
    expect(await silence).toMatchObject({
      text: 'ARE YOU THERE',
      latencyMilliseconds: null,
      hasEnded: false,
    });
    expect(await conversation.act({ turn: 2, silence_ms: 100 }, '', signal)).toMatchObject({ text: '' });
  });

  it('holds the call and resumes it', async () => {
    const conversation = converse();
    script.agent('HELLO');
    await conversation.greet(signal);
    expect(await conversation.act({ turn: 1, hold_ms: 500 }, '', signal)).toMatchObject({ text: '' });
    expect(script.sent.flatMap((message) => (message.type === 'hold' ? [message.isHeld] : []))).toEqual([
      true,
      false,
    ]);
  });

  it('speaks the last words of a caller who hangs up, and waits for no reply', async () => {
    const conversation = converse({ reply_timeout_ms: 60_000 });
    script.agent('HELLO');
    await conversation.greet(signal);
    await conversation.hear('BYE', signal);
    expect(script.lines).toEqual(['BYE']);
    await conversation.end();
  });

  it('says what was not understood, and hangs up after two lines without a reply', async () => {
    const conversation = converse();
    script.agent(new Int16Array(8_000).map((_, index) => 5_000 * Math.sin(index / 3)));
    expect(await conversation.greet(signal)).toMatchObject({ text: notUnderstood });
    expect(await conversation.say('A', signal)).toMatchObject({ text: '', hasEnded: false });
    expect(await conversation.say('B', signal)).toMatchObject({ text: '', hasEnded: true });
  });

  it('prepares the line that interrupts the agent before the reply', async () => {
    const conversation = converse({ barge_in: { turn: 1, after_ms: 300, text: 'STOP' } });
    script.agent('HELLO');
    await conversation.greet(signal);
    script.afterLine = (line) => {
      if (line !== 0) return;
      setTimeout(() => {
        script.said(1);
        script.agent('I WILL');
        setTimeout(() => script.agent('SORRY'), 50);
      }, 50);
    };
    expect(await conversation.say('GO', signal)).toMatchObject({ text: 'I WILL SORRY' });
    expect(script.lines).toEqual(['GO', 'STOP']);
    await conversation.end();
    expect(conversation.measurements()).toMatchObject({ sip_call_id: 'one@test', call_id: null });
  });

  it('has the turns at the times of the report, which later packets have corrected', async () => {
    const conversation = converse();
    script.agent('HELLO');
    await conversation.greet(signal);
    script.end({ turns: [{ from: 250, to: 750 }], agent: [{ from: 250, to: 750 }] });
    await conversation.end();
    expect(conversation.measurements().turns).toEqual([
      { speaker: 'agent', from_ms: 250, to_ms: 750, text: 'HELLO', is_barge_in: false },
    ]);
  });

  it('stops, and gives no measurements, when the call has failed', async () => {
    const conversation = converse();
    script.agent('HELLO');
    await conversation.greet(signal);
    script.afterLine = () => script.end({ ended_by: 'failed', detail: 'The connection was lost.' });
    await expect(conversation.say('HI', signal)).rejects.toThrow(
      new RunFailure('The call failed: The connection was lost.'),
    );
    await conversation.end();
    expect(() => conversation.measurements()).toThrow(RunFailure);
  });

  it('ends at once when the run is cancelled', async () => {
    const cancel = new AbortController();
    const greeting = converse({ reply_timeout_ms: 60_000 }).greet(cancel.signal);
    cancel.abort(new Error('cancelled'));
    await expect(greeting).rejects.toThrow('cancelled');
  });
});

it('bounds the calls of an organization and of the process', async () => {
  const slots = new CallSlots({ concurrency: 3, concurrencyOfOrganization: 2 }, 50);
  const [first, second] = [await slots.enter('a'), await slots.enter('a')];
  await expect(slots.enter('a')).rejects.toThrow(/DEMARC_TEST_CALLS_PER_ORGANIZATION/);
  const leaveSecond = await slots.enter('b');
  await expect(slots.enter('c')).rejects.toThrow(RunFailure);
  const waiting = slots.enter('a');
  first();
  first();
  (await waiting)();
  second();
  leaveSecond();
  expect(await slots.enter('c')).toBeDefined();
});

describe('the edge of a test call', () => {
  const edge = (
    calls: number,
    values: { draining?: boolean; addresses?: string[]; isAlive?: boolean } = {},
  ) => ({
    isAlive: values.isAlive ?? true,
    heartbeat: {
      draining: values.draining ?? false,
      counts: { calls },
      engine: {
        up: true,
        addresses: values.addresses ?? [`tcp/192.0.2.${calls}:5060`, `tls/192.0.2.${calls}:5061`],
      },
    },
  });
  const choose = (edges: readonly object[], setting?: { protocol: 'tls'; host: string; port: number }) =>
    chooseEdge({ edges: async () => edges as never }, { edge: setting });

  it('is the one with the fewest calls, over TLS', async () => {
    const edges = [edge(5), edge(2), edge(1, { draining: true }), edge(0, { isAlive: false })];
    expect(await choose(edges)).toEqual({ protocol: 'tls', host: '192.0.2.2', port: 5061 });
  });

  it('is the configured one', async () => {
    const setting = { protocol: 'tls', host: 'edge.example', port: 5061 } as const;
    expect(await choose([], setting)).toEqual(setting);
  });

  it('is missing with a reason', async () => {
    await expect(choose([])).rejects.toThrow('No edge takes calls');
    await expect(choose([edge(1, { addresses: ['udp/192.0.2.1:5060'] })])).rejects.toThrow(
      'DEMARC_TEST_CALL_EDGE',
    );
  });
});
