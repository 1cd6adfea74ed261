import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Dialog, ReceivedRequest } from '../../../src/edge/sip/messages.js';
import { Leaving } from '../../../src/media-stream/leaving.js';
import type { KnownDialog } from '../../../src/media-stream/refer-to.js';

const callSid = `CA${'0'.repeat(32)}`;
const answeredDialog: KnownDialog = { callId: 'other', localTag: 'ours', remoteTag: 'theirs' };

/** A bot's call whose edge answers each request with a status. */
function leaving(findDialog: () => Promise<KnownDialog | undefined>, status = 202) {
  const sent: { method: string; headers?: Record<string, string> }[] = [];
  const failures: number[] = [];
  const dialog = Object.assign(new EventEmitter(), {
    connected: true,
    local: { contact: '<sip:bot@127.0.0.1>' },
    remote: { uri: 'sip:edge@127.0.0.1:5060' },
    request: (options: (typeof sent)[number], done: (error: unknown, response: object) => void) => {
      sent.push(options);
      done(undefined, { status, reason: '' });
    },
  }) as unknown as Dialog;
  const events: string[] = [];
  const story = new Leaving({
    dialog: () => dialog,
    findDialog,
    sealFallback: (uri) => `sealed ${uri}`,
    begun: () => events.push('begun'),
    failed: (code) => failures.push(code),
    left: () => events.push('left'),
    log: pino({ level: 'silent' }),
  });
  const notify = (code: number) =>
    story.progress({ body: `SIP/2.0 ${code} Text\r\n` } as unknown as ReceivedRequest);
  return { story, sent, failures, events, notify };
}

describe('an attended transfer', () => {
  it('refers to the dialog of the other call', async () => {
    const { story, sent, events, notify } = leaving(async () => answeredDialog);
    await story.transfer({ kind: 'transfer', target: undefined, call: callSid });
    expect(sent).toMatchObject([
      {
        method: 'REFER',
        headers: { 'Refer-To': expect.stringContaining('Replaces=other%3Bto-tag%3Dtheirs') },
      },
    ]);
    notify(200);
    expect(events).toEqual(['begun', 'left']);
  });

  it.each([
    ['is not found', async () => undefined, 404],
    [
      'cannot be looked up',
      async () => {
        throw new Error('Redis does not answer');
      },
      503,
    ],
  ])('is refused, and becomes no other transfer, when the call %s', async (_name, findDialog, status) => {
    const { story, sent, failures, events } = leaving(findDialog);
    await story.transfer({ kind: 'transfer', target: undefined, call: callSid });
    expect(failures).toEqual([status]);
    expect(sent).toEqual([]);
    expect(events).toEqual([]);
    expect(story.isUnderWay).toBe(false);
  });

  it('is asked for once while the other call is looked up', async () => {
    const { story, sent } = leaving(async () => answeredDialog);
    const order = { kind: 'transfer', target: undefined, call: callSid } as const;
    await Promise.all([story.transfer(order), story.transfer(order)]);
    expect(sent).toHaveLength(1);
  });
});

describe('the fallback agent of a lost bot', () => {
  it('takes the call when the outcome says so', async () => {
    const { story, notify, sent } = leaving(async () => undefined);
    const taken = story.toFallback('sip:desk@example.com');
    await Promise.resolve();
    notify(180);
    notify(200);
    expect(await taken).toBe(true);
    expect(sent[0]!.headers).toMatchObject({ 'X-Demarc-Stream-Fallback': 'sealed sip:desk@example.com' });
  });

  it.each([
    ['the REFER', 603, undefined],
    ['the outcome', 202, 486],
  ])('leaves it when %s says no', async (_name, status, outcome) => {
    const { story, notify } = leaving(async () => undefined, status);
    const taken = story.toFallback('sip:desk@example.com');
    await Promise.resolve();
    if (outcome !== undefined) notify(outcome);
    expect(await taken).toBe(false);
  });
});
