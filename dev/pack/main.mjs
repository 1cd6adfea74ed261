/** `npm run packages -- [--contents] [folder]`: the packages of this repository as tarballs. `--contents` writes their sizes and what they contain to dev/pack/contents. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { prepare, root } from '../setup/bootstrap.mjs';
import { giveUp, PreparationError } from '../setup/progress.mjs';
import { runCommand } from '../setup/run-command.mjs';
import { assemble, contentsOf, packageNames } from './assemble.mjs';

try {
  await prepare([]);
  const isListing = process.argv[2] === '--contents';
  const folder = process.argv[isListing ? 3 : 2] ?? 'packed';
  const output = resolve(folder);
  mkdirSync(output, { recursive: true });
  for (const { name, tarball } of await pack(output)) {
    process.stdout.write(`${tarball}\n`);
    if (isListing) writeContents(name, tarball);
  }
} catch (failure) {
  giveUp(failure);
}

/**
 * @param {string} output folder for the tarballs
 */
async function pack(output) {
  const work = mkdtempSync(join(tmpdir(), 'demarc-pack-'));
  try {
    const folders = packageNames.map((name) => join(work, tarballName(name)));
    for (const [index, name] of packageNames.entries()) assemble(root, name, folders[index] ?? '');
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    await run(process.execPath, [compiler, '-p', join(work, tarballName('@demarc/client'))], root);
    // All by one npm, whose start takes longer than its work.
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', output, ...folders], work);
    return packageNames.map((name, index) => {
      const { version } = JSON.parse(readFileSync(join(folders[index] ?? '', 'package.json'), 'utf8'));
      return { name, tarball: join(output, `${tarballName(name)}-${version}.tgz`) };
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @param {typeof packageNames[number]} name @returns {string} without version */
function tarballName(name) {
  return name.replace('@', '').replace('/', '-');
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 */
async function run(program, args, cwd) {
  const { code, output } = await runCommand(program, args, { cwd });
  if (code !== 0) throw new PreparationError(`packing failed:\n${output.trim()}`);
}

/**
 * @param {typeof packageNames[number]} name
 * @param {string} tarball
 */
function writeContents(name, tarball) {
  const output = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' });
  const files = output
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
  const file = join(root, 'dev', 'pack', 'contents', `${basename(tarball).replace(/-\d.*$/, '')}.txt`);
  writeFileSync(file, `${statSync(tarball).size} octets\n${contentsOf(name, files)}`);
}
