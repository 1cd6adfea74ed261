import { existsSync, mkdtempSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startOf } from '../../../src/base/process-identity.js';
import { threadsOf } from '../../../src/base/process-priority.js';
import type { ProcessorTime } from '../../../src/base/processor-time.js';
import { readyMessage, type StartedProcess } from '../../../src/base/supervised-process.js';
import { LogFile } from '../../../src/launcher/log-file.js';
import { ManagedProcess, PartFailed, type ProcessPlan } from '../../../src/launcher/managed-process.js';
import { StateDirectory } from '../../../src/launcher/state-directory.js';
import { Supervisor } from '../../../src/launcher/supervisor.js';
import { stays } from '../../support/stays.js';

const readyThen = (rest: string): string =>
  `process.send({ type: 'ready' }); ${rest}; setInterval(() => {}, 1000);`;

let directory: StateDirectory;
let log: LogFile;
let started: ManagedProcess[];
let news: string[];
let onCrash: () => void;

function managed(
  script: string,
  changes: Partial<ProcessPlan> = {},
  readTime?: (pid: number) => ProcessorTime,
): ManagedProcess {
  const plan: ProcessPlan = {
    name: 'part',
    file: process.execPath,
    args: ['-e', script],
    channel: true,
    ready: async (process) => {
      await readyMessage(process);
    },
    readyWithinMilliseconds: 20_000,
    graceMilliseconds: 10_000,
    ...changes,
  };
  const events = {
    crashed: (how: string, delay: number) => {
      news.push(`${how}, ${delay}`);
      onCrash();
    },
    restarted: () => void news.push('restarted'),
  };
  const process_ = new ManagedProcess(plan, log, directory, events, readTime);
  started.push(process_);
  return process_;
}

async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 50_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not within 50 s; news: ${news.join('; ')}`);
    await sleep(10);
  }
}

beforeEach(() => {
  directory = new StateDirectory(mkdtempSync(join(tmpdir(), 'demarc-managed-')));
  directory.take();
  log = new LogFile(join(directory.logs, 'part.log'));
  started = [];
  news = [];
  onCrash = () => {};
});

afterEach(async () => {
  for (const process_ of started) await process_.kill();
  directory.release();
  rmSync(directory.path, { recursive: true, force: true });
});

describe('managed process', () => {
  it('gives each thread of a background process a lower priority once it is ready, and its session too', async () => {
    let atStart: number | undefined;
    const background = managed(readyThen(''), {
      niceness: 7,
      ready: async (process_) => {
        atStart = getPriority(process_.child.pid!);
        await readyMessage(process_);
      },
    });
    await background.start();
    expect(atStart).toBe(getPriority(process.pid));
    const priorities = threadsOf(background.pid!).map((thread) => getPriority(thread));
    expect(priorities.length).toBeGreaterThan(1);
    expect(new Set(priorities)).toEqual(new Set([7]));
    const autogroup = `/proc/${background.pid}/autogroup`;
    if (existsSync(autogroup)) expect(readFileSync(autogroup, 'utf8')).toContain('nice 7');
  });

  it('prefers a process that others wait for, also while it answers late, where this user may', async () => {
    let isAlive = true;
    let unanswered = 0;
    const preferred = managed(readyThen(''), {
      niceness: -5,
      limits: {
        isAlive: async () => {
          if (!isAlive) unanswered++;
          return isAlive;
        },
        maximumUnanswered: 1_000,
      },
    });
    await preferred.start();
    const own = process.getuid?.() === 0 ? -5 : getPriority(process.pid);
    expect(getPriority(preferred.pid!)).toBe(own);
    isAlive = false;
    await until(() => unanswered > 1);
    expect(getPriority(preferred.pid!)).toBe(own);
    expect(news).toEqual([]);
  });

  it('gives a background process its normal share of the processors back while it answers late', async () => {
    let isAlive = true;
    const background = managed(readyThen(''), {
      niceness: 7,
      limits: { isAlive: async () => isAlive, maximumUnanswered: 1_000 },
    });
    await background.start();
    isAlive = false;
    const autogroup = `/proc/${background.pid}/autogroup`;
    const isNormal = (): boolean =>
      existsSync(autogroup)
        ? readFileSync(autogroup, 'utf8').includes('nice 0')
        : getPriority(background.pid!) === 0;
    await until(isNormal);
    expect(news).toEqual([]);
  });

  it('gives a background process its normal share of the processors while it starts its successor', async () => {
    const answer = `process.on('SIGUSR2', () => require('fs').writeFileSync(process.env.SUCCESSION_FILE,
      JSON.stringify({ error: 'nice ' + require('os').getPriority() })))`;
    const background = managed(readyThen(answer), { niceness: 7, succeeds: true });
    await background.start();
    await until(() => background.canSucceed);
    const own = process.getuid?.() === 0 ? 0 : 7;
    await expect(background.succeed()).rejects.toThrow(`part was not replaced: nice ${own}`);
    expect(getPriority(background.pid!)).toBe(7);
  });

  it('is ready when it reports so, logs to its file, and has exited after stop', async () => {
    const part = managed(readyThen("console.log('hello')"));
    await part.start();
    const pid = part.pid!;
    await until(() => readFileSync(log.path, 'utf8').includes('hello'));
    await part.stop();
    expect(startOf(pid)).toBeUndefined();
    expect(news).toEqual([]);
  });

  it('gets none of our settings when it is isolated', async () => {
    process.env.DEMARC_SECRET_KEY = 'a-secret';
    try {
      const part = managed(readyThen('console.log(JSON.stringify(process.env))'), {
        isolated: true,
        environment: { OWN: 'yes' },
      });
      await part.start();
      await until(() => readFileSync(log.path, 'utf8').includes('"OWN":"yes"'));
      expect(readFileSync(log.path, 'utf8')).toContain('"PATH"');
      expect(readFileSync(log.path, 'utf8')).not.toContain('a-secret');
    } finally {
      delete process.env.DEMARC_SECRET_KEY;
    }
  });

  it('fails with its last log lines when it ends before it is ready', async () => {
    const part = managed("console.error('no such setting'); process.exit(3)");
    const failure = await part.start().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PartFailed);
    expect((failure as Error).message).toContain('exited with code 3');
    expect((failure as Error).message).toContain('no such setting');
  });

  it('fails when it is never ready, and does not stay', async () => {
    const part = managed('setInterval(() => {}, 1000)', { readyWithinMilliseconds: 300 });
    await expect(part.start()).rejects.toThrow('was not ready within 0.3 s');
    expect(part.pid).toBeUndefined();
  });

  it('fails when the program does not exist', async () => {
    const part = managed('', { file: '/nonexistent/program' });
    await expect(part.start()).rejects.toThrow('could not be started');
  });

  it('starts again after a crash, later each time, and is another process then', async () => {
    const part = managed(readyThen(''));
    await part.start();
    const pid = part.pid!;
    process.kill(pid, 'SIGKILL');
    await until(() => news.length === 2);
    expect(news).toEqual(['was killed by SIGKILL, 200', 'restarted']);
    expect(part.pid).not.toBe(pid);
    process.kill(part.pid!, 'SIGKILL');
    await until(() => news.length === 4);
    expect(news[2]).toBe('was killed by SIGKILL, 400');
  });

  it('is killed and started again when it hangs', async () => {
    let isAlive = true;
    const part = managed(readyThen(''), { limits: { isAlive: async () => isAlive } });
    await part.start();
    const pid = part.pid!;
    isAlive = false;
    onCrash = () => {
      isAlive = true;
    };
    await until(() => news.length === 2);
    // More pings where the process, or this one, had to wait for a processor.
    expect(news).toEqual([
      expect.stringMatching(/^did not answer ([5-9]|\d\d+) pings in a row, 200$/),
      'restarted',
    ]);
    expect(part.pid).not.toBe(pid);
    expect(startOf(pid)).toBeUndefined();
  });

  it('continues under the next supervisor, which starts it again after a crash and knows whether its settings changed', async () => {
    const script = readyThen('');
    const previous = managed(script);
    await previous.start();
    const pid = previous.pid!;
    previous.letGo();
    const identity = directory.leftovers().get('part')!;
    const next = managed(script);
    expect(await next.adopt(identity)).toEqual({ isCurrent: true });
    expect(next.pid).toBe(pid);
    expect(directory.leftovers().get('part')).toEqual(identity);
    next.letGo();
    // It looks no more whether the process runs.
    expect(next.pid).toBeUndefined();
    const changed = managed(script, { environment: { DEMARC_X: '1' } });
    expect(await changed.adopt(identity)).toEqual({ isCurrent: false });
    process.kill(pid, 'SIGKILL');
    await until(() => news.length === 2);
    expect(news).toEqual(['ended, 200', 'restarted']);
    expect(changed.pid).not.toBe(pid);
  });

  it('leaves the entry of its successor when it ends after it was let go', async () => {
    const previous = managed(readyThen(''));
    await previous.start();
    const pid = previous.pid!;
    previous.letGo();
    const successor = managed(readyThen(''));
    await successor.start();
    process.kill(pid, 'SIGKILL');
    await until(() => previous.pid === undefined);
    expect(directory.leftovers().get('part')?.pid).toBe(successor.pid);
  });

  it('is started again, later each time, while others are needed that can do without it', async () => {
    const supervisor = new Supervisor(directory);
    const plan = {
      name: 'part',
      file: process.execPath,
      args: ['-e', 'process.exit(3)'],
      channel: true,
      ready: async (process: StartedProcess) => void (await readyMessage(process)),
      readyWithinMilliseconds: 20_000,
      graceMilliseconds: 10_000,
    };
    const secondPlan = { ...plan, name: 'other', args: ['-e', readyThen('')] };
    await supervisor.run(secondPlan);
    let asked = 0;
    const started = supervisor.runOrRepeat(plan, async () => ++asked < 2);
    await expect(started).rejects.toThrow('exited with code 3');
    expect(asked).toBe(2);
    expect([...directory.leftovers().keys()]).toEqual(['other']);
    await supervisor.kill();
  });

  it('gets signals by its name also when it has taken the place of another one', async () => {
    const supervisor = new Supervisor(directory);
    const plan = {
      name: 'part',
      file: process.execPath,
      args: ['-e', readyThen('')],
      channel: true,
      ready: async (process: StartedProcess) => void (await readyMessage(process)),
      readyWithinMilliseconds: 20_000,
      graceMilliseconds: 10_000,
    };
    await supervisor.run(plan);
    await supervisor.replace('part');
    const { pid } = directory.leftovers().get('part')!;
    supervisor.signal('part', 'SIGHUP');
    await until(() => startOf(pid) === undefined);
    await supervisor.kill();
  });

  it('is not adopted when it does not answer, and does not stay', async () => {
    const previous = managed(readyThen(''));
    await previous.start();
    previous.letGo();
    const identity = directory.leftovers().get('part')!;
    const next = managed(readyThen(''), { answers: async () => false });
    expect(await next.adopt(identity)).toBeUndefined();
    await until(() => startOf(identity.pid) === undefined);
  });

  it.each([
    ['answers at last', 8],
    ['has not answered yet', Number.POSITIVE_INFINITY],
  ])('is adopted when it waits for a processor, and %s', async (_, pings) => {
    const previous = managed(readyThen(''));
    await previous.start();
    previous.letGo();
    const identity = directory.leftovers().get('part')!;
    let pinged = 0;
    let waited = 0;
    const next = managed(readyThen(''), { answers: async () => ++pinged > pings }, () => {
      waited += 99_000;
      return { used: waited / 99, waited };
    });
    expect(await next.adopt(identity)).toEqual({ isCurrent: true });
    expect(startOf(identity.pid)).toBeDefined();
    expect(pinged).toBe(Math.min(pings + 1, 15));
  });

  it('is killed and started again when it takes too much memory', async () => {
    const hoard = 'const all = []; setInterval(() => all.push(Buffer.alloc(20_000_000, 1)), 100)';
    const part = managed(readyThen(hoard), { limits: { maximumMegabytes: 250 } });
    await part.start();
    await until(() => news.length === 2);
    expect(news[0]).toMatch(/^used \d+ MB of memory \(limit 250 MB\), 200$/);
    expect(news[1]).toBe('restarted');
  });

  it('is not started again once it is to stop, even between two attempts', async () => {
    const part = managed(readyThen(''));
    await part.start();
    const stopped = new Promise<void>((resolve) => {
      onCrash = () => setImmediate(() => resolve(part.stop()));
    });
    process.kill(part.pid!, 'SIGKILL');
    await stopped;
    await stays(() => expect(news).toHaveLength(1), 400);
    expect(part.pid).toBeUndefined();
  });

  it('is killed when it does not end within its grace time', async () => {
    const part = managed(`process.on('SIGTERM', () => {}); ${readyThen('')}`, { graceMilliseconds: 200 });
    await part.start();
    const pid = part.pid!;
    await part.stop();
    expect(startOf(pid)).toBeUndefined();
  });
});

describe('log file', () => {
  it('keeps one older file when it has grown too long, and its writer continues', () => {
    const bounded = new LogFile(join(directory.logs, 'bounded.log'), 10);
    const writer = bounded.open();
    writeSync(writer, 'first\n');
    bounded.bound();
    expect(existsSync(`${bounded.path}.1`)).toBe(false);
    writeSync(writer, 'second\n');
    bounded.bound();
    expect(readFileSync(`${bounded.path}.1`, 'utf8')).toBe('first\nsecond\n');
    writeSync(writer, 'third\nfourth\n');
    expect(readFileSync(bounded.path, 'utf8')).toBe('third\nfourth\n');
    expect(bounded.tail(1)).toBe('fourth');
    bounded.close(writer);
  });

  it('reports the last start only', () => {
    const log = new LogFile(join(directory.logs, 'starts.log'));
    for (const line of ['an old mistake', 'today’s mistake']) {
      const writer = log.open();
      writeSync(writer, `${line}\n`);
      log.close(writer);
    }
    expect(log.tail(5)).toBe('today’s mistake');
  });

  it('is no reason to stop when it cannot be looked at', () => {
    const absent = new LogFile(join(directory.logs, 'absent.log'), 10);
    absent.bound();
    expect(absent.tail(3)).toBe('');
  });
});
