/** Checks of arguments, as a scenario has them and as they are edited. */

export type ArgumentOperator = 'equals' | 'contains' | 'matches' | 'present' | 'absent';

export const argumentOperators: readonly (readonly [ArgumentOperator, string])[] = [
  ['equals', 'Equals'],
  ['contains', 'Contains'],
  ['matches', 'Matches the pattern'],
  ['present', 'Is present'],
  ['absent', 'Is absent'],
];

export interface ArgumentDraft {
  readonly path: string;
  readonly operator: ArgumentOperator;
  /** As it is typed. */
  readonly value: string;
}

export const newArgument: ArgumentDraft = { path: '', operator: 'equals', value: '' };

export const hasValue = (operator: ArgumentOperator): boolean =>
  operator !== 'present' && operator !== 'absent';

interface SentArgument {
  readonly path?: string;
  readonly operator: ArgumentOperator;
  readonly value?: unknown;
}

export const argumentDrafts = (value: unknown): readonly ArgumentDraft[] =>
  Array.isArray(value)
    ? (value as readonly SentArgument[]).map(({ path = '', operator, value: expected }) => ({
        path,
        operator,
        value: typed(operator, expected),
      }))
    : [];

export const sentArguments = (drafts: readonly ArgumentDraft[]): readonly SentArgument[] =>
  drafts.map(({ path, operator, value }) => ({
    path,
    operator,
    ...(hasValue(operator) ? { value: operator === 'matches' ? value : jsonOr(value) } : {}),
  }));

/** Text that JSON would read as something else is quoted. */
function typed(operator: ArgumentOperator, value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return operator === 'matches' || jsonOr(value) === value ? value : JSON.stringify(value);
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
