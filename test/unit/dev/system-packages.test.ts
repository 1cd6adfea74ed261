import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

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
