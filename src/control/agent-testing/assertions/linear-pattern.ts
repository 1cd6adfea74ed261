import { RE2JS } from 're2js';

/** Longest text that patterns are matched against. */
const maximumCharacters = 1_000_000;
/** Of a pattern: `.{0,1000}` has 2,000, one of a person some hundred. */
export const maximumInstructions = 10_000;
/** Instructions × characters of one match: a second of one core. RE2 takes no more than that product. */
const maximumSteps = 50_000_000;

const flagsOf = (flags: string): number =>
  (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
  (flags.includes('m') ? RE2JS.MULTILINE : 0) |
  (flags.includes('s') ? RE2JS.DOTALL : 0);

const counted = (count: number): string => count.toLocaleString('en-US');

/**
 * A customer's regular expression, matched in time linear in the text (RE2), with a factor that the pattern determines. To be used in a
 * worker thread: compiling and matching each take up to a second.
 * @param flags of i, m and s
 * @returns finds the first match in a text; undefined: none. Both throw `Error` with the problem of the pattern
 */
export function linearPattern(pattern: string, flags = ''): (text: string) => string | undefined {
  const compiled = RE2JS.compile(pattern, flagsOf(flags));
  return (text) => {
    const searched = text.slice(0, maximumCharacters);
    const instructions = compiled.programSize();
    if (instructions * searched.length > maximumSteps) throw new TooLarge(instructions, searched.length);
    const matcher = compiled.matcher(searched);
    return matcher.find() ? (matcher.group() ?? undefined) : undefined;
  };
}

/** A pattern that takes too long for a text. */
export class TooLarge extends Error {
  constructor(instructions: number, characters: number) {
    super(
      `The pattern is too large for this text: ${counted(instructions)} instructions × ${counted(characters)} characters exceed ${counted(maximumSteps)} steps. Use smaller repetition counts.`,
    );
  }
}

/** Why it is no pattern; undefined: it is one. To be used in a worker thread. */
export function patternProblem(pattern: string): string | undefined {
  try {
    const size = RE2JS.compile(pattern).programSize();
    if (size <= maximumInstructions) return undefined;
    return `The pattern is too large: ${counted(size)} instructions, at most ${counted(maximumInstructions)} are allowed. Use smaller repetition counts.`;
  } catch (error) {
    return `Not a regular expression in RE2 syntax: ${(error as Error).message.replace(/^error parsing regexp: /, '')}`;
  }
}
