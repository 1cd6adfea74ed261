import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { exportedNames } from '../../dev/reference/exports.js';

/** What `exports` of package.json names exists after a build. */
const isBuilt = process.env.DEMARC_TEST_DIST !== undefined;

describe.skipIf(!isBuilt)('the package', () => {
  it('exports what docs/exports.txt says', () => {
    expect(exportedNames('dist')).toBe(readFileSync('docs/exports.txt', 'utf8'));
  });

  it('runs the example of docs/engine.md', async () => {
    const example = /```js\n(import [\s\S]*?)```/.exec(readFileSync('docs/engine.md', 'utf8'))?.[1];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', example ?? ''],
      { timeout: 20_000 },
    );
    expect(stdout).toBe('503 Service Unavailable\n');
  });
});
