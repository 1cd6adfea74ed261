/** `npm run docs:licences`: the packages shipped with Demarc, from package-lock.json. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @typedef {{ packages?: Record<string, { license?: string, dev?: boolean, optional?: boolean, link?: boolean }> }} LockFile */

/** Licences that require only their notice, and so are compatible with a product under Apache-2.0. */
const accepted = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'MIT-0',
]);

/** Licences stated in the package's README but not in its package.json. */
const inReadMe = new Map([['only', 'MIT']]);

/** Development packages whose code vite bundles into the dashboard. */
const inDashboard = [
  '@preact/signals',
  '@preact/signals-core',
  'preact',
  'preact-iso',
  'sdp-transform',
  'uplot',
];

/**
 * Shipped packages by name, each with its licence.
 * @param {LockFile} lock
 * @returns {Map<string, string>}
 */
function shippedPackages({ packages = {} }) {
  const found = Object.entries(packages).flatMap(([path, { license, dev, link }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (path === '' || link === true || (dev === true && !inDashboard.includes(name))) return [];
    return [/** @type {const} */ ([name, license ?? inReadMe.get(name) ?? 'unknown'])];
  });
  return new Map(found.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/**
 * @param {LockFile} lock
 * @param {string} page current text of docs/licences.md
 * @returns {string[]} one line per problem
 */
export function licenceProblems(lock, page) {
  const unfit = [...shippedPackages(lock)].filter(([, licence]) => !isAccepted(licence));
  const problems = unfit.map(
    ([name, licence]) =>
      `${name} has the licence ${licence}, which dev/reference/licences.mjs does not accept`,
  );
  if (page !== licencePage(lock)) problems.push('docs/licences.md is out of date; run npm run docs:licences');
  return problems;
}

/**
 * Evaluates an SPDX expression: OR needs one accepted licence, AND needs all.
 * @param {string} licence
 */
function isAccepted(licence) {
  const choices = licence.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((licence) => accepted.has(licence)));
}

/**
 * The text of docs/licences.md.
 * @param {LockFile} lock
 */
export function licencePage(lock) {
  const rows = [...shippedPackages(lock)].map(([name, licence]) => `| ${name} | ${licence} |`);
  return `# Licences

Demarc is under the [Apache License 2.0](../LICENSE). It is shipped with these npm packages, whose code is in \`node_modules\` of the image or in the
pages of the dashboard. \`npm run docs:licences\` writes this page from \`package-lock.json\`; the gate compares them, and refuses a licence that
requires more than keeping its notice.

Redis, PostgreSQL, rtpengine and drachtio-server are separate programs with their own licences.

| package | licence |
|---|---|
${rows.join('\n')}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = new URL('../../package-lock.json', import.meta.url);
  process.stdout.write(licencePage(JSON.parse(readFileSync(lock, 'utf8'))));
}
