import type { AfterLoad, Calls, CleanRate, Connections, Growth, Held, Step } from './report.js';

const figure = (value: number | undefined, digits: number): string =>
  value === undefined || Number.isNaN(value) ? '–' : value.toFixed(digits);

/** Order of the columns; a system has some of them. */
const parts = [
  'engine',
  'edge',
  'server',
  'application',
  'control',
  'postgres',
  'redis',
  'rtpengine',
  'launcher',
];

/** One line for the terminal. */
export function stepLine(step: Step, generator: Calls | undefined): string {
  const measuredParts = parts.filter((part) => part in step.cpu);
  const spent = measuredParts.map((part) => `${part} ${figure(step.cpu[part], 2)}`).join(', ');
  const added = (kind: 'ringing' | 'setup', point: 'p50' | 'p99'): string =>
    generator === undefined ? '–' : figure(step[kind][point] - generator[kind][point], 1);
  const delay = (kind: 'ringing' | 'setup'): string =>
    `${figure(step[kind].p50, 1)}/${figure(step[kind].p99, 1)} (added ${added(kind, 'p50')}/${added(kind, 'p99')})`;
  return (
    `${step.system.padEnd(12)} ${String(step.callsPerSecond).padStart(4)}/s  ${figure(step.total, 2)} ms of CPU a call (${spent})  ` +
    `to 180 ${delay('ringing')} ms  to 200 ${delay('setup')} ms  ` +
    `good ${step.succeeded} refused ${step.refused} failed ${step.failed}`
  );
}

/** With `--overload`: how many calls are answered and refused, and how long the answered ones took. */
export function overloadLine(
  { system, callsPerSecond, succeeded, refused, failed, setup }: Step,
  seconds: number,
): string {
  return (
    `${system.padEnd(12)} ${String(callsPerSecond).padStart(4)}/s  answered ${figure(succeeded / seconds, 0)}/s  ` +
    `refused ${figure(refused / seconds, 0)}/s  failed ${failed}  ` +
    `INVITE to 200: p50 ${figure(setup.p50, 0)} ms, p99 ${figure(setup.p99, 0)} ms, longest ${figure(setup.longest, 0)} ms`
  );
}

const all = (by: Readonly<Record<string, number>>): string =>
  parts
    .filter((part) => part in by)
    .map((part) => `${part} ${figure(by[part], 1)}`)
    .join(', ');

export const heldLine = ({ system, calls, kilobytes, cpuPerMinute, without, under }: Held): string =>
  `${system.padEnd(12)} ${calls} held calls: KB each: ${all(kilobytes)}; ms of CPU each a minute: ${all(cpuPerMinute)}; ` +
  `a new call ${figure(under.total, 2)} ms beside them, ${figure(without.total, 2)} without`;

export const cleanLine = ({ system, clean, boundBy }: CleanRate): string =>
  `${system.padEnd(12)} highest clean rate ${clean}/s (then: ${boundBy})`;

export const memoryLine = ({ system, secondsAfter, idle, atEnd, after }: AfterLoad): string => {
  const names = parts.filter((part) => part in idle);
  const of = (memory: AfterLoad['idle'], name: string): string => figure(memory[name]?.rss, 0);
  return (
    `${system.padEnd(12)} resident MB before the first call, at the end of the load, ${secondsAfter} s later: ` +
    names.map((name) => `${name} ${of(idle, name)}, ${of(atEnd, name)}, ${of(after, name)}`).join('; ')
  );
};

export const connectionsLine = ({ system, connections, without, under, ...figures }: Connections): string => {
  const { kilobytesEach, cpuToOpen, megabytes } = figures;
  return (
    `${system.padEnd(12)} ${connections} idle TLS connections: ${figure(kilobytesEach, 1)} KB and ${figure(cpuToOpen, 2)} ms to open each; ` +
    `resident MB before ${figure(megabytes.before, 0)}, open ${figure(megabytes.open, 0)}, a minute after closing ${figure(megabytes.closed, 0)}; ` +
    `a new call ${figure(under.total, 2)} ms beside them, ${figure(without.total, 2)} without`
  );
};

export const growthLine = ({ numbers, edges, traced, step }: Growth): string =>
  `${numbers} numbers, ${edges} edges, ${figure(100 * traced, 0)} % traced: ${stepLine(step, undefined)}`;

/** The middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle]!;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** How the first system compares with each other one, per rate. */
export function ratioLines(steps: readonly Step[]): string[] {
  const systems = [...new Set(steps.map(({ system }) => system))];
  const [first, ...rest] = systems;
  const rates = [...new Set(steps.map(({ callsPerSecond }) => callsPerSecond))];
  return rates.flatMap((rate) => {
    const of = (system: string | undefined, value: (step: Step) => number): number =>
      median(steps.filter((step) => step.system === system && step.callsPerSecond === rate).map(value));
    const signaling = ({ cpu }: Step): number =>
      (cpu.engine ?? cpu.server ?? 0) + (cpu.edge ?? cpu.application ?? 0);
    return rest.map(
      (candidate) =>
        `${rate}/s: ${first} ÷ ${candidate}: the whole ${figure(of(first, ({ total }) => total) / of(candidate, ({ total }) => total), 2)}, ` +
        `SIP server and application ${figure(of(first, signaling) / of(candidate, signaling), 2)}, ` +
        `INVITE to 180 p50 ${figure(of(first, ({ ringing }) => ringing.p50) - of(candidate, ({ ringing }) => ringing.p50), 1)} ms more`,
    );
  });
}
