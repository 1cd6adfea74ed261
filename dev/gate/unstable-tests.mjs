import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ file: string, reason: string, since: string }} UnstableTest since: the day of its entry, YYYY-MM-DD */

/**
 * Test files that sometimes fail without a fault that is known. Of the failed files only these are run again; the run names them.
 * @type {readonly UnstableTest[]}
 */
export const unstableTests = [
  {
    file: 'test/e2e/voice-test-call.test.ts',
    reason:
      'beside a load of 19 on two cores audio stalls for longer than the silence that ends a line: "HELLO THERE" is heard as " THERE", beside one of 36 as "ELLO THERE"; that the recording was later than its times is mended',
    since: '2026-11-27',
  },
  {
    file: 'test/e2e/start.test.ts',
    reason:
      'with --replace beside a load of 32, one of five runs had 212 API requests refused: control was down for some seconds, and the test now prints why; refused and cut calls, the reason before, were not seen again; beside four endless loops the API, at its low priority, answered an agent and a listener after the call',
    since: '2026-11-26',
  },
];

const mostEntries = 5;
const longestDays = 30;
const dayMilliseconds = 86_400_000;

/**
 * @param {string} root
 * @param {readonly UnstableTest[]} tests
 * @param {number} now Unix milliseconds
 * @returns {string[]} what is wrong with the list: it is short, and nothing stays in it for long
 */
export function unstableProblems(root, tests, now) {
  const place = 'dev/gate/unstable-tests.mjs';
  const problems = tests.flatMap(({ file, reason, since }) => {
    const days = (now - Date.parse(since)) / dayMilliseconds;
    return [
      ...(existsSync(join(root, file)) ? [] : [`${place}: ${file} does not exist`]),
      ...(reason.trim() === '' ? [`${place}: ${file} has no reason`] : []),
      ...(days <= longestDays
        ? []
        : [`${place}: ${file} is older than ${longestDays} days (${since}): mend it`]),
    ];
  });
  if (tests.length > mostEntries)
    problems.push(`${place}: ${tests.length} entries, at most ${mostEntries} are allowed`);
  return problems;
}
