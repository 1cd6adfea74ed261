import { parseSync } from 'vite';

export type MutationKind =
  | 'boundary'
  | 'equality'
  | 'logic'
  | 'condition'
  | 'forced'
  | 'call'
  | 'where'
  | 'boolean';

/** One change of one place in a source file. */
export interface Mutation extends Span {
  readonly kind: MutationKind;
  readonly replacement: string;
  /** From 1. */
  readonly line: number;
  /** What is evaluated where a run comes to this place: an expression, or a statement. */
  readonly reached: Reached;
}

/** Offsets into the text, in UTF-16 units. */
interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Reached extends Span {
  readonly is: 'expression' | 'statement';
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const opposites: Readonly<Record<string, readonly [MutationKind, string]>> = {
  '<': ['boundary', '<='],
  '<=': ['boundary', '<'],
  '>': ['boundary', '>='],
  '>=': ['boundary', '>'],
  '===': ['equality', '!=='],
  '!==': ['equality', '==='],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
};

/** What no test should depend on: the log, timers that do not keep the process, and thrown texts. */
const indifferent = /(^|\.)(log|logger)(\?)?\.|\.(unref|ref|debug|info|warn)\(|^super\(/;

/** What a log line says is not tested either. */
const logLine = /^(?:[\w#]+\??\.)*(?:log|logger)\??\.\w+\(/;

/** A statement, or a block of one, that only writes to the log. */
const isLogAlone = (text: string): boolean => {
  const statement = text.replace(/^\{\s*|\s*\}$/g, '');
  return logLine.test(statement) && !/;\s*\S/.test(statement);
};

const readsClock = /\b(performance|Date)\.now\(\)/;

/** `if (list.length === 0) return …`: without it the same result takes more work, such as a query for no rows. */
const isShortcut = (test: string, body: string): boolean =>
  /^[\w.?!]+\.(length|size) === 0$/.test(test) && /^(\{\s*)?return\b/.test(body);

/** A condition after which one value stands for both: where they are equal, `<` and `<=` come to the same. */
interface Clamp extends Span {
  readonly pair: string;
}

const pairOf = (left: string, right: string): string => [left, right].sort().join('\n');

/** `value = limit;`, also in a block. */
const assignment = /^(?:\{\s*)?([\w.]+) = ([\w.]+);(?:\s*\})?$/;

/**
 * All single faults that a slip of the hand makes and that the compiler may accept: a negated or forced condition, a boundary off by one,
 * a call or a filter left out.
 * @param path decides whether the text is TypeScript or TSX
 */
export function mutationsOf(path: string, text: string): Mutation[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]!.message}`);
  const found: Mutation[] = [];
  const add = (kind: MutationKind, place: Span, replacement: string, node: Span = place): void => {
    const reached = {
      is: kind === 'call' ? 'statement' : 'expression',
      start: node.start,
      end: node.end,
    } as const;
    const line = text.slice(0, place.start).split('\n').length;
    found.push({ kind, start: place.start, end: place.end, replacement, line, reached });
  };
  const clamps: Clamp[] = [];
  const clamp = ({ start, end }: Node, left: string, right: string): void => {
    clamps.push({ start, end, pair: pairOf(left, right) });
  };
  visit(program as unknown as Node, (node) => {
    const source = text.slice(node.start, node.end);
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const opposite = opposites[node.operator as string];
        if (opposite === undefined) return undefined;
        const [left, right] = [node.left as Node, node.right as Node];
        // Clocks have fractions of milliseconds: no test meets the one moment in which < and <= differ.
        if (opposite[0] === 'boundary' && readsClock.test(source)) return undefined;
        const pair = pairOf(text.slice(left.start, left.end), text.slice(right.start, right.end));
        const isClamped = clamps.some(
          (each) => each.start <= node.start && node.end <= each.end && each.pair === pair,
        );
        if (opposite[0] === 'boundary' && isClamped) return undefined;
        const at = text.indexOf(node.operator as string, left.end);
        if (at >= 0 && at < right.start)
          add(opposite[0], { start: at, end: at + (node.operator as string).length }, opposite[1], node);
        return undefined;
      }
      case 'IfStatement': {
        const test = node.test as Node;
        const body = text.slice((node.consequent as Node).start, (node.consequent as Node).end);
        if (node.alternate === null && isLogAlone(body)) return 'skip';
        const [, assigned, value] = assignment.exec(body) ?? [];
        // `if (value > limit) value = limit`
        if (node.alternate === null && assigned !== undefined && value !== undefined)
          clamp(test, assigned, value);
        add('condition', test, `!(${text.slice(test.start, test.end)})`);
        add('forced', test, 'true');
        if (!isShortcut(text.slice(test.start, test.end), body)) add('forced', test, 'false');
        return undefined;
      }
      case 'ConditionalExpression': {
        const test = node.test as Node;
        const [then, otherwise] = [node.consequent as Node, node.alternate as Node];
        // `value > limit ? limit : value`
        clamp(test, text.slice(then.start, then.end), text.slice(otherwise.start, otherwise.end));
        add('condition', test, `!(${text.slice(test.start, test.end)})`);
        return undefined;
      }
      case 'ExpressionStatement': {
        const { type } = node.expression as Node;
        if (logLine.test(source)) return 'skip';
        if (/^(Call|Await)Expression$/.test(type) && !indifferent.test(source)) add('call', node, '{}');
        return undefined;
      }
      case 'CallExpression': {
        const callee = node.callee as Node;
        const property = callee.property as Node | undefined;
        if (callee.type !== 'MemberExpression' || property?.name !== 'where') return undefined;
        add('where', { start: (callee.object as Node).end, end: node.end }, '', node);
        return undefined;
      }
      case 'ReturnStatement': {
        const argument = node.argument as Node | null;
        if (argument?.type !== 'Literal' || typeof argument.value !== 'boolean') return undefined;
        add('boolean', argument, String(!argument.value));
        return undefined;
      }
      default:
        return undefined;
    }
  });
  return found;
}

/** The text with the mutation in it. */
export const mutated = (text: string, { start, end, replacement }: Mutation): string =>
  text.slice(0, start) + replacement + text.slice(end);

function visit(node: Node, enter: (node: Node) => 'skip' | undefined): void {
  if (enter(node) === 'skip') return;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, enter);
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
