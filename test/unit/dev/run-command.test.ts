import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../dev/setup/run-command.mjs';
import { until } from '../../../src/testkit/waiting.js';
import { TestProcess } from '../../support/processes.js';

const runCommandUrl = pathToFileURL(join(import.meta.dirname, '../../../dev/setup/run-command.mjs')).href;

let folder: string;
let running: TestProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demarc-run-command-'));
});
afterEach(async () => {
  await running?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A process that runs the program as a command that ends with it. */
function startWith(program: string, graceMilliseconds: number): TestProcess {
  const path = join(folder, 'program.mjs');
  writeFileSync(path, program);
  const script = `
    import { runCommand } from '${runCommandUrl}';
    await runCommand(process.execPath, ['${path}'], { show: true, graceMilliseconds: ${graceMilliseconds} });
  `;
  running = new TestProcess(process.execPath, ['--input-type=module', '--eval', script]);
  return running;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a command that ends with its process', () => {
  it('ends with a signal to that process, and so does what it started', async () => {
    const command = startWith(
      `
      import { spawn } from 'node:child_process';
      const child = spawn('sleep', ['60']);
      process.on('SIGTERM', () => { child.kill(); child.on('exit', () => process.exit(0)); });
      process.stdout.write(\`up \${process.pid} \${child.pid}\\n\`);
    `,
      30_000,
    );
    const [, own, child] = await command.line(/up (\d+) (\d+)/, 20_000);
    command.signal('SIGTERM');
    expect(await command.exit(20_000)).toBe(1);
    await until(() => ![own, child].some((pid) => isAlive(Number(pid))), 5_000, 'both have ended');
  });

  it('is killed with its group when it ignores the signal', async () => {
    const command = startWith(
      `
      import { spawn } from 'node:child_process';
      const child = spawn('sleep', ['60']);
      process.on('SIGTERM', () => {});
      process.stdout.write(\`up \${process.pid} \${child.pid}\\n\`);
      setInterval(() => {}, 1_000);
    `,
      300,
    );
    const [, own, child] = await command.line(/up (\d+) (\d+)/, 20_000);
    command.signal('SIGINT');
    expect(await command.exit(20_000)).toBe(1);
    await until(() => ![own, child].some((pid) => isAlive(Number(pid))), 5_000, 'both have ended');
  });
});

it('returns the exit code and the end of the output', async () => {
  const script = `process.stdout.write('x'.repeat(70_000)); process.stderr.write('end'); process.exitCode = 3;`;
  const { code, output } = await runCommand(process.execPath, ['--eval', script]);
  expect(code).toBe(3);
  expect(output).toHaveLength(65_536);
  expect(output).toMatch(/end/);
});
