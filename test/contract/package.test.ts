import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { exportedNames } from '../../dev/reference/exports.js';

/** What `exports` of package.json names exists after a build. */
const isBuilt = process.env.DEMARC_TEST_DIST !== undefined;

describe.skipIf(!isBuilt)('the package', () => {
  it('exports what docs/exports.txt lists', () => {
    expect(exportedNames('dist')).toBe(readFileSync('docs/exports.txt', 'utf8'));
  });

  it('runs the examples of docs/engine.md', async () => {
    const examples = readFileSync('docs/engine.md', 'utf8').matchAll(/```js\n(import [\s\S]*?)```/g);
    const outputs: string[] = [];
    for (const [, example] of examples) {
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        ['--input-type=module', '--eval', example ?? ''],
        { timeout: 20_000 },
      );
      outputs.push(stdout + stderr);
    }
    expect(outputs).toEqual(['503 Service Unavailable\n', '11 datagrams, then 408\n']);
  });
});
