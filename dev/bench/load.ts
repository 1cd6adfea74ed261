import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../../test/support/free-ports.js';
import { callerArguments, type KeyPair, sippProgram } from './sipp.js';

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
  /** From the INVITE to the 180 of each answered call, in milliseconds, ascending. */
  readonly ringing: readonly number[];
  /** From the INVITE to the 200 of each answered call, in milliseconds, ascending; the agent lets it ring for 10 ms. */
  readonly setups: readonly number[];
  readonly retransmissions: number;
  /** Calls sent per second, from the first INVITE to the last. Far below the asked rate, the generator got too little CPU. */
  readonly sentPerSecond: number;
}

/** The smallest value that `share` (0 to 1) of the sorted values do not exceed; 0 without values. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** A running SIPp, whose result comes when all its calls have ended. */
export interface RunningLoad {
  readonly result: Promise<LoadResult>;
  /** Ends it early; its calls remain as they are. */
  stop(): void;
}

let runs = 0;

/** Runs SIPp as the callers; statistics go to the directory. */
export async function startLoad(options: {
  readonly directory: string;
  readonly target: { readonly host: string; readonly port: number };
  /** The number to dial, or a file of numbers for `-inf`. */
  readonly number: string | { readonly file: string };
  readonly keys: KeyPair;
  readonly load: Load;
  /** Pins SIPp to this core; undefined: no pinning. */
  readonly core?: number | undefined;
}): Promise<RunningLoad> {
  const { directory, target, number, keys, load, core } = options;
  const [localPort, controlPort] = await freePorts(2);
  const statisticsFile = join(directory, `calls-${++runs}.csv`);
  const numbersFile = typeof number === 'string' ? join(directory, `number-${number}.csv`) : number.file;
  if (typeof number === 'string') writeFileSync(numbersFile, `SEQUENTIAL\n${number};\n`);
  const argv = callerArguments({
    target,
    numbersFile,
    keys,
    statisticsFile,
    localPort: localPort!,
    controlPort: controlPort!,
    callsPerSecond: load.callsPerSecond,
    calls: Math.round(load.callsPerSecond * load.seconds),
    holdMilliseconds: load.holdMilliseconds,
  });
  const command = [...(core === undefined ? [] : ['taskset', '-c', String(core)]), ...sippProgram(), ...argv];
  const child = spawn(command[0]!, command.slice(1), {
    cwd: directory,
    stdio: 'ignore',
    env: { ...process.env, TERM: 'dumb' },
  });
  return { result: outcome(child, directory, statisticsFile), stop: () => void child.kill('SIGTERM') };
}

export async function runLoad(options: Parameters<typeof startLoad>[0]): Promise<LoadResult> {
  return (await startLoad(options)).result;
}

async function outcome(child: ChildProcess, directory: string, statistics: string): Promise<LoadResult> {
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => resolve());
  });
  // SIPp names the file by the scenario and its own process id.
  const times = takeTimes(directory, `caller_${child.pid}_rtt.csv`);
  const { ended, ...rest } = readStatistics(statistics);
  const succeeded = times.setups.length;
  return { ...rest, ...times, succeeded, refused: Math.max(0, ended - succeeded) };
}

type Times = Pick<LoadResult, 'ringing' | 'setups' | 'sentPerSecond'>;

/** Reads and removes SIPp's response time file: `Date_ms;response_time_ms;rtd_name`, a row when each time ends. */
function takeTimes(directory: string, name: string): Times {
  if (!readdirSync(directory).includes(name)) return { ringing: [], setups: [], sentPerSecond: 0 };
  const file = join(directory, name);
  const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  unlinkSync(file);
  const times = { ringing: [] as number[], setups: [] as number[] };
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const row of rows) {
    const [date = '', time = '', title = ''] = row.split(';');
    const sent = Number(date) - Number(time);
    first = Math.min(first, sent);
    last = Math.max(last, sent);
    if (title.includes('ringing')) times.ringing.push(Number(time));
    else times.setups.push(Number(time));
  }
  for (const list of Object.values(times)) list.sort((left, right) => left - right);
  const sentPerSecond = times.setups.length < 2 ? 0 : ((times.setups.length - 1) * 1_000) / (last - first);
  return { ...times, sentPerSecond };
}

/** The last line of SIPp's statistics file, by column name. */
function readStatistics(
  file: string,
): Pick<LoadResult, 'failed' | 'retransmissions'> & { readonly ended: number } {
  const rows = readFileSync(file, 'utf8').trim().split('\n');
  const header = rows[0]?.split(';') ?? [];
  const last = rows.at(-1)?.split(';') ?? [];
  const column = (title: string): number => Number(last[header.indexOf(title)] ?? Number.NaN);
  return {
    ended: column('SuccessfulCall(C)'),
    failed: column('FailedCall(C)'),
    retransmissions: column('Retransmissions(C)'),
  };
}
