import type { Kysely } from 'kysely';
import { maximumVariableLength } from '../../../contract/commands.js';
import { isHeaderText } from '../../../contract/header-mapping.js';
import type { Database } from '../../database/tables.js';
import { InvalidRequest } from '../../http/validation.js';

/** The variables that the header mappings of a number's outbound configurations read. */
export async function readVariableNames(
  database: Kysely<Database>,
  number: string,
): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('configurations')
    .select('headers')
    .where('number', '=', number)
    .where('direction', '=', 'outbound')
    .execute();
  return rows
    .flatMap(({ headers }) => headers)
    .flatMap((mapping) => {
      if (mapping.type === 'uui') return mapping.target;
      return mapping.passthrough ? [] : mapping.key;
    });
}

/**
 * The mapped variables of an order's `request_data`; the rest stays in the database. Throws `InvalidRequest` for a
 * value that a header cannot carry.
 * @param path of the order within the request, with a dot at its end; empty: the request itself
 */
export function orderVariables(
  names: readonly string[],
  requestData: Readonly<Record<string, unknown>>,
  path: string,
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const name of names) {
    const value = Object.hasOwn(requestData, name) ? requestData[name] : undefined;
    if (value !== undefined && value !== null)
      variables[name] = headerText(`${path}request_data.${name}`, value);
  }
  return variables;
}

function headerText(path: string, value: unknown): string {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = isPlain ? String(value) : '';
  if (isPlain && text.length <= maximumVariableLength && isHeaderText(text)) return text;
  throw InvalidRequest.at(
    path,
    `Is mapped to a SIP header: must be a number, a boolean or one line of at most ${maximumVariableLength} characters`,
  );
}
