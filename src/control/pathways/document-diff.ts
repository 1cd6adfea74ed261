import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { PathwayDocument } from './document.js';

const value = z.unknown();

/** One field that differs between two documents. */
export const documentChangeSchema = z
  .object({
    kind: z.enum(['added', 'removed', 'changed']).meta({ description: 'What happened to it.' }),
    element: z
      .enum(['node', 'edge', 'settings', 'start_node_id'])
      .meta({ description: 'The part of the document.' }),
    id: z.string().nullable().meta({ description: 'Id of the node or edge; null: neither.' }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the node or label of the edge; null: neither.' }),
    field: z
      .string()
      .nullable()
      .meta({ description: 'The field that differs; null: the whole node or edge.', examples: ['prompt'] }),
    affects: z.enum(['conversation', 'layout']).meta({
      description: '`layout`: the node was only moved in the graph, and conversations stay the same.',
    }),
    before: value.meta({ description: 'Its earlier value; null: it had none.' }),
    after: value.meta({ description: 'Its later value; null: it has none.' }),
  })
  .meta({ id: 'PathwayChange' });

export type DocumentChange = z.output<typeof documentChangeSchema>;

/** What leads from one document to the other, by node, edge and field. The order of nodes means nothing; that of edges is a change. */
export function compareDocuments(before: PathwayDocument, after: PathwayDocument): DocumentChange[] {
  return [
    ...fieldChanges(
      { element: 'start_node_id', id: null, name: null },
      { start_node_id: before.start_node_id },
      { start_node_id: after.start_node_id },
    ),
    ...elementChanges(
      'node',
      before.nodes.map((node) => ({ ...node, title: node.name })),
      after.nodes.map((node) => ({ ...node, title: node.name })),
    ),
    ...elementChanges(
      'edge',
      before.edges.map((edge) => ({ ...edge, title: edge.label })),
      after.edges.map((edge) => ({ ...edge, title: edge.label })),
    ),
    ...fieldChanges(
      { element: 'edge', id: null, name: null },
      { order: orderOf(before, after) },
      { order: orderOf(after, before) },
    ),
    ...fieldChanges({ element: 'settings', id: null, name: null }, before.settings, after.settings),
  ];
}

/** Ids of the edges that both have. */
function orderOf({ edges }: PathwayDocument, later: PathwayDocument): string[] {
  const common = new Set(later.edges.map(({ id }) => id));
  return edges.map(({ id }) => id).filter((id) => common.has(id));
}

type Element = { readonly id: string; readonly title: string };
type Place = Pick<DocumentChange, 'element' | 'id' | 'name'>;

const contentOf = ({ title: _, ...content }: Element): object => content;

function elementChanges(
  element: 'node' | 'edge',
  before: readonly Element[],
  after: readonly Element[],
): DocumentChange[] {
  const earlier = new Map(before.map((item) => [item.id, item]));
  const later = new Map(after.map((item) => [item.id, item]));
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((id): DocumentChange[] => {
    const old = earlier.get(id);
    const after = later.get(id);
    const place = { element, id, name: (after ?? old)!.title };
    const affects = 'conversation';
    if (old === undefined)
      return [{ kind: 'added', ...place, field: null, affects, before: null, after: contentOf(after!) }];
    if (after === undefined)
      return [{ kind: 'removed', ...place, field: null, affects, before: contentOf(old), after: null }];
    return fieldChanges(place, contentOf(old), contentOf(after));
  });
}

function fieldChanges(place: Place, before: object, after: object): DocumentChange[] {
  const earlier = before as Readonly<Record<string, unknown>>;
  const later = after as Readonly<Record<string, unknown>>;
  return [...new Set([...Object.keys(earlier), ...Object.keys(later)])].flatMap((field): DocumentChange[] => {
    const old = earlier[field] ?? null;
    const after = later[field] ?? null;
    if (isDeepStrictEqual(old, after)) return [];
    const kind = old === null ? 'added' : after === null ? 'removed' : 'changed';
    const affects = place.element === 'node' && field === 'position' ? 'layout' : 'conversation';
    return [{ kind, ...place, field, affects, before: old, after }];
  });
}
