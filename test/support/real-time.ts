import { execFileSync } from 'node:child_process';

/**
 * Gives all threads of processes precedence over the rest of this machine: what a test measures of audio is then not what other tests took
 * from it. For some seconds only.
 * @returns ends it; or why it is impossible
 */
export function realTime(pids: readonly number[]): (() => void) | string {
  const set = (...policy: string[]): void => {
    for (const pid of pids)
      execFileSync(
        'chrt',
        [...policy, '--all-tasks', '--pid', policy[0] === '--other' ? '0' : '10', `${pid}`],
        {
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      );
  };
  try {
    set('--fifo');
  } catch (error) {
    return `real-time priority was refused: ${(error as Error).message.split('\n', 1)[0]}`;
  }
  return () => set('--other');
}
