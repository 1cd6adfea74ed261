/** Step of `npm run check`: a folder of control uses its own tables, those of lower folders, and views of areas (docs/development.md). */
import { join } from 'node:path';
import { parseSync } from 'vite';
import { controlRanks, placeOf, ranks, readSources } from './folder-ranks.mjs';

/**
 * @typedef {object} Relation a table or a view
 * @property {string} owner folder or file of `src/control`
 * @property {boolean} isView
 */

/** Methods of Kysely that take tables. */
const takesTables =
  /^(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto|using|from|table|ref|(inner|left|right|full|cross)Join(Lateral)?)$/;
/** Properties of this repository that name a table. */
const namesTable = /^(table|\w+Table)$/;
const beginsAsSql = /^\s*(select|insert\s+into|update|delete\s+from|with|truncate|lock|merge\s+into)\s/i;
const inSql =
  /\b(?:from|join|into|update|using|table|truncate|only)\s+((?:"?\w+"?(?:\s+(?:as\s+)?\w+)?\s*,\s*)*"?\w+)/gi;

/**
 * @param {ReadonlyMap<string, string>} sources path below `src/control`, with slashes → text
 * @returns {Map<string, Relation>} by name
 */
export function relationsOf(sources) {
  /** @type {Map<string, Relation>} */
  const relations = new Map();
  for (const [path, text] of sources) {
    if (!/\btables\.ts$/.test(path)) continue;
    for (const [, kind, body = ''] of text.matchAll(/\binterface (Database|Views) \{([^}]*)\}/g))
      for (const [, name = ''] of body.matchAll(/^\s*(\w+):/gm))
        relations.set(name, { owner: folderOf(path), isView: kind === 'Views' });
  }
  return relations;
}

/**
 * @param {ReadonlyMap<string, string>} sources path below `src/control`, with slashes → text
 * @param {import('./folder-ranks.mjs').Ranks} order
 * @param {readonly string[]} areas
 * @returns {string[]} one line for each table that a file must not use
 */
export function tableProblems(sources, order, areas) {
  const relations = relationsOf(sources);
  const problems = [];
  for (const [path, text] of sources) {
    // Its migrations create the tables of all folders.
    if (path.startsWith('database/')) continue;
    const from = placeOf(path, order);
    for (const name of tablesIn(path, text)) {
      const relation = relations.get(name);
      if (relation === undefined || relation.owner === folderOf(path)) continue;
      const { owner, isView } = relation;
      if (!order[from]?.includes(owner)) {
        problems.push(
          `src/control/${path}: ${from || 'the folder itself'} must not use ${name} of ${owner} (dev/gate/folder-ranks.mjs)`,
        );
      } else if (areas.includes(owner) && !isView) {
        problems.push(
          `src/control/${path}: use ${owner}/index.ts or a view of ${owner} instead of its table ${name}`,
        );
      }
    }
  }
  return problems;
}

/** @param {string} root of the repository @returns {string[]} */
export function checkTableOwners(root) {
  return tableProblems(
    readSources(join(root, 'src/control')),
    ranks['src/control'] ?? {},
    Object.keys(controlRanks.areas),
  );
}

/** @param {string} path @returns {string} */
const folderOf = (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : path);

/** @param {string} path @param {string} text @returns {Set<string>} names that queries take as tables; also those of common table expressions */
function tablesIn(path, text) {
  /** @type {Set<string>} */
  const names = new Set();
  /** @param {any} node */
  const takeNames = (node) => {
    if (/Function/.test(node?.type)) return;
    walk(node, (inner) => {
      if (inner.type === 'Literal' && typeof inner.value === 'string')
        names.add(inner.value.split(' ')[0] ?? '');
    });
  };
  /** @param {string} sql */
  const takeSql = (sql) => {
    for (const [, list = ''] of sql.matchAll(inSql))
      for (const item of list.split(',')) names.add(/\w+/.exec(item)?.[0] ?? '');
  };
  walk(parseSync(path, text).program, (node) => {
    if (node.type === 'CallExpression' && takesTables.test(node.callee.property?.name ?? '')) {
      takeNames(node.arguments[0]);
    } else if (node.type === 'Property' && namesTable.test(node.key.name ?? '')) {
      takeNames(node.value);
    } else if (node.type === 'TaggedTemplateExpression') {
      takeSql(sqlOf(node.quasi));
    } else if (node.type === 'TemplateLiteral' && beginsAsSql.test(sqlOf(node))) {
      takeSql(sqlOf(node));
    } else if (node.type === 'Literal' && typeof node.value === 'string' && beginsAsSql.test(node.value)) {
      takeSql(node.value);
    }
  });
  return names;
}

/** @param {any} template @returns {string} */
const sqlOf = (template) =>
  template.quasis.map((/** @type {any} */ { value }) => value.raw).join(' expression ');

/** @param {any} node @param {(node: any) => void} visit */
function walk(node, visit) {
  if (typeof node !== 'object' || node === null) return;
  if (typeof node.type === 'string') visit(node);
  for (const child of Object.values(node)) walk(child, visit);
}
