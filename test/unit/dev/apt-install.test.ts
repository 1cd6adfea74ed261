import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aptInstall, isInterrupted, wasInterrupted } from '../../../dev/setup/apt-install.mjs';
import { runCommand } from '../../../dev/setup/run-command.mjs';

// As apt 2.6 and dpkg 1.21 print them.
const interrupted =
  "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem. \n";
const unmet = `You might want to run 'apt --fix-broken install' to correct these.
The following packages have unmet dependencies:
 broken-one : Depends: hello
E: Unmet dependencies. Try 'apt --fix-broken install' with no packages (or specify a solution).
`;
const unconfigurable = `dpkg: dependency problems prevent configuration of broken-one:
 broken-one depends on hello; however:
  Package hello is not installed.

dpkg: error processing package broken-one (--configure):
 dependency problems - leaving unconfigured
Errors were encountered while processing:
 broken-one
`;
const completing = ['dpkg --configure -a', 'apt-get install --fix-broken'];

/** Runs the installation with these outputs of `apt-get install NAME`, one after the other; `''`: it succeeds. */
async function install(...outputs: readonly string[]) {
  const commands: string[] = [];
  const said: string[] = [];
  const run: typeof runCommand = async (file, args) => {
    const words = args.filter((word, at) => !word.startsWith('-') && args[at - 1] !== '-o');
    const isFixing = args.includes('--fix-broken');
    const shown = file === 'dpkg' ? args : [...words, ...(isFixing ? ['--fix-broken'] : [])];
    commands.push([file, ...shown].join(' '));
    if (file === 'dpkg') return { code: 1, output: unconfigurable };
    const output = words[0] === 'update' || isFixing ? '' : outputs[installs++]!;
    return { code: output === '' ? 0 : 100, output };
  };
  let installs = 0;
  const failure = await aptInstall(['redis-server'], 'apt-get install redis-server', {
    run,
    hasLists: () => true,
    say: (text) => said.push(text),
  }).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { commands, said, failure };
}

describe('an installation of packages', () => {
  it('completes one that was killed before it', async () => {
    for (const output of [interrupted, unmet])
      expect(await install(output, '')).toEqual({
        commands: ['apt-get install redis-server', ...completing, 'apt-get install redis-server'],
        said: [expect.stringContaining('was interrupted; completing it')],
        failure: undefined,
      });
  });

  it('completes it once, and says what to run where that is not enough', async () => {
    const { commands, failure } = await install(interrupted, unmet);
    expect(commands.filter((command) => command === completing[0])).toHaveLength(1);
    expect(failure).toContain('an earlier installation of packages was interrupted');
    expect(failure).toContain('\n  dpkg --configure -a\n');
    expect(failure).toContain('broken-one depends on hello');
  });

  it('completes nothing where apt fails for another reason', async () => {
    const absent = 'E: Unable to locate package redis-server\n';
    const { commands, said, failure } = await install(absent, absent);
    expect(commands).toEqual([
      'apt-get install redis-server',
      'apt-get update',
      'apt-get install redis-server',
    ]);
    expect(said).toEqual(['Updating the package lists …']);
    expect(failure).toContain('apt could not install the packages');
    expect(wasInterrupted(unconfigurable)).toBe(false);
  });
});

describe('a killed dpkg', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'demarc-dpkg-'));
    for (const name of ['updates', 'info', 'triggers', 'lists']) mkdirSync(join(folder, name));
    for (const name of ['status', 'available', 'updates/0000']) writeFileSync(join(folder, name), '');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('leaves its journal', () => {
    expect(isInterrupted(join(folder, 'updates'))).toBe(true);
    rmSync(join(folder, 'updates/0000'));
    expect(isInterrupted(join(folder, 'updates'))).toBe(false);
    expect(isInterrupted(join(folder, 'none'))).toBe(false);
  });

  const isPossible = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  it.skipIf(!isPossible)(
    'is completed by the real programs, which then say what else is wrong',
    { timeout: 120_000 },
    async () => {
      // Nothing of this machine: neither its packages nor its lists.
      const own = ['Dir::State::status=status', 'Dir::State::lists=lists', 'Dir::Cache=.'].flatMap((each) => [
        '-o',
        each.replace('=', `=${folder}/`),
      ]);
      const refusals: string[] = [];
      const run: typeof runCommand = async (file, args, options) => {
        if (args.includes('update')) return { code: 0, output: '' };
        const outcome = await runCommand(
          file,
          file === 'dpkg' ? [`--admindir=${folder}`, ...args] : [...own, ...args],
          options,
        );
        if (outcome.code !== 0) refusals.push(outcome.output);
        return outcome;
      };
      const options = { run, hasLists: () => true, say: () => undefined };
      await expect(aptInstall(['no-such-package'], 'apt-get install', options)).rejects.toThrow(
        'Unable to locate package no-such-package',
      );
      expect(refusals[0]).toContain('dpkg was interrupted');
      expect(readdirSync(join(folder, 'updates'))).toEqual([]);
    },
  );
});
