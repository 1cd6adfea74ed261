/** `npm test`: installs what the tests need, then the whole gate: check, build, and every test project. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from './bootstrap.mjs';
import { giveUp, report } from './progress.mjs';
import { runCommand } from './run-command.mjs';
import { systemPackages } from './system-packages.mjs';

/** @typedef {import('./test-counts.mjs').TestCounts} TestCounts */

const folder = mkdtempSync(join(tmpdir(), 'demarc-test-'));
/** @type {string[]} */
const failedSteps = [];
/** @type {TestCounts} */
const total = { passed: 0, failed: 0, skipped: [], retried: [] };

try {
  await prepare(Object.values(systemPackages), { build: false });
  // The unit tests are part of the check.
  await step('check', 'npm', ['run', '--silent', 'check', '--', ...reporters()], 'unit');
  const isBuilt = await step('build', 'npm', ['run', '--silent', 'build']);
  // The other tests run what was built, which starts quicker than the sources do.
  if (isBuilt) process.env.DEMARC_TEST_DIST = '1';
  for (const project of ['contract', 'e2e']) {
    await step(
      project,
      'npx',
      ['--no-install', 'vitest', 'run', '--project', project, ...reporters()],
      project,
    );
  }
} catch (failure) {
  giveUp(failure);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

if (total.retried.length > 0) {
  process.stdout.write('\nPassed at the second try only:\n');
  for (const name of total.retried) process.stdout.write(`  ${name}\n`);
}
if (total.skipped.length > 0) {
  process.stdout.write('\nSkipped:\n');
  for (const { name, reason } of total.skipped) process.stdout.write(`  ${name}: ${reason}\n`);
}
if (failedSteps.length > 0) process.stdout.write(`\nFailed steps: ${failedSteps.join(', ')}\n`);
const skipped = total.skipped.length > 0 ? `, ${total.skipped.length} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exitCode = failedSteps.length > 0 || total.failed > 0 ? 1 : 0;

function reporters() {
  return ['--reporter=default', `--reporter=${join(root, 'src', 'launcher', 'test-counts.mjs')}`];
}

/**
 * Runs one step in sight of the user and goes on after a failure, so that one run shows all there is.
 * @param {string} name
 * @param {string} file
 * @param {string[]} args
 * @param {string} [counted] the vitest project whose counts it leaves
 * @returns {Promise<boolean>} whether it succeeded
 */
async function step(name, file, args, counted) {
  report(`${name}: ${file} ${args.filter((arg) => !arg.startsWith('--reporter')).join(' ')}`);
  const path = join(folder, `${name}.json`);
  const env = counted === undefined ? process.env : { ...process.env, DEMARC_TEST_COUNTS: path };
  const { code } = await runCommand(file, args, { cwd: root, env, show: true });
  if (code !== 0) failedSteps.push(name);
  if (counted === undefined) return code === 0;
  const counts = readCounts(path);
  if (counts === undefined) {
    process.stdout.write(`\nThe ${counted} tests did not run to their end.\n`);
    // Tests that never ran are not passed ones.
    total.failed += 1;
    return false;
  }
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped.push(...counts.skipped);
  total.retried.push(...counts.retried);
  return code === 0;
}

/**
 * @param {string} path
 * @returns {TestCounts | undefined}
 */
function readCounts(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
