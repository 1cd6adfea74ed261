import { isDeepStrictEqual } from 'node:util';
import { checkDocument, type PathwayDocument, pathwayDocumentSchema } from '../../pathways/index.js';

/** A change of one field, node or edge of a document. */
export interface Fix {
  /** `nodes.ID.FIELD`, `edges.ID.FIELD`, `nodes.ID`, `edges.ID` or `settings.global_prompt`. */
  readonly path: string;
  /** Null: the field, node or edge is removed. */
  readonly value: unknown;
}

export type FixOutcome =
  | { readonly document: PathwayDocument; readonly problem?: undefined }
  | { readonly problem: string };

/**
 * What fixes may change. Where calls are transferred to, which webhooks are called and what an agent knows is decided by people: a
 * model that reads conversations with strangers must not change it.
 */
const changeable = {
  nodes: ['name', 'prompt', 'text', 'condition', 'extract'],
  edges: ['label', 'condition', 'when', 'target'],
} as const;
const addable = ['default', 'end'];

type Item = { readonly id: string } & Readonly<Record<string, unknown>>;

/** The document after the fix, which conversations can follow; or why it cannot be applied. */
export function applyFix(document: PathwayDocument, { path, value }: Fix): FixOutcome {
  const changed = changedDocument(document, path.split('.'), value);
  if (typeof changed === 'string') return { problem: changed };
  const { before } = changed;
  if (isDeepStrictEqual(before, value)) return { problem: 'It changes nothing.' };
  const read = pathwayDocumentSchema.safeParse(changed.document);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { problem: `${issue?.path.join('.')}: ${issue?.message}` };
  }
  const [fault] = checkDocument(read.data).faults;
  return fault === undefined ? { document: read.data } : { problem: fault.message };
}

/** The value at a path; null: none. */
export function valueAt(document: PathwayDocument, path: string): unknown {
  const [list, id, field] = path.split('.');
  if (list === 'settings') return document.settings.global_prompt;
  const item = itemsOf(document, list).find((candidate) => candidate.id === id);
  if (item === undefined) return null;
  return field === undefined ? item : (item[field] ?? null);
}

const itemsOf = (document: PathwayDocument, list: string | undefined): readonly Item[] =>
  list === 'nodes' || list === 'edges' ? (document[list] as readonly Item[]) : [];

type Changed = { readonly document: unknown; readonly before: unknown };

function changedDocument(
  document: PathwayDocument,
  [list, id = '', field, ...rest]: readonly string[],
  value: unknown,
): Changed | string {
  if (list === 'settings' && id === 'global_prompt' && field === undefined) {
    const { settings } = document;
    return {
      document: { ...document, settings: { ...settings, global_prompt: value } },
      before: settings.global_prompt,
    };
  }
  if ((list !== 'nodes' && list !== 'edges') || rest.length > 0)
    return 'Only nodes.ID, nodes.ID.FIELD, edges.ID, edges.ID.FIELD and settings.global_prompt can be changed.';
  const items = itemsOf(document, list);
  const current = items.find((item) => item.id === id);
  if (field === undefined) return wholeItem(document, { list, id, items, current }, value);
  if (current === undefined) return `There is no ${list === 'nodes' ? 'node' : 'edge'} ${id}.`;
  if (!(changeable[list] as readonly string[]).includes(field))
    return `${field} is decided by people: fixes change only ${changeable[list].join(', ')}.`;
  const { [field]: before = null, ...kept } = current;
  const changed = value === null ? kept : { ...kept, [field]: value };
  return {
    document: { ...document, [list]: items.map((item) => (item === current ? changed : item)) },
    before,
  };
}

/** Adds, replaces or removes a node or an edge. */
function wholeItem(
  document: PathwayDocument,
  place: {
    readonly list: 'nodes' | 'edges';
    readonly id: string;
    readonly items: readonly Item[];
    readonly current: Item | undefined;
  },
  value: unknown,
): Changed | string {
  const { list, id, items, current } = place;
  if (value === null) {
    if (current === undefined) return `There is no ${list === 'nodes' ? 'node' : 'edge'} ${id}.`;
    if (list === 'nodes' && !addable.includes(String(current.type)))
      return `Fixes remove no ${current.type} nodes.`;
    return {
      document: { ...document, [list]: items.filter((item) => item !== current) },
      before: current,
    };
  }
  if (typeof value !== 'object' || Array.isArray(value)) return `The value must be an object.`;
  const item = { ...value, id } as Item;
  if (list === 'nodes' && (current !== undefined || !addable.includes(String(item.type))))
    return current === undefined
      ? `Fixes add only nodes of the types ${addable.join(' and ')}.`
      : 'Change single fields of a node.';
  if (list === 'nodes' && item.kb_ids !== undefined) return 'kb_ids is decided by people.';
  return {
    document: {
      ...document,
      [list]:
        current === undefined
          ? [...items, item]
          : items.map((candidate) => (candidate === current ? item : candidate)),
    },
    before: current ?? null,
  };
}

/**
 * The document without a fix that was applied. Refused where the field was changed later, so that no change is lost.
 * @param fix with the values before and after
 */
export function undoFix(
  document: PathwayDocument,
  fix: { readonly path: string; readonly before: unknown; readonly after: unknown },
): FixOutcome {
  // A node that was only moved in the graph is still the node of the fix.
  if (!isDeepStrictEqual(withoutPosition(valueAt(document, fix.path)), withoutPosition(fix.after)))
    return { problem: `${fix.path} was changed since; change it by hand.` };
  return applyFix(document, { path: fix.path, value: fix.before });
}

function withoutPosition(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { position: _, ...rest } = value as Readonly<Record<string, unknown>>;
  return rest;
}
