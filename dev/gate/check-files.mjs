/** Part of `npm run check`: what neither the compiler nor the linter looks at. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../setup/bootstrap.mjs';
import { runCommand } from '../setup/run-command.mjs';

/** @type {string[]} */
const problems = [];

checkLockFile();
await checkShellScripts();

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
}

/**
 * A host in the lock file ties every install to it: a mirror or another registry could not serve it.
 * A platform's package that is missing in it makes `npm ci` fail on every platform.
 */
function checkLockFile() {
  const { packages = {} } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const [path, entry] of Object.entries(packages)) {
    const place = `package-lock.json: ${path === '' ? 'the project' : path}`;
    if ('resolved' in entry)
      problems.push(`${place} names a registry (${entry.resolved}); .npmrc turns that off, install again`);
    const isForAnotherPlatform = entry.optional === true && entry.os !== undefined;
    if (path !== '' && entry.integrity === undefined && !isForAnotherPlatform)
      problems.push(`${place} has no integrity`);
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (
        packages[`${path}/node_modules/${name}`] === undefined &&
        packages[`node_modules/${name}`] === undefined
      ) {
        problems.push(`${place} lacks its optional ${name}; npm ci would refuse the lock file`);
      }
    }
  }
  for (const kind of ['dependencies', 'devDependencies']) {
    if (JSON.stringify(packages['']?.[kind]) !== JSON.stringify(manifest[kind])) {
      problems.push(`package-lock.json: ${kind} differ from package.json; run npm install`);
    }
  }
}

async function checkShellScripts() {
  for (const path of shellScripts()) {
    const { code, output } = await runCommand('bash', ['-n', path]);
    if (code !== 0) problems.push(`${relative(root, path)}: ${output.trim()}`);
    if ((statSync(path).mode & 0o111) === 0) problems.push(`${relative(root, path)}: is not executable`);
  }
}

function shellScripts() {
  const folders = ['.ci', 'docker', 'test', 'config']
    .map((name) => join(root, name))
    .filter((path) => existsSync(path));
  return folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter(
      (path) =>
        statSync(path).isFile() && /^#!.*\b(ba|da)?sh\b/.test(readFileSync(path, 'utf8').slice(0, 64)),
    );
}
