/** Step of `npm run check`: folders have an order, and a folder imports only those that its entry lists (docs/development.md). */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * Folders in their order, lowest first, each with the folders that it may import. A folder without an entry may import nothing.
 * @typedef {Readonly<Record<string, readonly string[]>>} Ranks
 */

/** @type {Readonly<Record<string, Ranks>>} folder → ranks of the folders in it */
export const ranks = {
  'src/dashboard': {
    style: [],
    api: [],
    parts: ['api', 'style'],
    forms: ['api', 'parts', 'style'],
    frame: ['api', 'parts', 'style'],
    pages: ['api', 'parts', 'forms', 'frame', 'style'],
    app: ['api', 'parts', 'frame', 'style', 'pages'],
    // The file of the folder itself, which starts the application.
    '': ['app', 'parts', 'style'],
  },
  'src/dashboard/pages': {
    call: [],
    setup: [],
    pathways: [],
    alerts: [],
    calls: ['call'],
    contacts: ['calls'],
    trunks: ['alerts', 'call', 'setup'],
    guides: ['setup'],
    overview: ['alerts', 'call', 'calls', 'trunks'],
    personas: ['pathways'],
    testing: ['pathways'],
  },
};

/**
 * @param {string} root of the repository
 * @returns {string[]} one line for each import that is not allowed
 */
export function checkFolderRanks(root) {
  return Object.entries(ranks).flatMap(([folder, order]) =>
    rankProblems(folder, readSources(join(root, folder)), order),
  );
}

/**
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} sources path below the folder, with slashes → text
 * @param {Ranks} order
 * @returns {string[]}
 */
export function rankProblems(folder, sources, order) {
  const names = Object.keys(order);
  const problems = names.flatMap((name, rank) =>
    (order[name] ?? [])
      .filter((lower) => names.indexOf(lower) === -1 || names.indexOf(lower) >= rank)
      .map((lower) => `${folder}: the entry of ${name} lists ${lower}, which is not below it`),
  );
  for (const [path, text] of sources) {
    const from = topOf(path);
    for (const target of importsOf(path, text)) {
      const to = topOf(target);
      if (to === from || order[from]?.includes(to)) continue;
      problems.push(`${folder}/${path}: ${from || 'the folder itself'} must not import ${target} (${list})`);
    }
  }
  return problems;
}

const list = 'dev/gate/folder-ranks.mjs';

/** @param {string} path @returns {string} empty: a file of the folder itself */
const topOf = (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');

/**
 * @param {string} path
 * @param {string} text
 * @returns {string[]} what it imports from its own tree, named as in the import, relative to the tree's folder
 */
export function importsOf(path, text) {
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g)]
    .map(([, name]) => posix.normalize(posix.join(posix.dirname(path), name ?? '')))
    .filter((target) => !target.startsWith('../'));
}

/** @param {string} folder @returns {Map<string, string>} path below the folder → text */
export function readSources(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => name.split(/[\\/]/).join('/'));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
