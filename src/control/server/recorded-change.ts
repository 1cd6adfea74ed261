import type { Caller } from '../http/api-server.js';
import { areaOfTag } from '../http/scopes.js';
import type { Tag } from '../http/tags.js';

/** What programs do all day with a key is no change to the set-up of an organization; what a person does is always recorded. */
const unrecordedForKeys: ReadonlySet<string | null> = new Set([
  'calls',
  'contacts',
  'knowledge',
  'agent-testing',
]);

/** Their names and numbers are those of people, whom an erasure must remove: only ids are recorded. */
const aboutPeople: ReadonlySet<string | null> = new Set(['contacts', 'calls']);

/** What of a route decides about the record of a request. */
interface RecordedRoute {
  readonly method: string | readonly string[];
  readonly config: { readonly access?: string };
  readonly schema?: unknown;
}

/** True for a change: what an agent does in a call, and what programs do all day, is none. */
export function isRecorded(
  caller: Pick<Caller, 'call' | 'member'>,
  { method, config, schema }: RecordedRoute,
): boolean {
  if (method === 'GET' || method === 'HEAD' || config.access === 'read' || caller.call !== undefined)
    return false;
  return caller.member !== undefined || !unrecordedForKeys.has(areaOf(schema));
}

const areaOf = (schema: unknown): string | null =>
  areaOfTag[(schema as { tags?: Tag[] } | undefined)?.tags?.[0] as Tag] ?? null;

export const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** Fields that name something and hold no secret. */
const naming = ['phone_number', 'direction', 'email', 'role', 'name', 'host', 'webhook_id', 'url'] as const;

/** Ids of the path, then names in the body. */
export function subjectOf(
  schema: unknown,
  { params, body }: { readonly params: unknown; readonly body: unknown },
): string {
  const ids = Object.values(asObject(params)).map(String);
  if (aboutPeople.has(areaOf(schema))) return ids.join(' ');
  const fields = asObject(body);
  const named = naming.flatMap((name) => {
    const value = fields[name];
    if (typeof value !== 'string') return [];
    return [name === 'url' ? originOf(value) : value];
  });
  const numbers = Array.isArray(fields.phone_numbers) ? fields.phone_numbers : [];
  const listed = numbers.length === 0 ? [] : [String(numbers[0])];
  const more = numbers.length > 1 ? [`and ${numbers.length - 1} more`] : [];
  return [...ids, ...named, ...listed, ...more].join(' ');
}

/** Paths and queries of webhook URLs often carry tokens. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');
