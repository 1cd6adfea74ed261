import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exchangeCost } from '../../../../src/edge/media/exchange-cost.js';
import type { NgReply } from '../../../../src/edge/media/ng-client.js';
import { ReflectionGuard } from '../../../../src/edge/media/reflection-guard.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const boundMilliseconds = 3_000;

/** A session whose trunk side has received so many packets; undefined: rtpengine does not answer. */
class Session {
  packets: number | undefined = 0;
  isRefusing = false;
  readonly blocks: boolean[] = [];

  async query(): Promise<NgReply | undefined> {
    if (this.packets === undefined) throw new Error('rtpengine is down');
    const stats = { packets: this.packets, bytes: 0, errors: 0 };
    return { tags: { trunk: { medias: [{ streams: [{ flags: ['RTP'], stats }] }] } } } as unknown as NgReply;
  }

  async blockAgent(isBlocked: boolean): Promise<void> {
    if (this.isRefusing) throw new Error('rtpengine is down');
    this.blocks.push(isBlocked);
  }
}

describe('the guard against reflected media', () => {
  let session: Session;
  let guard: ReflectionGuard;
  beforeEach(() => {
    session = new Session();
    guard = new ReflectionGuard(session, boundMilliseconds);
  });
  afterEach(() => guard.stop());

  it('blocks an endpoint that sends nothing, when the time is over', async () => {
    guard.describe('192.0.2.1:4000');
    await vi.advanceTimersByTimeAsync(boundMilliseconds - 1);
    expect(session.blocks).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(session.blocks).toEqual([true]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(session.blocks).toEqual([true]);
  });

  it('never blocks one that sends, and asks no more', async () => {
    guard.describe('192.0.2.1:4000');
    session.packets = 1;
    await vi.advanceTimersByTimeAsync(boundMilliseconds);
    const query = vi.spyOn(session, 'query');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(session.blocks).toEqual([]);
    expect(query).not.toHaveBeenCalled();
  });

  it('opens again within half a second of the first packet', async () => {
    guard.describe('192.0.2.1:4000');
    await vi.advanceTimersByTimeAsync(boundMilliseconds);
    session.packets = 1;
    await vi.advanceTimersByTimeAsync(500);
    expect(session.blocks).toEqual([true, false]);
  });

  it('takes earlier packets as no proof of a later endpoint', async () => {
    guard.describe('192.0.2.1:4000');
    session.packets = 50;
    await vi.advanceTimersByTimeAsync(boundMilliseconds);
    guard.describe('203.0.113.9:4000');
    await vi.advanceTimersByTimeAsync(boundMilliseconds);
    expect(session.blocks).toEqual([true]);
    session.packets = 51;
    await vi.advanceTimersByTimeAsync(500);
    expect(session.blocks).toEqual([true, false]);
  });

  it('gives another endpoint its whole time, whatever was left of the first one’s', async () => {
    guard.describe('192.0.2.1:4000');
    await vi.advanceTimersByTimeAsync(2_000);
    guard.describe('203.0.113.9:4000');
    await vi.advanceTimersByTimeAsync(boundMilliseconds - 1);
    expect(session.blocks).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(session.blocks).toEqual([true]);
  });

  it('begins again for another endpoint, not for the same one', async () => {
    guard.describe('192.0.2.1:4000');
    await vi.advanceTimersByTimeAsync(2_000);
    guard.describe('192.0.2.1:4000');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(session.blocks).toEqual([true]);
    guard.describe(undefined);
    guard.describe('203.0.113.9:4000');
    await vi.advanceTimersByTimeAsync(500);
    expect(session.blocks).toEqual([true]);
  });

  it('holds nothing against an endpoint while rtpengine does not say', async () => {
    session.packets = undefined;
    guard.describe('192.0.2.1:4000');
    await vi.advanceTimersByTimeAsync(boundMilliseconds);
    expect(session.blocks).toEqual([true]);
    session.packets = 1;
    await vi.advanceTimersByTimeAsync(500);
    expect(session.blocks).toEqual([true, false]);
  });

  it('tries a refused block again', async () => {
    session.isRefusing = true;
    guard.describe('192.0.2.1:4000');
    await vi.advanceTimersByTimeAsync(boundMilliseconds);
    session.isRefusing = false;
    await vi.advanceTimersByTimeAsync(500);
    expect(session.blocks).toEqual([true]);
  });

  it('does nothing after the end', async () => {
    guard.describe('192.0.2.1:4000');
    guard.stop();
    guard.describe('203.0.113.9:4000');
    await vi.advanceTimersByTimeAsync(2 * boundMilliseconds);
    expect(session.blocks).toEqual([]);
  });
});

describe('the cost of an exchange', () => {
  const opus = 'm=audio 1 RTP/AVP 8 96 97\r\na=rtpmap:96 opus/48000/2\r\na=rtpmap:97 opus/48000/2\r\n';

  it.each([
    ['a description', { sdp: 'm=audio 1 RTP/AVP 8\r\na=rtpmap:8 PCMA/8000\r\n' }, 1],
    ['none', {}, 1],
    ['two Opus types', { sdp: opus }, 3],
    ['a conversion', { sdp: 'x', codec: { transcode: ['PCMA'] } }, 3],
    ['Opus within a line', { sdp: 's=a=rtpmap:96 opus/48000\r\n' }, 1],
  ])('of %s', (_, parameters, expected) => {
    expect(exchangeCost(parameters)).toBe(expected);
  });
});
