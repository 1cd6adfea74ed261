import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';

const boundMilliseconds = 3_000;

/** The standard output of a program that is installed and ends with 0; undefined otherwise. */
export function outputOf(program: string, argv: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, argv, { timeout: boundMilliseconds, maxBuffer: 8 * 1_024 * 1_024 }, (error, output) =>
      resolve(error === null ? output : undefined),
    );
  });
}

/** The text of a file below /proc or /sys; undefined: there is none, or it may not be read. */
export function systemFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
