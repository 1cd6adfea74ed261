import { patternProblem } from './linear-pattern.js';

/** Undefined: it is a pattern. */
export default (pattern: string): string | undefined => patternProblem(pattern);
