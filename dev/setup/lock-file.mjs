import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';

/**
 * Takes a lock: a file with the process id of its owner. Removes a lock whose owner died.
 * @param {string} lock
 * @returns {Promise<boolean>} false while the owner lives, and once more when the owner was found dead
 */
export async function takeLock(lock) {
  const mine = `${lock}.${process.pid}`;
  await writeFile(mine, String(process.pid));
  try {
    await link(mine, lock);
    return true;
  } catch {
    const owner = Number(await readFile(lock, 'utf8').catch(() => 'NaN'));
    if (Number.isInteger(owner) && owner !== process.pid && isAlive(owner)) return false;
    // The owner was killed; the process that renames its lock first may try again.
    await rename(lock, `${mine}.stale`).catch(() => undefined);
    return false;
  } finally {
    await rm(mine, { force: true });
    await rm(`${mine}.stale`, { force: true });
  }
}

/** @param {string} lock */
export async function releaseLock(lock) {
  await rm(lock, { force: true });
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    return /** @type {NodeJS.ErrnoException} */ (failure).code === 'EPERM';
  }
}
