import { spawn } from 'node:child_process';

/**
 * @typedef {object} Outcome
 * @property {number} code exit code; 1 after any signal
 * @property {string} output the last 64 KiB of stdout and stderr together; empty when shown
 */

/**
 * Process groups of the commands that end with this process, by their leader, and how long each may take for it.
 * @type {Map<number, number>}
 */
const groups = new Map();

/**
 * Runs a command to completion without a shell.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean, graceMilliseconds?: number }} [options] show: passes its output
 *   through to the user; graceMilliseconds: it runs in its own process group, which a signal to this process ends, and kills after this time
 * @returns {Promise<Outcome>} rejects only when the command cannot be started
 */
export function runCommand(file, args, { cwd, env = process.env, show = false, graceMilliseconds } = {}) {
  const isGroup = graceMilliseconds !== undefined;
  if (isGroup) endGroupsWithThis();
  return new Promise((resolve, reject) => {
    const out = show ? 'inherit' : 'pipe';
    const input = show && !isGroup ? 'inherit' : 'ignore';
    const child = spawn(file, args, { cwd, env, stdio: [input, out, out], detached: isGroup });
    const { pid } = child;
    if (isGroup && pid !== undefined) groups.set(pid, graceMilliseconds);
    let output = '';
    /** @param {Buffer} chunk */
    const keep = (chunk) => {
      output = (output + chunk.toString()).slice(-65_536);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => {
      if (pid !== undefined) groups.delete(pid);
      resolve({ code: code ?? 1, output });
    });
  });
}

let isWatching = false;
let isEnding = false;

function endGroupsWithThis() {
  if (isWatching) return;
  isWatching = true;
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(name, endThis);
}

async function endThis() {
  if (isEnding) return;
  isEnding = true;
  await endGroups();
  process.exit(1);
}

/** SIGTERM to all leaders, which end what they started (a launcher that gets it twice leaves its processes behind), then SIGKILL to what is left. */
async function endGroups() {
  const end = performance.now() + Math.max(0, ...groups.values());
  for (const leader of groups.keys()) signal(leader, 'SIGTERM');
  while (groups.size > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  for (const leader of groups.keys()) signal(-leader, 'SIGKILL');
}

/**
 * @param {number} target a process, or a negative group
 * @param {NodeJS.Signals} name
 */
function signal(target, name) {
  try {
    process.kill(target, name);
  } catch {
    // It has just ended.
  }
}
