import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ListeningMessage,
  listeningChannel,
  maximumListeningSeconds,
  openMessage,
} from '../../../../src/contract/listening.js';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import type { ListenedCall } from '../../../../src/edge/listening/call-copy.js';
import { Listenings, listenersPerCall, listenersPerEdge } from '../../../../src/edge/listening/listenings.js';

const secrets = new SecretBox([generateSecretKey()]);
const log = pino({ level: 'silent' });

/** A call whose audio cannot be copied at the moment: listeners hear silence. */
const newCall = (): { hasEnded: boolean; media: undefined } & ListenedCall => ({
  hasEnded: false,
  media: undefined,
});
const newListener = (name = 'Ada') => ({ id: randomUUID(), name });

let published: { readonly channel: string; readonly text: string }[];
/** Processes that receive what is published. */
let receivers: number;
let publish: () => Promise<number>;
let listenings: Listenings;

beforeEach(() => {
  vi.useFakeTimers();
  published = [];
  receivers = 1;
  publish = async () => receivers;
  const redis = {
    publish: (channel: string, text: string) => {
      published.push({ channel, text });
      return publish();
    },
  };
  listenings = new Listenings({ redis: redis as never, secrets, log });
});
afterEach(async () => {
  await listenings.stop();
  vi.useRealTimers();
});

const messagesTo = (id: string): (ListeningMessage | undefined)[] =>
  published
    .filter(({ channel }) => channel === listeningChannel(id))
    .map(({ text }) => openMessage(secrets, id, text));

describe('listening to a call', () => {
  it('publishes ten times a second, sealed for each listener, until the call ends', async () => {
    const call = newCall();
    const [ada, bob] = [newListener('Ada'), newListener('Bob')];
    expect(await listenings.begin(call, ada)).toBeUndefined();
    expect(await listenings.begin(call, bob)).toBeUndefined();
    expect(listenings.listenersOf(call).map(({ name }) => name)).toEqual(['Ada', 'Bob']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(messagesTo(ada.id)).toHaveLength(10);
    expect(messagesTo(bob.id)).toHaveLength(10);
    expect(messagesTo(ada.id)[0]).toMatchObject({ audio: expect.any(Buffer) });
    // What is sealed for one channel cannot be read on another.
    expect(openMessage(secrets, bob.id, published[0]!.text)).toBeUndefined();
    call.hasEnded = true;
    await vi.advanceTimersByTimeAsync(100);
    expect(messagesTo(ada.id).at(-1)).toEqual({ end: 'call_ended' });
    expect(messagesTo(bob.id).at(-1)).toEqual({ end: 'call_ended' });
    expect(listenings.size).toBe(0);
    const before = published.length;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(published).toHaveLength(before);
  });

  it('ends for one listener without ending for the other', async () => {
    const call = newCall();
    const [ada, bob] = [newListener('Ada'), newListener('Bob')];
    await listenings.begin(call, ada);
    await listenings.begin(call, bob);
    expect(listenings.end(call, ada.id)).toBe(true);
    expect(listenings.end(call, ada.id)).toBe(false);
    await vi.advanceTimersByTimeAsync(500);
    expect(messagesTo(ada.id)).toEqual([]);
    expect(messagesTo(bob.id)).toHaveLength(5);
  });

  it('is refused beyond the limits of a call and of an edge', async () => {
    const call = newCall();
    for (let count = 0; count < listenersPerCall; count++) await listenings.begin(call, newListener());
    expect(await listenings.begin(call, newListener())).toMatch(/already listen to the call/);
    while (listenings.size < listenersPerEdge)
      expect(await listenings.begin(newCall(), newListener())).toBeUndefined();
    expect(await listenings.begin(newCall(), newListener())).toMatch(/already listen to calls of the edge/);
  });

  it('is refused without a key to seal the audio with', async () => {
    const without = new Listenings({ redis: {} as never, secrets: new SecretBox([]), log });
    expect(await without.begin(newCall(), newListener())).toMatch(/DEMARC_SECRET_KEY/);
  });

  it('ends after the longest time', async () => {
    const call = newCall();
    const ada = newListener();
    await listenings.begin(call, ada);
    const end = performance.now() + maximumListeningSeconds * 1_000;
    listenings.tick(end - 1);
    expect(listenings.size).toBe(1);
    listenings.tick(end);
    await vi.advanceTimersByTimeAsync(0);
    expect(messagesTo(ada.id).at(-1)).toEqual({ end: 'time_limit' });
    expect(listenings.size).toBe(0);
  });

  it('ends when no process receives it any more', async () => {
    const call = newCall();
    await listenings.begin(call, newListener());
    receivers = 0;
    await vi.advanceTimersByTimeAsync(2_500);
    expect(listenings.size).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(listenings.listenersOf(call)).toEqual([]);
  });

  it('drops audio while Redis does not answer', async () => {
    const pending: (() => void)[] = [];
    publish = () => new Promise((resolve) => pending.push(() => resolve(1)));
    await listenings.begin(newCall(), newListener());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(published).toHaveLength(20);
    for (const answer of pending.splice(0)) answer();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(published).toHaveLength(30);
  });

  it('continues while Redis is down', async () => {
    publish = async () => Promise.reject(new Error('Connection is closed.'));
    await listenings.begin(newCall(), newListener());
    await vi.advanceTimersByTimeAsync(5_000);
    expect(listenings.size).toBe(1);
  });

  it('ends when the edge stops, and does not begin again', async () => {
    const call = newCall();
    const ada = newListener();
    await listenings.begin(call, ada);
    await listenings.stop();
    expect(messagesTo(ada.id).at(-1)).toEqual({ end: 'edge_stopping' });
    expect(await listenings.begin(call, newListener())).toMatch(/stopping/);
  });
});
