/** Step of `npm run check`: checks that neither the compiler nor the linter makes. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { licenceProblems } from '../reference/licences.mjs';
import { root } from '../setup/bootstrap.mjs';
import { runCommand } from '../setup/run-command.mjs';
import { checkControlAreas } from './control-areas.mjs';
import { checkFixedSleeps } from './fixed-sleeps.mjs';
import { checkFolderRanks } from './folder-ranks.mjs';
import { lockProblems } from './lock-problems.mjs';
import { checkNeedlessSpreads } from './needless-spreads.mjs';
import { plainEnglishProblems } from './plain-english.mjs';
import { checkSmallFiles } from './small-files.mjs';
import { checkTableOwners } from './table-owners.mjs';
import { unstableProblems, unstableTests } from './unstable-tests.mjs';
import { checkVagueNames } from './vague-names.mjs';

const problems = [
  ...lockProblems(readJson('package-lock.json'), readJson('package.json')),
  ...licenceProblems(readJson('package-lock.json'), readFileSync(join(root, 'docs', 'licences.md'), 'utf8')),
  ...checkControlAreas(root),
  ...checkFolderRanks(root),
  ...checkTableOwners(root),
  ...checkFixedSleeps(root),
  ...unstableProblems(root, unstableTests, Date.now()),
  ...checkNeedlessSpreads(root),
  ...checkSmallFiles(root),
  ...checkVagueNames(root),
  ...plainEnglishProblems(root),
];
await checkShellScripts();

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
}

/** @param {string} name */
function readJson(name) {
  return JSON.parse(readFileSync(join(root, name), 'utf8'));
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
