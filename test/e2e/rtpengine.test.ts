import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CallClosed } from '../../dev/softphone/baresip.js';
import { TonePhone, type TonePhoneOptions } from '../../dev/tone/tone-phone.js';
import type { CallRecord } from '../../src/contract/call-record.js';
import { until } from '../../src/testkit/waiting.js';
import { Stopwatch } from '../support/stopwatch.js';
import { phoneToneHertz, Stack } from './stack.js';
import { talk, talkAndHangUp } from './talking.js';
import { messagesOf } from './traces.js';

/** Long enough to distinguish code that waited for it from code that did not, on a busy machine too. */
const timeoutMilliseconds = 2_500;

/** Milliseconds from a request's arrival on the trunk leg to the answer with that summary. */
function answeredAfter(record: CallRecord, request: string, summary: string): number {
  const onTrunk = record.trace.filter(({ leg }) => leg === 'trunk');
  const from = onTrunk.findIndex((entry) => entry.summary === request);
  const answer = onTrunk.slice(from).find((entry) => entry.summary === summary);
  if (from < 0 || answer === undefined) throw new Error(`No ${summary} to ${request} in the trace.`);
  return Date.parse(answer.at) - Date.parse(onTrunk[from]!.at);
}

/** A call of a light phone, which follows new SRTP keys (baresip 1.0 does not), and its echo. */
async function toneCall(stack: Stack, number: string, options: Partial<TonePhoneOptions> = {}) {
  const phone = await TonePhone.dial(await stack.rawCaller(), number, { hertz: 1_000, ...options });
  onTestFinished(() => phone.close());
  await heard(phone, 10);
  return phone;
}

/** That many packets more with its tone. */
async function heard(phone: TonePhone, packets: number): Promise<void> {
  const { heardAt } = phone.stream;
  const before = heardAt.length;
  await until(
    () => heardAt.length >= before + packets,
    20_000,
    () => `audio; ${JSON.stringify(phone.stream.counts)}, re-INVITEs: ${phone.reinvites}`,
  );
}

const longestSilence = 3_000;

describe('the only rtpengine', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({
      edge: { DEMARC_MEDIA_TIMEOUT_SECONDS: '5', DEMARC_RTPENGINE_TIMEOUT_MS: String(timeoutMilliseconds) },
    });
  });
  afterAll(() => stack?.stop());
  afterEach(async () => {
    if (!stack.rtpengines[0]!.isRunning) await stack.rtpengines[0]!.restart();
    await until(async () => (await stack.health()) === 200, 20_000, 'rtpengine is back for the edge');
    await stack.endTest();
  });

  it('dies during a call: BYE is answered at once, and the record comes', async () => {
    const number = await stack.number();
    const phone = await talk(stack, number, phoneToneHertz);
    await stack.rtpengines[0]!.kill();
    const watch = Stopwatch.start();
    await phone.hangup();
    const record = await stack.recordOf(number);
    expect(record).toMatchObject({ outcome: 'completed', end_reason: 'caller_hung_up' });
    expect(answeredAfter(record, 'BYE', '200 OK')).toBeLessThan(watch.bound(timeoutMilliseconds - 500));
    expect(messagesOf(record, { leg: 'agent', summary: 'BYE' })).toHaveLength(1);
  });

  it('is down when a call arrives: 503 with Retry-After after the timeout, and the agent is not called', async () => {
    await stack.rtpengines[0]!.kill();
    const number = await stack.number();
    const phone = await stack.phone();
    const watch = Stopwatch.start();
    await phone.dial(stack.uri(number));
    await expect(phone.waitFor('CALL_ESTABLISHED', 20_000)).rejects.toThrow(
      new CallClosed('503 Service Unavailable'),
    );
    const record = await stack.recordOf(number);
    expect(record).toMatchObject({ sip_status: 503, end_reason: 'media_failed', ended_by: 'edge' });
    expect(record.sip_call_ids.agent).toBeNull();
    expect(answeredAfter(record, 'INVITE', '503 Service Unavailable')).toBeLessThan(
      watch.bound(timeoutMilliseconds + 3_000),
    );
    const [refusal] = messagesOf(record, { summary: '503 Service Unavailable' });
    expect(refusal).toMatch(/^Retry-After: \d+\r?$/m);
  });

  it('hangs during a call: BYE is answered at once, and the session is deleted when it answers again', async () => {
    const number = await stack.number();
    const phone = await talk(stack, number, phoneToneHertz);
    await stack.rtpengines[0]!.freeze();
    const watch = Stopwatch.start();
    await phone.hangup();
    const record = await stack.recordOf(number);
    stack.rtpengines[0]!.thaw();
    expect(answeredAfter(record, 'BYE', '200 OK')).toBeLessThan(watch.bound(timeoutMilliseconds - 500));
    await until(
      async () => (await stack.rtpengines[0]!.sessions()).length === 0,
      20_000,
      'the session is deleted',
    );
  });

  it('is killed and restarted during a call: the call has audio again within 3 s, and the record says so', async () => {
    const number = await stack.number();
    const phone = await toneCall(stack, number);
    const node = `127.0.0.1:${stack.rtpengines[0]!.port}`;
    const killedAt = performance.now();
    const watch = Stopwatch.start();
    await stack.rtpengines[0]!.kill();
    await stack.rtpengines[0]!.restart();
    await heard(phone, 50);
    expect(phone.stream.longestGap(killedAt, performance.now())).toBeLessThan(watch.bound(longestSilence));
    expect(phone.versions).toEqual([1, 2]);
    await phone.hangUp();
    const record = await stack.recordOf(number);
    expect(record).toMatchObject({
      end_reason: 'caller_hung_up',
      media: { node },
      media_moves: [{ from: node, to: node, milliseconds: expect.any(Number) }],
    });
    for (const leg of ['trunk', 'agent'] as const)
      expect(messagesOf(record, { leg, summary: 'INVITE' }).join()).toContain('Media node lost');
    expect((await talkAndHangUp(stack)).outcome).toBe('completed');
  });
});

describe('one of two rtpengines', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({ rtpengines: 2 });
  });
  afterAll(() => stack?.stop());
  afterEach(() => stack.endTest());

  it('dies: its calls continue at the other, new ones go there, and it gets calls again when it is back', async () => {
    const number = await stack.number();
    const phone = await toneCall(stack, number);
    const used = (await stack.rtpengines[0]!.sessions()).length === 1 ? 0 : 1;
    const [dead, living] = [stack.rtpengines[used]!, stack.rtpengines[1 - used]!];
    const [from, to] = [`127.0.0.1:${dead.port}`, `127.0.0.1:${living.port}`];
    const killedAt = performance.now();
    const watch = Stopwatch.start();
    await dead.kill();
    await heard(phone, 50);
    expect(phone.stream.longestGap(killedAt, performance.now())).toBeLessThan(watch.bound(longestSilence));
    for (let call = 0; call < 3; call += 1) {
      const record = await talkAndHangUp(stack);
      expect(record).toMatchObject({ outcome: 'completed', media: { node: to } });
      expect(answeredAfter(record, 'INVITE', '200 OK')).toBeLessThan(watch.bound(5_000));
    }
    await phone.hangUp();
    expect(await stack.recordOf(number)).toMatchObject({
      end_reason: 'caller_hung_up',
      media: { node: to },
      media_moves: [{ from, to }],
    });
    await dead.restart();
    await until(
      async () => (await talkAndHangUp(stack)).media?.node === from,
      20_000,
      'a call on the node that is back',
    );
  });
});
