import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { report } from '../setup/progress.mjs';
import { runCommand } from '../setup/run-command.mjs';
import { cacheFolder } from './cache-folder.mjs';

/** The Node.js line of the images; developers may run another. */
const ltsLine = '24';
/** The oldest release that the packages promise to run on (`engines` of package.json). */
const oldestRelease = '20.19';

/** @typedef {{ node: string } | { reason: string }} NodeRelease the executable, or in one line why there is none */

/** Node.js of the current LTS line, for tests. */
export const ensureLtsNode = () => ensureNode(ltsLine, process.env.DEMARC_TEST_LTS_NODE);

/** The oldest Node.js that the packages promise, for tests. */
export const ensureOldestNode = () => ensureNode(oldestRelease);

/**
 * A release of Node.js: the running one if it is that, else the executable from the npm package that ships it, installed once per machine.
 * Never rejects: tests that need it are skipped where it is not available.
 * @param {string} release the beginning of its version
 * @param {string} [configuredPath] of an executable that is there already
 * @returns {Promise<NodeRelease>}
 */
async function ensureNode(release, configuredPath) {
  if (process.versions.node.startsWith(`${release}.`)) return { node: process.execPath };
  if (configuredPath) return { node: configuredPath };
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(cacheFolder(), `${name}-${release}`);
  const node = join(folder, 'node_modules', name, 'bin', 'node');
  if (existsSync(node)) return { node };
  const partial = join(cacheFolder(), `.${name}-${release}.${process.pid}`);
  try {
    report(`Installing Node.js ${release} for tests into ${cacheFolder()} …`);
    await mkdir(partial, { recursive: true });
    const { code, output } = await runCommand('npm', [
      ...['install', '--prefix', partial, '--no-save', '--no-package-lock', '--ignore-scripts'],
      ...['--no-audit', '--no-fund', `${name}@${release}`],
    ]);
    if (code !== 0) {
      const why = output.split('\n').find((line) => line.startsWith('npm error')) ?? `npm ended with ${code}`;
      return { reason: `Node.js ${release} could not be installed: ${why}` };
    }
    // The final name marks a complete install. Another clone may have created it first.
    await rename(partial, folder).catch(() => undefined);
    return existsSync(node) ? { node } : { reason: `${name}@${release} has no executable` };
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
