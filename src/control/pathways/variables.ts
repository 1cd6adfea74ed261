import type { PathwayDocument, PathwayEdge, PathwayNode } from './document.js';

/** `{{name}}`, blanks allowed around the name. */
const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** The variables that a text names, once each. */
export const placeholdersIn = (text: string): string[] => [
  ...new Set([...text.matchAll(placeholder)].map(([, name]) => name!)),
];

/** The text with its variables; those without a value stay as they are. */
export const substitute = (text: string, valueFor: (name: string) => string | undefined): string =>
  text.replaceAll(placeholder, (whole, name: string) => valueFor(name) ?? whole);

/** Set by every webhook: the HTTP status, 0 without a response. */
export const webhookStatus = 'webhook_status';

/** The variables that a node sets. */
function variablesSetBy(node: PathwayNode): string[] {
  if (node.type === 'default') return node.extract.map(({ name }) => name);
  if (node.type !== 'webhook') return [];
  return [webhookStatus, ...node.webhook.response_variables.map(({ name }) => name)];
}

const texts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(texts);
};

/** A use of a variable; `field` as in the document. */
interface Use {
  readonly name: string;
  readonly field: string;
}

/** The variables that a node needs before it sets its own. */
function usesBefore(node: PathwayNode): Use[] {
  const within = (field: string, value: unknown): Use[] =>
    texts(value).flatMap((text) => placeholdersIn(text).map((name) => ({ name, field })));
  if (node.type === 'webhook')
    return [...within('webhook.url', node.webhook.url), ...within('webhook.body', node.webhook.body)];
  const said = [...within('prompt', node.prompt), ...within('text', node.text)];
  return node.type === 'transfer' ? [...said, ...within('transfer_to', node.transfer_to)] : said;
}

/** The variables that a node's `condition` and its edges need, after it set its own. */
const usesAfter = (node: PathwayNode): Use[] =>
  node.type === 'default' && node.condition !== undefined
    ? placeholdersIn(node.condition).map((name) => ({ name, field: 'condition' }))
    : [];

const usesOf = ({ condition = '', when = [] }: PathwayEdge): Use[] => [
  ...placeholdersIn(condition).map((name) => ({ name, field: 'condition' })),
  ...when.map(({ variable }) => ({ name: variable, field: 'when' })),
];

/** A variable that is used where no path, or not every path, has set it. */
export interface UnsetUse extends Use {
  readonly node: PathwayNode;
  /** The edge that uses it; undefined: the node itself. */
  readonly edge: PathwayEdge | undefined;
  /** `never`: no path from the start sets it before; `sometimes`: one does, another does not. */
  readonly set: 'never' | 'sometimes';
}

/**
 * Uses of variables before they are set, by the paths from the start node. Nodes that cannot be reached are left out.
 * @param reachable ids of the nodes that can be reached from the start
 */
export function unsetUses(document: PathwayDocument, reachable: ReadonlySet<string>): UnsetUse[] {
  const nodes = document.nodes.filter(({ id }) => reachable.has(id));
  const edges = document.edges.filter(({ source }) => reachable.has(source));
  const outgoing = new Map<string, PathwayEdge[]>(nodes.map(({ id }) => [id, []]));
  for (const edge of edges) outgoing.get(edge.source)!.push(edge);
  const bits = new VariableBits();
  const given = bits.of(document.settings.variables.map(({ name }) => name));
  const own = new Map(nodes.map((node) => [node.id, bits.of(variablesSetBy(node))]));
  const flow = { outgoing, start: document.start_node_id, given, own };
  const ever = reaching(flow, 0n, (left, right) => left | right);
  const always = reaching(flow, bits.all(), (left, right) => left & right);
  return nodes.flatMap((node): UnsetUse[] => {
    const [sometimes, surely, set] = [ever, always, own].map((map) => map.get(node.id)!) as [
      bigint,
      bigint,
      bigint,
    ];
    const unset = (uses: readonly Use[], already: bigint, edge?: PathwayEdge): UnsetUse[] =>
      uses.flatMap((use) => {
        const bit = bits.of([use.name]);
        if (((surely | already) & bit) !== 0n) return [];
        return [{ ...use, node, edge, set: (sometimes & bit) === 0n ? 'never' : 'sometimes' }];
      });
    return [
      ...unset(usesBefore(node), 0n),
      ...unset(usesAfter(node), set),
      ...outgoing.get(node.id)!.flatMap((edge) => unset(usesOf(edge), set, edge)),
    ];
  });
}

/** Sets of variables as bits of a number: documents may have 500 nodes with 50 variables each. */
class VariableBits {
  private readonly positions = new Map<string, bigint>();

  of(names: readonly string[]): bigint {
    return names.reduce((bits, name) => {
      const position = this.positions.get(name) ?? BigInt(this.positions.size);
      this.positions.set(name, position);
      return bits | (1n << position);
    }, 0n);
  }

  all(): bigint {
    return (1n << BigInt(this.positions.size)) - 1n;
  }
}

interface Flow {
  readonly outgoing: ReadonlyMap<string, readonly PathwayEdge[]>;
  readonly start: string;
  readonly given: bigint;
  /** What each node sets. */
  readonly own: ReadonlyMap<string, bigint>;
}

/** The variables that are set when each node is reached: the fixed point over all paths. */
function reaching(
  { outgoing, start, given, own }: Flow,
  initial: bigint,
  meet: (left: bigint, right: bigint) => bigint,
): ReadonlyMap<string, bigint> {
  const reached = new Map([...outgoing.keys()].map((id) => [id, initial]));
  reached.set(start, given);
  // Every node is visited once at least; a set visits what is added again.
  const waiting = new Set(outgoing.keys());
  for (const id of waiting) {
    waiting.delete(id);
    const after = reached.get(id)! | own.get(id)!;
    for (const { target } of outgoing.get(id)!) {
      const before = reached.get(target)!;
      const met = meet(before, after);
      if (met === before) continue;
      reached.set(target, met);
      waiting.add(target);
    }
  }
  return reached;
}
