import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PreparationError, report } from './progress.mjs';
import { runCommand } from './run-command.mjs';

const dashboard = join('src', 'dashboard');
/** Development programs next to the product: the demo agent and `npm run call`. */
const development = 'dev';
/** The typed API client, which the dashboard uses. */
const client = join('clients', 'typescript', 'src');

/**
 * @typedef {object} BuildStep
 * @property {string} name
 * @property {(path: string) => boolean} isSource whether a file below `sources` is an input of the step; paths are relative to the root
 * @property {string[]} settings other files that the step depends on
 * @property {string[]} command arguments for Node
 * @property {string[]} [productOptions] further ones where only the product is built
 */

const developmentPrograms = 'development programs';

/** The compiler is a Go program: in the seconds that it runs, collecting its garbage takes a quarter of its processor time. */
const environment = { ...process.env, GOGC: 'off' };

/** The folders that are searched for sources. */
const sources = ['src', development, client];

/**
 * The steps that create dist/ and dist-dev/; a step runs only when one of its sources has changed.
 * @type {readonly BuildStep[]}
 */
const steps = [
  {
    name: 'programs',
    isSource: (/** @type {string} */ path) => (isProgram(path) || isScript(path)) && path.startsWith('src'),
    settings: ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
    // `npm run check` checks the types, those of tests as well; to check them here takes four times the processor time.
    command: [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json', '--noCheck'],
    // The image contains neither, and types take half of the processor time.
    productOptions: ['--declaration', 'false', '--sourceMap', 'false'],
  },
  {
    name: 'dashboard',
    isSource: (/** @type {string} */ path) =>
      [dashboard, client, join('src', 'contract')].some((folder) => path.startsWith(folder)),
    settings: ['vite.config.ts', 'package-lock.json'],
    command: [join('node_modules', 'vite', 'bin', 'vite.js'), 'build'],
  },
  {
    name: developmentPrograms,
    isSource: (/** @type {string} */ path) => isProgram(path),
    settings: [join(development, 'vite.config.ts'), 'package-lock.json'],
    command: [
      join('node_modules', 'vite', 'bin', 'vite.js'),
      ...['build', '--config', join(development, 'vite.config.ts')],
    ],
  },
];

/**
 * Lua scripts for Redis; a module reads its script from the file next to it.
 * @param {string} path
 */
function isScript(path) {
  return path.endsWith('.lua');
}

/** @param {string} path */
function isProgram(path) {
  return path.endsWith('.ts') && !path.startsWith(dashboard) && !path.startsWith(client);
}

/**
 * @param {string} folder
 * @returns {string[]} paths of all files, sorted
 */
function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/**
 * The inputs of a step. Names, sizes and times instead of content, so that a start need not read every source.
 * @param {string} root
 * @param {string[]} files relative to the root
 * @param {BuildStep} step
 */
function fingerprint(root, files, { isSource, settings, command }) {
  const hash = createHash('sha256');
  hash.update(`${command.join(' ')}\n`);
  const existing = settings.filter((path) => existsSync(join(root, path)));
  for (const path of [...files.filter(isSource), ...existing]) {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/**
 * Runs the steps whose sources were changed, added or removed since the last build.
 * @param {string} root
 * @param {{ development?: boolean }} [options] development: false builds the product alone, as for the image, which has no `dev`
 * @returns {Promise<void>}
 */
export async function ensureBuild(root, { development: withDevelopment = true } = {}) {
  const files = sources
    .flatMap((folder) => filesUnder(join(root, folder)))
    .map((path) => relative(root, path));
  const needed = steps
    .filter(({ name }) => withDevelopment || name !== developmentPrograms)
    .map((step) => {
      const command = [...step.command, ...(withDevelopment ? [] : (step.productOptions ?? []))];
      return {
        name: step.name,
        command,
        stamp: join(root, 'dist', `.built-${step.name.replaceAll(' ', '-')}`),
        wanted: fingerprint(root, files, { ...step, command }),
      };
    })
    .filter(({ stamp, wanted }) => !existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted);
  if (needed.length === 0) return;
  report(`Building ${new Intl.ListFormat('en').format(needed.map(({ name }) => name))} …`);
  mkdirSync(join(root, 'dist'), { recursive: true });
  await Promise.all(
    needed.map(async ({ command, stamp, wanted }) => {
      const { code, output } = await runCommand(process.execPath, command, { cwd: root, env: environment });
      if (code !== 0) throw new PreparationError(`the build failed:\n${output.trim()}`);
      writeFileSync(stamp, wanted);
    }),
  );
  copyScripts(root, files.filter(isScript));
  removeOrphans(root);
  report('Built.');
}

/**
 * @param {string} root
 * @param {string[]} files relative to the root
 */
function copyScripts(root, files) {
  for (const path of files) {
    const copy = join(root, 'dist', relative('src', path));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(root, path), copy);
  }
}

/**
 * Removes files in dist/ whose source was deleted, because they could still be imported; overwriting in place keeps a running copy intact meanwhile.
 * @param {string} root
 */
function removeOrphans(root) {
  const pages = join(root, 'dist', 'dashboard');
  for (const path of filesUnder(join(root, 'dist'))) {
    if (!path.endsWith('.js') || path.startsWith(pages)) continue;
    const source = join(root, 'src', relative(join(root, 'dist'), path).replace(/\.js$/, '.ts'));
    if (existsSync(source)) continue;
    rmSync(path, { force: true });
    rmSync(`${path}.map`, { force: true });
    rmSync(path.replace(/\.js$/, '.d.ts'), { force: true });
  }
}
