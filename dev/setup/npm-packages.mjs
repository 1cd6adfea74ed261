import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PreparationError, report } from './progress.mjs';
import { runCommand } from './run-command.mjs';

/**
 * @typedef {{ version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean, link?: boolean,
 *   optionalDependencies?: Record<string, string> }} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} LockFile
 */

/**
 * @param {string} path
 * @returns {LockFile | undefined}
 */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Compares npm's record of the installed packages with package-lock.json, and checks that each folder exists.
 * @param {string} root the project's folder
 * @returns {string | undefined} why an install is needed
 */
export function npmInstallReason(root) {
  const wanted = readLock(join(root, 'package-lock.json'));
  if (wanted === undefined)
    return existsSync(join(root, 'node_modules')) ? undefined : 'node_modules is missing';
  const installed = readLock(join(root, 'node_modules', '.package-lock.json'));
  if (installed === undefined) return 'node_modules is missing';
  const own = Object.keys(wanted.packages?.['']?.optionalDependencies ?? {});
  for (const [path, locked] of Object.entries(wanted.packages ?? {})) {
    // Those of packages are for other platforms; the product's own are tested here.
    const isOptional = locked.optional === true && !own.some((name) => path === `node_modules/${name}`);
    if (path === '' || isOptional || locked.devOptional === true) continue;
    if (installed.packages?.[path]?.version !== locked.version) return 'package-lock.json has changed';
    if (!existsSync(join(root, path, 'package.json'))) return `${path} is missing`;
  }
  return undefined;
}

/**
 * @param {string} root
 * @returns {Promise<void>}
 */
export async function ensureNpmPackages(root) {
  const reason = npmInstallReason(root);
  if (reason === undefined) return;
  // The npm that runs this script, else the one in PATH; npm's own file is a script for node.
  const own = process.env.npm_execpath;
  const [file, ...prefix] = own?.endsWith('.js') ? [process.execPath, own] : ['npm'];
  const options = { cwd: root, env: installEnvironment() };
  report(`Installing npm packages (${reason}) …`);
  const first = await runCommand(
    file,
    [...prefix, 'ci', '--include=dev', '--no-audit', '--no-fund'],
    options,
  );
  if (first.code === 0) return report('npm packages are installed.');
  report('npm ci failed, trying npm install …');
  const second = await runCommand(
    file,
    [...prefix, 'install', '--include=dev', '--no-audit', '--no-fund'],
    options,
  );
  if (second.code !== 0) {
    throw new PreparationError(
      `npm packages could not be installed. To see the full output, run:\n  npm ci\n\nOutput:\n${second.output.trim()}`,
    );
  }
  report('npm packages are installed.');
}

/** npm passes its settings to scripts as npm_config_*; those of the outer command (--prefix, --omit) must not apply to this one. */
function installEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^npm_config_(prefix|local_prefix|omit|include|production|global|dry_run|workspaces?)$/i.test(name) &&
      name !== 'NODE_ENV',
  );
  return Object.fromEntries(kept);
}
