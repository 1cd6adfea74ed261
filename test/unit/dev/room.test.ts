import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countRivals, hasRoom, Room, readTimes } from '../../../dev/gate/room.mjs';
import { stays } from '../../support/stays.js';

describe('another test file on two cores', () => {
  const busy = { spareShare: 0, secondsSinceBegin: 0 };
  const idle = { spareShare: 0.5, secondsSinceBegin: 60 };

  it.each([
    ['always begins while five run', { running: 5, ...busy }, true],
    [
      'waits while six run and nothing is spare',
      { running: 6, spareShare: 0.02, secondsSinceBegin: 60 },
      false,
    ],
    ['begins beside six where the processors have room', { running: 6, ...idle }, true],
    ['begins soon where half is spare', { running: 6, spareShare: 0.5, secondsSinceBegin: 0.5 }, true],
    [
      'waits until the last one has shown what it takes where little is spare',
      { running: 6, spareShare: 0.1, secondsSinceBegin: 2 },
      false,
    ],
    ['begins when it has shown it', { running: 6, spareShare: 0.1, secondsSinceBegin: 2.6 }, true],
    [
      'begins beside eight where a little is spare',
      { running: 8, spareShare: 0.07, secondsSinceBegin: 60 },
      true,
    ],
    [
      'waits while eight run and less is spare',
      { running: 8, spareShare: 0.05, secondsSinceBegin: 60 },
      false,
    ],
    ['begins beside eleven where the processors have room', { running: 11, ...idle }, true],
    ['waits while twelve run', { running: 12, ...idle }, false],
    ['always begins beside seven and four rivals', { running: 7, rivals: 4, ...busy }, true],
    ['waits beside eight and four rivals', { running: 8, rivals: 4, ...busy }, false],
    ['always begins beside six and one rival', { running: 6, rivals: 1, ...busy }, true],
    ['waits while twelve run, however many rivals there are', { running: 12, rivals: 40, ...busy }, false],
  ])('%s', (_title, moment, begins) => {
    expect(hasRoom(moment, 2)).toBe(begins);
  });
});

it('counts idle time as spare, not that of disks, and the time of guests once', () => {
  const stat = 'cpu  100 20 30 400 5 6 7 8 90 10\ncpu0 1 1 1 1 1 1 1 1 1 1\n';
  expect(readTimes(stat)).toEqual({ spare: 400, total: 576 });
});

describe('rivals', () => {
  const running = (threads: number) => `cpu  1 2 3\nprocs_running ${threads}\nprocs_blocked 9\n`;
  const share = availableParallelism() / cpus().length;

  it('are the threads that run in most samples, without the one that counts', async () => {
    let samples = 0;
    const read = () => running(samples++ % 3 === 0 ? 30 : 5);
    expect(await countRivals(read)).toBe(Math.round(4 * share));
  });

  it('are none where only short work runs', async () => {
    let samples = 0;
    expect(await countRivals(() => running(samples++ % 3 === 0 ? 30 : 1))).toBe(0);
  });

  it('are none where their number is unknown', async () => {
    const missing = () => {
      throw new Error('ENOENT: no such file or directory');
    };
    expect(await countRivals(missing)).toBe(0);
    expect(await countRivals(() => 'cpu  1 2 3\n')).toBe(0);
  });
});

describe('a room', () => {
  let folder: string;
  const sockets: Socket[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'demarc-room-'));
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    rmSync(folder, { recursive: true, force: true });
  });

  /** @param spareShare of one core. @param running takes the place of a file */
  async function open(spareShare: number, running?: Promise<unknown>, rivals = 0): Promise<string> {
    const path = join(folder, 'room');
    let total = 0;
    const timesOf = () => {
      total += 100;
      return { total, spare: total * spareShare };
    };
    const room = await Room.open(path, { timesOf, cores: 1, rivals });
    if (running !== undefined) room!.share(running, 1);
    return path;
  }

  /** A file that asks. @param begun gets its name */
  function ask(path: string, name: string, begun: string[]): Socket {
    const socket = connect(path).once('data', () => begun.push(name));
    sockets.push(socket);
    return socket;
  }

  it('lets three files of a busy core begin, and the next one, in turn, when one has ended', async () => {
    const path = await open(0);
    const begun: string[] = [];
    const first = ask(path, 'first', begun);
    for (const name of ['second', 'third']) ask(path, name, begun);
    await expect.poll(() => begun).toEqual(['first', 'second', 'third']);
    const fourth = ask(path, 'fourth', begun);
    const fifth = ask(path, 'fifth', begun);
    await stays(() => expect(begun).toHaveLength(3), 1_200);
    // A worker that was killed while it waited.
    fourth.destroy();
    first.destroy();
    await expect.poll(() => begun).toEqual(['first', 'second', 'third', 'fifth']);
    fifth.destroy();
  });

  it('lets one more begin for two rivals', async () => {
    const path = await open(0, undefined, 4);
    const begun: string[] = [];
    const names = ['first', 'second', 'third', 'fourth', 'fifth'];
    for (const name of [...names, 'sixth']) ask(path, name, begun);
    await expect.poll(() => begun).toEqual(names);
    await stays(() => expect(begun).toHaveLength(5), 700);
  });

  it('counts what runs beside the files until it has ended', async () => {
    let fail: (failure: Error) => void;
    const path = await open(
      0,
      new Promise((_resolve, reject) => {
        fail = reject;
      }),
    );
    const begun: string[] = [];
    for (const name of ['first', 'second', 'third']) ask(path, name, begun);
    await expect.poll(() => begun).toEqual(['first', 'second']);
    await stays(() => expect(begun).toEqual(['first', 'second']), 700);
    fail!(new Error('it failed'));
    await expect.poll(() => begun).toEqual(['first', 'second', 'third']);
  });

  it('lets more begin, one after the other, while the core has room', async () => {
    const path = await open(0.5);
    const begun: string[] = [];
    const names = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
    for (const name of [...names, 'seventh']) ask(path, name, begun);
    await expect.poll(() => begun.length).toBe(4);
    await expect.poll(() => begun).toEqual(names);
    await stays(() => expect(begun).toHaveLength(6), 3_000);
  });

  it('is not opened where the use of the processors is unknown, or no socket can listen', async () => {
    expect(await Room.open(join(folder, 'room'), { timesOf: () => undefined })).toBeUndefined();
    expect(await Room.open(join(folder, 'missing', 'room'))).toBeUndefined();
  });
});
