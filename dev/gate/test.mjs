/** `npm test`: installs what the tests need, then runs the full gate: check, build, and every test project. */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from '../setup/bootstrap.mjs';
import { giveUp, report } from '../setup/progress.mjs';
import { runCommand } from '../setup/run-command.mjs';
import { systemPackages } from '../setup/system-packages.mjs';
import { areas, readGateArguments } from './areas.mjs';
import { ensureContainerBases, findContainerBases } from './container-bases.mjs';
import { buildImages } from './image-builds.mjs';
import { ensureLtsNode } from './lts-node.mjs';
import { makeMemoryFolder } from './memory-folder.mjs';
import { ensureNewerPrograms } from './newer-programs.mjs';
import { bundleRoles } from './role-bundle.mjs';
import { countRivals, lowPriority, Room } from './room.mjs';
import { unstableTests } from './unstable-tests.mjs';

/** @typedef {import('./test-results.mjs').TestResults} TestResults */
/** @typedef {import('./test-results.mjs').NotedTest} NotedTest */
/** @typedef {{ code: number, results?: TestResults | undefined }} Outcome */

/** Timers and sockets, which a new Node.js breaks first; `e2e/packages` runs the whole product on that version. */
const testedOnLts = ['engine', 'base'];
const mostShown = 10;
/** Files with real processes run beside them. */
const unitWorkers = 2;
/** Test runs end their processes within this time. */
const graceMilliseconds = 10_000;
const vitest = join('node_modules', 'vitest', 'vitest.mjs');

const area = readArguments();
const rivals = await countRivals();
if (rivals >= availableParallelism()) {
  report(`Beside ${rivals} busy threads of other programs: more test files run at once`);
  process.env.DEMARC_TEST_LOW_PRIORITY = '0';
}
/** For what tests write; programs that install packages need folders of another kind. */
const inMemory = process.env.TMPDIR === undefined ? makeMemoryFolder() : undefined;
const folder = mkdtempSync(join(tmpdir(), 'demarc-test-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
/** @type {string[]} */
const failedSteps = [];
/** @type {{ passed: number, failed: NotedTest[], skipped: NotedTest[], failedAtFirst: NotedTest[] }} */
const total = { passed: 0, failed: [], skipped: [], failedAtFirst: [] };

try {
  const needsImages = area === undefined || areas[area]?.includes('e2e/image.test.ts') === true;
  // npm leaves most of the processors idle; on a fresh machine both would install packages of the system.
  const early = needsImages && !('reason' in (await findContainerBases())) ? ensureImages() : undefined;
  early?.catch(() => undefined);
  await prepare(Object.values(systemPackages), { build: false });
  // Created in parallel with the other steps; the few files that need them wait for this file.
  const installed = join(folder, 'newer-programs.json');
  process.env.DEMARC_TEST_NEWER_PROGRAMS = installed;
  const images = join(folder, 'images.json');
  process.env.DEMARC_TEST_IMAGES = images;
  process.env.DEMARC_TEST_API_DOCUMENT = join(folder, 'api-document.json');
  const newerPrograms = ensureNewerPrograms().then((newer) => {
    if ('reason' in newer) report(`Tests with Asterisk and Valkey are skipped: ${newer.reason}`);
    writeOutcome(installed, newer);
  });
  newerPrograms.catch(() => undefined);
  const imagesBuilt = newerPrograms.then(async () => {
    if (needsImages) writeOutcome(images, await (early ?? ensureImages()));
  });
  imagesBuilt.catch(() => undefined);
  const ltsNode = ensureLtsNode();
  ltsNode.catch(() => undefined);
  // In the gaps that the tests leave: the results are needed at the end alone.
  const sources = area === undefined ? checkSources() : undefined;
  sources?.catch(() => undefined);
  const isBuilt = await build();
  const unit = runVitest('unit', ['unit'], testsOf('unit'), { workers: unitWorkers, show: false });
  unit.catch(() => undefined);
  const [lts] = await Promise.all([ltsNode, isBuilt ? bundle() : undefined]);
  // Beside busy programs, types and lint can take longer than the unit tests.
  const onLts = sources && Promise.race([sources, unit]).then(() => runUnitTestsOn(lts));
  onLts?.catch(() => undefined);
  if (!isBuilt) failedSteps.push('build');
  process.env.DEMARC_TEST_PICTURES = '0';
  if ('reason' in lts) {
    report(`Tests with the LTS line of Node.js are skipped: ${lts.reason}`);
    process.env.DEMARC_TEST_NO_LTS_NODE = lts.reason;
  } else {
    process.env.DEMARC_TEST_LTS_NODE = lts.node;
  }
  await openRoom(unit);
  const processes = await runWithRealProcesses();
  if (processes !== undefined && !count('the tests with real processes', processes))
    failedSteps.push('processes');
  const unitEnd = await unit;
  if (unitEnd !== undefined && !count('the unit tests', unitEnd)) failedSteps.push('unit');
  failedSteps.push(...((await sources) ?? []));
  const unitOnLts = await onLts;
  if (unitOnLts !== undefined && !count('unit-lts', unitOnLts)) failedSteps.push('unit-lts');
  await imagesBuilt;
  for (const { file, seconds } of most(processes?.results, 'seconds'))
    report(`${seconds.toFixed(1)} s ${file}`);
  for (const { file, processorSeconds = 0 } of most(processes?.results, 'processorSeconds'))
    report(`${processorSeconds.toFixed(1)} s of processor time ${file}`);
} catch (failure) {
  giveUp(failure);
}

print('Failed at first, passed when run again alone', total.failedAtFirst);
print(
  'Known as unstable',
  unstableTests.map(({ file, reason, since }) => ({ name: file, reason: `${reason} (since ${since})` })),
);
print('Skipped', total.skipped);
print('Failed', total.failed);
if (failedSteps.length > 0) process.stdout.write(`\nFailed steps: ${failedSteps.join(', ')}\n`);
const skipped = total.skipped.length > 0 ? `, ${total.skipped.length} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed.length} failed${skipped}\n`);
process.exitCode = failedSteps.length > 0 || total.failed.length > 0 ? 1 : 0;

function readArguments() {
  try {
    return readGateArguments(process.argv.slice(2));
  } catch (failure) {
    process.stderr.write(`${/** @type {Error} */ (failure).message}\n`);
    process.exit(2);
  }
}

/**
 * Writes what the tests wait for, at once and whole.
 * @param {string} path
 * @param {object} outcome
 */
function writeOutcome(path, outcome) {
  writeFileSync(`${path}.new`, JSON.stringify(outcome));
  renameSync(`${path}.new`, path);
}

/**
 * @param {'unit' | 'processes'} kind
 * @returns {string[] | undefined} the test files of the area; empty: all files; undefined: the area has none
 */
function testsOf(kind) {
  if (area === undefined) return [];
  const chosen = (areas[area] ?? []).filter((place) => place.startsWith('unit/') === (kind === 'unit'));
  return chosen.length === 0 ? undefined : chosen.map((place) => `test/${place}`);
}

/** From then on tests import what was built, also the unit tests: it loads in less processor time than the sources. */
async function build() {
  const { code } = await run('build', 'npm', ['run', '--silent', 'build']);
  if (code !== 0) return false;
  process.env.DEMARC_TEST_DIST = '1';
  return true;
}

/** Bundles of the roles, the demo agent and `npm run call`: the tests with real processes run these, which start faster than what was built. */
async function bundle() {
  const { roles, agent, call } = await bundleRoles();
  process.env.DEMARC_TEST_ROLES = roles;
  process.env.DEMARC_TEST_AGENT = agent;
  process.env.DEMARC_TEST_CALL = call;
}

/**
 * Runs the contract and end-to-end tests, whose processes share the cores of this machine. A failed file runs again only if it is in
 * `unstable-tests.mjs`: alone and including its set-up. The last result counts, and the first failure is still listed at the end.
 */
async function runWithRealProcesses() {
  const first = await runVitest('processes', ['processes'], testsOf('processes'));
  const unstable = new Set(unstableTests.map(({ file }) => file));
  const broken =
    first?.results?.files.filter(({ file, failed }) => failed.length > 0 && unstable.has(file)) ?? [];
  if (first === undefined || broken.length === 0) return first;
  process.env.DEMARC_TEST_WORKERS = '1';
  // Of these only what the files need is started.
  const projects = ['contract', 'e2e', 'dashboard'];
  const again = /** @type {Outcome} */ (
    await runVitest(
      'processes-again',
      projects,
      broken.map(({ file }) => file),
    )
  );
  if (again.results === undefined) return again;
  const failing = new Set(again.results.files.flatMap(({ failed }) => failed.map(({ name }) => name)));
  total.failedAtFirst.push(
    ...broken.flatMap(({ failed }) => failed).filter(({ name }) => !failing.has(name)),
  );
  return withRepeated(first, again);
}

/**
 * @param {string} name
 * @param {string[]} projects of vitest.config.ts
 * @param {string[] | undefined} files empty: all; undefined: none
 * @param {{ node?: string, workers?: number, show?: boolean }} [options] workers: at most, instead of what vitest.config.ts says
 */
async function runVitest(name, projects, files, { node = process.execPath, workers, show = true } = {}) {
  if (files === undefined) return undefined;
  const bound = workers === undefined ? [] : [`--maxWorkers=${workers}`];
  const args = ['run', ...projects.flatMap((project) => ['--project', project]), ...bound, ...files];
  return run(name, node, [vitest, ...args], { hasTests: true, show });
}

/**
 * Without it a fixed number of files run at once.
 * @param {Promise<unknown>} unit the run of the unit tests, each of whose workers takes the place of a file
 */
async function openRoom(unit) {
  if (process.env.DEMARC_TEST_WORKERS !== undefined) return;
  const path = join(folder, 'room');
  const room = await Room.open(path, { rivals });
  if (room === undefined) return;
  room.share(unit, unitWorkers);
  process.env.DEMARC_TEST_ROOM = path;
}

/**
 * A run with the results of the files that ran again in place of their former ones; errors outside of tests remain.
 * @param {Outcome} earlier
 * @param {Outcome} later
 * @returns {Outcome}
 */
function withRepeated(earlier, later) {
  if (earlier.results === undefined || later.results === undefined) return later;
  const repeated = new Set(later.results.files.map(({ file }) => file));
  return {
    code: earlier.results.outside.length > 0 ? earlier.code : later.code,
    results: {
      files: [...earlier.results.files.filter(({ file }) => !repeated.has(file)), ...later.results.files],
      outside: [...earlier.results.outside, ...later.results.outside],
    },
  };
}

/**
 * Images of docker/ for the test that runs them, as its `builtImages` reads them; that test reports a failure.
 * @returns {Promise<object>}
 */
async function ensureImages() {
  const bases = await ensureContainerBases();
  if ('reason' in bases) {
    report(`Tests of the images are skipped: ${bases.reason}`);
    return bases;
  }
  const { storage } = bases;
  try {
    return { storage, images: await buildImages(storage) };
  } catch (failure) {
    return { failure: /** @type {Error} */ (failure).message };
  }
}

/**
 * Types, lint and file rules, one after the other at a low priority; what they print appears when they have ended.
 * @returns {Promise<string[]>} the names of those that failed
 */
async function checkSources() {
  const failed = [];
  for (const name of ['check:types', 'check:lint', 'check:files']) {
    const { code } = await run(name, 'nice', ['-n', lowPriority(), 'npm', 'run', '--silent', name], {
      show: false,
    });
    if (code !== 0) failed.push(name);
  }
  return failed;
}

/**
 * Beside the tests with real processes.
 * @param {{ node: string } | { reason: string }} lts
 * @returns {Promise<Outcome | undefined>} undefined: it is not installed, or runs the other tests already
 */
async function runUnitTestsOn(lts) {
  if ('reason' in lts || lts.node === process.execPath) return undefined;
  const files = testedOnLts.map((folder) => join('test', 'unit', folder));
  return runVitest('unit-lts', ['unit'], files, { node: lts.node, workers: 1, show: false });
}

/**
 * Runs one step.
 * @param {string} name
 * @param {string} file
 * @param {string[]} args
 * @param {{ hasTests?: boolean, show?: boolean }} [options] hasTests: the step runs vitest, and its results are read; show: its output
 *   appears as it comes, else the last 64 KiB of it when it has ended
 * @returns {Promise<Outcome>}
 */
async function run(name, file, args, { hasTests = false, show = true } = {}) {
  report(`${name}: ${file} ${args.join(' ')}`);
  const path = join(folder, `${name}.json`);
  const reporters = ['--reporter=default', `--reporter=${join(root, 'dev/gate/test-results.mjs')}`];
  const temporary = hasTests && inMemory !== undefined ? { TMPDIR: inMemory } : {};
  const env = { ...process.env, ...temporary, DEMARC_TEST_RESULTS: path };
  const command = hasTests ? [...args, ...reporters] : args;
  const { code, output } = await runCommand(file, command, {
    cwd: root,
    env,
    show,
    graceMilliseconds,
  });
  process.stdout.write(output);
  if (!show) report(`${name}: exit status ${code}`);
  return { code, results: hasTests ? readResults(path) : undefined };
}

/**
 * Adds the outcome of a step; the run continues after a failure, so that one run shows all failures.
 * @param {string} name
 * @param {Awaited<ReturnType<typeof run>>} outcome
 * @returns whether it passed
 */
function count(name, { code, results }) {
  if (results === undefined) {
    // Tests that did not run must not count as passed.
    total.failed.push({ name: `the tests of ${name}`, reason: 'they did not finish' });
    return false;
  }
  for (const { passed, failed, skipped } of results.files) {
    total.passed += passed;
    total.failed.push(...failed);
    total.skipped.push(...skipped);
  }
  total.failed.push(...results.outside);
  return code === 0;
}

/**
 * The slowest files, to be listed in `longest-first.mjs`; or those that take the most processor time, which bounds the whole run.
 * @param {TestResults | undefined} results
 * @param {'seconds' | 'processorSeconds'} measure
 */
function most(results, measure) {
  const files = [...(results?.files ?? [])].sort((a, b) => (b[measure] ?? 0) - (a[measure] ?? 0));
  return files.slice(0, mostShown);
}

/**
 * @param {string} path
 * @returns {TestResults | undefined}
 */
function readResults(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * @param {string} title
 * @param {NotedTest[]} tests
 */
function print(title, tests) {
  if (tests.length === 0) return;
  process.stdout.write(`\n${title}:\n`);
  for (const { name, reason } of tests) process.stdout.write(`  ${name}: ${reason}\n`);
}
