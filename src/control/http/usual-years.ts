/** Earlier and later years are written in forms that neither PostgreSQL nor every reader of times takes. */
const years = { first: 1970, last: 2999 } as const;

export const isInUsualYears = (at: Date): boolean =>
  at.getUTCFullYear() >= years.first && at.getUTCFullYear() <= years.last;

export const unusualYear = `Must be in the years ${years.first} to ${years.last}`;
