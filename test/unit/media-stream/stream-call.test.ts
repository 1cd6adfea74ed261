import { afterEach, describe, expect, test } from 'vitest';
import { agentMetadataType } from '../../../src/contract/agent-metadata.js';
import { until } from '../../../src/testkit/waiting.js';
import { headerFields } from '../../support/header-fields.js';
import { answeredCall, begunCall } from './answered-call.js';

type Begun = Awaited<ReturnType<typeof begunCall>>;
const open: Begun[] = [];
const begin = async (...options: Parameters<typeof begunCall>): Promise<Begun> => {
  const begun = await begunCall(...options);
  open.push(begun);
  return begun;
};
const answered = async (): Promise<Begun> => {
  const begun = await answeredCall();
  open.push(begun);
  return begun;
};
afterEach(() => {
  for (const { call } of open.splice(0)) call.hangUp(200, 'Test is over');
});

const statuses = ({ responses }: Begun): number[] => responses.map(({ status }) => status);
const reasonOf = ({ responses }: Begun): string | undefined => responses.at(-1)?.headers.Reason;
/** What the bot got, by its event. */
const events = ({ sockets }: Begun): string[] =>
  sockets.at(-1)!.sent.map((text) => (JSON.parse(text) as { event: string }).event);
const audioOfBot = { event: 'media', media: { payload: Buffer.alloc(160, 0xff).toString('base64') } };
/** A request of the edge within the dialog; what it is answered with. */
const asked = ({ dialog }: Begun, method: string, headers: Record<string, string> = {}, body = '') => {
  const sent: number[] = [];
  const request = {
    method,
    body,
    ...headerFields(headers),
  };
  dialog.emit(method.toLowerCase(), request, { send: (status: number) => sent.push(status) });
  return sent;
};

describe('an INVITE to a bot', () => {
  test('rings, and is answered once the bot’s server has accepted the stream', async () => {
    const begun = await begin();
    expect(statuses(begun)).toEqual([180]);
    expect(begun.call.knownDialog).toBeUndefined();
    begun.sockets[0]!.listener.open();
    expect(begun.counters.answered).toBe(1);
    expect(begun.call.knownDialog).toEqual({ callId: 'x', localTag: 'ours', remoteTag: 'theirs' });
    expect(events(begun).slice(0, 2)).toEqual(['connected', 'start']);
  });

  test('is answered at the bot’s first audio when its order says so', async () => {
    const begun = await begin({ stream: { answer_on: 'first_audio' } });
    begun.sockets[0]!.listener.open();
    expect(begun.counters.answered).toBe(0);
    begun.say(audioOfBot);
    expect(begun.counters.answered).toBe(1);
    begun.say(audioOfBot);
    expect(begun.counters.answered).toBe(1);
  });

  test('without PCMU or PCMA is refused, and no bot is called', async () => {
    const offer =
      'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 18\r\n';
    const begun = await begin({ offer });
    expect(statuses(begun)).toEqual([488]);
    expect([begun.sockets.length, begun.counters.refused, begun.outcome.isOver]).toEqual([0, 1, true]);
  });

  test('ends the connection to the bot when it is cancelled', async () => {
    const begun = await begin();
    begun.cancel();
    expect(begun.outcome.isOver).toBe(true);
    begun.sockets[0]!.listener.open();
    expect(begun.counters.answered).toBe(0);
  });

  test.each([
    [{ kind: 'forbidden', text: 'private address' }, 403, 'Bot: private address'],
    [{ kind: 'clean', text: 'closed' }, 603, 'closed the stream before the answer'],
    [{ kind: 'refused', text: 'HTTP 486', httpStatus: 486 }, 486, 'Bot: HTTP 486'],
    [{ kind: 'refused', text: 'HTTP 480', httpStatus: 480 }, 480, 'Bot: HTTP 480'],
    [{ kind: 'refused', text: 'HTTP 404', httpStatus: 404 }, 502, 'Bot: HTTP 404'],
    [{ kind: 'refused', text: 'HTTP 429', httpStatus: 429 }, 503, 'Bot: HTTP 429'],
    [{ kind: 'refused', text: 'HTTP 499', httpStatus: 499 }, 502, 'Bot: HTTP 499'],
    [{ kind: 'refused', text: 'HTTP 500', httpStatus: 500 }, 503, 'Bot: HTTP 500'],
    [{ kind: 'lost', text: 'ECONNREFUSED' }, 503, 'Bot: ECONNREFUSED'],
  ] as const)('gets, when its bot ends with %o, %i', async (end, status, text) => {
    const begun = await begin();
    begun.sockets[0]!.listener.end(end);
    expect(statuses(begun)).toEqual([180, status]);
    expect(reasonOf(begun)).toContain(text);
    expect([begun.counters.refused, begun.outcome.isOver]).toEqual([1, true]);
  });

  test.each([
    [{ kind: 'lost', text: 'ECONNREFUSED' }, 302],
    [{ kind: 'refused', text: 'HTTP 404', httpStatus: 404 }, 302],
    // The bot has declined the call.
    [{ kind: 'refused', text: 'HTTP 486', httpStatus: 486 }, 486],
    [{ kind: 'clean', text: 'closed' }, 603],
  ] as const)('with a fallback agent, whose bot ends with %o, gets %i', async (end, status) => {
    const begun = await begin({ stream: { fallback: 'sip:spare@agents.example' } });
    begun.sockets[0]!.listener.end(end);
    expect(statuses(begun)).toEqual([180, status]);
    expect(begun.responses.at(-1)?.headers.Contact).toBe(
      status === 302 ? '<sip:spare@agents.example>' : undefined,
    );
  });

  test('is left to another process when this one stops, and hung up on as the API asks', async () => {
    const leaving = await begin();
    leaving.call.leave();
    expect(statuses(leaving)).toEqual([180, 503]);
    expect(reasonOf(leaving)).toContain('Media stream: it is stopping');
    leaving.call.leave();
    expect(statuses(leaving)).toEqual([180, 503]);
    const stopped = await begin();
    stopped.call.hangUp(200, 'Stopped');
    expect(statuses(stopped)).toEqual([180, 603]);
    const busy = await begin();
    busy.call.hangUp(486, 'Busy');
    expect(statuses(busy)).toEqual([180, 486]);
  });
});

describe('an answered call', () => {
  test('stays when its process leaves, and is hung up on with the reason, once', async () => {
    const call = await answered();
    call.call.leave();
    expect(call.requests).toEqual([]);
    call.call.hangUp(200, 'Stopped');
    call.call.hangUp(200, 'Again');
    expect(call.byes).toEqual([{ Reason: 'SIP;cause=200;text="Stopped"' }]);
    expect(call.outcome.isOver).toBe(true);
    expect(call.call.describe()).toBeUndefined();
  });

  test('ends with the caller’s BYE, and no other follows', async () => {
    const call = await answered();
    call.end();
    expect([call.requests, call.outcome.isOver]).toEqual([[], true]);
    expect(events(call)).toContain('stop');
  });

  test('ends with a bot that closes its stream', async () => {
    const call = await answered();
    call.sockets[0]!.listener.end({ kind: 'clean', text: 'closed' });
    await until(() => call.requests.includes('BYE'), 10_000, 'the BYE');
    expect(call.byes[0]!.Reason).toContain('Bot closed the stream');
  });

  test.each([
    ['DTMF', { 'Content-Type': 'application/dtmf-relay' }, 'Signal=5\r\n', 200],
    ['nothing', {}, '', 200],
    ['what it does not know', { 'Content-Type': 'text/plain' }, 'x', 415],
  ])('answers an INFO with %s by its kind', async (what, headers, body, status) => {
    const call = await answered();
    expect(asked(call, 'INFO', headers, body)).toEqual([status]);
    expect(events(call).includes('dtmf')).toBe(what === 'DTMF');
  });

  test.each([
    ['OPTIONS', 200],
    ['REFER', 603],
    ['MESSAGE', 603],
  ])('answers %s with %i', async (method, status) => {
    expect(asked(await answered(), method)).toEqual([status]);
  });

  test('hands values of the bot to the edge for the record, and says when they are not taken', async () => {
    const call = await answered();
    call.say({ event: 'metadata', values: { mood: 'good' } });
    await until(() => call.asked.length > 0, 10_000, 'the INFO');
    expect(call.asked[0]).toMatchObject({
      method: 'INFO',
      headers: { 'Content-Type': agentMetadataType },
      body: JSON.stringify({ mood: 'good' }),
    });
    expect(events(call)).not.toContain('metadata_failed');
    call.outcome.status = 413;
    call.outcome.reason = 'Too large';
    call.say({ event: 'metadata', values: { mood: 'bad' } });
    await until(() => events(call).includes('metadata_failed'), 10_000, 'the notice');
  });

  test('counts what it does not understand', async () => {
    const call = await answered();
    call.say({ event: 'nonsense' });
    expect(call.counters.unknownMessages).toBe(1);
  });

  test('is described for the next process, with bot and position', async () => {
    const call = await answered();
    expect(call.call.describe()).toMatchObject({
      order: { call_id: call.call.id },
      leg: {
        role: 'uas',
        sip_call_id: 'x',
        local_party: '<sip:bot@x>;tag=ours',
        remote_party: '<sip:edge@y>;tag=theirs',
      },
      port: expect.any(Number),
    });
  });
});

describe('a bot that leaves its call', () => {
  test('by a transfer is neither heard nor hears anything, and comes back when that fails', async () => {
    const call = await answered();
    call.say({ event: 'transfer', to: '+14155550100' });
    await until(() => call.requests.includes('REFER'), 10_000, 'the REFER');
    expect(call.asked[0]!.headers!['Refer-To']).toBe('<sip:%2B14155550100@127.0.0.1:5060>');
    expect(asked(call, 'NOTIFY', {}, 'SIP/2.0 180 Ringing\r\n')).toEqual([200]);
    expect(events(call)).not.toContain('transfer_failed');
    asked(call, 'NOTIFY', {}, 'SIP/2.0 486 Busy Here\r\n');
    expect(events(call)).toContain('transfer_failed');
    call.say({ event: 'transfer', to: 'sip:anna@example.com' });
    await until(() => call.asked.length === 2, 10_000, 'the second REFER');
    expect(call.asked[1]!.headers!['Refer-To']).toBe('<sip:anna@example.com>');
    asked(call, 'NOTIFY', {}, 'SIP/2.0 200 OK\r\n');
    expect(events(call)).toContain('stop');
    expect(call.requests).not.toContain('BYE');
  });

  test('by a transfer that the edge refuses reaches the bot as a notice', async () => {
    const call = await answered();
    call.outcome.status = 403;
    call.say({ event: 'transfer', to: '+14155550100' });
    await until(() => events(call).includes('transfer_failed'), 10_000, 'the notice');
  });

  test('by hanging up ends the call with its reason', async () => {
    const call = await answered();
    call.say({ event: 'hangup', reason: 'All said' });
    await until(() => call.requests.includes('BYE'), 10_000, 'the BYE');
    expect(call.byes[0]!.Reason).toContain('All said');
  });
});

describe('what a bot orders beside audio', () => {
  test('holds the call and resumes it by re-INVITEs', async () => {
    const call = await answered();
    call.say({ event: 'hold', on: true });
    await until(() => call.asked.length === 1, 10_000, 'the hold');
    expect(call.asked[0]!.method).toBe('INVITE');
    expect(call.asked[0]!.body).toContain('a=sendonly');
    call.say({ event: 'hold', on: false });
    await until(() => call.asked.length === 2, 10_000, 'the resumption');
    expect(call.asked[1]!.body).not.toContain('a=sendonly');
  });

  test('returns marks that `clear` reaches, in their order', async () => {
    const call = await answered();
    call.say(audioOfBot);
    for (const name of ['first', 'second']) call.say({ event: 'mark', mark: { name } });
    expect(events(call)).not.toContain('mark');
    expect(call.call.queuedMilliseconds).toBe(20);
    call.say({ event: 'clear' });
    expect(call.call.queuedMilliseconds).toBe(0);
    const marks = call.sockets
      .at(-1)!
      .sent.map((text) => JSON.parse(text) as { event: string; mark?: { name: string } })
      .flatMap(({ event, mark }) => (event === 'mark' ? [mark!.name] : []));
    expect(marks).toEqual(['first', 'second']);
  });

  test('accepts or rejects the call before its first audio, and no more after the answer', async () => {
    const stream = { answer_on: 'first_audio' };
    const accepted = await begin({ stream });
    accepted.sockets[0]!.listener.open();
    accepted.say({ event: 'accept' });
    expect(statuses(accepted)).toEqual([180]);
    expect(accepted.counters.answered).toBe(1);
    accepted.say({ event: 'accept' });
    accepted.say({ event: 'reject', status: 486 });
    expect([accepted.counters.answered, accepted.counters.refused, accepted.requests]).toEqual([1, 0, []]);
    for (const [reason, text] of [
      ['Closed today', 'Closed today'],
      [undefined, 'Bot rejected the call'],
    ] as const) {
      const rejected = await begin({ stream });
      rejected.sockets[0]!.listener.open();
      rejected.say({ event: 'reject', status: 486, reason });
      expect(statuses(rejected)).toEqual([180, 486]);
      expect(reasonOf(rejected)).toContain(text);
      expect([rejected.counters.refused, rejected.outcome.isOver]).toEqual([1, true]);
    }
  });
});
