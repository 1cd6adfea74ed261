import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = join(root, 'src') + sep;
const built = join(root, 'dist') + sep;

/** They replace a module of Node.js in what they import, or run TypeScript in threads. */
const needSources = [
  'test/unit/control/workers/worker-pool.test.ts',
  'test/unit/edge/survival/adoption.test.ts',
].map((path) => join(root, path));

/** For vitest's `server.deps.external`: Node.js loads these modules itself, four times as fast as vitest's module runner. */
export const builtCode = new RegExp(`^${built.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);

/**
 * Lets tests import built code instead of its source: each worker then loads plain JavaScript directly and does not wait for
 * the main process to compile each module. Files without a build in dist/, such as the dashboard's sources, are left unchanged.
 * @type {import('vitest/config').Plugin}
 */
export const builtSources = {
  name: 'demarc:built-sources',
  enforce: 'pre',
  resolveId(id, importer) {
    if (!id.startsWith('.') || importer === undefined || importer.includes('node_modules')) return;
    if (needSources.includes(importer)) return;
    const path = resolve(dirname(importer), id);
    if (!path.startsWith(sources)) return;
    const target = join(built, relative(sources, path));
    return existsSync(target) ? { id: target, external: true } : undefined;
  },
};
