/** Step of `npm run check`: rejects variables, parameters, functions and members whose name says nothing of what they are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { trackedSources } from './tracked-sources.mjs';

/** Each name with what to write instead. */
const vague = /** @type {const} */ ({
  one: 'the noun; left in a comparison',
  other: 'the noun; right in a comparison',
  others: 'the noun; rest of a destructuring',
  told: 'notified, sent, reported',
  anew: 'again',
  away: 'down, unreachable',
  theirs: 'the noun of its owner',
});
/** Files whose names are not ours to choose: fields of the API, and of drachtio-srf's dialogs. */
const foreign = ['clients/typescript/src/generated.ts', 'test/support/srf-application.ts'];
/** Most files have these words only in texts: a declared name is no property, and is followed by one of these. */
const declared = new RegExp(
  `(?<![\\w$'"\`]|(?<!\\.)\\.)(?:${Object.keys(vague).join('|')})\\s*(?:[=:,)}\\]?(;!]|of\\b|in\\b)`,
);

/** @param {string} root of the repository @returns {string[]} */
export function checkVagueNames(root) {
  return trackedSources(root)
    .filter((name) => !foreign.includes(name))
    .flatMap((name) => vagueNames(name, readFileSync(join(root, name), 'utf8')));
}

/**
 * @param {string} name
 * @param {string} text
 * @returns {string[]} one line for each declaration
 */
export function vagueNames(name, text) {
  if (!declared.test(text)) return [];
  /** @type {any[]} */
  const identifiers = [];
  collect(parseSync(name, text).program, identifiers);
  return identifiers.flatMap((identifier) => {
    const word = /** @type {keyof typeof vague} */ (identifier.name);
    if (!Object.hasOwn(vague, word)) return [];
    const line = text.slice(0, identifier.start).split('\n').length;
    return [`${name}:${line}: "${word}" does not say what it is (${vague[word]})`];
  });
}

/**
 * Keys of object literals are data, and not collected.
 * @param {any} node of the syntax tree
 * @param {any[]} identifiers gets those that are declared in the node
 */
function collect(node, identifiers) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const each of node) collect(each, identifiers);
    return;
  }
  if (/^(Variable|Function|Class|Arrow|TS\w+(Type|Declaration|Function))/.test(node.type))
    bind(node.id, identifiers);
  if (/^(Method|Property)Definition$|^TS(Abstract|Property|Method)/.test(node.type) && !node.computed)
    bind(node.key, identifiers);
  if (/^Import\w*Specifier$/.test(node.type)) bind(node.local, identifiers);
  if (node.type === 'CatchClause') bind(node.param, identifiers);
  if (Array.isArray(node.params)) bind({ type: 'ArrayPattern', elements: node.params }, identifiers);
  for (const key in node) collect(node[key], identifiers);
}

/**
 * @param {any} pattern
 * @param {any[]} identifiers gets those that the pattern declares
 */
function bind(pattern, identifiers) {
  if (pattern?.type === 'Identifier') identifiers.push(pattern);
  if (pattern?.type === 'AssignmentPattern') bind(pattern.left, identifiers);
  if (pattern?.type === 'RestElement') bind(pattern.argument, identifiers);
  if (pattern?.type === 'TSParameterProperty') bind(pattern.parameter, identifiers);
  if (pattern?.type === 'ArrayPattern') for (const each of pattern.elements) bind(each, identifiers);
  if (pattern?.type === 'ObjectPattern')
    for (const each of pattern.properties) bind(each.value ?? each, identifiers);
}
