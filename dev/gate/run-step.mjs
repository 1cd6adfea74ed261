import { spawn } from 'node:child_process';

/** Process groups of the steps that run now, by their leader. */
const running = new Set();
/** Test runs end their processes within this time. */
const graceMilliseconds = 10_000;

for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(name, () => endSteps().then(() => process.exit(1)));
}

/**
 * Runs a command in its own process group, which ends with this process.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, show: boolean }} options show: passes its output through to the user
 * @returns {Promise<{ code: number, output: string }>} code: 1 after any signal; output: the last 64 KiB, empty when shown
 */
export function runStep(file, args, { cwd, env, show }) {
  return new Promise((resolve, reject) => {
    const out = show ? 'inherit' : 'pipe';
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', out, out], detached: true });
    const group = child.pid;
    if (group !== undefined) running.add(group);
    let output = '';
    /** @param {Buffer} chunk */
    const keep = (chunk) => {
      output = (output + chunk.toString()).slice(-65_536);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => {
      running.delete(group);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** SIGTERM to all steps, which end what they started (a launcher that gets it twice leaves its processes behind), then SIGKILL to what is left. */
async function endSteps() {
  const end = performance.now() + graceMilliseconds;
  for (const group of running) signal(group, 'SIGTERM');
  while (running.size > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  for (const group of running) signal(-group, 'SIGKILL');
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
