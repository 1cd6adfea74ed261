/** Phrases that make texts hard to read and must not return (docs/glossary.md has the terms); a unit test runs this check. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from 'vite';

/** Each phrase with its replacement. Only phrases without a legitimate use in a product text. */
const phrases = /** @type {const} */ ([
  [/\b(is|are|was|were|stays?) away\b/i, 'down, unreachable'],
  [/\b(goes|go|went|going) on\b(?! (hold|a|an|the|top|from|in|disk|to)\b)/i, 'continues, active, live'],
  [/\b(some|no|any|every)body\b/i, 'name the actor'],
  [/\bwhoever\b/i, 'name the actor'],
  [/\bof (ours|its own|their own|my own|one['’]s own)\b/i, 'own, Demarc'],
  [/\bmistakes? of ours\b/i, 'internal error'],
  [/\btold\b/i, 'name the actor: sends, notifies, returns'],
  [/\banew\b/i, 'again'],
  [/\btak(e|es|en|ing) (it|them|the \w+ )?away\b/i, 'remove, clear'],
  [/\bin vain\b/i, 'without effect'],
  [/\bby (itself|themselves)\b/i, 'automatically, alone'],
  [/\blooked? (at|for) now\b/i, 'read, searched'],
]);

/**
 * Lines that may keep a phrase, as file and text.
 * @type {readonly (readonly [file: string, text: string])[]}
 */
const allowed = [['src/launcher/postgres-cluster.ts', 'nobody']];

/** The phrases over the lines of a comment as well. */
const spanning = phrases.map(
  ([phrase, instead]) =>
    /** @type {const} */ ([new RegExp(phrase.source.replaceAll(' ', '[\\s*/#-]+'), 'i'), instead]),
);

/**
 * Problems as `file:line: …`, in documentation, in the user-visible strings of sources, and in all comments and titles of tests.
 * @param {string} root
 * @returns {string[]}
 */
export function plainEnglishProblems(root) {
  return textFiles(root).flatMap((path) => {
    const name = relative(root, path).replaceAll('\\', '/');
    const text = readFileSync(path, 'utf8');
    return [...phraseProblems(name, text), ...titleProblems(name, text)];
  });
}

/**
 * @param {string} name
 * @param {string} text
 * @returns {string[]}
 */
function phraseProblems(name, text) {
  if (!spanning.some(([phrase]) => phrase.test(text))) return [];
  return passagesOf(name, text).flatMap((passage) => {
    const found = spanning.find(([phrase]) => phrase.test(passage.text));
    if (found === undefined || allowed.some(([file, part]) => file === name && passage.text.includes(part)))
      return [];
    const [phrase, instead] = found;
    const match = phrase.exec(passage.text);
    const line = lineAt(text, passage.start + (match?.index ?? 0));
    const phraseFound = match?.[0].replaceAll(/[\s*/#-]+/g, ' ');
    return [`${name}:${line}: "${phraseFound}": write plain English (${instead})`];
  });
}

/**
 * A title completes "it …" with a verb; a relative clause has none.
 * @param {string} name
 * @param {string} text
 * @returns {string[]}
 */
function titleProblems(name, text) {
  const relativeClauses = [
    ...text.matchAll(/^[ \t]*(?:(?:it|test)\b.*|\](?: as const)?\))\(\s*['"`]that\s/gm),
  ];
  return relativeClauses.map(
    ({ index }) => `${name}:${lineAt(text, index)}: begin the title with a verb: rejects, returns, keeps`,
  );
}

/** @typedef {{ readonly start: number, readonly text: string }} Passage */

/**
 * @param {string} name
 * @param {string} text
 * @returns {readonly Passage[]}
 */
function passagesOf(name, text) {
  if (name.endsWith('.md')) return linesOf(text);
  if (!/\.(tsx?|mjs)$/.test(name)) return linesOf(text).filter((line) => /^\s*(#|--)/.test(line.text));
  const { program, comments } = parseSync(name, text);
  const strings = linesOf(text).map((line) => ({ start: line.start, text: spoken(line.text) }));
  return [
    ...(productFolders.some((folder) => name.startsWith(folder)) ? strings : []),
    ...comments.map(({ start, end }) => ({ start, text: text.slice(start, end) })),
    ...titlesWithin(program).map(({ start, end }) => ({ start, text: text.slice(start, end) })),
  ];
}

/**
 * @param {string} text
 * @returns {readonly Passage[]}
 */
function linesOf(text) {
  let start = 0;
  return text.split('\n').map((line) => {
    const passage = { start, text: line };
    start += line.length + 1;
    return passage;
  });
}

/**
 * @param {string} text
 * @param {number} index
 */
const lineAt = (text, index) => text.slice(0, index).split('\n').length;

const testFunctions = ['it', 'test', 'describe', 'suite', 'row'];

/**
 * Titles of tests: the strings among the arguments of `it(…)`, `describe.skipIf(…)(…)` and the like, and the names in the tables
 * of `it.each(…)`, which are strings or the first of their row.
 * @param {any} node of the syntax tree
 * @returns {readonly { readonly start: number, readonly end: number }[]}
 */
function titlesWithin(node) {
  if (node === null || typeof node !== 'object') return [];
  if (Array.isArray(node)) return node.flatMap(titlesWithin);
  const titles = Object.values(node).flatMap(titlesWithin);
  if (node.type !== 'CallExpression' || !testFunctions.includes(rootName(node.callee))) return titles;
  const table = node.callee.property?.name === 'each' ? withoutTypes(node.arguments[0]) : undefined;
  const names = (table?.elements ?? []).map((/** @type {any} */ row) => row?.elements?.[0] ?? row);
  return [...titles, ...[...node.arguments, ...names].filter(isText)];
}

/** @param {any} node */
const isText = (node) => typeof node?.value === 'string' || node?.type === 'TemplateLiteral';

/** @param {any} node @returns {any} */
const withoutTypes = (node) => (node?.type === 'TSAsExpression' ? withoutTypes(node.expression) : node);

/** @param {any} callee @returns {string} */
function rootName(callee) {
  const inner = callee.object ?? callee.callee;
  return inner === undefined ? (callee.name ?? '') : rootName(inner);
}

/**
 * The strings and JSX text of a line of code; empty for a comment.
 * @param {string} line
 */
function spoken(line) {
  const code = line.trim();
  if (/^(\/\/|\/?\*|--)/.test(code)) return '';
  const strings = code.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
  const isJsxText = /^[A-Z][a-z’' ,;:.\w-]*$/.test(code) && code.includes(' ');
  return [...strings, ...(isJsxText ? [code] : [])].join('\n');
}

const documents = ['README.md', 'docs', 'clients', 'packages', 'src/engine/README.md'];
/** Where strings are for users. */
const productFolders = [
  'src/errors.ts',
  'src/cli.ts',
  'src/contract',
  'src/control',
  'src/dashboard',
  'src/doctor',
  'src/edge',
  'src/launcher',
];
const code = ['src', 'dev', 'clients', 'test'];
/** They have the phrases as data. */
const aboutPhrases = ['dev/gate/plain-english.mjs', 'test/unit/dev/plain-english.test.ts'];

/** @param {string} root */
function textFiles(root) {
  return [
    ...documents.flatMap((place) => filesBelow(join(root, place), /\.md$/)),
    ...code.flatMap((place) => filesBelow(join(root, place), /\.(tsx?|mjs|lua|sh|py)$/)),
  ].filter((path) => !aboutPhrases.some((name) => path.endsWith(name)));
}

/**
 * @param {string} path
 * @param {RegExp} pattern
 */
function filesBelow(path, pattern) {
  if (!existsSync(path)) return [];
  if (pattern.test(path)) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name) && !name.includes('node_modules'))
    .map((name) => join(path, name));
}
