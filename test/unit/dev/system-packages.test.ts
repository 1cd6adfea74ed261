import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withoutStartingServices } from '../../../dev/setup/system-packages.mjs';

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
