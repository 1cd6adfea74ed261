import { ChildProcess } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Loaded before each program of a test run: marked places (`marks.ts`) write the test file that reached them to a file by their number.
 * Programs that a test starts belong to its file, also where they get an environment without the names of it.
 */
const { DEMARC_REACHED: folder, NODE_OPTIONS: options } = process.env;
const noted = new Set();

/** @param {number} number */
const note = (number) => {
  const { DEMARC_REACHED_BY: file } = process.env;
  const entry = `${number} ${file}`;
  if (folder === undefined || file === undefined || noted.has(entry)) return;
  noted.add(entry);
  appendFileSync(join(folder, String(number)), `${file}\n`);
};
Object.assign(globalThis, { demarcReached: note });

const { spawn } = /** @type {{ spawn: (options: { envPairs?: string[] }) => unknown }} */ (
  /** @type {unknown} */ (ChildProcess.prototype)
);
Object.assign(ChildProcess.prototype, {
  /**
   * @this {ChildProcess}
   * @param {{ envPairs?: string[] }} child
   */
  spawn(child) {
    const own = {
      DEMARC_REACHED: folder,
      DEMARC_REACHED_BY: process.env.DEMARC_REACHED_BY,
      NODE_OPTIONS: options,
    };
    for (const [name, value] of Object.entries(own))
      if (value !== undefined && child.envPairs?.some((pair) => pair.startsWith(`${name}=`)) === false)
        child.envPairs.push(`${name}=${value}`);
    return spawn.call(this, child);
  },
});
