import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureBuild } from './build.mjs';
import { releaseLock, takeLock } from './lock-file.mjs';
import { ensureNpmPackages } from './npm-packages.mjs';
import { PreparationError, report } from './progress.mjs';
import { ensureSystemPackages, widenPath } from './system-packages.mjs';

/** @typedef {import('./system-packages.mjs').SystemPackage} SystemPackage */

/** The project's folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Node 20.19 is the first version that can `require` ES modules, which some dependencies are. */
const oldestNode = /** @type {const} */ ([20, 19]);

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  throw new PreparationError(
    `Node.js ${oldestNode.join('.')} or newer is required; this is ${process.versions.node}.`,
  );
}

/**
 * Prepares a fresh clone: npm packages, system packages, build. Returns quickly when everything is present.
 * @param {readonly SystemPackage[]} packages
 * @param {{ build?: boolean }} [options]
 * @returns {Promise<{ waited: boolean }>} whether another command was preparing this clone; rejects with a PreparationError whose text says what to do
 */
export async function prepare(packages, { build = true } = {}) {
  checkNode();
  return alone(async () => {
    // One waits for the network while the other unpacks; neither is left running when the other fails.
    const outcomes = await Promise.allSettled([ensureNpmPackages(root), ensureSystemPackages(packages)]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    widenPath();
    if (build) await ensureBuild(root);
  });
}

/** The programs that the build creates. */
export const programs = /** @type {const} */ ({
  // `npm test` starts these dozens of times and bundles them, which halves what a start costs.
  demarc: process.env.DEMARC_TEST_ROLES ?? join(root, 'dist', 'cli.js'),
  agent: process.env.DEMARC_TEST_AGENT ?? join(root, 'dist-dev', 'agent.js'),
  call: process.env.DEMARC_TEST_CALL ?? join(root, 'dist-dev', 'call.js'),
});

/**
 * Runs a built program in this process, as if it were Node's main module.
 * @param {string} program
 * @param {readonly string[]} args
 */
export async function handOver(program, args) {
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}

/**
 * Two commands in one fresh clone (`npm start` here, `npm run call` there) must not install over each other.
 * @param {() => Promise<void>} work
 * @returns {Promise<{ waited: boolean }>}
 */
async function alone(work) {
  const folder = join(root, 'dist');
  const lock = join(folder, '.preparing');
  await mkdir(folder, { recursive: true });
  let waited = false;
  while (!(await takeLock(lock))) {
    if (!waited) report('Waiting for another command that is preparing this clone …');
    waited = true;
    await sleep(300);
  }
  try {
    await work();
    return { waited };
  } finally {
    await releaseLock(lock);
  }
}
