import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { reachable } from './reachable.mjs';

/** The packages that are made of this repository. */
export const packageNames = /** @type {const} */ (['demarc', '@demarc/engine', '@demarc/client']);

/** @typedef {typeof packageNames[number]} PackageName */
/** @typedef {Record<string, unknown> & { readonly version: string, readonly engines: Record<string, string>, readonly dependencies: Record<string, string> }} Manifest */

/** What the package has beside dist/: its command with the installer of system packages, the demo agent, and the softphone. */
const beside = ['dev/setup/packaged.mjs', 'dist-dev/agent.js', 'dist-dev/call.js'];

/**
 * What a tarball contains, as it is compared: each file of the client; of the others, which have hundreds, the folders with the types of
 * their files.
 * @param {PackageName} name
 * @param {readonly string[]} files
 * @returns {string} a line each, sorted
 */
export function contentsOf(name, files) {
  const lines = files.map((path) => {
    if (name === '@demarc/client') return path;
    const folder = path.split('/').slice(0, 2).join('/');
    return path.split('/').length > 2 ? `${folder}/**${/\.[a-z]+(?:\.ts)?$/.exec(path)?.[0] ?? ''}` : path;
  });
  return `${[...new Set(lines)].sort().join('\n')}\n`;
}

const engineEntries = ['engine', 'sip', 'testkit'];

/**
 * Writes a package as it would be published into an empty folder, from what the build has made.
 * @param {string} root of the repository
 * @param {PackageName} name
 * @param {string} folder
 */
export function assemble(root, name, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (name === 'demarc') assembleProduct(root, folder);
  else if (name === '@demarc/engine') assembleEngine(root, folder);
  else assembleClient(root, folder);
}

/**
 * @param {string} root
 * @param {string} folder
 */
function assembleProduct(root, folder) {
  const manifest = readManifest(join(root, 'package.json'));
  const { name, version, description, type, license, engines, exports } = manifest;
  const { dependencies, optionalDependencies } = manifest;
  const declarations = reachable(declarationEntries(root, [...engineEntries, 'bot'])).files;
  const programs = filesBelow(join(root, 'dist')).filter(
    (path) => !/\.(?:map|d\.ts)$/.test(path) && !/(?:^|\/)\.[^/]+$/.test(path),
  );
  const modules = reachable([
    join(root, 'dist-dev', 'agent.js'),
    ...beside.map((path) => join(root, path)),
  ]).files;
  copy(root, folder, [...programs, ...declarations, ...modules]);
  copy(
    root,
    folder,
    ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE'].map((path) => join(root, path)),
  );
  copy(root, folder, filesBelow(join(root, 'deploy', 'systemd')));
  // From a registry, what was tested is what is installed.
  cpSync(join(root, 'package-lock.json'), join(folder, 'npm-shrinkwrap.json'));
  write(folder, {
    name,
    version,
    description,
    type,
    license,
    engines,
    exports,
    dependencies,
    optionalDependencies,
    bin: { demarc: 'dev/setup/packaged.mjs' },
  });
}

/**
 * @param {string} root
 * @param {string} folder
 */
function assembleEngine(root, folder) {
  const { version, engines, dependencies } = readManifest(join(root, 'package.json'));
  const manifest = readManifest(join(root, 'packages', 'engine', 'package.json'));
  const declarations = declarationEntries(root, engineEntries);
  const programs = reachable(declarations.map((path) => path.replace(/\.d\.ts$/, '.js')));
  const declared = reachable(declarations);
  copy(root, folder, [...programs.files, ...declared.files]);
  copy(root, folder, [join(root, 'LICENSE'), join(root, 'CHANGELOG.md')]);
  cpSync(join(root, 'packages', 'engine', 'README.md'), join(folder, 'README.md'));
  const needed = new Set([...programs.packages, ...declared.packages]);
  write(folder, {
    ...manifest,
    version,
    engines,
    dependencies: Object.fromEntries(Object.entries(dependencies).filter(([name]) => needed.has(name))),
  });
}

/**
 * Its own folder is the package; `npm pack` compiles it.
 * @param {string} root
 * @param {string} folder
 */
function assembleClient(root, folder) {
  const source = join(root, 'clients', 'typescript');
  const made = filesBelow(source).filter(
    (path) => !/(?:^|\/)(?:node_modules|dist)\//.test(relative(source, path)),
  );
  for (const path of made) {
    mkdirSync(dirname(join(folder, relative(source, path))), { recursive: true });
    cpSync(path, join(folder, relative(source, path)));
  }
}

/**
 * @param {string} root
 * @param {readonly string[]} names of exports
 */
function declarationEntries(root, names) {
  return names.map((name) => join(root, 'dist', name, 'index.d.ts'));
}

/**
 * @param {string} root
 * @param {string} folder
 * @param {readonly string[]} files below the root
 */
function copy(root, folder, files) {
  for (const path of files) {
    if (!existsSync(path)) continue;
    const to = join(folder, relative(root, path));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(path, to);
  }
}

/** @param {string} path @returns {Manifest} */
function readManifest(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/**
 * @param {string} folder
 * @param {object} manifest
 */
function write(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
