import {
  addedRinging,
  figureAt,
  goals,
  laterRinging,
  ofEdges,
  ours,
  peer,
  signaling,
  signalingKilobytes,
  storage,
} from './goals.js';
import type { Held, Report, Step } from './report.js';
import { lines, stackedBars } from './svg-plot.js';
import { median } from './table.js';

/** docs/performance.md and its pictures, made from a report. */
export interface PerformanceDocument {
  readonly markdown: string;
  /** docs/decisions/performance-goals.md. */
  readonly goals: string;
  /** By file name beside the document. */
  readonly pictures: Readonly<Record<string, string>>;
}

const names: Readonly<Record<string, string>> = {
  [ours]: 'Demarc',
  [peer]: 'drachtio-server, bare B2BUA',
};
const nameOf = (system: string): string => names[system] ?? system;

const figure = (value: number | undefined, digits: number): string =>
  value === undefined || !Number.isFinite(value) ? '–' : value.toFixed(digits);

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const parts = [
  'engine',
  'server',
  'edge',
  'application',
  'control',
  'postgres',
  'redis',
  'rtpengine',
  'launcher',
];

const split = (cpu: Readonly<Record<string, number>>, digits: number): string =>
  parts
    .filter((part) => part in cpu)
    .map((part) => `${part} ${figure(cpu[part], digits)}`)
    .join(', ');

interface Averaged {
  readonly system: string;
  readonly rate: number;
  readonly cpu: Readonly<Record<string, number>>;
  readonly rounds: readonly Step[];
}

/** One entry per rate and system, medians over the rounds. */
function averaged({ steps }: Report): Averaged[] {
  const rates = [...new Set(steps.map(({ callsPerSecond }) => callsPerSecond))];
  const systems = [...new Set(steps.map(({ system }) => system))];
  return rates.flatMap((rate) =>
    systems.flatMap((system) => {
      const rounds = steps.filter((step) => step.system === system && step.callsPerSecond === rate);
      if (rounds.length === 0) return [];
      const cpu = Object.fromEntries(
        Object.keys(rounds[0]!.cpu).map((part) => [part, median(rounds.map((step) => step.cpu[part]!))]),
      );
      return [{ system, rate, cpu, rounds }];
    }),
  );
}

const sum = (cpu: Readonly<Record<string, number>>): number =>
  Object.values(cpu).reduce((total, part) => total + part, 0);

function ratesTable(report: Report): string {
  const added = (system: string, rate: number): string =>
    (['p50', 'p99'] as const)
      .map((point) => figure(addedRinging(report, system, rate, point), 1))
      .join(' / ');
  return table(
    ['calls/s', 'system', 'ms of CPU a call', 'by process', 'added INVITE→180, ms, p50 / p99', 'failed'],
    averaged(report).map(({ system, rate, cpu, rounds }) => [
      String(rate),
      nameOf(system),
      `**${figure(sum(cpu), 2)}**`,
      split(cpu, 2),
      added(system, rate),
      String(rounds.reduce((all, { failed, refused }) => all + failed + refused, 0)),
    ]),
  );
}

function goalsTable(report: Report): string {
  return table(
    ['goal', 'limit', 'measured', ''],
    goals(report).map(({ title, goal, measured, met }) => [
      title,
      goal,
      measured ?? 'not measured',
      met === undefined ? '' : met ? 'met' : '**missed**',
    ]),
  );
}

function section(title: string, ...paragraphs: readonly string[]): string {
  return [`## ${title}`, ...paragraphs.filter((paragraph) => paragraph !== '')].join('\n\n');
}

function comparison(report: Report): string {
  const { steps } = report;
  const rates = [...new Set(steps.map(({ callsPerSecond }) => callsPerSecond))];
  const of = (system: string, rate: number, value: (step: Step) => number): number | undefined =>
    figureAt(steps, system, rate, value);
  const quotient = (rate: number, value: (step: Step) => number): string =>
    figure((of(ours, rate, value) ?? Number.NaN) / (of(peer, rate, value) ?? Number.NaN), 2);
  const rows = rates.map((rate) => [
    String(rate),
    quotient(rate, ({ total }) => total),
    quotient(rate, signaling),
    figure(of(ours, rate, storage), 2),
  ]);
  return table(
    ['calls/s', 'whole ÷ whole', 'engine + edge ÷ server + application', 'control, PostgreSQL, Redis: ms'],
    rows,
  );
}

function cleanSection({ cleanRates }: Report): string {
  if (cleanRates.length === 0) return '';
  return section(
    'Highest clean rate',
    'The highest rate at which no call fails and 99 % are answered within 250 ms; generator and system share the cores.',
    table(
      ['system', 'clean', 'bound by'],
      cleanRates.map(({ system, clean, boundBy }) => [nameOf(system), `${clean}/s`, boundBy]),
    ),
    '![99 % of the calls are answered within](performance/clean-rate.svg)',
  );
}

/** Where a process gave back more garbage meanwhile than the calls took, the difference says nothing. */
function heldKilobytes(held: Held, digits: number): string {
  const kilobytes = signalingKilobytes(held);
  return kilobytes > 0 ? `${figure(kilobytes, digits)} KB` : 'less than its garbage';
}

function heldSection({ held }: Report): string {
  if (held.length === 0) return '';
  return section(
    'Held calls',
    table(
      [
        'system',
        'calls',
        'a call: server and application',
        'KB by process',
        'ms of CPU a minute',
        'a new call beside them ÷ without',
      ],
      held.map((each) => [
        ...[nameOf(each.system), String(each.calls), `**${heldKilobytes(each, 1)}**`],
        ...[split(each.kilobytes, 1), split(each.cpuPerMinute, 2)],
        figure(each.under.total / each.without.total, 2),
      ]),
    ),
  );
}

function memorySection({ afterLoad, connections }: Report): string {
  const rows = afterLoad.flatMap(({ system, idle, atEnd, after }) =>
    parts
      .filter((part) => part in idle)
      .map((part) => [
        ...[nameOf(system), part],
        ...[idle, atEnd, after].map((memory) => figure(memory[part]?.pss, 0)),
      ]),
  );
  if (rows.length + connections.length === 0) return '';
  return section(
    'Memory',
    'Resident memory; a page that several processes share is divided among them. [Kept memory](decisions/kept-memory.md) says what it is.',
    rows.length === 0
      ? ''
      : table(
          ['system', 'process', 'MB before the first call', 'at the end of the load', 'a minute later'],
          rows,
        ),
    connections.length === 0
      ? ''
      : table(
          [
            'system',
            'idle TLS connections',
            'KB each',
            'ms of CPU to open one',
            'MB before, open, a minute after closing',
          ],
          connections.map(({ system, connections: count, kilobytesEach, cpuToOpen, megabytes }) => [
            ...[nameOf(system), String(count), figure(kilobytesEach, 1), figure(cpuToOpen, 2)],
            [megabytes.before, megabytes.open, megabytes.closed].map((value) => figure(value, 0)).join(', '),
          ]),
        ),
  );
}

function growthSection({ growth }: Report): string {
  if (growth.length === 0) return '';
  return section(
    'Growth',
    `Calls to random numbers of the configured ones; several edges share one engine.`,
    table(
      [
        ...['numbers', 'edges', 'calls/s', 'ms of CPU a call', 'by process'],
        ...['MB of the edges', 'calls with a trace'],
      ],
      growth.map(({ numbers, edges, traced, step }) => [
        ...[numbers.toLocaleString('en'), String(edges), String(step.callsPerSecond)],
        ...[figure(step.total, 2), split(step.cpu, 2)],
        ...[figure(step.memory.edge?.pss, 0), `${figure(100 * traced, 0)} %`],
      ]),
    ),
  );
}

function coldSection({ cold }: Report): string {
  if (cold.length === 0) return '';
  return section(
    'Fresh processes',
    'V8 compiles during the first thousands of calls; these are the first 1,000, at 100/s. All other figures are of processes that had taken 3,000.',
    table(
      ['system', 'ms of CPU a call', 'by process'],
      cold.map(({ system, total, cpu }) => [nameOf(system), figure(total, 2), split(cpu, 2)]),
    ),
  );
}

function pictures(report: Report): Record<string, string> {
  const bars = averaged(report).map(({ system, rate, cpu }) => ({
    title: `${names[system]?.split(',')[0] ?? system}, ${rate}/s`,
    parts: Object.fromEntries(parts.filter((part) => part in cpu).map((part) => [part, cpu[part]!])),
  }));
  const drawn: Record<string, string> = {};
  if (bars.length > 0) drawn['cpu.svg'] = stackedBars('CPU a call by process', 'ms', bars);
  if (report.cleanRates.length > 0) {
    const axes = { x: 'calls per second', y: 'ms from INVITE to 200, p99', bound: 250, highest: 500 };
    drawn['clean-rate.svg'] = lines(
      '99 % of the calls are answered within',
      axes,
      report.cleanRates.map(({ system, steps }) => ({
        title: nameOf(system),
        points: steps
          .map(({ callsPerSecond, setup }) => ({ x: callsPerSecond, y: setup.p99 }))
          .toSorted((left, right) => left.x - right.x),
      })),
    );
  }
  return drawn;
}

/** What an operator plans with, beside the peer. */
function summarySection(report: Report): string {
  const { cleanRates, held, connections } = report;
  const rates = averaged(report);
  const systems = [ours, peer].filter((name) => rates.some(({ system }) => system === name));
  const busiest = Math.max(...rates.map(({ rate }) => rate));
  const quietest = Math.min(...rates.map(({ rate }) => rate));
  const row = (title: string, value: (system: string) => string): string[] => [title, ...systems.map(value)];
  const clean = (name: string): string => {
    const found = cleanRates.find(({ system }) => system === name);
    return found === undefined ? '–' : `${found.clean}/s`;
  };
  const aCore = (name: string): string => {
    const found = rates.find(({ system, rate }) => system === name && rate === busiest);
    return found === undefined ? '–' : `${figure(1_000 / sum(found.cpu), 0)}/s`;
  };
  const delay = (name: string): string =>
    (['p50', 'p99'] as const)
      .map((point) => `${figure(addedRinging(report, name, quietest, point), 1)} ms`)
      .join(', ');
  const heldBy = (name: string): string => {
    const found = held.find(({ system }) => system === name);
    return found === undefined ? '–' : heldKilobytes(found, 0);
  };
  const idle = (name: string): string => {
    const found = connections.find(({ system }) => system === name);
    return found === undefined ? '–' : `${figure(found.kilobytesEach, 0)} KB`;
  };
  return section(
    'What you get',
    table(
      ['', ...systems.map(nameOf)],
      [
        row(`new calls on ${report.machine.cores} cores, none failed and 99 % answered within 250 ms`, clean),
        row(`new calls a core, from the CPU time at ${busiest}/s`, aCore),
        row(`delay added to INVITE → 180 at ${quietest}/s: half of the calls, 99 %`, delay),
        row('memory of a held call', heldBy),
        row('memory of an idle TLS connection', idle),
      ],
    ),
    `Demarc here is the whole system: admission, SRTP negotiation, a trace of every message, records, metrics, the API and its databases. The application beside
drachtio-server only connects two legs through rtpengine, without any of these. The generator of the calls shares the cores with both. Media is not included:
[Production](production.md) has the ports and cores of rtpengine.`,
  );
}

function methodSection({ machine, at, command, systems }: Report): string {
  return section(
    'How it is measured',
    `    npm run bench -- --peers --drachtio /path/to/drachtio --json figures.json    # 9 minutes
    npm run bench -- --held 5000 --connections 9000 --growth --json growth.json
    npm run docs:performance figures.json growth.json
    npm run bench -- --rates 100 --rounds 3 --system /path/to/another/built/clone
    npm run bench -- --overload --rates 100,300,600`,
    `The benchmark starts the whole of Demarc by its own launcher with the options of \`npm start\`: engine, edge, control, PostgreSQL, Redis and rtpengine; load
shedding is off, so that no call is refused instead of measured. SIPp plays the callers over TLS and the agent over TCP on the same cores; no media flows. CPU is
counted for each process and everything below it, until the last record is stored. Beside it runs drachtio-server with \`dev/bench/bare-b2bua.mjs\`. Steps alternate
between the systems. The generator is measured against itself first, and its own delay is subtracted; where it was starved or fails against itself, the benchmark
reports nothing. The memory of held calls is read when an idle edge has collected its garbage, 75 to 95 s after the load.`,
    `\`--system\` measures other clones in the same run. \`--overload\` puts the system on one core and the generator on another, with load shedding on, and prints how
many calls are answered and refused, and how long the answered ones took ([Overload](hardening.md#overload)). \`--storage-apart\` puts control and PostgreSQL on the
core of the callers and all else on the other one. \`npm run bench -- --help\` lists all options.`,
    `\`test/contract/call/work-budget.test.ts\` counts the work of a call instead of its time: writes, frames, messages and session descriptions read, commands
to rtpengine and Redis, SQL statements. A change that needs more of one fails \`npm test\` with its name (\`DEMARC_TEST_WORK=1\` prints all counts).`,
    `Figures of ${at.slice(0, 10)}, ${machine.cores} cores (${machine.model}), shared with the generator: compare them with each other, not with other machines.
Arguments: \`${command}\`.`,
    systems.map(({ name, description }) => `* ${nameOf(name)}: ${description}`).join('\n'),
  );
}

/** What was a goal, and why it is none any more. */
function givenUp(report: Report): string {
  const idle = report.connections.find(({ system }) => system === ours);
  const fresh = report.cold.find(({ system }) => system === ours)?.total;
  const of = (rate: number, value: (step: Step) => number, system = ours): number | undefined =>
    figureAt(report.steps, system, rate, value);
  const total = ({ total: sum }: Step): number => sum;
  const milliseconds = (rate: number, value: (step: Step) => number): string => figure(of(rate, value), 2);
  const cores = (system: string): string => figure((400 * (of(400, total, system) ?? Number.NaN)) / 1_000, 1);
  const delay = (point: 'p50' | 'p99'): string => figure(addedRinging(report, ours, 400, point), 0);
  const clean = (system: string): string =>
    `${report.cleanRates.find((each) => each.system === system)?.clean ?? '–'}/s`;
  return [
    `* The whole at most 1.15 times the peer at 100/s (${figure((of(100, total) ?? Number.NaN) / (of(100, total, peer) ?? Number.NaN), 2)}), engine and edge 4 ms a call at 100/s (${milliseconds(100, signaling)}) and 2 ms at 400/s (${milliseconds(400, signaling)}), control, PostgreSQL and Redis 0.8 ms at 100/s (${milliseconds(100, storage)}):
  the fewer calls a second, the fewer share a write to a socket, a batch of traces or one of records, which the peer does not have. At 400/s they are shared, so the goals above are of that rate. The profile of engine and edge is flat: its
  largest part, writes to sockets, takes 7 to 26 %.`,
    `* At 400/s half of the calls within 5 ms and 99 % within 40 ms (${delay('p50')} and ${delay('p99')} ms), and the highest clean rate as high as that of the peer (${clean(ours)} and ${clean(peer)}; 400/s for both in another run of
  2026-11-28): Demarc takes ${cores(ours)} of the two cores, the peer ${cores(peer)}, and the callers the rest, so calls of Demarc wait for a processor. An edge computes in one thread, which 400/s keep busy for nine tenths of the time: more
  processors and more edges are the way to higher rates.`,
    `* At 100/s 99 % of the calls within 8 ms (${figure(addedRinging(report, ours, 100, 'p99'), 1)}), and half of them at most 1.5 ms later than with the peer (${figure(laterRinging(report, 100), 1)}): a call that comes alone takes almost as long. Half of the calls
  took 4.5, 4.4, 3.7 and 3.7 ms at 10, 25, 50 and 100/s, and 99 % of them 8.1, 9.3, 10.5 and 16.8 ms: what is more are calls that wait for calls before them, since edge and engine each work in one thread.
  Between an INVITE and its 180 the edge waits for nothing but one reply of rtpengine (0.5 ms) and the agent. Small collections are not the cause: with a new generation that none of them
  ended (1 GB) 99 % took 21 to 27 ms beside 15 and 16 without. Neither are other programs: with real-time priority for engine, edge, Redis and rtpengine it was 14 to 27 ms. With control and
  PostgreSQL on the core of the callers and all else on the other one it was 71 to 112 ms, the peer 14 to 18: engine and edge alone keep a core busy for four fifths of the time (\`--storage-apart\`, \`--rates 10,25,50,100\`,
  \`--rates 100 --rounds 3 --system ". flags=--max-semi-space-size=1024,--min-semi-space-size=1024"\`, \`chrt -f\`, 2026-11-28).`,
    `* 16 KB for an idle TLS connection: ${figure(idle?.kilobytesEach, 1)} KB, because plain Node.js with an empty handler takes more ([Kept memory](kept-memory.md)).`,
    `* Processes that run warm-up calls before they are ready: the first 1,000 calls of fresh ones cost ${figure(fresh, 2)} ms each, later ones ${milliseconds(100, total)} ms. V8 compiles what has run often, so a
  warm-up would take about the same time of the processor, and before the first call instead of during it: the successor of a killed process, which must be ready at once, would be later.`,
    `* A call with two edges on one engine at most 1.05 times as expensive as with one at 300/s, with four 1.15 times (${figure(ofEdges(report, 2), 2)} and ${figure(ofEdges(report, 4), 2)}): each of four edges has 75/s, and what a call costs at a low rate is waking up, and
  running code that other programs have displaced from the caches of the processor. An edge wakes 0.5 times a call at 300/s, 6 times at 75/s, and 13 times at 25/s; the least that plain Node.js takes
  for it is 0.06 ms, and with an empty timer 0.14 ms. Functions that do the same for each call, as reading headers and session descriptions, take 2.0 to 2.6 times as long at 25/s as at 300/s. The bare application
  on drachtio-srf, without any of Demarc's work, costs 1.64 times as much at 75/s as at 300/s (2.60 and 1.59 ms), with its server 1.28 times. An engine that gives the calls of 300 ms to one edge and the next
  ones to another saved a fifth at best, which leaves 1.2, and lets a single edge take each burst (\`--drachtio drachtio-server --rates 25,75,300\` and a profile, 2026-11-27, beside other load).`,
  ].join('\n');
}

/** docs/decisions/performance-goals.md. */
function goalsDocument(report: Report): string {
  return `${[
    '# Performance goals',
    '<!-- Written by `npm run docs:performance` from docs/performance.json. -->',
    `The goals that we set ourselves, and how far the measured figures are from them; [Performance](../performance.md) has the figures and the command. A goal that is met by
far is raised; one that is missed stays until it is met, or until a measurement shows why it cannot be.`,
    goalsTable(report),
    `The rows about new calls beside others and about the CPU of a held call compare single steps, which differ by a fifth from run to run on a machine of two cores: on 2026-11-27 and 2026-11-28 they were 1.04, 1.53 and 1.18
(the peer 0.94, 1.23 and 1.50), 0.98, 0.97 and 1.11, and −1.8, 10.6 and 2.3 ms. Beyond that no cost of held calls or of idle connections is seen.`,
    section('Given up', givenUp(report)),
  ].join('\n\n')}\n`;
}

export function performanceDocument(report: Report): PerformanceDocument {
  const markdown = [
    '# Performance',
    '<!-- Written by `npm run docs:performance` from docs/performance.json. -->',
    summarySection(report),
    section(
      'CPU and delay',
      ratesTable(report),
      comparison(report),
      '![CPU a call by process](performance/cpu.svg)',
    ),
    cleanSection(report),
    heldSection(report),
    memorySection(report),
    growthSection(report),
    coldSection(report),
    methodSection(report),
    `[Knowledge bases](knowledge.md#speed) has how long learning and searching take, [Agents by WebSocket](agent-websocket.md#what-it-costs) what calls at bots cost; [performance goals](decisions/performance-goals.md) compares these figures with
what we aim for.`,
  ];
  return {
    markdown: `${markdown.filter((part) => part !== '').join('\n\n')}\n`,
    goals: goalsDocument(report),
    pictures: pictures(report),
  };
}
