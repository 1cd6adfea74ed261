import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../setup/lock-file.mjs';

/** In memory on every Linux distribution. */
const sharedMemory = '/dev/shm';
/** A gate stored 1.7 GB there at most. */
const leastFree = 6 * 1024 ** 3;
/** What is left for processes when the folder is as large as it may become. */
const leastAvailable = 12 * 1024 ** 3;
/** Short, because the paths of sockets are bounded. */
const begin = 'demarc-';

/**
 * A folder in memory for the temporary files of a gate, which its tests create by the hundred thousand: on a disk the copy of a database
 * took six to twelve times as much processor time, and a stalled disk stalls what is tested. It ends with this process; the folders of
 * runs that were killed are removed.
 * @param {{ place?: string, meminfo?: string }} [options]
 * @returns {string | undefined} undefined: this machine has too little memory, or runs no programs from there
 */
export function makeMemoryFolder({ place = sharedMemory, meminfo = '/proc/meminfo' } = {}) {
  try {
    removeAbandoned(place);
    const { bavail, bsize } = statfsSync(place);
    if (bavail * bsize < leastFree || availableOctets(meminfo) < leastAvailable) return undefined;
    const folder = mkdtempSync(join(place, `${begin}${process.pid}-`));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    // PostgreSQL may run as another user, who must reach its folder below.
    chmodSync(folder, 0o711);
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    return folder;
  } catch {
    return undefined;
  }
}

/** @param {string} meminfo */
function availableOctets(meminfo) {
  const [, kilobytes] = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync(meminfo, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

/** @param {string} place */
function removeAbandoned(place) {
  const named = new RegExp(`^${begin}(\\d+)-\\w+$`);
  for (const name of readdirSync(place)) {
    const [, pid] = named.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) {
      rmSync(join(place, name), { recursive: true, force: true });
    }
  }
}
