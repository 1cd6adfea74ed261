import { RE2JS } from 're2js';

/** Longest text that patterns are matched against; the time grows with text and pattern alone. */
const maximumCharacters = 1_000_000;

/**
 * A customer's regular expression, matched in linear time (RE2): no pattern can hold up a worker.
 * @param flags of i, m and s
 * @returns finds the first match in a text; undefined: none. Throws `Error` with the problem of the pattern
 */
export function linearPattern(pattern: string, flags = ''): (text: string) => string | undefined {
  const bits =
    (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes('m') ? RE2JS.MULTILINE : 0) |
    (flags.includes('s') ? RE2JS.DOTALL : 0);
  const compiled = RE2JS.compile(pattern, bits);
  return (text) => {
    const matcher = compiled.matcher(text.slice(0, maximumCharacters));
    return matcher.find() ? (matcher.group() ?? undefined) : undefined;
  };
}

/** Why it is no pattern; undefined: it is one. */
export function patternProblem(pattern: string): string | undefined {
  try {
    linearPattern(pattern);
    return undefined;
  } catch (error) {
    return `Not a regular expression in RE2 syntax: ${(error as Error).message.replace(/^error parsing regexp: /, '')}`;
  }
}
