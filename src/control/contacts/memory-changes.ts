import { InvalidRequest } from '../http/validation.js';
import type { MemoryBody } from './memory-input.js';
import type { Entity, Facts, FactValue, OpenItem } from './tables.js';

/** What one memory holds beside its messages. Pure: the result of a change, within the bounds. */
export interface Remembered {
  readonly summary: string;
  readonly facts: Facts;
  readonly open_items: readonly OpenItem[];
  readonly entities: readonly Entity[];
}

export const maximumEntries = 100;
/** Octets of JSON. A contact with all of its memories stays below a few megabytes. */
export const maximumOctets = { facts: 16_384, open_items: 16_384, entities: 32_768 } as const;

const itemKey = ({ type, description }: Pick<OpenItem, 'type' | 'description'>): string =>
  JSON.stringify([type, description]);
const entityKey = ({ entity_type, entity_id }: Pick<Entity, 'entity_type' | 'entity_id'>): string =>
  JSON.stringify([entity_type, entity_id]);

const mergedFacts = (current: Facts, changes: Readonly<Record<string, FactValue | null>>): Facts =>
  Object.fromEntries(
    Object.entries({ ...current, ...changes }).filter(
      (entry): entry is [string, FactValue] => entry[1] !== null,
    ),
  );

/** Throws `InvalidRequest` for what would be too much. */
export function changed(current: Remembered, body: MemoryBody, now: string): Remembered {
  const items = new Map(current.open_items.map((item) => [itemKey(item), item]));
  for (const { created_at: at, ...item } of body.open_items ?? []) {
    const created_at = at ?? items.get(itemKey(item))?.created_at ?? now;
    items.set(itemKey(item), { ...item, created_at });
  }
  for (const item of body.closed_items ?? []) items.delete(itemKey(item));
  const entities = new Map(current.entities.map((entity) => [entityKey(entity), entity]));
  for (const entity of body.entities ?? []) {
    const before = entities.get(entityKey(entity));
    entities.set(entityKey(entity), {
      entity_type: entity.entity_type,
      entity_id: entity.entity_id,
      facts: mergedFacts(before?.facts ?? {}, entity.facts ?? {}),
      status: entity.status ?? before?.status ?? '',
      last_discussed_at: entity.last_discussed_at ?? now,
      notes: entity.notes === undefined ? (before?.notes ?? null) : entity.notes,
    });
  }
  for (const entity of body.removed_entities ?? []) entities.delete(entityKey(entity));
  const result = {
    summary: body.summary ?? current.summary,
    facts: mergedFacts(current.facts, body.facts ?? {}),
    open_items: [...items.values()],
    entities: [...entities.values()],
  };
  check('facts', Object.keys(result.facts).length, result.facts, 'set some to null');
  check('open_items', items.size, result.open_items, 'name done ones in closed_items');
  check('entities', entities.size, result.entities, 'name old ones in removed_entities');
  return result;
}

function check(path: keyof typeof maximumOctets, count: number, value: unknown, remedy: string): void {
  if (count > maximumEntries) {
    throw InvalidRequest.at(
      path,
      `the memory would have ${count} ${path} and the limit is ${maximumEntries}; ${remedy}.`,
    );
  }
  const octets = Buffer.byteLength(JSON.stringify(value));
  const most = maximumOctets[path];
  if (octets > most)
    throw InvalidRequest.at(path, `${path} would have ${octets} octets and the limit is ${most}; ${remedy}.`);
}

const maximumSummary = 8_000;

/** Both memories in one, within the bounds; where they differ, `kept` decides. */
export function united(kept: Remembered, added: Remembered): Remembered {
  const summaries = [kept.summary, added.summary].filter((text) => text !== '');
  const entities = new Map(added.entities.map((entity) => [entityKey(entity), entity]));
  for (const entity of kept.entities) {
    const before = entities.get(entityKey(entity));
    const isOlder = before !== undefined && before.last_discussed_at > entity.last_discussed_at;
    entities.set(entityKey(entity), {
      ...entity,
      facts: { ...before?.facts, ...entity.facts },
      last_discussed_at: isOlder ? before.last_discussed_at : entity.last_discussed_at,
      notes: entity.notes ?? before?.notes ?? null,
    });
  }
  const items = new Map([...added.open_items, ...kept.open_items].map((item) => [itemKey(item), item]));
  const byTime = (time: string, another: string): number => (time < another ? 1 : -1);
  return {
    summary: summaries.join('\n\n').slice(0, maximumSummary),
    facts: Object.fromEntries(
      bounded('facts', Object.entries({ ...added.facts, ...kept.facts }).reverse()).reverse(),
    ),
    open_items: bounded(
      'open_items',
      [...items.values()].sort((item, another) => byTime(item.created_at, another.created_at)),
    ),
    entities: bounded(
      'entities',
      [...entities.values()].sort((entity, another) =>
        byTime(entity.last_discussed_at, another.last_discussed_at),
      ),
    ),
  };
}

/** The first ones that fit. */
function bounded<Entry>(path: keyof typeof maximumOctets, entries: readonly Entry[]): Entry[] {
  const kept: Entry[] = [];
  let octets = 2;
  for (const entry of entries) {
    octets += Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (octets > maximumOctets[path] || kept.length === maximumEntries) break;
    kept.push(entry);
  }
  return kept;
}
