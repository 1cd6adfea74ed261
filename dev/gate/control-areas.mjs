/** Step of `npm run check`: an area of the control API is a closed folder (docs/development.md). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { controlRanks, importsOf, readSources } from './folder-ranks.mjs';

/**
 * @param {ReadonlyMap<string, string>} sources path below `src/control`, with slashes → text
 * @param {readonly string[]} areas
 * @returns {string[]} one line for each import that enters an area other than through its index.ts
 */
export function areaProblems(sources, areas) {
  /** @param {string} path @returns {string} empty: a file of src/control itself */
  const folderOf = (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');
  const problems = areas
    .filter((folder) => !sources.has(`${folder}/index.ts`))
    .map((folder) => `src/control/${folder}: an area needs an index.ts`);
  for (const [path, text] of sources) {
    for (const target of importsOf(path, text).map((name) => name.replace(/\.js$/, '.ts'))) {
      const to = folderOf(target);
      if (!areas.includes(to) || to === folderOf(path) || target === `${to}/index.ts`) continue;
      problems.push(`src/control/${path}: import ${to}/index.js instead of ${target}`);
    }
  }
  return problems;
}

/** @param {string} root of the repository @returns {string[]} */
export function checkControlAreas(root) {
  const folder = join(root, 'src/control');
  return existsSync(folder) ? areaProblems(readSources(folder), Object.keys(controlRanks.areas)) : [];
}
