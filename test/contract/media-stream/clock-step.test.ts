import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause, until } from '../../../src/testkit/waiting.js';
import { type BotStream, toneOctets } from '../../support/stream-bot.js';
import { StreamBench, type StreamedCall } from './stream-bench.js';

/** Debian: libfaketime. The multithreaded one; its path has the machine's architecture. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path));
const settleMilliseconds = 1_500;

/** The wall clock of the process and of its engine, which a file sets. Monotonic clocks are the machine's. */
class WallClock {
  private readonly folder = mkdtempSync(join(tmpdir(), 'demarc-clock-'));
  private readonly file = join(this.folder, 'offset');

  constructor() {
    this.write(0);
  }

  get environment(): Record<string, string> {
    return {
      LD_PRELOAD: library!,
      FAKETIME_TIMESTAMP_FILE: this.file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** The library reads the file once a second. */
  async set(hours: number): Promise<void> {
    this.write(hours);
    await pause(settleMilliseconds);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  private write(hours: number): void {
    writeFileSync(this.file, `${hours < 0 ? '' : '+'}${hours}h\n`);
  }
}

describe.skipIf(library === undefined)(
  'a media-stream process whose wall clock is set (skipped without libfaketime)',
  () => {
    const clock = new WallClock();
    let bench: StreamBench;
    let streamed: StreamedCall;
    beforeAll(async () => {
      await clock.set(5);
      bench = await StreamBench.start(clock.environment);
      streamed = await bench.call();
      streamed.talk(400);
    });
    afterAll(async () => {
      // Its engine ended with its predecessor, and with it the connection of this peer.
      streamed?.close();
      await bench?.stop();
      clock.remove();
    });

    const timestamps = ({ messages }: BotStream): string[] =>
      messages
        .filter(({ event }) => event === 'media')
        .map(({ media }) => (media as { timestamp: string }).timestamp);

    it('has the hour that the test gives it', async () => {
      const logged = await bench.process.line(/"time":(?:"([^"]+)"|(\d+))/, 10_000);
      const at = logged[1] === undefined ? Number(logged[2]) : Date.parse(logged[1]);
      expect(at - Date.now()).toBeGreaterThan(4 * 3_600_000);
    });

    it.each([10, 0, 5])('keeps cadence, marks and timestamps at +%i hours', async (hours) => {
      const { stream, heard } = streamed;
      await until(() => stream.audio.length > 10, 5_000, 'frames of the caller');
      const [frames, packets] = [stream.audio.length, heard.length];
      const from = performance.now();
      stream.media(toneOctets(600, 1_000));
      stream.send({ event: 'mark', streamSid: stream.streamSid, mark: { name: `at ${hours}` } });
      await clock.set(hours);
      const names = () => stream.of('mark').map(({ mark }) => (mark as { name: string }).name);
      await until(() => names().includes(`at ${hours}`), 10_000, 'the mark');
      await until(() => stream.audio.length >= frames + 100, 10_000, 'two seconds of frames');
      const elapsed = performance.now() - from;
      // No more than the time that has passed and a stall of a busy machine, and no burst or gap of the hours by which the clock was set.
      for (const count of [stream.audio.length - frames, heard.length - packets]) {
        expect(count).toBeLessThan(elapsed / 20 + 50);
        expect(count).toBeGreaterThan(75);
      }
      expect(timestamps(stream)).toEqual(timestamps(stream).map((_, index) => String(index * 20)));
      for (const [index, packet] of heard.entries()) {
        if (index === 0) continue;
        expect((packet.timestamp - heard[index - 1]!.timestamp) >>> 0).toBeLessThan(80_000);
      }
    });

    it('continues the call behind what its predecessor has sent, though the clock was set back', async () => {
      const { heard } = streamed;
      await clock.set(0);
      const streams = bench.bot.streams.length;
      const last = heard.at(-1)!;
      await bench.replaceProcess();
      await until(() => bench.bot.streams.length > streams, 15_000, 'the next stream');
      await until(
        () => heard.at(-1)!.at - last.at > 0 && heard.at(-1)! !== last,
        5_000,
        'audio of the next one',
      );
      const { sequence, timestamp, source } = heard.at(-1)!;
      expect(source).toBe(last.source);
      const ahead = (sequence - last.sequence) & 0xffff;
      expect(ahead).toBeGreaterThan(0);
      // What has passed since the call was noted, and one second; not hours.
      expect(ahead).toBeLessThan(3_000);
      expect((timestamp - last.timestamp) >>> 0).toBeLessThan(3_000 * 160);
    });
  },
);
