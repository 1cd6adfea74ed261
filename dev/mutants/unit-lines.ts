/** Lines of unit tests for each line of an area's sources that are worth having. */
const goals: Readonly<Record<string, number>> = { control: 0.25, dashboard: 0.25 };

export interface AreaLines {
  readonly area: string;
  readonly sources: number;
  readonly tests: number;
  /** Lines of unit tests for each line of sources. */
  readonly ratio: number;
  /** Undefined: the area has none. */
  readonly goal: number | undefined;
}

/**
 * How much unit tests say of each area, by lines that are not empty.
 * @param texts by path from the root of the repository
 */
export function unitLines(texts: ReadonlyMap<string, string>, areas: readonly string[]): AreaLines[] {
  const linesBelow = (folder: string): number =>
    [...texts].reduce((sum, [path, text]) => sum + (path.startsWith(folder) ? linesOf(text) : 0), 0);
  return areas.map((area) => {
    const sources = linesBelow(`src/${area}/`);
    const tests = linesBelow(`test/unit/${area}/`);
    return { area, sources, tests, ratio: sources === 0 ? 0 : tests / sources, goal: goals[area] };
  });
}

/** A line of the report. */
export const describeLines = ({ area, sources, tests, ratio, goal }: AreaLines): string => {
  const verdict = goal === undefined ? '' : `, ${ratio < goal ? 'below' : 'meets'} the goal of ${goal}`;
  return `${area}: ${tests} lines of unit tests for ${sources} of sources (${ratio.toFixed(2)}${verdict})`;
};

const linesOf = (text: string): number => text.split('\n').filter((line) => line.trim() !== '').length;
