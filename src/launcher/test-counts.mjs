import { writeFileSync } from 'node:fs';

/**
 * @typedef {{ passed: number, failed: number, skipped: { name: string, reason: string }[] }} TestCounts
 */

/**
 * A vitest reporter that writes how many tests passed, failed and were skipped, and why, to DEMARC_TEST_COUNTS.
 * vitest's own JSON has no reasons, and counts a file that cannot be loaded as no test at all.
 */
export default class TestCountsReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const path = process.env.DEMARC_TEST_COUNTS;
    if (path === undefined) return;
    /** @type {TestCounts} */
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: [] };
    for (const module of modules) {
      let failures = 0;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') counts.passed += 1;
        else if (result.state === 'failed') failures += 1;
        else {
          const reason =
            (result.state === 'skipped' ? result.note : undefined) ??
            (module.ok() ? 'no reason given' : 'the set-up failed');
          counts.skipped.push({ name: `${module.relativeModuleId} > ${test.fullName}`, reason });
        }
      }
      // A file that cannot be loaded, or whose set-up fails, has failed though none of its tests has.
      counts.failed += failures === 0 && !module.ok() ? 1 : failures;
    }
    writeFileSync(path, JSON.stringify(counts));
  }
}
