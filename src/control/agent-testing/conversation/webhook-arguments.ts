import type { PathwayNodeOf } from '../../pathways/index.js';
import { keyText, secretName } from './secret-patterns.js';
import { filled, filledValue } from './spoken-turn.js';

/** Stands in results for what is, or looks like, a secret. */
export const masked = '[masked]';

/** Of one call, as JSON: larger arguments are not kept. */
const maximumCharacters = 10_000;

const maximumDepth = 16;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const bearer = /\b(Bearer|Basic)\s+[-A-Za-z0-9._~+/=]{6,}/gi;

/**
 * What a webhook was called with, secrets masked: the body; with GET, the parameters of the query that hold variables, since others
 * may be keys. Null: too large to keep.
 */
export function keptArguments(
  { url, method, body }: PathwayNodeOf<'webhook'>['webhook'],
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> | null {
  const sent =
    method === 'GET'
      ? queryArguments(url, variables)
      : (filledValue(body ?? {}, variables) as Record<string, unknown>);
  return shortArguments(sent);
}

/** Arguments with secrets masked; null: too large to keep. */
export function shortArguments(given: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const kept = withoutSecrets(given) as Record<string, unknown>;
  return JSON.stringify(kept).length > maximumCharacters ? null : kept;
}

function queryArguments(url: string, variables: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const [, query = ''] = url.split('#', 1)[0]!.split(/\?(.*)/s);
  return Object.fromEntries(
    query
      .split('&')
      .filter((pair) => pair.includes('{{'))
      .map((pair) => {
        const [name = '', value = ''] = pair.split(/=(.*)/s);
        return [decoded(name), filled(decoded(value), variables)];
      }),
  );
}

/** JSON with what is, or looks like, a secret masked. */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (depth >= maximumDepth) return masked;
  if (typeof value === 'string') {
    if (uuid.test(value)) return value;
    return value.replaceAll(bearer, `$1 ${masked}`).replaceAll(keyText, masked);
  }
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      secretName.test(name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2'))
        ? masked
        : withoutSecrets(item, depth + 1),
    ]),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
