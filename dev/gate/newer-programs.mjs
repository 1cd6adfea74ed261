import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, releaseLock, takeLock } from '../setup/lock-file.mjs';
import { PreparationError, report } from '../setup/progress.mjs';
import { runCommand } from '../setup/run-command.mjs';
import { ensureSystemPackages } from '../setup/system-packages.mjs';
import { cacheFolder } from './cache-folder.mjs';

/**
 * Programs that the stable release lacks or has in an old version, only for tests. They run in a separate root directory
 * (chroot), so that nothing from the unstable suite is installed in the system.
 */
const suite = 'sid';
const packages = ['asterisk', 'rtpengine-daemon', 'sip-tester', 'valkey-server'];
/** Neither programs nor libraries read these files. */
const leftOut = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/locale/*', '/usr/share/info/*'];
/** Timeout of the whole bootstrap, which takes 50 s on two idle cores. */
const longestSeconds = 600;

/** @typedef {{ root: string } | { reason: string }} NewerPrograms their root, or why they are missing, in one line */

/** Another suite or other packages use another root. */
const key = createHash('sha256')
  .update([suite, ...packages].join(' '))
  .digest('hex')
  .slice(0, 12);
const rootName = `debian-${suite}-${key}`;

/**
 * Only checks for the root, for a test that runs without the installer.
 * @returns {NewerPrograms}
 */
export function findNewerPrograms() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return { reason: 'Asterisk and Valkey run in a chroot, which requires root on Linux' };
  }
  const root = join(cacheFolder(), rootName);
  return existsSync(root) ? { root } : { reason: `${root} is missing: npm test creates it` };
}

/**
 * Creates the root unless it exists. Never rejects: where that fails, the tests that need it are skipped.
 * @returns {Promise<NewerPrograms>}
 */
export async function ensureNewerPrograms() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return findNewerPrograms();
  const found = findNewerPrograms();
  if ('root' in found) return found;
  try {
    await ensureSystemPackages([
      {
        binary: 'mmdebstrap',
        packages: ['mmdebstrap', 'debian-archive-keyring'],
        purpose: `tests: ${packages.join(', ')} of Debian's unstable suite`,
      },
    ]);
    await mkdir(cacheFolder(), { recursive: true });
    await alone(make);
    return findNewerPrograms();
  } catch (failure) {
    if (!(failure instanceof PreparationError)) throw failure;
    return { reason: /** @type {string} */ (failure.message.split('\n', 1)[0]) };
  }
}

/**
 * Runs one installer at a time; the others find the finished root.
 * @param {() => Promise<void>} work
 */
async function alone(work) {
  const lock = join(cacheFolder(), `.${rootName}.lock`);
  let isReported = false;
  while (!(await takeLock(lock))) {
    if (!isReported) report('Waiting for another command that is installing the newer test programs …');
    isReported = true;
    await sleep(500);
  }
  try {
    if (!('root' in findNewerPrograms())) await work();
  } finally {
    await releaseLock(lock);
  }
}

async function make() {
  await removeHalfMade();
  report(`Installing ${packages.join(', ')} of Debian ${suite} into ${cacheFolder()} …`);
  const partial = join(cacheFolder(), `.${rootName}.${process.pid}`);
  // Tests that do not need it run meanwhile.
  const { code, output } = await runCommand('nice', [
    ...['-n', '19', 'timeout', '--kill-after=10', String(longestSeconds), 'mmdebstrap', '--variant=minbase'],
    // Mirrors may serve a release file that is some days old.
    ...['--aptopt=Acquire::Check-Valid-Until "false"', '--aptopt=Acquire::Retries "3"'],
    ...['--dpkgopt=force-unsafe-io', ...leftOut.map((path) => `--dpkgopt=path-exclude=${path}`)],
    ...[`--include=${packages.join(',')}`, suite, partial],
  ]);
  if (code !== 0) {
    await remove(partial);
    const lines = output.trim().split('\n');
    const why = lines.findLast((line) => line.startsWith('E: ')) ?? lines.at(-1);
    throw new PreparationError(
      `mmdebstrap ${code === 124 ? `took longer than ${longestSeconds} s` : `failed: ${why}`}`,
    );
  }
  // The final name marks a complete root. A container that shares the cache may have created it first.
  await rename(partial, join(cacheFolder(), rootName)).catch(() => remove(partial));
  report('The newer test programs are installed.');
}

/** Removes leftovers of killed installers. */
async function removeHalfMade() {
  const prefix = `.${rootName}.`;
  for (const name of await readdir(cacheFolder())) {
    const owner = Number(name.slice(prefix.length));
    if (name.startsWith(prefix) && Number.isInteger(owner) && !isAlive(owner)) {
      await remove(join(cacheFolder(), name));
    }
  }
}

/** @param {string} folder whose mounted file systems, if any, stay as they are */
async function remove(folder) {
  const { code } = await runCommand('rm', ['-rf', '--one-file-system', folder]);
  if (code !== 0) report(`${basename(folder)} could not be removed.`);
}
