import { execFileSync } from 'node:child_process';

/** How many have asked for it, by process: tests that run side by side share this one. */
const holders = new Map<number, number>();

function set(pid: number, ...policy: string[]): void {
  execFileSync('chrt', [...policy, '--all-tasks', '--pid', policy[0] === '--other' ? '0' : '10', `${pid}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/**
 * Gives all threads of processes precedence over the rest of this machine: what a test measures of audio is then not what other tests took
 * from it. For some seconds only.
 * @returns ends it; or why it is impossible
 */
export function realTime(pids: readonly number[]): (() => void) | string {
  try {
    for (const pid of pids) set(pid, '--fifo');
  } catch (error) {
    return `real-time priority was refused: ${(error as Error).message.split('\n', 1)[0]}`;
  }
  for (const pid of pids) holders.set(pid, (holders.get(pid) ?? 0) + 1);
  return () => {
    for (const pid of pids) {
      const remaining = holders.get(pid)! - 1;
      holders.set(pid, remaining);
      if (remaining === 0) set(pid, '--other');
    }
  };
}
