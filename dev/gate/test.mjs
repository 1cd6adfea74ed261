/** `npm test`: installs what the tests need, then runs the full gate: check, build, and every test project. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from '../setup/bootstrap.mjs';
import { giveUp, report } from '../setup/progress.mjs';
import { runCommand } from '../setup/run-command.mjs';
import { systemPackages } from '../setup/system-packages.mjs';
import { ensureLtsNode } from './lts-node.mjs';
import { ensureNewerPrograms } from './newer-programs.mjs';

/** @typedef {import('./test-results.mjs').TestResults} TestResults */
/** @typedef {import('./test-results.mjs').ToldTest} ToldTest */
/** @typedef {{ code: number, results?: TestResults | undefined }} Outcome */

/** Pure code and its timers, which a new Node.js breaks first; `e2e/lts-node` runs the whole product on that version. */
const testedOnLts = ['sip', 'engine', 'naming', 'contract', 'hep', 'config', 'base'];
/** More failed files than this are not flakes, so they are not run again. */
const mostFilesRunAgain = 8;
const slowestShown = 10;

const folder = mkdtempSync(join(tmpdir(), 'demarc-test-'));
/** @type {string[]} */
const failedSteps = [];
/** @type {{ passed: number, failed: ToldTest[], skipped: ToldTest[], failedAtFirst: ToldTest[] }} */
const total = { passed: 0, failed: [], skipped: [], failedAtFirst: [] };

try {
  await prepare(Object.values(systemPackages), { build: false });
  // Created in parallel with the first steps, which do not need them.
  const newerPrograms = ensureNewerPrograms();
  newerPrograms.catch(() => undefined);
  const ltsNode = ensureLtsNode();
  ltsNode.catch(() => undefined);
  // In the gaps that the tests leave: the result is needed at the end alone.
  const sources = checkSources();
  sources.catch(() => undefined);
  const [unit, build, lts] = await Promise.all([
    run('unit', 'npx', ['--no-install', 'vitest', 'run', '--project', 'unit'], { hasTests: true }),
    run('build', 'npm', ['run', '--silent', 'build']),
    ltsNode.then(async (lts) => {
      const isOther = 'node' in lts && lts.node !== process.execPath;
      return { ...lts, tests: isOther ? await runUnitTestsOn(lts.node) : undefined };
    }),
  ]);
  if (!count('the unit tests', unit)) failedSteps.push('unit');
  const isBuilt = build.code === 0;
  if (!isBuilt) failedSteps.push('build');
  // The other tests run the built product, which starts faster than the sources.
  if (isBuilt) process.env.DEMARC_TEST_DIST = '1';
  process.env.DEMARC_TEST_PICTURES = '0';
  if ('reason' in lts) {
    report(`Tests with the LTS line of Node.js are skipped: ${lts.reason}`);
    process.env.DEMARC_TEST_NO_LTS_NODE = lts.reason;
  } else {
    process.env.DEMARC_TEST_LTS_NODE = lts.node;
    if (lts.tests !== undefined && !count('unit-lts', lts.tests)) failedSteps.push('unit-lts');
  }
  const newer = await newerPrograms;
  if ('reason' in newer) {
    report(`Tests with Asterisk are skipped: ${newer.reason}`);
    process.env.DEMARC_TEST_NO_NEWER_PROGRAMS = newer.reason;
  }
  const processes = await runWithRealProcesses();
  if (!count('the tests with real processes', processes)) failedSteps.push('processes');
  failedSteps.push(...(await sources));
  for (const { file, seconds } of slowest(processes.results)) report(`${seconds.toFixed(1)} s ${file}`);
} catch (failure) {
  giveUp(failure);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

print('Failed at first, passed when run again alone', total.failedAtFirst);
print('Skipped', total.skipped);
print('Failed', total.failed);
if (failedSteps.length > 0) process.stdout.write(`\nFailed steps: ${failedSteps.join(', ')}\n`);
const skipped = total.skipped.length > 0 ? `, ${total.skipped.length} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed.length} failed${skipped}\n`);
process.exitCode = failedSteps.length > 0 || total.failed.length > 0 ? 1 : 0;

/**
 * Runs the contract and end-to-end tests, whose processes share the cores of this machine. A failed file runs up to
 * twice more, alone and including its set-up, and the last result counts; the first failures are listed at the end, so that races stay visible.
 */
async function runWithRealProcesses() {
  const vitest = ['--no-install', 'vitest', 'run'];
  const first = await run('processes', 'npx', [...vitest, '--project', 'processes'], { hasTests: true });
  const broken = first.results?.files.filter(({ failed }) => failed.length > 0) ?? [];
  if (broken.length === 0 || broken.length > mostFilesRunAgain) return first;
  const files = broken.map(({ file }) => file);
  process.env.DEMARC_TEST_WORKERS = '1';
  // Of these only what the files need is started.
  const projects = ['contract', 'e2e', 'dashboard'].flatMap((name) => ['--project', name]);
  /** @param {string} name @param {string[]} wanted */
  const alone = (name, wanted) => run(name, 'npx', [...vitest, ...projects, ...wanted], { hasTests: true });
  let again = await alone('processes-again', files);
  const still = again.results?.files.filter(({ failed }) => failed.length > 0).map(({ file }) => file) ?? [];
  if (still.length > 0) again = withRepeated(again, await alone('processes-last', still));
  if (again.results === undefined) return again;
  const failing = new Set(again.results.files.flatMap(({ failed }) => failed.map(({ name }) => name)));
  total.failedAtFirst.push(
    ...broken.flatMap(({ failed }) => failed).filter(({ name }) => !failing.has(name)),
  );
  return withRepeated(first, again);
}

/**
 * A run with the results of the files that ran again in place of their former ones; errors outside of tests remain.
 * @param {Outcome} former
 * @param {Outcome} later
 * @returns {Outcome}
 */
function withRepeated(former, later) {
  if (former.results === undefined || later.results === undefined) return later;
  const repeated = new Set(later.results.files.map(({ file }) => file));
  return {
    code: former.results.outside.length > 0 ? former.code : later.code,
    results: {
      files: [...former.results.files.filter(({ file }) => !repeated.has(file)), ...later.results.files],
      outside: [...former.results.outside, ...later.results.outside],
    },
  };
}

/**
 * Types, lint and file rules, at a low priority; what they print appears when they have ended.
 * @returns {Promise<string[]>} the names of those that failed
 */
async function checkSources() {
  const failed = [];
  for (const name of ['check:types', 'check:lint', 'check:files']) {
    const { code } = await run(name, 'nice', ['-n', '19', 'npm', 'run', '--silent', name], { show: false });
    if (code !== 0) failed.push(name);
  }
  return failed;
}

/** @param {string} node another executable of Node.js */
function runUnitTestsOn(node) {
  const files = testedOnLts.map((folder) => join('test', 'unit', folder));
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--project', 'unit', ...files];
  return run('unit-lts', node, args, { hasTests: true, show: false });
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
  const env = { ...process.env, DEMARC_TEST_RESULTS: path };
  const command = hasTests ? [...args, ...reporters] : args;
  const { code, output } = await runCommand(file, command, { cwd: root, env, show });
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
 * The slowest files; list them in this order in `longest-first.mjs`.
 * @param {TestResults | undefined} results
 */
function slowest(results) {
  const files = [...(results?.files ?? [])].sort((a, b) => b.seconds - a.seconds);
  return files.slice(0, slowestShown);
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
 * @param {ToldTest[]} tests
 */
function print(title, tests) {
  if (tests.length === 0) return;
  process.stdout.write(`\n${title}:\n`);
  for (const { name, reason } of tests) process.stdout.write(`  ${name}: ${reason}\n`);
}
