import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { streamActionHeader, streamOrderHeader } from '../../../src/contract/agent-stream.js';
import { generateSecretKey, SecretBox, streamPlace } from '../../../src/contract/secret.js';
import type { ResponseSender } from '../../../src/edge/sip/messages.js';
import { ApiActions } from '../../../src/media-stream/api-actions.js';
import { factsOf, type OpenedAction, openAction, readOrder } from '../../../src/media-stream/orders.js';
import { CallSounds } from '../../../src/media-stream/sounds/call-sounds.js';
import { testOrder } from './answered-call.js';

const secrets = new SecretBox([generateSecretKey()]);
const withSecrets = {
  ...testOrder,
  stream: {
    ...testOrder.stream,
    headers: secrets.seal(JSON.stringify({ Authorization: 'Bearer b' }), streamPlace('acme')),
    signing_secrets: [secrets.seal('one', streamPlace('acme')), secrets.seal('two', streamPlace('acme'))],
    fallback: 'sip:spare@agents.example',
  },
};
const invite = (header: string | undefined) => ({
  get: (name: string) => (name === streamOrderHeader ? header : undefined),
});

describe('the order in an INVITE', () => {
  test('is opened with its secrets', () => {
    const opened = readOrder(invite(secrets.seal(JSON.stringify(withSecrets))), secrets);
    expect(opened).toEqual({
      order: withSecrets,
      headers: { Authorization: 'Bearer b' },
      secrets: ['one', 'two'],
    });
    expect(readOrder(invite(secrets.seal(JSON.stringify(testOrder))), secrets)).toMatchObject({
      headers: {},
      secrets: [],
    });
  });

  test.each([
    ['is missing', undefined, 'is missing'],
    ['is of another key', new SecretBox([generateSecretKey()]).seal('{}'), 'cannot be read'],
    ['is no order', secrets.seal('{}'), 'cannot be read'],
    [
      'has headers of another organization',
      secrets.seal(JSON.stringify({ ...withSecrets, organization: 'globex' })),
      'cannot be opened',
    ],
  ])('is refused when it %s', (_what, header, text) => {
    expect(() => readOrder(invite(header), secrets)).toThrow(text);
  });

  test('comes with the caller’s own headers, but ours and what is no extension', () => {
    const headers = { 'X-Case': '9', 'x-demarc-org': 'acme', 'User-To-User': '56', From: '<sip:a@b>' };
    const get = (name: string) =>
      Object.entries(headers).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
    expect(factsOf({ headers, get } as never)).toEqual({ 'x-case': '9', 'user-to-user': '56' });
  });
});

describe('an action of the API', () => {
  const action = (fields: object): string =>
    secrets.seal(JSON.stringify({ version: 1, call_id: testOrder.call_id, ...fields }));
  const url = 'wss://next.example.com/stream';

  test('connects the next bot: the same server keeps its headers, another one has none of them', () => {
    const same = openAction(
      action({ action: 'connect', stream: { url: testOrder.stream.url, parameters: { a: 'b' } } }),
      withSecrets,
      secrets,
    );
    expect(same.opened).toMatchObject({
      headers: { Authorization: 'Bearer b' },
      order: { stream: { parameters: { a: 'b' } } },
    });
    const connected = openAction(action({ action: 'connect', stream: { url } }), withSecrets, secrets);
    expect(connected.opened).toMatchObject({
      headers: {},
      secrets: [],
      order: { call_id: testOrder.call_id, stream: { url, fallback: 'sip:spare@agents.example' } },
    });
    expect(() => openAction(secrets.seal('{}'), withSecrets, secrets)).toThrow(
      `${streamActionHeader} cannot`,
    );
  });

  const acting = (opened: () => OpenedAction, state: { isInProgress?: boolean; sound?: Buffer } = {}) => {
    const done: string[] = [];
    const sent: { status: number; body?: string; reason?: string }[] = [];
    const actions = new ApiActions({
      callId: testOrder.call_id,
      openAction: opened,
      readSound: async () => state.sound,
      sounds: new CallSounds(
        async () => ({ octets: Buffer.alloc(800, 0xff), type: 'audio/basic' }),
        () => ({
          codec: 'PCMU',
          maximumMilliseconds: 10_000,
          queue: (octets) => done.push(`queued ${octets.length}`) > 0,
          notice: () => {},
        }),
      ),
      isInProgress: () => state.isInProgress ?? true,
      moveTo: async ({ order }) => {
        if (order.stream.url === url) throw new Error('HTTP 403');
        done.push('moved');
      },
      clear: () => done.push('cleared'),
      log: pino({ level: 'silent' }),
    });
    const response = {
      send: (status: number, _reason: unknown, options: { body?: string; headers: Record<string, string> }) =>
        sent.push({
          status,
          ...(options.body === undefined ? { reason: options.headers.Reason! } : { body: options.body }),
        }),
    } as unknown as ResponseSender;
    return { done, sent, act: () => actions.act('sealed', response) };
  };
  const played = { version: 1 as const, call_id: testOrder.call_id, maximum_milliseconds: 1_000 };
  const file = { ...played, action: 'play' as const, url: 'https://files.example/a.wav' };
  const speech = { ...played, action: 'play_sound' as const, sound: testOrder.call_id };

  test.each([
    ['a file', file, undefined, ['cleared', 'queued 800'], 100],
    ['speech', speech, Buffer.alloc(1_600, 0xff), ['cleared', 'queued 1600'], 200],
  ])(
    'plays %s in place of what is queued, and says how long it takes',
    async (_what, order, sound, done, milliseconds) => {
      const acted = acting(() => ({ action: order }), sound === undefined ? {} : { sound });
      await acted.act();
      expect(acted.done).toEqual(done);
      expect(acted.sent).toEqual([{ status: 200, body: JSON.stringify({ milliseconds }) }]);
    },
  );

  test.each([
    ['of another call', () => ({ action: { ...file, call_id: 'other' } }), {}, 'another call'],
    ['of a call that is over', () => ({ action: file }), { isInProgress: false }, 'not in progress'],
    [
      'that is too long',
      () => ({ action: { ...file, maximum_milliseconds: 99 } }),
      {},
      'longer than 0.099 s',
    ],
    ['whose speech is gone', () => ({ action: speech }), {}, 'no longer available'],
    [
      'that is not authentic',
      () => {
        throw new Error('cannot be read');
      },
      {},
      'cannot be read',
    ],
  ])('%s is answered 503 with the reason, and nothing is heard', async (_what, opened, state, text) => {
    const acted = acting(opened as () => OpenedAction, state);
    await acted.act();
    expect([acted.done, acted.sent[0]!.status]).toEqual([[], 503]);
    expect(acted.sent[0]!.reason).toContain(text);
  });

  test('moves the call to the next bot, and says when that one does not take it', async () => {
    const order = (to: string) => ({ ...testOrder, stream: { ...testOrder.stream, url: to } });
    const connect = { version: 1 as const, call_id: testOrder.call_id, action: 'connect' as const };
    const moving = (to: string) =>
      acting(() => ({
        action: { ...connect, stream: order(to).stream },
        opened: { order: order(to), headers: {}, secrets: [] },
      }));
    const moved = moving(testOrder.stream.url);
    await moved.act();
    expect([moved.done, moved.sent]).toEqual([['moved'], [{ status: 200, body: '{"milliseconds":0}' }]]);
    const refused = moving(url);
    await refused.act();
    expect(refused.sent[0]).toMatchObject({ status: 503, reason: expect.stringContaining('HTTP 403') });
  });
});
