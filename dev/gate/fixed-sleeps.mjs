import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How many fixed sleeps of at least 100 ms the tests may contain. Lower it with each that is replaced; never raise it. */
export const mostFixedSleeps = 13;
const leastMilliseconds = 100;
/** Sleeps are `pause` of the testkit, `sleep` of node:timers, and promises of `setTimeout` outside of texts of programs. */
const sleep =
  /\b(?:pause|sleep)\(([0-9_]+)\)|^[^'"`]*\bPromise(?:<\w+>)?\(\(\w+\) => setTimeout\(\w+, ([0-9_]+)\)/g;
const fakesTime = /\buseFakeTimers\(/;

/**
 * Tests wait for a condition with `until`, and show with `stays` that nothing happens for a time. A fixed sleep is too short on a busy machine
 * and too long on an idle one.
 * @param {string} root
 * @returns {string[]} a problem if there are more than allowed
 */
export function checkFixedSleeps(root) {
  const found = fixedSleeps(join(root, 'test'));
  if (found.length <= mostFixedSleeps) return [];
  return [
    `test: ${found.length} fixed sleeps, at most ${mostFixedSleeps} are allowed (dev/gate/fixed-sleeps.mjs). Wait for a condition with until, or use stays:`,
    ...found.map((place) => `  ${place}`),
  ];
}

/**
 * @param {string} folder
 * @returns {string[]} file and line of each
 */
export function fixedSleeps(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return files.sort().flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    if (fakesTime.test(text)) return [];
    return text
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(sleep)]
          .filter(
            ([, paused, waited]) => Number((paused ?? waited ?? '').replaceAll('_', '')) >= leastMilliseconds,
          )
          .map(() => `test/${name}:${index + 1}`),
      );
  });
}
