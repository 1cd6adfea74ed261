import type { Kysely } from 'kysely';
import { maximumVariableLength } from '../../contract/commands.js';
import { isHeaderText } from '../../contract/header-mapping.js';
import type { Database } from '../database/tables.js';
import { InvalidRequest } from '../http/validation.js';

/**
 * What the header mappings of a number's outbound configurations read of an order's `request_data`; nothing else of it
 * leaves the database. Throws `InvalidRequest` for a value that no header can carry.
 */
export async function orderVariables(
  database: Kysely<Database>,
  number: string,
  requestData: Readonly<Record<string, unknown>>,
): Promise<Record<string, string>> {
  if (Object.keys(requestData).length === 0) return {};
  const rows = await database
    .selectFrom('configurations')
    .select('headers')
    .where('number', '=', number)
    .where('direction', '=', 'outbound')
    .execute();
  const variables: Record<string, string> = {};
  for (const mapping of rows.flatMap(({ headers }) => headers)) {
    if (mapping.type === 'custom' && mapping.passthrough) continue;
    const name = mapping.type === 'uui' ? mapping.target : mapping.key;
    const value = Object.hasOwn(requestData, name) ? requestData[name] : undefined;
    if (value !== undefined && value !== null) variables[name] = headerText(name, value);
  }
  return variables;
}

function headerText(name: string, value: unknown): string {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = isPlain ? String(value) : '';
  if (isPlain && text.length <= maximumVariableLength && isHeaderText(text)) return text;
  throw InvalidRequest.at(
    `request_data.${name}`,
    `Becomes a header of the trunk: a number, a boolean or one line of at most ${maximumVariableLength} characters`,
  );
}
