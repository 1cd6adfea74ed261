import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { report } from '../setup/progress.mjs';
import { runCommand } from '../setup/run-command.mjs';
import { cacheFolder } from './cache-folder.mjs';

/** The Node.js line of the images; developers may run another. */
const major = 24;

/** @typedef {{ node: string } | { reason: string }} LtsNode the executable, or in one line why there is none */

/**
 * Node.js of the current LTS line, for tests: the running Node if it is one, else the executable from the npm package that ships
 * it, installed once per machine. Never rejects: tests that need it are skipped where it is not available.
 * @returns {Promise<LtsNode>}
 */
export async function ensureLtsNode() {
  if (process.versions.node.startsWith(`${major}.`)) return { node: process.execPath };
  const { DEMARC_TEST_LTS_NODE: configuredPath } = process.env;
  if (configuredPath) return { node: configuredPath };
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(cacheFolder(), `${name}-${major}`);
  const node = join(folder, 'node_modules', name, 'bin', 'node');
  if (existsSync(node)) return { node };
  const partial = join(cacheFolder(), `.${name}-${major}.${process.pid}`);
  try {
    report(`Installing Node.js ${major} for tests into ${cacheFolder()} …`);
    await mkdir(partial, { recursive: true });
    const { code, output } = await runCommand('npm', [
      ...['install', '--prefix', partial, '--no-save', '--no-package-lock', '--ignore-scripts'],
      ...['--no-audit', '--no-fund', `${name}@${major}`],
    ]);
    if (code !== 0) {
      const why = output.split('\n').find((line) => line.startsWith('npm error')) ?? `npm ended with ${code}`;
      return { reason: `Node.js ${major} could not be installed: ${why}` };
    }
    // The final name marks a complete install. Another clone may have created it first.
    await rename(partial, folder).catch(() => undefined);
    return existsSync(node) ? { node } : { reason: `${name}@${major} has no executable` };
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
