import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PreparationError, report } from './progress.mjs';
import { runCommand } from './run-command.mjs';

/**
 * @param {string} folder
 * @param {string} ending
 * @returns {string[]} paths, sorted
 */
function filesUnder(folder, ending) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(folder, name));
}

/**
 * What the build is made of. Names, sizes and times instead of content: a start should not read every source.
 * @param {string} root
 */
function fingerprint(root) {
  const hash = createHash('sha256');
  const sources = filesUnder(join(root, 'src'), '.ts');
  const settings = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'].map((name) =>
    join(root, name),
  );
  for (const path of [...sources, ...settings.filter((path) => existsSync(path))]) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${relative(root, path)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/**
 * Compiles src/ to dist/ when a source is newer, added or gone since the last build.
 * @param {string} root
 * @returns {Promise<void>}
 */
export async function ensureBuild(root) {
  const stamp = join(root, 'dist', '.built');
  const wanted = fingerprint(root);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  report('Building …');
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, output } = await runCommand(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
  });
  if (code !== 0) throw new PreparationError(`the build failed:\n${output.trim()}`);
  removeOrphans(root);
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, wanted);
  report('Built.');
}

/**
 * A file in dist/ whose source is gone could still be imported; overwriting in place keeps a running copy whole meanwhile.
 * @param {string} root
 */
function removeOrphans(root) {
  for (const path of filesUnder(join(root, 'dist'), '.js')) {
    const source = join(root, 'src', relative(join(root, 'dist'), path).replace(/\.js$/, '.ts'));
    if (existsSync(source)) continue;
    rmSync(path, { force: true });
    rmSync(`${path}.map`, { force: true });
  }
}
