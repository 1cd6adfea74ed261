/** Step of `npm run check`: an area of the control API is a closed folder (docs/development.md). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, readSources } from './folder-ranks.mjs';

/** Folders of `src/control` that every area may import and that import no area. */
export const sharedLayers = [
  'audit', // the log of who changed what
  'database', // connection, migrations, types of all tables
  'deliveries', // mail, SMS and webhooks with their retries
  'events', // event types, and the webhooks that receive them
  'fleet', // the current reports of edges, and requests to them about active calls
  'http', // server, authentication, envelope, validation, paging, API reference
  'idempotency', // Idempotency-Key
  'jobs', // BullMQ queues whose truth is a table
  'models', // language and embedding models behind an OpenAI-compatible interface
  'numbers', // stored numbers and configurations, and the documents that edges read
  'organizations', // organizations, their keys and key scopes
  'parties', // contacts of the other parties of calls
  'people', // accounts of people, their passwords, roles and invitations
  'projection', // numbers in Redis
  'promotions', // versions of personas and pathways that wait for tests
  'secrets', // rotation of the key that encrypts secrets
  'session', // the dashboard's login, which authenticates requests like an API key
  'streams', // consumers of Redis streams
  'workers', // threads for work on texts whose time their author chooses
  'versions', // stored subjects with versions: personas and pathways
];

/**
 * @param {ReadonlyMap<string, string>} sources path below `src/control`, with slashes → text
 * @param {readonly string[]} layers
 * @returns {string[]} one line for each import that enters an area other than through its index.ts
 */
export function areaProblems(sources, layers) {
  /** @param {string} path @returns {string} empty: a file of src/control itself */
  const folderOf = (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');
  const problems = [...new Set([...sources.keys()].map(folderOf))]
    .filter((folder) => folder !== '' && !layers.includes(folder))
    .filter((folder) => !sources.has(`${folder}/index.ts`))
    .map(
      (folder) => `src/control/${folder}: an area needs an index.ts (shared layers are listed in ${list})`,
    );
  for (const [path, text] of sources) {
    const from = folderOf(path);
    for (const target of importsOf(path, text).map((name) => name.replace(/\.js$/, '.ts'))) {
      const to = folderOf(target);
      if (to === '' || to === from || layers.includes(to)) continue;
      if (layers.includes(from))
        problems.push(`src/control/${path}: ${from} is shared, so it must not import ${target}`);
      else if (target !== `${to}/index.ts`)
        problems.push(`src/control/${path}: import ${to}/index.js instead of ${target}`);
    }
  }
  return problems;
}

const list = 'dev/gate/control-areas.mjs';

/** @param {string} root of the repository @returns {string[]} */
export function checkControlAreas(root) {
  const folder = join(root, 'src/control');
  if (!existsSync(folder)) return [];
  return areaProblems(readSources(folder), sharedLayers);
}
