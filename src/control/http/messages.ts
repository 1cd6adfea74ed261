import type { z } from 'zod';

/** What is wrong with a field, in plain words with its name and its limits; for every schema that says nothing itself. */

type Issue = z.core.$ZodRawIssue;

/** Names of types as a caller knows them from JSON. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  datetime: 'ISO 8601 with a time zone, such as 2026-11-20T15:04:05Z',
  date: 'a day such as 2026-11-20',
  uuid: 'a UUID',
  url: 'a URL such as https://example.com/hook',
  email: 'an email address',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
};

/** What counts, in one and in many. */
const units: Readonly<Record<string, readonly [string, string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
};

/** How a message calls the field that an issue is about: the last name of its path, with the place in a list. */
export function fieldName(path: readonly PropertyKey[] | undefined, part: string): string {
  const steps = path ?? [];
  const last = steps.at(-1);
  if (last === undefined) return `The ${part}`;
  const parent = steps.at(-2);
  return typeof last === 'number' && parent !== undefined
    ? `${String(parent)}.${last}`
    : String(last).slice(0, 100);
}

/** The message for an issue; undefined leaves it to the schema library. */
export function messageFor(issue: Issue, part: string): string | undefined {
  const name = fieldName(issue.path, part);
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return `${name} is required.`;
      return `${name} must be ${typeNames[issue.expected] ?? issue.expected}.`;
    case 'invalid_value': {
      const choice = oneOf(issue.values as readonly unknown[]);
      return issue.input === undefined ? `${name} is required: ${choice}.` : `${name} must be ${choice}.`;
    }
    case 'too_small':
      return `${name} must ${bound(issue.origin, issue.minimum, issue.inclusive !== false, 'least')}.`;
    case 'too_big':
      return `${name} must ${bound(issue.origin, issue.maximum, issue.inclusive !== false, 'most')}.`;
    case 'invalid_format': {
      const format = formats[issue.format];
      return format === undefined ? `${name} has an invalid format.` : `${name} must be ${format}.`;
    }
    case 'invalid_union': {
      const values = discriminatorValues(issue);
      if (values === undefined) return `${name} matches none of the allowed forms.`;
      const given = (issue.input as Record<string, unknown> | null)?.[issue.discriminator as string];
      return given === undefined
        ? `${name} is required: ${oneOf(values)}.`
        : `${name} must be ${oneOf(values)}.`;
    }
    default:
      return undefined;
  }
}

function oneOf(values: readonly unknown[]): string {
  const texts = values.map(String);
  return texts.length === 1 ? texts[0]! : `one of ${texts.join(', ')}`;
}

function bound(
  origin: string,
  limit: number | bigint,
  isInclusive: boolean,
  which: 'least' | 'most',
): string {
  const unit = units[origin];
  if (unit === undefined) {
    const beyond = which === 'least' ? 'more than' : 'less than';
    return isInclusive ? `be at ${which} ${limit}` : `be ${beyond} ${limit}`;
  }
  if (origin === 'string' && which === 'least' && Number(limit) === 1) return 'not be empty';
  return `have at ${which} ${limit} ${unit[Number(limit) === 1 ? 0 : 1]}`;
}

/** What the field may be that tells the variants of a union apart; undefined: nothing does. */
function discriminatorValues(issue: Issue): readonly unknown[] | undefined {
  const { discriminator, inst } = issue as {
    discriminator?: string;
    inst?: { _zod: { propValues?: Record<string, Set<unknown> | undefined> } };
  };
  const values = discriminator === undefined ? undefined : inst?._zod.propValues?.[discriminator];
  return values && [...values];
}
