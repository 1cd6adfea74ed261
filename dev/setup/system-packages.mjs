import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { PreparationError, report } from './progress.mjs';
import { runCommand } from './run-command.mjs';

/**
 * @typedef {object} SystemPackage
 * @property {string} binary a program that is there exactly when the package is
 * @property {readonly string[]} packages Debian's and Ubuntu's names
 * @property {readonly string[]} [services] systemd units that the packages would start
 * @property {string} purpose
 */

/** @type {Record<'redis' | 'rtpengine' | 'postgres' | 'tshark' | 'baresip' | 'linphonec' | 'sipp' | 'kamailio' | 'stunnel' | 'openssl' | 'iptables' | 'iproute' | 'chromium', SystemPackage>} */
export const systemPackages = {
  redis: {
    binary: 'redis-server',
    packages: ['redis-server'],
    services: ['redis-server.service'],
    purpose: 'configuration and call records',
  },
  rtpengine: {
    binary: 'rtpengine',
    packages: ['rtpengine-daemon'],
    services: ['rtpengine-daemon.service'],
    purpose: 'media: SRTP on one side, RTP on the other',
  },
  postgres: {
    binary: 'postgres',
    packages: ['postgresql'],
    services: ['postgresql.service'],
    purpose: 'numbers, keys and call history',
  },
  tshark: { binary: 'tshark', packages: ['tshark'], purpose: 'tests: capture files' },
  baresip: { binary: 'baresip', packages: ['baresip-core'], purpose: 'the softphone of npm run call' },
  linphonec: {
    binary: 'linphonec',
    packages: ['linphone-cli'],
    purpose: 'tests: a softphone that verifies certificates',
  },
  sipp: { binary: 'sipp', packages: ['sip-tester'], purpose: 'tests: scripted SIP' },
  kamailio: {
    binary: 'kamailio',
    packages: ['kamailio', 'kamailio-tls-modules'],
    services: ['kamailio.service'],
    purpose: 'tests: a PBX',
  },
  stunnel: {
    binary: 'stunnel4',
    packages: ['stunnel4'],
    services: ['stunnel4.service', 'stunnel.target'],
    purpose: 'tests: TLS for SIPp',
  },
  openssl: { binary: 'openssl', packages: ['openssl'], purpose: 'tests: TLS probes' },
  iptables: { binary: 'iptables', packages: ['iptables'], purpose: 'tests: a network that loses datagrams' },
  iproute: { binary: 'tc', packages: ['iproute2'], purpose: 'tests: networks of their own' },
  chromium: { binary: 'chromium', packages: ['chromium'], purpose: 'tests: the dashboard in a browser' },
};

/** Daemons live in sbin, which an ordinary user's PATH often lacks. */
const folders = [
  ...new Set([
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/local/sbin',
    '/usr/sbin',
    '/sbin',
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
  ]),
].filter((folder) => folder !== '');

/** What is started later must be found where it was found here. */
export function widenPath() {
  process.env.PATH = folders.join(delimiter);
}

/** Debian keeps a server of each version, out of PATH. */
function postgresFolders() {
  const versions = '/usr/lib/postgresql';
  return existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, 'bin')) : [];
}

/**
 * @param {string} binary
 * @returns {string | undefined} its full path
 */
export function findBinary(binary) {
  for (const folder of [...folders, ...postgresFolders()]) {
    const path = join(folder, binary);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/**
 * The program is there; and where it comes from Debian's package, the others that belong to it too.
 * @param {SystemPackage} entry
 */
function isInstalled({ binary, packages }) {
  if (findBinary(binary) === undefined) return false;
  const [main, ...others] = packages.map((name) => new RegExp(`^${name}(:[a-z0-9]+)?\\.list$`));
  const known = listFolder('/var/lib/dpkg/info');
  if (main === undefined || !known.some((file) => main.test(file))) return true;
  return others.every((pattern) => known.some((file) => pattern.test(file)));
}

/**
 * @param {string} path
 * @returns {string[]} empty when there is no such folder
 */
function listFolder(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/**
 * @param {readonly SystemPackage[]} wanted
 * @returns {Promise<void>} rejects with what to run when something is missing and cannot be installed
 */
export async function ensureSystemPackages(wanted) {
  const missing = wanted.filter((entry) => !isInstalled(entry));
  if (missing.length === 0) return;
  const names = missing.flatMap(({ packages }) => packages);
  const list = missing.map(({ binary, purpose }) => `  ${binary.padEnd(14)} ${purpose}`).join('\n');
  if (!isDebianLike() || findBinary('apt-get') === undefined) {
    throw new PreparationError(
      `these programs are missing:\n${list}\n\nAutomatic installation works only on Debian and Ubuntu (packages: ${names.join(' ')}).\n` +
        'Install the equivalent packages of your system, then run the command again.',
    );
  }
  const command = `apt-get install -y --no-install-recommends ${names.join(' ')}`;
  if (process.getuid?.() !== 0) {
    throw new PreparationError(
      `these programs are missing:\n${list}\n\nInstall them, then run the command again:\n\n  sudo apt-get update && sudo ${command}\n`,
    );
  }
  report(`Installing system packages: ${names.join(' ')} …`);
  await withoutStartingServices(() => aptInstall(names, command));
  await keepServicesOff(missing.flatMap(({ services }) => services ?? []));
  const still = missing.filter((entry) => !isInstalled(entry));
  if (still.length > 0) {
    throw new PreparationError(
      `apt installed the packages, but these programs are still not found: ${still.map(({ binary }) => binary).join(', ')}`,
    );
  }
  report('System packages are installed.');
}

/**
 * @param {readonly string[]} names
 * @param {string} command
 */
async function aptInstall(names, command) {
  // Another apt may hold the lock (a machine's first boot, unattended upgrades), a download may break off: neither is the end.
  const patience = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_MODE: 'l' };
  const install = () =>
    runCommand('apt-get', [...patience, 'install', '-y', '--no-install-recommends', ...names], { env });
  const update = async () => {
    report('Updating the package lists …');
    return runCommand('apt-get', [...patience, 'update'], { env });
  };
  let updated = false;
  if (!havePackageLists()) {
    await update();
    updated = true;
  }
  let outcome = await install();
  if (outcome.code !== 0 && !updated) {
    // Lists that are too old name versions the mirror no longer has.
    await update();
    outcome = await install();
  }
  if (outcome.code !== 0) {
    throw new PreparationError(
      `apt could not install the packages. To see the full output, run:\n\n  apt-get update && ${command}\n\nOutput:\n${outcome.output.trim().split('\n').slice(-15).join('\n')}`,
    );
  }
}

function havePackageLists() {
  return listFolder('/var/lib/apt/lists').some((name) => name.includes('_Packages'));
}

function isDebianLike() {
  try {
    const release = readFileSync('/etc/os-release', 'utf8');
    return /^(ID|ID_LIKE)=.*\b(debian|ubuntu)\b/m.test(release);
  } catch {
    return false;
  }
}

const policy = '/usr/sbin/policy-rc.d';

/**
 * Packaged services must not start: nobody asked for them, and they would sit on well-known ports.
 * policy-rc.d is Debian's way to say so; one that is already there decides for itself.
 * @param {() => Promise<void>} work
 */
async function withoutStartingServices(work) {
  if (existsSync(policy)) return work();
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const remove = () => rmSync(policy, { force: true });
  process.once('exit', remove);
  try {
    await work();
  } finally {
    remove();
    process.removeListener('exit', remove);
  }
}

/**
 * The services that came with the packages stay off after a reboot as well.
 * @param {readonly string[]} services
 */
async function keepServicesOff(services) {
  if (services.length === 0 || !existsSync('/run/systemd/system')) return;
  await runCommand('systemctl', ['disable', ...services]);
  report(`Not enabled as system services: ${services.join(', ')} (Demarc runs private copies).`);
}
