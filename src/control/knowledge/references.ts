import type { Kysely } from 'kysely';
import { maximumKnowledgeBases } from '../../contract/number.js';
import type { Database } from '../database/tables.js';
import { isUuid } from '../database/uuid.js';
import type { Fault } from '../http/envelope.js';
import { InvalidRequest } from '../http/validation.js';
import { knowledgeBaseIds } from './bases.js';

/** Among ids of tools and knowledge bases: a UUID or `KB-…` is a knowledge base, any other a tool, which only its agent knows. */
export const namesKnowledge = (id: string): boolean => isUuid(id) || /^KB-/i.test(id);

/** A list of ids in a request, and its field as `calls.3.tools`. */
export interface References {
  readonly ids: readonly string[];
  readonly path: string;
}

/**
 * UUIDs of the knowledge bases that each list names, once each, in its order; ids of tools are left out. Throws
 * `InvalidRequest` that names every knowledge base that the organization does not have, and every list with too many.
 */
export async function readKnowledge(
  database: Kysely<Database>,
  organizationId: string,
  lists: readonly References[],
): Promise<string[][]> {
  const asked = [...new Set(lists.flatMap(({ ids }) => ids.filter(namesKnowledge)))];
  const found = asked.length === 0 ? [] : await knowledgeBaseIds(database, organizationId, asked);
  const uuids = new Map(asked.map((id, index) => [id, found[index]]));
  const faults: Fault[] = [];
  const fault = (path: string, message: string): void => {
    faults.push({ error: 'VALIDATION_ERROR', message, path });
  };
  const read = lists.map(({ ids, path }) => {
    const found = new Set<string>();
    for (const [index, id] of ids.entries()) {
      if (!namesKnowledge(id)) continue;
      const uuid = uuids.get(id);
      if (uuid === undefined)
        fault(`${path}.${index}`, `${id} is not one of your knowledge bases, or is deleted.`);
      else found.add(uuid);
    }
    if (found.size > maximumKnowledgeBases) fault(path, tooMany(path, found.size));
    return [...found];
  });
  if (faults.length > 0) throw new InvalidRequest(faults.slice(0, maximumFaults));
  return read;
}

/** As in other answers: a batch could have thousands. */
const maximumFaults = 20;

const tooMany = (path: string, count: number): string =>
  `${path} names ${count} knowledge bases; a call can have at most ${maximumKnowledgeBases}.`;
