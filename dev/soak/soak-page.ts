import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lines } from '../bench/svg-plot.js';
import { root } from '../setup/bootstrap.mjs';
import type { Sample } from './growth.js';
import type { SoakReport } from './soak.js';

type Measure = 'megabytes' | 'descriptors';

/** Writes docs/soak.md, and its pictures beside it. */
export function writeSoakPage(report: SoakReport): void {
  const pictures = join(root, 'docs', 'soak');
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(pictures, 'memory.svg'), plot(report, 'megabytes', 'Memory while no call is up', 'MB'));
  writeFileSync(
    join(pictures, 'descriptors.svg'),
    plot(report, 'descriptors', 'Open descriptors while no call is up', 'descriptors'),
  );
  writeFileSync(join(root, 'docs', 'soak.md'), soakPage(report));
}

function plot({ samples }: SoakReport, measure: Measure, title: string, unit: string): string {
  const names = Object.keys(samples[0]?.[measure] ?? {}).filter((name) => name !== 'agent');
  const highest = Math.max(
    1,
    ...samples.flatMap((sample) => names.map((name) => sample[measure][name] ?? 0)),
  );
  return lines(
    title,
    { x: 'minutes', y: unit, highest, bound: undefined },
    names.map((name) => ({ title: name, points: samples.map((sample) => pointOf(sample, measure, name)) })),
  );
}

const pointOf = (sample: Sample, measure: Measure, name: string) => ({
  x: Math.round(sample.minutes),
  y: sample[measure][name] ?? 0,
});

/** Median and longest. */
export function signalingText(signaling: readonly number[]): string {
  const sorted = [...signaling].sort((first, second) => first - second);
  const seconds = (milliseconds = 0): string => (milliseconds / 1_000).toFixed(1);
  if (sorted.length === 0) return 'no machine died';
  return `${seconds(sorted[Math.floor(sorted.length / 2)])}, at most ${seconds(sorted.at(-1))}`;
}

/** The page as Markdown. */
export function soakPage(report: SoakReport): string {
  const { minutes, seed, calls, kills, disturbed, outlived, signaling, growth, problems } = report;
  const total = Object.values(calls).reduce((sum, count) => sum + count, 0);
  const counted = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  return `# Soak

\`npm run soak -- --minutes ${minutes} --seed ${seed} --page\` wrote this page. All that \`npm start\` runs carried calls of all kinds with audio (TLS, SRTP, a tone that must come back) for
${minutes} minutes. In the first quarter and near the end, processes were killed one after another, all of them at once, replaced, and a machine died (network namespaces with
their own engine, edge and calls). Between, nothing was killed, so that growth would show.

| | |
|---|---|
| calls that went as they should | ${total}: ${counted(calls)} |
| kills | ${counted(kills)} |
| answered calls that were up at a kill and outlived it | ${outlived} |
| attempts that failed while a process was down | ${disturbed} |
| seconds until the peers of a dead machine's calls knew another address | ${signalingText(signaling)} |
| problems | ${problems.length === 0 ? 'none: no call lost, one record each, all gauges at zero whenever no call was up' : problems.length} |

${problems
  .slice(0, 50)
  .map((problem) => `- ${problem}\n`)
  .join('')}
## Growth

Measured every few minutes while no call is up: proportional memory with child processes, and open descriptors. The table compares the first and the last third of the
time without kills (medians). Redis and PostgreSQL keep the records of all calls.

${
  growth === undefined
    ? 'The soak was too short to judge.'
    : [
        '| process | | first third | last third |',
        '|---|---|---|---|',
        ...growth.map(
          ({ process, what, first, last }) =>
            `| ${process} | ${what} | ${Math.round(first)} | ${Math.round(last)} |`,
        ),
      ].join('\n')
}

![Memory](soak/memory.svg)

![Descriptors](soak/descriptors.svg)
`;
}
