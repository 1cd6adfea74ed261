import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/**
 * Whether a process has a handler for the signal, which ends it otherwise. Undefined where the system does not show it: outside
 * of Linux, or after its end.
 */
export function catchesSignal(pid: number, signal: NodeJS.Signals): boolean | undefined {
  try {
    const caught = /^SigCgt:\s+([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    if (caught === undefined) return undefined;
    // Bit 0 is signal 1 (proc_pid_status(5)).
    return ((BigInt(`0x${caught}`) >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n;
  } catch {
    return undefined;
  }
}
