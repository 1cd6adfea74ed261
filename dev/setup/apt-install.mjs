import { readdirSync } from 'node:fs';
import { PreparationError, report } from './progress.mjs';
import { runCommand } from './run-command.mjs';

/** @typedef {import('./run-command.mjs').Outcome} Outcome */

/** What completes an installation that was killed: dpkg's part, then the packages that it has not come to. Removes nothing. */
const completing = /** @type {const} */ ([
  ['dpkg', ['--configure', '-a']],
  ['apt-get', ['install', '-y', '--fix-broken', '--no-remove', '--no-install-recommends']],
]);

/** Another apt may hold the lock (first boot, unattended upgrades), or a download may break off: both are worth a retry. */
const patience = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];

const environment = {
  DEBIAN_FRONTEND: 'noninteractive',
  NEEDRESTART_MODE: 'l',
  // The texts below are in English.
  LC_ALL: 'C.UTF-8',
};

/**
 * Whether apt refused to work because an installation before it was killed, as an interrupted `npm start` does.
 * @param {string} output of `apt-get install`
 */
export const wasInterrupted = (output) =>
  /dpkg was interrupted|Unmet dependencies\. Try 'apt(-get)? --fix-broken install'/.test(output);

/**
 * The same without apt, for ordinary users; also true while another dpkg works.
 * @param {string} [journal]
 */
export const isInterrupted = (journal = '/var/lib/dpkg/updates') =>
  listFolder(journal).some((name) => /^\d+$/.test(name));

/**
 * Installs packages as root; an installation that was killed before is completed first.
 * @param {readonly string[]} names
 * @param {string} command shown to the user when it fails
 * @param {{ run?: typeof runCommand, hasLists?: () => boolean, say?: typeof report }} [options]
 * @returns {Promise<void>} rejects with a PreparationError
 */
export async function aptInstall(
  names,
  command,
  { run = runCommand, hasLists = havePackageLists, say = report } = {},
) {
  /**
   * @param {string} file
   * @param {readonly string[]} args
   */
  const begin = (file, args) =>
    run(file, file === 'apt-get' ? [...patience, ...args] : args, {
      env: { ...process.env, ...environment },
    });
  const install = () => begin('apt-get', ['install', '-y', '--no-install-recommends', ...names]);
  const update = async () => {
    say('Updating the package lists …');
    return begin('apt-get', ['update']);
  };
  let updated = false;
  if (!hasLists()) {
    await update();
    updated = true;
  }
  let outcome = await install();
  if (outcome.code !== 0 && wasInterrupted(outcome.output)) {
    say('An earlier installation of packages was interrupted; completing it (dpkg --configure -a) …');
    const completed = [];
    for (const [file, args] of completing) completed.push(await begin(file, args));
    outcome = await install();
    if (outcome.code !== 0 && wasInterrupted(outcome.output)) throw incomplete(completed);
  }
  if (outcome.code !== 0 && !updated) {
    // Outdated package lists name versions that the mirror no longer has.
    await update();
    outcome = await install();
  }
  if (outcome.code !== 0) {
    throw new PreparationError(
      `apt could not install the packages. To see the full output, run:\n\n  apt-get update && ${command}\n\nOutput:\n${lastLines(outcome.output)}`,
    );
  }
}

/** @param {readonly Outcome[]} outcomes of the commands that were to complete it */
function incomplete(outcomes) {
  const commands = completing.map(([file, args]) => `  ${file} ${args.join(' ')}`).join('\n');
  const output = outcomes.map((outcome) => outcome.output).join('\n');
  return new PreparationError(
    'an earlier installation of packages was interrupted, and could not be completed. Run these commands and mend what they report, ' +
      `then run the command again:\n\n${commands}\n\nOutput:\n${lastLines(output)}`,
  );
}

/** @param {string} output */
const lastLines = (output) => output.trim().split('\n').slice(-15).join('\n');

const havePackageLists = () => listFolder('/var/lib/apt/lists').some((name) => name.includes('_Packages'));

/**
 * @param {string} path
 * @returns {string[]} empty when the folder does not exist
 */
function listFolder(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
