import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * @typedef {{ name: string, reason: string }} NotedTest the reason is one line
 * @typedef {{ file: string, seconds: number, processorSeconds: number | undefined, passed: number, failed: NotedTest[], skipped: NotedTest[] }} FileResult
 * @typedef {{ files: FileResult[], outside: NotedTest[] }} TestResults outside: errors that belong to no test
 */

/**
 * A vitest reporter that writes the result of each file to DEMARC_TEST_RESULTS: the number of passed tests, and the failed and skipped ones with the reason.
 * vitest's own JSON has no reasons, and counts a file that fails to load as zero tests.
 */
export default class TestResultsReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const path = process.env.DEMARC_TEST_RESULTS;
    if (path === undefined) return;
    /** @type {TestResults} */
    const results = {
      files: modules.map(fileResult),
      outside: unhandledErrors.map((error) => ({ name: 'outside of any test', reason: inOneLine([error]) })),
    };
    writeFileSync(path, JSON.stringify(results));
  }
}

/**
 * @param {import('vitest/node').TestModule} module
 * @returns {FileResult}
 */
function fileResult(module) {
  const file = module.relativeModuleId;
  const { collectDuration, duration } = module.diagnostic();
  const tests = [...module.children.allTests()].map((test) => ({
    name: `${file} > ${test.fullName}`,
    result: test.result(),
  }));
  const failed = tests
    .filter(({ result }) => result.state === 'failed')
    .map(({ name, result }) => ({ name, reason: inOneLine(result.errors) }));
  // A file that fails to load, or whose set-up fails, counts as failed even though none of its tests failed.
  const isSetUpBroken = failed.length === 0 && !module.ok();
  if (isSetUpBroken) {
    const errors = [module, ...module.children.allSuites()].flatMap((suite) => suite.errors());
    failed.push({ name: `${file} > its set-up`, reason: inOneLine(errors) });
  }
  const withoutNote = isSetUpBroken ? 'the set-up failed' : 'no reason given';
  const skipped = tests.flatMap(({ name, result }) => {
    if (result.state === 'skipped') return { name, reason: result.note ?? withoutNote };
    return result.state === 'pending' ? { name, reason: withoutNote } : [];
  });
  return {
    file,
    seconds: (collectDuration + duration) / 1_000,
    processorSeconds: module.meta().processorSeconds,
    passed: tests.filter(({ result }) => result.state === 'passed').length,
    failed,
    skipped,
  };
}

/**
 * The error and its location in one line: of a long log often only the end is kept, and these lines are printed there.
 * @param {readonly unknown[] | undefined} errors
 */
function inOneLine(errors) {
  const lines = (errors ?? []).map((error) => {
    const { message, stacks } =
      /** @type {{ message?: string, stacks?: { file: string, line: number }[] }} */ (error);
    const place = stacks?.[0] === undefined ? '' : ` (${basename(stacks[0].file)}:${stacks[0].line})`;
    return `${(message ?? String(error)).split('\n', 1)[0]}${place}`;
  });
  return lines.length === 0 ? 'no error given' : lines.join('; ');
}
