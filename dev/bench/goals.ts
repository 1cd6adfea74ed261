import type { Held, Report, Step } from './report.js';
import { median } from './table.js';

/** What the product should reach, and what a report says of it. */
export interface Goal {
  readonly title: string;
  readonly goal: string;
  /** Undefined: the report does not contain it. */
  readonly measured: string | undefined;
  readonly met: boolean | undefined;
}

export const ours = 'demarc';
export const peer = 'drachtio';

/** Of the calls of a step; a refused call costs less than an answered one. */
const leastAnswered = 0.99;

const isAnswered = ({ succeeded, refused, failed }: Step): boolean =>
  succeeded >= leastAnswered * (succeeded + refused + failed);

/** The median over the rounds of a rate; undefined without such a step in which the system answered the calls. */
export function figureAt(
  steps: readonly Step[],
  system: string,
  callsPerSecond: number,
  value: (step: Step) => number,
): number | undefined {
  const found = steps.filter(
    (step) => step.system === system && step.callsPerSecond === callsPerSecond && isAnswered(step),
  );
  return found.length === 0 ? undefined : median(found.map(value));
}

/** CPU of SIP server and application together. */
export const signaling = ({ cpu }: Pick<Step, 'cpu'>): number =>
  (cpu.engine ?? cpu.server ?? 0) + (cpu.edge ?? cpu.application ?? 0);

export const storage = ({ cpu }: Pick<Step, 'cpu'>): number =>
  (cpu.control ?? 0) + (cpu.postgres ?? 0) + (cpu.redis ?? 0);

export const signalingKilobytes = ({ kilobytes }: Held): number => signaling({ cpu: kilobytes });

/** Milliseconds from INVITE to 180 that the system adds to the generator's own. */
export function addedRinging(
  report: Report,
  system: string,
  callsPerSecond: number,
  point: 'p50' | 'p99',
): number | undefined {
  const mine = figureAt(report.steps, system, callsPerSecond, ({ ringing }) => ringing[point]);
  const generator = report.generator.find((calls) => calls.callsPerSecond === callsPerSecond);
  return mine === undefined || generator === undefined ? undefined : mine - generator.ringing[point];
}

/** Milliseconds that half of the calls are later than with the peer. */
export function laterRinging(report: Report, callsPerSecond: number): number | undefined {
  const [mine, its] = [ours, peer].map((system) => addedRinging(report, system, callsPerSecond, 'p50'));
  return mine === undefined || its === undefined ? undefined : mine - its;
}

const ratio = (left: number | undefined, right: number | undefined): number | undefined =>
  left === undefined || right === undefined ? undefined : left / right;

/** Resident memory of a process of Demarc a minute after the load ÷ before the first call. */
function keptRatio({ afterLoad }: Report, name: string): number | undefined {
  const memory = afterLoad.find(({ system }) => system === ours);
  return ratio(memory?.after[name]?.rss, memory?.idle[name]?.rss);
}

const grownStep = ({ growth }: Report, numbers: number, edges: number, rate: number): Step | undefined =>
  growth.find((each) => each.numbers === numbers && each.edges === edges && each.step.callsPerSecond === rate)
    ?.step;

/** CPU of engine and edges for a call at 300/s ÷ with one edge. */
export function ofEdges(report: Report, edges: number): number | undefined {
  const [several, single] = [edges, 1].map((count) => grownStep(report, 1_000, count, 300));
  return several && single && signaling(several) / signaling(single);
}

/** A goal of the form "at most". */
function atMost(title: string, limit: number, value: number | undefined, unit: string, digits = 2): Goal {
  return {
    title,
    goal: `≤ ${limit}${unit}`,
    measured: value === undefined ? undefined : `${value.toFixed(digits)}${unit}`,
    met: value === undefined ? undefined : value <= limit,
  };
}

export function goals(report: Report): Goal[] {
  const { steps, held, connections, growth } = report;
  const at = (rate: number, value: (step: Step) => number, system = ours): number | undefined =>
    figureAt(steps, system, rate, value);
  const total = ({ total: sum }: Step): number => sum;
  const myHeld = held.find(({ system }) => system === ours);
  const idle = connections.find(({ system }) => system === ours);
  const edgeAt = (numbers: number): number | undefined => grownStep(report, numbers, 1, 100)?.cpu.edge;
  const ofPeer = (rate: number, value: (step: Step) => number): number | undefined =>
    ratio(at(rate, value), at(rate, value, peer));
  const traced = growth.filter(({ edges }) => edges > 1).map((each) => each.traced);
  return [
    atMost('engine and edge ÷ server and application of the peer, 400/s', 1.05, ofPeer(400, signaling), ''),
    atMost('the whole ÷ the peer with rtpengine, 400/s', 1.25, ofPeer(400, total), ''),
    atMost('control, PostgreSQL and Redis, 400/s', 0.8, at(400, storage), ' ms'),
    atMost('memory of a held call, engine and edge', 25, myHeld && signalingKilobytes(myHeld), ' KB', 1),
    ...(['engine', 'edge'] as const).map((name) =>
      atMost(
        `${name}, resident memory a minute after load ÷ before the first call`,
        1.2,
        keptRatio(report, name),
        '',
      ),
    ),
    atMost(
      `engine, resident memory a minute after ${idle?.connections ?? 9_000} connections closed ÷ before them`,
      1.2,
      ratio(idle?.megabytes.closed, idle?.megabytes.before),
      '',
    ),
    atMost(
      'edge, a call with 1,000,000 numbers ÷ with 1,000',
      1.1,
      ratio(edgeAt(1_000_000), edgeAt(1_000)),
      '',
    ),
    atMost(
      `a new call beside ${myHeld?.calls ?? 5_000} held calls ÷ without`,
      1.05,
      ratio(myHeld?.under.total, myHeld?.without.total),
      '',
    ),
    atMost(
      `a new call beside ${idle?.connections ?? 9_000} idle connections ÷ without`,
      1.05,
      ratio(idle?.under.total, idle?.without.total),
      '',
    ),
    atMost(
      'engine and edge, a call held for 10 minutes',
      0.3,
      myHeld && 10 * signaling({ cpu: myHeld.cpuPerMinute }),
      ' ms',
    ),
    {
      title: 'calls with a trace, several edges on one engine',
      goal: '100 %',
      measured: traced.length === 0 ? undefined : `${(100 * Math.min(...traced)).toFixed(0)} %`,
      met: traced.length === 0 ? undefined : Math.min(...traced) === 1,
    },
  ];
}
