import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CallClosed } from '../../dev/softphone/baresip.js';
import type { CallRecord } from '../../src/contract/call-record.js';
import { until } from '../../src/testkit/waiting.js';
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
    await phone.hangup();
    const record = await stack.recordOf(number);
    expect(record).toMatchObject({ outcome: 'completed', end_reason: 'caller_hung_up' });
    expect(answeredAfter(record, 'BYE', '200 OK')).toBeLessThan(timeoutMilliseconds - 500);
    expect(messagesOf(record, { leg: 'agent', summary: 'BYE' })).toHaveLength(1);
  });

  it('is down when a call arrives: 503 with Retry-After after the timeout, and the agent is not called', async () => {
    await stack.rtpengines[0]!.kill();
    const number = await stack.number();
    const phone = await stack.phone();
    await phone.dial(stack.uri(number));
    await expect(phone.waitFor('CALL_ESTABLISHED', 20_000)).rejects.toThrow(
      new CallClosed('503 Service Unavailable'),
    );
    const record = await stack.recordOf(number);
    expect(record).toMatchObject({ sip_status: 503, end_reason: 'media_failed', ended_by: 'edge' });
    expect(record.sip_call_ids.agent).toBeNull();
    expect(answeredAfter(record, 'INVITE', '503 Service Unavailable')).toBeLessThan(
      timeoutMilliseconds + 3_000,
    );
    const [refusal] = messagesOf(record, { summary: '503 Service Unavailable' });
    expect(refusal).toMatch(/^Retry-After: \d+\r?$/m);
  });

  it('hangs during a call: BYE is answered at once, and the session is deleted when it answers again', async () => {
    const number = await stack.number();
    const phone = await talk(stack, number, phoneToneHertz);
    await stack.rtpengines[0]!.freeze();
    await phone.hangup();
    const record = await stack.recordOf(number);
    stack.rtpengines[0]!.thaw();
    expect(answeredAfter(record, 'BYE', '200 OK')).toBeLessThan(timeoutMilliseconds - 500);
    await until(
      async () => (await stack.rtpengines[0]!.sessions()).length === 0,
      20_000,
      'the session is deleted',
    );
  });

  it('is restarted during a call: the call, which has lost its media, ends, and the next one has audio', async () => {
    const number = await stack.number();
    const phone = await talk(stack, number, phoneToneHertz);
    await stack.rtpengines[0]!.kill();
    await stack.rtpengines[0]!.restart();
    await phone.waitFor('CALL_CLOSED', 20_000);
    expect(await stack.recordOf(number)).toMatchObject({
      ended_by: 'edge',
      end_reason: 'media_failed',
      detail: expect.stringContaining('media node'),
    });
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

  it('dies: its calls end with the cause, new ones go to the other, and it gets calls again when it is back', async () => {
    const number = await stack.number();
    const phone = await talk(stack, number, phoneToneHertz);
    const used = (await stack.rtpengines[0]!.sessions()).length === 1 ? 0 : 1;
    const [dead, other] = [stack.rtpengines[used]!, stack.rtpengines[1 - used]!];
    await dead.kill();
    for (let call = 0; call < 3; call += 1) {
      const record = await talkAndHangUp(stack);
      expect(record).toMatchObject({
        outcome: 'completed',
        media: { node: `127.0.0.1:${other.port}` },
      });
      expect(answeredAfter(record, 'INVITE', '200 OK')).toBeLessThan(5_000);
    }
    await phone.waitFor('CALL_CLOSED', 20_000);
    expect(await stack.recordOf(number)).toMatchObject({
      end_reason: 'media_failed',
      media: { node: `127.0.0.1:${dead.port}` },
    });
    await dead.restart();
    await until(
      async () => (await talkAndHangUp(stack)).media?.node === `127.0.0.1:${dead.port}`,
      20_000,
      'a call on the node that is back',
    );
  });
});
