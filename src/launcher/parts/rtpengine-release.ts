import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const boundMilliseconds = 10_000;

/**
 * Options that only rtpengine 26 and later get. Where it converts codecs it numbers its output by what it encoded, so that after each lost
 * packet the timestamps fall behind (RFC 3550 §5.1). Its handling of discontinuous transmission puts quiet noise in the place of a
 * packet that is 30 ms late, which keeps the clock: docs/decisions/rtpengine-transcoding.md.
 */
export const conversionOptions: readonly string[] = ['--dtx-delay=30', '--dtx-cn-params=80'];

/** @param release major number; undefined: unknown */
export const optionsOfRelease = (release: number | undefined): readonly string[] =>
  release !== undefined && release >= 26 ? conversionOptions : [];

/** Major number of the program's release; undefined: it does not say. */
export async function releaseOf(file: string, args: readonly string[] = []): Promise<number | undefined> {
  try {
    const { stdout, stderr } = await run(file, [...args, '--version'], { timeout: boundMilliseconds });
    const number = /Version:\s*(\d+)\./.exec(stdout + stderr)?.[1];
    return number === undefined ? undefined : Number(number);
  } catch {
    return undefined;
  }
}
