import { writeFileSync } from 'node:fs';

/**
 * @typedef {{ passed: number, failed: number, skipped: { name: string, reason: string }[], retried: string[] }} TestCounts
 */

/**
 * A vitest reporter that writes how many tests passed, failed and were skipped, and why, and which needed a second try, to DEMARC_TEST_COUNTS.
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
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: [], retried: [] };
    for (const module of modules) {
      const tests = [...module.children.allTests()].map((test) => ({ test, result: test.result() }));
      const failures = tests.filter(({ result }) => result.state === 'failed').length;
      // A file that cannot be loaded, or whose set-up fails, has failed though none of its tests has.
      const isSetUpBroken = failures === 0 && !module.ok();
      counts.failed += isSetUpBroken ? 1 : failures;
      for (const { test, result } of tests) {
        const name = `${module.relativeModuleId} > ${test.fullName}`;
        if (test.diagnostic()?.flaky === true) counts.retried.push(name);
        if (result.state === 'passed') counts.passed += 1;
        else if (result.state !== 'failed') {
          const note = result.state === 'skipped' ? result.note : undefined;
          const reason = note ?? (isSetUpBroken ? 'the set-up failed' : 'no reason given');
          counts.skipped.push({ name, reason });
        }
      }
    }
    writeFileSync(path, JSON.stringify(counts));
  }
}
