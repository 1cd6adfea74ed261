import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deferred } from '../../../src/base/deferred.js';
import { descriptorOf, inheritedSocketsVariable } from '../../../src/base/inherited-sockets.js';
import {
  onSuccessionRequest,
  startSuccessor,
  successionFileVariable,
  successionOutcomeSchema,
} from '../../../src/base/successor.js';

let directory: string;
let file: string;
let successor: ChildProcess | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'demarc-successor-'));
  file = join(directory, 'order.json');
});
afterEach(() => {
  successor?.kill('SIGKILL');
  successor = undefined;
  rmSync(directory, { recursive: true, force: true });
});

/** @param program what the process does, in JavaScript */
function order(program: string, environment: Readonly<Record<string, string>> = {}): void {
  writeFileSync(file, JSON.stringify({ file: process.execPath, args: ['-e', program], environment }));
}
const outcome = () => successionOutcomeSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
const start = async (
  sockets: ReadonlyMap<string, number> = new Map(),
  readyMilliseconds = 50_000,
): Promise<ChildProcess | undefined> => {
  successor = await startSuccessor(file, sockets, readyMilliseconds);
  return successor;
};

const stays = 'setInterval(() => {}, 1_000);';
const isReady = "process.send({ type: 'ready' });";

describe('a successor', () => {
  it('is started by the order, and is named once it is ready', async () => {
    const written = join(directory, 'written');
    order(
      `process.send({ type: 'starting' });
       setTimeout(() => { require('node:fs').writeFileSync(process.env.WRITTEN, 'yes'); ${isReady} }, 50); ${stays}`,
      { WRITTEN: written },
    );
    const child = await start();
    expect(readFileSync(written, 'utf8')).toBe('yes');
    expect(outcome()).toEqual({ pid: child!.pid });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('gets the listening sockets by their names', async () => {
    const server = await new Promise<Server>((resolve) => {
      const listening = createServer().listen(0, '127.0.0.1', () => resolve(listening));
    });
    const { port } = server.address() as { port: number };
    const found = join(directory, 'port');
    order(
      `const { http } = JSON.parse(process.env.${inheritedSocketsVariable});
       const server = require('node:net').createServer().listen({ fd: http }, () => {
         require('node:fs').writeFileSync(process.env.FOUND, String(server.address().port));
         ${isReady}
       });`,
      { FOUND: found },
    );
    await start(
      new Map([
        ['other', 2],
        ['http', descriptorOf(server)!],
      ]),
    );
    server.close();
    expect(readFileSync(found, 'utf8')).toBe(String(port));
  });

  it.each([
    ['ends before it is ready', 'process.exit(3)', 50_000, /It exited before it was ready/],
    ['is not ready in time', stays, 300, /It was not ready within 0\.3 s/],
  ])('is given up when it %s', async (_when, program, readyMilliseconds, error) => {
    order(program);
    expect(await start(new Map(), readyMilliseconds)).toBeUndefined();
    expect(outcome()).toEqual({ error: expect.stringMatching(error) });
  });

  it('does not run on when it is not ready in time', async () => {
    const pid = join(directory, 'pid');
    // A shell starts sooner than Node.js.
    const args = ['-c', `echo $$ > ${pid}; exec sleep 600`];
    writeFileSync(file, JSON.stringify({ file: '/bin/sh', args, environment: {} }));
    await start(new Map(), 2_000);
    const isRunning = (): boolean => {
      try {
        return process.kill(Number(readFileSync(pid, 'utf8')), 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
        throw error;
      }
    };
    await vi.waitFor(() => expect(isRunning()).toBe(false), 15_000);
  });

  it('is reported when it cannot be started, or has no order', async () => {
    writeFileSync(file, JSON.stringify({ file: join(directory, 'none'), args: [], environment: {} }));
    expect(await start()).toBeUndefined();
    expect(outcome()).toHaveProperty('error');
    writeFileSync(file, '{}');
    expect(await start()).toBeUndefined();
    expect(outcome()).toHaveProperty('error');
  });
});

describe('the request for a successor', () => {
  const before = process.listeners('SIGUSR2');
  afterEach(() => {
    for (const listener of process.listeners('SIGUSR2'))
      if (!before.includes(listener)) process.removeListener('SIGUSR2', listener);
    vi.unstubAllEnvs();
  });

  it('is ignored where no file for orders is named', () => {
    vi.stubEnv(successionFileVariable, undefined);
    onSuccessionRequest(async () => {});
    expect(process.listeners('SIGUSR2')).toEqual(before);
  });

  it('is carried out once at a time', async () => {
    vi.stubEnv(successionFileVariable, '/orders');
    const files: string[] = [];
    const first = new Deferred();
    onSuccessionRequest(async (given) => {
      files.push(given);
      await first.promise;
    });
    process.emit('SIGUSR2', 'SIGUSR2');
    process.emit('SIGUSR2', 'SIGUSR2');
    expect(files).toEqual(['/orders']);
    first.resolve();
    await vi.waitFor(() => {
      process.emit('SIGUSR2', 'SIGUSR2');
      expect(files).toEqual(['/orders', '/orders']);
    });
  });
});
