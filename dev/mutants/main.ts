import { readdirSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { seededRandom } from '../../src/base/seeded-random.js';
import { mutationsOf } from './mutations.js';
import { numbersOf } from './numbers.js';
import { judgeSlowRun } from './slow-run.js';
import { describeLines, unitLines } from './unit-lines.js';
import { type Mutant, type Project, type Trial, type Verdict, Workspace } from './workspace.js';

interface Share {
  readonly folders: readonly string[];
  /** Mutants of these folders in a run of 60, by the harm that a fault does there. */
  readonly mutants: number;
}

const shares: readonly Share[] = [
  { folders: ['edge'], mutants: 16 },
  { folders: ['engine'], mutants: 11 },
  { folders: ['control'], mutants: 15 },
  { folders: ['dashboard'], mutants: 8 },
  { folders: ['media-stream'], mutants: 3 },
  { folders: ['sip', 'sdp', 'rtp', 'hep', 'naming'], mutants: 4 },
  { folders: ['base', 'config', 'contract'], mutants: 3 },
];
/** Most mutants end in the first portion: the other files that reach them run only for those that these files do not notice. */
const portionEnds = [4, 20, Number.POSITIVE_INFINITY];
/** For a portion, and for each file of it. */
const seconds = { portion: 240, file: 20 };

const folders = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

interface Options {
  readonly seed: number;
  readonly count: number;
  readonly unit: boolean;
  readonly contract: boolean;
  readonly list?: boolean;
  readonly reach?: boolean;
  readonly lines?: boolean;
  readonly folder?: readonly string[] | undefined;
  readonly from: number;
  readonly only?: ReadonlySet<number>;
  readonly through?: string;
}

const whole = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 999_999)
    throw new InvalidArgumentError('0 to 999999.');
  return value;
};

/** `npm run mutants`: prints each mutant with what noticed it, then the share that was noticed of those that the compiler accepts. */
async function main(): Promise<void> {
  const options = new Command('npm run mutants --')
    .description(
      'Changes random lines of the sources one by one, and counts the changes that make a test fail.',
    )
    .option('-s, --seed <number>', 'the same seed and sources make the same mutants', whole, 1)
    .option('-n, --count <number>', 'mutants', whole, 60)
    .option('--from <number>', 'begins with this one, to continue a run that was interrupted', whole, 1)
    .option('--only <numbers>', 'these alone, such as 3,7,10-12: the survivors of a run', numbersOf)
    .option('-t, --through <command>', 'runs the tests by this command, which may wait for an idle machine')
    .option('--no-contract', 'unit tests alone')
    .option('--no-unit', 'contract tests alone, for mutants that no unit test noticed')
    .option('-l, --list', 'prints the mutants, and runs nothing')
    .option('--reach', 'prints how many test files reach each mutant, and changes nothing')
    .option('--lines', 'prints how many lines of unit tests each folder has, and runs nothing')
    .addOption(new Option('-f, --folder <names...>', 'of these folders of src alone').choices(folders))
    .parse()
    .opts<Options>();
  const { seed, count, list, reach, lines, folder, from, only, through } = options;
  const workspace = new Workspace(through?.split(' '));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      workspace.remove();
      process.exit(1);
    });
  const ratios = unitLines(workspace.texts, folder ?? shares.flatMap(({ folders }) => folders)).map(
    (each) => `${describeLines(each)}\n`,
  );
  let rejections = 0;
  const tallies: Record<string, [killed: number, all: number]> = {};
  try {
    if (lines === true) {
      process.stdout.write(ratios.join(''));
      return;
    }
    const wanted = chosen(workspace, { seed, count, folder })
      .map((mutant, index) => ({ mutant, number: index + 1, place: placeOf(workspace, mutant, index + 1) }))
      .filter(({ number }) => number >= from && only?.has(number) !== false);
    if (list === true) {
      for (const { place } of wanted) process.stdout.write(`${place}\n`);
      return;
    }
    const mutants = wanted.map(({ mutant }) => mutant);
    const projects = (['unit', 'contract'] as const).filter((project) => options[project]);
    const rejected = await workspace.rejected(mutants);
    await workspace.build();
    await workspace.findTests(
      mutants.filter((mutant) => !rejected.has(mutant)),
      projects,
    );
    for (const { mutant, place } of wanted) {
      if (rejected.has(mutant)) {
        rejections += 1;
        process.stdout.write(`rejected ${place}\n         by the compiler\n`);
        continue;
      }
      if (reach === true) {
        const counts = projects.map((project) => `${project} ${workspace.testsOf(mutant, project).length}`);
        process.stdout.write(`${place}\n         ${counts.join(', ')}\n`);
        continue;
      }
      const verdicts = await judge(workspace, mutant, projects);
      const [killed, all] = tallies[areaOf(mutant.path)] ?? [0, 0];
      const last = verdicts.at(-1)!;
      const isKilled = wasNoticed(last);
      tallies[areaOf(mutant.path)] = [isKilled ? killed + 1 : killed, all + 1];
      process.stdout.write(`${isKilled ? 'killed  ' : 'survived'} ${place}\n`);
      const what = last.end === 'failed' ? last.by : verdicts.map(({ end }) => end).join(', then ');
      process.stdout.write(`         ${what}\n`);
    }
  } finally {
    workspace.remove();
  }
  if (reach === true) return;
  for (const [area, [killed, all]] of Object.entries(tallies))
    process.stdout.write(`${area}: ${killed} of ${all}\n`);
  process.stdout.write(ratios.join(''));
  const killed = Object.values(tallies).reduce((sum, [count]) => sum + count, 0);
  const all = Object.values(tallies).reduce((sum, [, count]) => sum + count, 0);
  const share = `${killed} of ${all} killed (${Math.round((100 * killed) / all)} %)`;
  process.stdout.write(`seed ${seed}: ${share}, ${rejections} more rejected by the compiler\n`);
}

/** Unit tests first: they are quick, and what they notice needs no processes. */
async function judge(workspace: Workspace, mutant: Mutant, projects: readonly Project[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const project of projects) {
    const files = workspace.testsOf(mutant, project);
    const portions = portionEnds.map((end, index) => files.slice(portionEnds[index - 1] ?? 0, end));
    for (const portion of portions.filter((each, index) => index === 0 || each.length > 0)) {
      const trial = { project, files: portion, seconds: seconds.portion + portion.length * seconds.file };
      verdicts.push(await confirmed(workspace, mutant, trial, await workspace.trial(mutant, trial)));
      if (wasNoticed(verdicts.at(-1)!)) return verdicts;
    }
  }
  return verdicts;
}

/** On a busy machine tests fail for other reasons: alone, the file must fail again with the mutation, and pass without. */
async function confirmed(
  workspace: Workspace,
  mutant: Mutant,
  trial: Trial,
  verdict: Verdict,
): Promise<Verdict> {
  if (!wasNoticed(verdict)) return verdict;
  if (verdict.end === 'timeout')
    return judgeSlowRun({
      seconds: trial.seconds,
      secondsAsIs: () => workspace.secondsAsIs(trial),
      again: (seconds) => workspace.trial(mutant, { ...trial, seconds }),
    });
  const files = verdict.end === 'failed' && verdict.file !== undefined ? [verdict.file] : trial.files;
  const alone = { ...trial, files };
  if (trial.project === 'contract' && !wasNoticed(await workspace.trial(mutant, alone)))
    return { end: 'unsure' };
  return (await workspace.passesAsIs(alone)) ? verdict : { end: 'unsure' };
}

const wasNoticed = ({ end }: Verdict): boolean => end === 'failed' || end === 'timeout';

function chosen(
  workspace: Workspace,
  { seed, count, folder }: Pick<Options, 'seed' | 'count' | 'folder'>,
): Mutant[] {
  const random = seededRandom(seed);
  const sum = shares.reduce((total, share) => total + share.mutants, 0);
  const draws =
    folder === undefined
      ? shares.map(({ folders, mutants }) => ({ folders, mutants: Math.round((count * mutants) / sum) }))
      : [{ folders: folder, mutants: count }];
  const mutants = draws.flatMap(({ folders, mutants }) => {
    // Each place counts alike, so a long file gives more of them.
    const all = folders
      .flatMap(sourcesOf)
      .flatMap((path) => mutationsOf(path, workspace.read(path)).map((mutation) => ({ ...mutation, path })));
    return Array.from({ length: mutants }, () => all[Math.floor(random() * all.length)]!);
  });
  // Mixed: the first ones already say something of each folder.
  return mutants
    .map((mutant) => ({ mutant, at: random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ mutant }) => mutant);
}

function sourcesOf(area: string): string[] {
  return readdirSync(`src/${area}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => `src/${area}/${name}`)
    .sort();
}

const areaOf = (path: string): string => path.split('/')[1]!;

const placeOf = (workspace: Workspace, mutant: Mutant, number: number): string =>
  `${number} ${mutant.path}:${mutant.line} ${mutant.kind}: ${changeOf(workspace, mutant)}`;

function changeOf(workspace: Workspace, { path, start, end, replacement }: Mutant): string {
  const before = workspace.read(path).slice(start, end);
  const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 90);
  return `${short(before)} → ${short(replacement) || '(nothing)'}`;
}

await main();
