import semver from 'semver';

/** Supported versions of Node.js: the oldest that `engines` accepts, and the first LTS release of the current line. */
export const promisedNodeVersions = /** @type {const} */ (['20.19.0', '24.11.0']);

/**
 * @typedef {{ engines?: { node?: string }, resolved?: string, integrity?: string, optional?: boolean, os?: string[],
 *   optionalDependencies?: Record<string, string>, dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} LockedPackage
 * @typedef {{ engines?: { node?: string }, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   devDependencies?: Record<string, string> }} Manifest
 */

/**
 * Problems in package-lock.json. A registry host ties every install to that host; a missing platform package
 * makes `npm ci` fail on every platform; a package that rejects a supported Node.js makes it warn with EBADENGINE, or fail.
 * @param {{ packages?: Record<string, LockedPackage> }} lock
 * @param {Manifest} manifest package.json
 * @returns {string[]} one line per problem
 */
export function lockProblems({ packages = {} }, manifest) {
  const problems = [];
  for (const [path, entry] of Object.entries(packages)) {
    const place = `package-lock.json: ${path === '' ? 'the project' : path}`;
    if (entry.resolved !== undefined)
      problems.push(`${place} names a registry (${entry.resolved}); .npmrc turns that off, install again`);
    const isForAnotherPlatform = entry.optional === true && entry.os !== undefined;
    if (path !== '' && entry.integrity === undefined && !isForAnotherPlatform)
      problems.push(`${place} has no integrity`);
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (
        packages[`${path}/node_modules/${name}`] === undefined &&
        packages[`node_modules/${name}`] === undefined
      )
        problems.push(`${place} lacks its optional ${name}; npm ci would refuse the lock file`);
    }
    const node = entry.engines?.node ?? '*';
    for (const version of promisedNodeVersions) {
      if (!semver.satisfies(version, node))
        problems.push(`${place} refuses Node.js ${version} (engines: ${node})`);
    }
  }
  for (const kind of /** @type {const} */ (['dependencies', 'optionalDependencies', 'devDependencies'])) {
    if (JSON.stringify(packages['']?.[kind]) !== JSON.stringify(manifest[kind]))
      problems.push(`package-lock.json: ${kind} differ from package.json; run npm install`);
  }
  return problems;
}
