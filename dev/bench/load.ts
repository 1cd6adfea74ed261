import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

export interface Load {
  readonly callsPerSecond: number;
  readonly seconds: number;
  /** Milliseconds between ACK and BYE. */
  readonly holdMilliseconds: number;
}

export interface LoadResult {
  /** Calls that were answered and hung up. */
  readonly succeeded: number;
  /** Calls that got 503. */
  readonly refused: number;
  readonly failed: number;
  /** From the INVITE to the 200 of each answered call, in milliseconds, ascending. */
  readonly setups: readonly number[];
  readonly retransmissions: number;
  /** Average rate of calls that were actually started, per second. */
  readonly achieved: number;
  /** Wall-clock seconds of the whole run. */
  readonly seconds: number;
}

/** Runs SIPp as the caller: a fixed number of calls at a fixed rate. */
export async function callersRun(options: {
  readonly directory: string;
  readonly name: string;
  readonly target: { readonly host: string; readonly port: number };
  readonly localPort: number;
  readonly controlPort: number;
  readonly number: string;
  readonly load: Load;
}): Promise<LoadResult> {
  const { directory, name, target, localPort, controlPort, number, load } = options;
  const calls = load.callsPerSecond * load.seconds;
  const statistics = join(directory, `${name}.csv`);
  const begun = performance.now();
  const child = spawn(
    'sipp',
    [
      ['-sf', join(here, 'caller.xml'), '-t', 't1', '-i', '127.0.0.1', '-p', String(localPort)],
      ['-bind_local', '-ci', '127.0.0.1', '-cp', String(controlPort), '-nostdin', '-s', number],
      ['-r', String(load.callsPerSecond), '-m', String(calls), '-l', '100000'],
      ['-d', String(load.holdMilliseconds), '-timeout', String(load.seconds + 40)],
      [
        '-recv_timeout',
        '20000',
        '-trace_stat',
        '-stf',
        statistics,
        '-fd',
        '1',
        '-trace_rtt',
        '-rtt_freq',
        '1',
      ],
      [`${target.host}:${target.port}`],
    ].flat(),
    { cwd: directory, stdio: 'ignore', env: { ...process.env, TERM: 'dumb' } },
  );
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => resolve());
  });
  const seconds = (performance.now() - begun) / 1_000;
  const setups = takeSetups(directory);
  const { ended, ...rest } = readStatistics(statistics);
  return { ...rest, succeeded: setups.length, refused: ended - setups.length, setups, seconds };
}

/** Reads and removes SIPp's response time files: `Date_ms;response_time_ms;rtd_name`. */
function takeSetups(directory: string): number[] {
  const files = readdirSync(directory).filter((name) => /^caller_\d+_rtt\.csv$/.test(name));
  const rows = files.flatMap((name) => {
    const text = readFileSync(join(directory, name), 'utf8');
    unlinkSync(join(directory, name));
    return text.trim().split('\n').slice(1);
  });
  return rows.map((row) => Number(row.split(';')[1])).sort((one, other) => one - other);
}

/** The last line of SIPp's statistics file, by column name. */
function readStatistics(
  file: string,
): Omit<LoadResult, 'seconds' | 'setups' | 'succeeded' | 'refused'> & { readonly ended: number } {
  const rows = readFileSync(file, 'utf8').trim().split('\n');
  const header = rows[0]?.split(';') ?? [];
  const last = rows.at(-1)?.split(';') ?? [];
  const column = (title: string): number => Number(last[header.indexOf(title)] ?? Number.NaN);
  return {
    ended: column('SuccessfulCall(C)'),
    failed: column('FailedCall(C)'),
    retransmissions: column('Retransmissions(C)'),
    achieved: column('CallRate(C)'),
  };
}

/** Runs SIPp as the agent runtime, over TCP, until it is stopped. */
export const agentArguments = (port: number, controlPort: number): string[] =>
  [
    ['-sf', join(here, 'agent.xml'), '-t', 't1', '-i', '127.0.0.1', '-p', String(port)],
    ['-bind_local', '-ci', '127.0.0.1', '-cp', String(controlPort), '-nostdin'],
  ].flat();
