import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { identify } from '../../src/base/process-identity.js';
import { demarcCommand } from '../support/engine-under-test.js';

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

async function demarc(
  name: string,
  options: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const [command, argv] = demarcCommand(name, options);
  const child = spawn(command, argv, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, error] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    error += chunk.toString();
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, error })));
}

describe.concurrent('the command line', () => {
  it('prints the version of the package', async ({ expect }) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await demarc('--version', [])).toEqual({ code: 0, out: `${version}\n`, error: '' });
  });

  it.each(['edge', 'control', 'engine', 'org', 'cell', 'key', 'up'])(
    'lists the options of %s',
    async (role) => {
      const { code, out, error } = await demarc(role, ['--help']);
      expect([code, error]).toEqual([0, '']);
      expect(out).toMatch(new RegExp(`^Usage: demarc ${role} `));
    },
  );

  it.each([
    ['edge', ['--nope'], "unknown option '--nope'"],
    ['control', ['extra'], 'too many arguments'],
    ['engine', ['--t1', 'soon'], 'must be'],
    ['org', ['create'], "missing required argument 'name'"],
    ['nope', [], "unknown command 'nope'"],
  ])('exits with 2 on a wrong use of %s, before it starts anything', async (role, options, message) => {
    const { code, out, error } = await demarc(role, options);
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain(message);
    expect(error).toContain('--help');
  });

  it('up --replace does not end a launcher that cannot hand its processes over', async ({
    expect,
    onTestFinished,
  }) => {
    const directory = mkdtempSync(join(tmpdir(), 'demarc-replace-'));
    // A launcher of an earlier release has no handler for the signal either.
    const launcher = spawn('sleep', ['60']);
    onTestFinished(() => {
      launcher.kill();
      rmSync(directory, { recursive: true, force: true });
    });
    writeFileSync(join(directory, 'supervisor.json'), JSON.stringify(identify(launcher.pid!)));
    const { code, error } = await demarc('up', ['--replace'], {
      DEMARC_STATE_DIR: directory,
      DEMARC_AGENT_URI: 'sip:agent@127.0.0.1:5062',
      // Should it take the directory all the same, it finds no programs to start.
      PATH: '',
    });
    expect(code).toBe(1);
    expect(error).toContain(`(process ${launcher.pid}) is of a release that cannot hand its processes over.`);
    expect(error).toContain(`'kill ${launcher.pid}'`);
    expect([launcher.exitCode, launcher.signalCode]).toEqual([null, null]);
  });

  it('warns of a setting under its former name', async () => {
    const { code, error } = await demarc('edge', ['--help'], { EDGE_SOURCE_POLICY: 'any' });
    expect(code).toBe(0);
    expect(error).toContain('EDGE_SOURCE_POLICY is now DEMARC_SOURCE_POLICY.');
  });
});
