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

const wordsOf = (path: string): readonly string[] => path.split(/[/.-]/).filter((word) => word.length > 2);

/** The paths of test files, first those whose path or text speaks of what a source is about: they notice most faults of it. */
export function nearestTests(source: string, tests: readonly TestFile[]): readonly string[] {
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
      return { path, nearness: 4 * subjects + inPath.length + said + (isNamed ? 3 : 0) };
    })
    .sort((left, right) => right.nearness - left.nearness || (left.path < right.path ? -1 : 1))
    .map(({ path }) => path);
}
