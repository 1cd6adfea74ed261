import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { absentOf, findBinary, withoutStartingServices } from '../../../dev/setup/system-packages.mjs';

it('programs that are found outside PATH can be started as well', () => {
  const script = `import { findBinary, widenPath } from './dev/setup/system-packages.mjs';
    import { spawnSync } from 'node:child_process';
    widenPath();
    console.log(findBinary('sh') !== undefined, spawnSync('sh', ['-c', 'exit 7']).status, process.env.PATH.split(':')[0]);`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: '/nowhere' },
    encoding: 'utf8',
  });
  expect(output.trim()).toBe('true 7 /nowhere');
});

it('forbids services to start during an installation only, also where a killed one has left its prohibition', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demarc-policy-'));
  const policy = join(folder, 'policy-rc.d');
  try {
    let left = '';
    await withoutStartingServices(async () => {
      left = readFileSync(policy, 'utf8');
    }, policy);
    expect(left).toContain('exit 101');
    expect(existsSync(policy)).toBe(false);
    writeFileSync(policy, left);
    await withoutStartingServices(async () => {}, policy);
    expect(existsSync(policy)).toBe(false);
    // A container's image has its own.
    writeFileSync(policy, '#!/bin/sh\nexit 101\n');
    await withoutStartingServices(async () => {}, policy);
    expect(existsSync(policy)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('takes a program for installed when dpkg has configured its packages, or does not know them', ({
  skip,
}) => {
  skip(findBinary('dpkg-query') === undefined, 'this system has no dpkg');
  const database = mkdtempSync(join(tmpdir(), 'demarc-dpkg-'));
  /** Whether a program that is there, of the package `main`, counts as missing. */
  function isAbsent(states: Readonly<Record<string, string>>, binary = 'sh'): boolean {
    const entries = Object.entries(states).map(
      ([name, status]) =>
        `Package: ${name}\nStatus: ${status}\nMaintainer: us\nArchitecture: all\nVersion: 1\nDescription: test\n`,
    );
    writeFileSync(join(database, 'status'), entries.join('\n'));
    return absentOf([{ binary, packages: ['main', 'other'], purpose: 'a test' }], database).length > 0;
  }
  const installed = 'install ok installed';
  try {
    for (const folder of ['info', 'updates']) mkdirSync(join(database, folder));
    expect(isAbsent({ main: installed, other: installed })).toBe(false);
    expect(isAbsent({ main: installed, other: installed }, 'no-such-program')).toBe(true);
    expect(isAbsent({ main: 'hold ok installed', other: 'install ok triggers-pending' })).toBe(false);
    for (const state of ['unpacked', 'half-configured', 'half-installed']) {
      expect(isAbsent({ main: `install ok ${state}`, other: installed })).toBe(true);
      expect(isAbsent({ main: installed, other: `install ok ${state}` })).toBe(true);
    }
    expect(isAbsent({ main: installed })).toBe(true);
    // The program is from elsewhere.
    expect(isAbsent({})).toBe(false);
    expect(isAbsent({ main: 'deinstall ok config-files' })).toBe(false);
  } finally {
    rmSync(database, { recursive: true });
  }
});
