interface TestFile {
  readonly path: string;
  readonly text: string;
}

/** Words that say nothing of a file's subject. */
const common = new Set([
  'src',
  'test',
  'contract',
  'index',
  'routes',
  'tables',
  'schemas',
  'call',
  'calls',
  'test',
  'ts',
]);

/** Tests that run a whole area reach what they never name. */
const wholeFolder = '/whole/';

const wordsOf = (path: string): readonly string[] => path.split(/[/.-]/).filter((word) => word.length > 2);

/**
 * The test files whose path or text speaks of what a source is about, the nearest first.
 * @param related test files that import the source, directly or not
 * @param most more would take minutes for each mutant
 */
export function nearestTests(
  source: string,
  tests: readonly TestFile[],
  related: ReadonlySet<string>,
  most: number,
): readonly string[] {
  const words = new Set(wordsOf(source));
  const name = source
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/, '');
  return tests
    .map(({ path, text }) => {
      const inPath = wordsOf(path).filter((word) => words.has(word));
      const subjects = inPath.filter((word) => !common.has(word)).length;
      const said = [...words].filter((word) => !common.has(word) && text.includes(word)).length;
      const isNamed = path.includes(name) || text.includes(name);
      const isOfWhole = subjects > 0 && path.includes(wholeFolder);
      const nearness = 4 * subjects + inPath.length + said + (isNamed ? 3 : 0) + (isOfWhole ? 7 : 0);
      return {
        path,
        nearness: nearness + (related.has(path) ? 2 : 0),
        isReached: subjects > 0 || related.has(path),
      };
    })
    .filter(({ isReached }) => isReached)
    .sort((left, right) => right.nearness - left.nearness || (left.path < right.path ? -1 : 1))
    .slice(0, most)
    .map(({ path }) => path);
}
