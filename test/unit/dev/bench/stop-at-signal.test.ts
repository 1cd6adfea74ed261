import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** A program that sends itself these signals, one after another; rounds of the event loop between them. */
function run(stop: string, ...signals: readonly NodeJS.Signals[]) {
  const program = `import { stopAtSignal } from './dev/bench/stop-at-signal.ts';
    stopAtSignal(${stop});
    setInterval(() => {}, 1_000);
    for (const signal of ${JSON.stringify(signals)}) {
      process.kill(process.pid, signal);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }`;
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program],
    { cwd: root, encoding: 'utf8' },
  );
  return { status, stdout };
}

describe('a program that stops at a signal', () => {
  it('ends once what it started has been stopped', () => {
    const stop =
      "async () => { await new Promise((done) => setTimeout(done, 200)); console.log('stopped'); }";
    expect(run(stop, 'SIGINT')).toEqual({ status: 130, stdout: 'stopped\n' });
  });

  it('ends at once at a second signal', () => {
    expect(run('() => new Promise(() => {})', 'SIGINT', 'SIGINT')).toEqual({ status: 130, stdout: '' });
  });
});
