/** Step of `npm run check`: rejects a spread of an object literal, which only groups fields on a line. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} name
 * @param {string} text
 * @returns {string[]}
 */
export function needlessSpreads(name, text) {
  return text
    .split('\n')
    .flatMap((line, index) =>
      /\.{3}\{/.test(line) ? [`${name}:${index + 1}: write the fields without the spread`] : [],
    );
}

/** @param {string} root of the repository @returns {string[]} */
export function checkNeedlessSpreads(root) {
  return execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((name) => name !== '' && existsSync(join(root, name)))
    .flatMap((name) => needlessSpreads(name, readFileSync(join(root, name), 'utf8')));
}
