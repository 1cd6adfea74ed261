import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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

  it.each(['edge', 'control', 'engine', 'org', 'key', 'up'])('lists the options of %s', async (role) => {
    const { code, out, error } = await demarc(role, ['--help']);
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(new RegExp(`^Usage: demarc ${role} `));
  });

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

  it('warns of a setting under its former name', async () => {
    const { code, error } = await demarc('edge', ['--help'], { EDGE_SOURCE_POLICY: 'any' });
    expect(code).toBe(0);
    expect(error).toContain('EDGE_SOURCE_POLICY is now DEMARC_SOURCE_POLICY.');
  });
});
