import { spawn } from 'node:child_process';

/** Process groups of the steps that run now, by their leader. */
const running = new Set();
/** Test runs end their processes within this time. */
const graceMilliseconds = 10_000;

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => endSteps().then(() => process.exit(1)));
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

/** SIGTERM to all steps, then SIGKILL. */
async function endSteps() {
  const end = performance.now() + graceMilliseconds;
  for (const group of running) signalGroup(group, 'SIGTERM');
  while (running.size > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  for (const group of running) signalGroup(group, 'SIGKILL');
}

/**
 * @param {number} group
 * @param {NodeJS.Signals} signal
 */
function signalGroup(group, signal) {
  try {
    process.kill(-group, signal);
  } catch {
    // It has just ended.
  }
}
