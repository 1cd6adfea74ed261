import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { outlivesParent } from '../../../src/base/stop-requests.js';
import { programModule, programOptions } from '../../support/program-modules.js';

let directory: string;
let role: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'demarc-stop-'));
  role = join(directory, 'role.mjs');
  // A role whose shutdown takes as long as configured.
  writeFileSync(
    role,
    `import { createLog } from '${programModule('base/log')}';
    import { onStopRequest, reportReady } from '${programModule('base/stop-requests')}';
    onStopRequest(createLog({ level: 'info', role: 'test' }), () => new Promise((resolve) => {
      setTimeout(resolve, Number(process.argv[2]));
    }));
    setInterval(() => {}, 1_000);
    reportReady();`,
  );
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Everything that the process, and its children, write until the last of them has ended. */
function outputOf({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  stdout!.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return once(stdout!, 'close').then(() => text);
}

async function startedRole(shutdownMilliseconds: number) {
  const child = fork(role, [String(shutdownMilliseconds)], { execArgv: [...programOptions], silent: true });
  const output = outputOf(child);
  await once(child, 'message');
  return { child, output, ended: once(child, 'exit') };
}

it('a role that waits for another supervisor outlives the one that is killed', async () => {
  const parent = spawn(
    process.execPath,
    [
      '-e',
      `const child = require('node:child_process').fork('${role}', ['0'], { execArgv: ${JSON.stringify(programOptions)} });
      child.on('message', () => console.log(child.pid));`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, [outlivesParent]: 'yes' } },
  );
  const [pid] = await once(parent.stdout, 'data');
  const output = outputOf(parent);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  process.kill(Number(pid), 'SIGTERM');
  expect(await output).toContain('"why":"SIGTERM"');
});

it('a role ends when its parent is killed', async () => {
  const parent = spawn(
    process.execPath,
    [
      '-e',
      `const child = require('node:child_process').fork('${role}', ['0'], { execArgv: ${JSON.stringify(programOptions)} });
      child.on('message', () => console.log('ready'));`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const output = outputOf(parent);
  await once(parent.stdout, 'data');
  parent.kill('SIGKILL');
  // The pipe is closed when the last process that holds it has ended: the role.
  expect(await output).toContain('"why":"parent gone"');
});

it('a stopping role ends at the second signal, and not because its parent exits first', async () => {
  const { child, output, ended } = await startedRole(60_000);
  child.kill('SIGTERM');
  await once(child.stdout!, 'data');
  child.disconnect();
  child.kill('SIGINT');
  expect(await ended).toEqual([1, null]);
  expect(await output).not.toContain('parent gone');
});

it('a role ends with status 0 after its shutdown', async () => {
  const { child, output, ended } = await startedRole(0);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(await output).toContain('"why":"SIGTERM"');
});
