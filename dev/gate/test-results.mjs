import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * @typedef {{ name: string, reason: string }} ToldTest the reason is one line
 * @typedef {{ file: string, seconds: number, passed: number, failed: ToldTest[], skipped: ToldTest[] }} FileResult
 * @typedef {{ files: FileResult[], outside: ToldTest[] }} TestResults outside: errors that belong to no test
 */

/**
 * A vitest reporter that writes to DEMARC_TEST_RESULTS what each file came to: how many tests passed, which failed or were skipped, and why.
 * vitest's own JSON has no reasons, and counts a file that cannot be loaded as no test at all.
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
  // A file that cannot be loaded, or whose set-up fails, has failed though none of its tests has.
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
    passed: tests.filter(({ result }) => result.state === 'passed').length,
    failed,
    skipped,
  };
}

/**
 * What went wrong, and where, in one line: of a long log often the end alone is kept, and this is what is printed there.
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
