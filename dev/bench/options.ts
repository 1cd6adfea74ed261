import { parseArgs } from 'node:util';

/** A built clone to measure. */
export interface CloneOptions {
  readonly directory: string;
  readonly node: string;
  readonly nodeOptions: readonly string[];
}

export interface Options {
  readonly rates: readonly number[];
  readonly seconds: number;
  readonly holdMilliseconds: number;
  /** Calls before the first measured one. */
  readonly warm: number;
  /** How often each rate is measured, in alternation between the systems. */
  readonly rounds: number;
  /** This clone first, then those of `--system`. */
  readonly clones: readonly CloneOptions[];
  /** Pins the systems to these cores; undefined: no pinning. */
  readonly cores: string | undefined;
  readonly overload: boolean;
  /** Directory for V8 CPU profiles of the systems' Node.js processes; profiling distorts the figures of the run. */
  readonly profile: string | undefined;
  /** Keeps logs and data. */
  readonly keep: boolean;
  /** File for all figures. */
  readonly json: string | undefined;
}

export const usage = `npm run bench -- [options]

  --rates 100,400       calls per second, one step each
  --seconds 10          length of a step
  --hold 1000           milliseconds between answer and hang-up
  --warm 3000           calls to each system before the first step
  --rounds 1            repeats each step, in alternation between the systems
  --system 'DIR [node=FILE] [flags=A,B]'
                        also measures the built clone in DIR; repeatable. With DIR=. it is this clone with other options of Node.js
  --only-systems        measures only the clones of --system
  --cores 0             keeps the systems to these cores (taskset)
  --overload            systems on core 0, callers on core 1: answered and refused calls beyond the capacity
  --profile DIR         V8 CPU profiles of the Node.js processes
  --json FILE           writes all figures
  --keep                keeps logs and data
`;

/** @throws Error with a text for the terminal */
export function readOptions(argv: readonly string[], here: string): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rates: { type: 'string', default: '100,400' },
      seconds: { type: 'string', default: '10' },
      hold: { type: 'string', default: '1000' },
      warm: { type: 'string', default: '3000' },
      rounds: { type: 'string', default: '1' },
      system: { type: 'string', multiple: true, default: [] },
      'only-systems': { type: 'boolean', default: false },
      cores: { type: 'string' },
      overload: { type: 'boolean', default: false },
      profile: { type: 'string' },
      json: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  });
  const others = values.system.map((text) => readClone(text, here));
  const mine = values['only-systems'] ? [] : [{ directory: here, node: process.execPath, nodeOptions: [] }];
  if (mine.length + others.length === 0) throw new Error('--only-systems requires --system');
  return {
    rates: values.rates.split(',').map((text) => positive('--rates', text)),
    seconds: positive('--seconds', values.seconds),
    holdMilliseconds: positive('--hold', values.hold),
    warm: positive('--warm', values.warm),
    rounds: positive('--rounds', values.rounds),
    clones: [...mine, ...others],
    cores: values.overload ? '0' : values.cores,
    overload: values.overload,
    profile: values.profile,
    keep: values.keep,
    json: values.json,
  };
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`${option}: must be a positive number, not ${text}`);
}

function readClone(text: string, here: string): CloneOptions {
  const [directory = '', ...settings] = text.trim().split(/\s+/);
  const values = new Map(
    settings.map((setting) => [setting.split('=', 1)[0]!, setting.slice(setting.indexOf('=') + 1)]),
  );
  for (const name of values.keys()) {
    if (name !== 'node' && name !== 'flags') throw new Error(`--system: no setting ${name}; use node, flags`);
  }
  return {
    directory: directory === '.' ? here : directory,
    node: values.get('node') ?? process.execPath,
    nodeOptions: values.get('flags')?.split(',') ?? [],
  };
}
