import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { inheritedSocketsVariable } from './inherited-sockets.js';
import { readyMessage } from './supervised-process.js';

/** Variable of the environment: file with the order for a successor. Absent: the process cannot be succeeded. */
export const successionFileVariable = 'SUCCESSION_FILE';

/** What a supervisor writes before it sends SIGUSR2: how to start the process that takes the place of this one. */
const successionOrderSchema = z.strictObject({
  file: z.string(),
  args: z.array(z.string()),
  environment: z.record(z.string(), z.string()),
});

/** What the process writes in its place. */
export const successionOutcomeSchema = z.union([
  z.strictObject({ pid: z.int() }),
  z.strictObject({ error: z.string() }),
]);

/**
 * Runs `succeed` at SIGUSR2 where the launcher has named a file for orders; a signal meanwhile has no effect.
 * @param succeed gets the file; must not reject
 */
export function onSuccessionRequest(succeed: (file: string) => Promise<void>): void {
  const file = process.env[successionFileVariable];
  if (file === undefined) return;
  let isUnderWay = false;
  process.on('SIGUSR2', () => {
    if (isUnderWay) return;
    isUnderWay = true;
    void succeed(file).finally(() => {
      isUnderWay = false;
    });
  });
}

/**
 * Starts this process's successor by the order in the file, with our listening sockets, and writes the outcome into the file.
 * @returns the successor once it is ready; undefined: it is not, and this process continues
 */
export async function startSuccessor(
  file: string,
  sockets: ReadonlyMap<string, number>,
  readyMilliseconds: number,
): Promise<ChildProcess | undefined> {
  let child: ChildProcess | undefined;
  try {
    const order = successionOrderSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    const first = 4;
    const names = Object.fromEntries([...sockets.keys()].map((name, index) => [name, first + index]));
    child = spawn(order.file, order.args, {
      detached: true,
      env: { ...order.environment, [inheritedSocketsVariable]: JSON.stringify(names) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', ...sockets.values()],
    });
    const over = new AbortController();
    child.once('exit', () => over.abort());
    child.once('error', () => over.abort());
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      over.abort();
    }, readyMilliseconds);
    await readyMessage({ child, signal: over.signal }).catch((error: unknown) => {
      throw isLate ? new Error(`It was not ready within ${readyMilliseconds / 1_000} s.`) : error;
    });
    clearTimeout(timer);
    write(file, { pid: child.pid });
    return child;
  } catch (error) {
    child?.kill('SIGKILL');
    write(file, { error: String(error) });
    return undefined;
  }
}

function write(file: string, outcome: object): void {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(outcome), { mode: 0o600 });
  renameSync(temporary, file);
}
