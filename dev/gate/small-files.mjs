/** Step of `npm run check`: a file of a few lines that only one other file imports belongs into that file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf } from './folder-ranks.mjs';
import { trackedSources } from './tracked-sources.mjs';

const mostLines = 25;

/**
 * Files that stay on their own, each with the reason. A file that a test imports needs none: it is a core that is tested apart.
 * @type {Readonly<Record<string, string>>}
 */
const apart = {
  'dev/call/call.mjs': 'runs by its path: what npm run call starts',
  'src/config/announcement-file.ts': 'reads a file; edge-settings.ts is the table of variables',
  'src/control/database/server-identity.ts': 'about PostgreSQL; call-consumer.ts is about records',
  'src/edge/media/opus-channels.ts': 'about one release of rtpengine; rtpengine-pool.ts is about nodes',
  'src/media-stream/refusal.ts': 'statuses of SIP and HTTP; stream-call.ts is the course of a call',
};
/** On their own by what they are: migrations, tables of a folder, what a thread loads, pages, what a folder exports, parts of the API. */
const kinds = [
  /\/migrations\/\d/,
  /\/tables\.ts$/,
  /-worker\.ts$/,
  /-page\.tsx$/,
  /\/index\.ts$/,
  /^src\/dashboard\/api\//,
];

/** @param {string} root of the repository @returns {string[]} */
export function checkSmallFiles(root) {
  const names = trackedSources(root);
  return smallFiles(new Map(names.map((name) => [name, readFileSync(join(root, name), 'utf8')])), apart);
}

/**
 * @param {ReadonlyMap<string, string>} sources path from the root of the repository → text
 * @param {Readonly<Record<string, string>>} exceptions path → reason
 * @returns {string[]}
 */
export function smallFiles(sources, exceptions) {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const [path, text] of sources)
    for (const target of importedBy(path, text, sources))
      importers.set(target, [...(importers.get(target) ?? []), path]);
  const found = [...sources].flatMap(([path, text]) => {
    const [only, ...more] = importers.get(path) ?? [];
    const isSmall = /^(src|dev)\//.test(path) && text.trimEnd().split('\n').length <= mostLines;
    if (!isSmall || only === undefined || more.length > 0 || only.startsWith('test/')) return [];
    return kinds.some((kind) => kind.test(path)) ? [] : [{ path, only }];
  });
  return [
    ...found
      .filter(({ path }) => exceptions[path] === undefined)
      .map(
        ({ path, only }) =>
          `${path}: at most ${mostLines} lines, and only ${only} imports it: move it there (dev/gate/small-files.mjs)`,
      ),
    ...Object.keys(exceptions)
      .filter((name) => !found.some(({ path }) => path === name))
      .map((name) => `dev/gate/small-files.mjs: ${name} needs no exception any more`),
  ];
}

/**
 * @param {string} path
 * @param {string} text
 * @param {ReadonlyMap<string, string>} sources
 * @returns {ReadonlySet<string>}
 */
const importedBy = (path, text, sources) =>
  new Set(
    importsOf(path, text)
      .flatMap((target) => [target, target.replace(/\.js$/, '.ts'), target.replace(/\.js$/, '.tsx')])
      .filter((name) => sources.has(name)),
  );
