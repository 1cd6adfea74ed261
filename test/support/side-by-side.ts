import { describe } from 'vitest';

type Suite = Awaited<ReturnType<ReturnType<typeof describe>['collect']>>;

/** `describe.each` whose cases run at the same time, because they wait for most of theirs; the tests of one case run one after the other. */
export const describeEachBeside =
  <Case>(cases: readonly Case[]) =>
  (name: string, tests: (each: Case) => void): void => {
    describe.concurrent.each(cases)(name, (each) => {
      describe.sequential('in turn', () => tests(each as Case));
    });
  };

/**
 * Runs parts of a file at the same time: groups of tests that depend on one another, such as those of one organization's calls.
 * @param define called once for each part: declares hooks, and groups by its argument, which is a `describe` that has the part first
 */
export function partsBeside<Part extends string>(
  parts: readonly Part[],
  define: (group: (part: Part, name: string, tests: () => void) => void) => void,
): void {
  describeEachBeside(parts)('%s', (running) => {
    define((part, name, tests) => {
      if (part === running) describe(name, tests);
    });
  });
}

/**
 * Runs the tests of a file, which wait for most of their time, in lanes at the same time; those of one lane run one after the other, on
 * servers that no other lane uses.
 * @param define called once for each lane: declares hooks, and all tests, which are dealt out to the lanes in turn. They must not depend
 *   on one another
 */
export function sideBySide(lanes: number, define: () => void): void {
  for (let lane = 0; lane < lanes; lane++) {
    describe.concurrent(`lane ${lane + 1}`, () => {
      const all = describe.sequential('in turn', define);
      const collect = all.collect.bind(all);
      let tests = 0;
      all.collect = async (file) => onlySome(await collect(file), () => tests++ % lanes === lane);
    });
  }
}

/** Removes the other tests, and groups that have none then. */
function onlySome(suite: Suite, isOfLane: () => boolean): Suite {
  suite.tasks = suite.tasks.filter((task) =>
    task.type === 'suite' ? onlySome(task, isOfLane).tasks.length > 0 : isOfLane(),
  );
  return suite;
}
