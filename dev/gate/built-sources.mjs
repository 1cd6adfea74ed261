import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = join(root, 'src') + sep;
const built = join(root, 'dist') + sep;

/** It replaces a module of Node.js in what it imports. */
const needsSources = join(root, 'test/unit/edge/survival/adoption.test.ts');

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
    if (importer === needsSources) return;
    const path = resolve(dirname(importer), id);
    if (!path.startsWith(sources)) return;
    const target = join(built, relative(sources, path));
    return existsSync(target) ? { id: target, external: true } : undefined;
  },
};
