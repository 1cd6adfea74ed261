import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listeningChannel, sealAudio, sealEnd } from '../../../../src/contract/listening.js';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { AudioStream } from '../../../../src/control/calls/listening/audio-stream.js';
import { MemoryRedis } from '../../../support/memory-redis.js';

/** A response, as far as it is written to. */
class Response extends EventEmitter {
  destroyed = false;
  writableLength = 0;
  head: unknown;
  isComplete = false;
  readonly written: Buffer[] = [];

  writeHead(...head: unknown[]): void {
    this.head = head;
  }

  write(octets: Buffer): void {
    this.written.push(octets);
  }

  end(): void {
    this.isComplete = true;
    this.emit('close');
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const secrets = new SecretBox([generateSecretKey()]);
const id = 'listening-1';
let redis: MemoryRedis;
let response: Response;
let reasons: string[];
let mayListen: () => Promise<boolean>;
let stream: AudioStream;
beforeEach(async () => {
  vi.useFakeTimers();
  redis = new MemoryRedis();
  response = new Response();
  reasons = [];
  mayListen = async () => true;
  stream = new AudioStream({
    redis: redis.asRedis,
    secrets,
    listeningId: id,
    mayListen: () => mayListen(),
    ended: (reason) => void reasons.push(reason),
  });
  await stream.subscribe();
});
afterEach(() => {
  stream.end('control_stopping');
  vi.useRealTimers();
});

const open = (): void =>
  stream.open({ raw: response, hijack: () => undefined, getHeaders: () => ({}) } as never);
const publish = (message: string): void => redis.deliver(listeningChannel(id), message);
const audio = (text: string): string => sealAudio(secrets, id, Buffer.from(text));
const heard = (): string => Buffer.concat(response.written.slice(1)).toString();

it('relays what the edge publishes of this call, behind the header of a file', () => {
  publish(audio('early'));
  open();
  expect(response.head).toMatchObject([200, { 'content-type': 'audio/wav' }]);
  expect(response.written[0]!.toString('latin1', 0, 4)).toBe('RIFF');
  publish(audio('one'));
  publish(sealAudio(secrets, 'listening-2', Buffer.from('two')));
  publish(sealAudio(new SecretBox([generateSecretKey()]), id, Buffer.from('three')));
  publish(audio('four'));
  expect(heard()).toBe('onefour');
  expect(reasons).toEqual([]);
});

it.each([
  ['call_ended', 'the call ended'],
  ['time_limit', 'the longest time was reached'],
] as const)('is complete when the edge says %s, and relays nothing more', (end, reason) => {
  open();
  publish(sealEnd(secrets, id, end));
  publish(audio('late'));
  expect([response.isComplete, response.destroyed, heard()]).toEqual([true, false, '']);
  expect(reasons).toEqual([reason]);
});

it('breaks off when the edge stops, and ends once', () => {
  open();
  publish(sealEnd(secrets, id, 'edge_stopping'));
  stream.end('client_left');
  expect([response.isComplete, response.destroyed]).toEqual([false, true]);
  expect(reasons).toEqual(['the edge stopped']);
});

it('is closed at once where it ended before the response began', () => {
  publish(sealEnd(secrets, id, 'call_ended'));
  open();
  expect(response.isComplete).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it('ends when the listener leaves, also before the response began', () => {
  response.destroyed = true;
  open();
  expect([response.head, reasons]).toEqual([undefined, ['the listener left']]);
});

it('ends when the listener leaves while it hears', () => {
  open();
  response.emit('close');
  expect(reasons).toEqual(['the listener left']);
});

it('breaks off for a listener that reads ten seconds too late', () => {
  open();
  response.writableLength = 160_000;
  publish(audio('one'));
  expect(reasons).toEqual([]);
  response.writableLength = 160_001;
  publish(audio('two'));
  expect(response.destroyed).toBe(true);
  expect(reasons).toEqual(['the connection was too slow']);
});

it('breaks off when the edge is silent for more than ten seconds', async () => {
  open();
  await vi.advanceTimersByTimeAsync(9_000);
  publish(audio('one'));
  await vi.advanceTimersByTimeAsync(9_000);
  expect(reasons).toEqual([]);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(response.destroyed).toBe(true);
  expect(reasons).toEqual(['the edge sent no more audio']);
});

it('ends when the right is withdrawn, and stays while the database is down', async () => {
  open();
  mayListen = () => Promise.reject(new Error('down'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reasons).toEqual([]);
  mayListen = async () => false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(response.isComplete).toBe(true);
  expect(reasons).toEqual(['the right was withdrawn']);
});
