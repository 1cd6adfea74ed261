/** Step of `npm run check`: rejects a spread of an object literal, which only groups fields on a line. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trackedSources } from './tracked-sources.mjs';

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
  return trackedSources(root).flatMap((name) =>
    needlessSpreads(name, readFileSync(join(root, name), 'utf8')),
  );
}
