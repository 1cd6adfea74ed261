import { spawnSync } from 'node:child_process';
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
import { aptInstall, isInterrupted } from './apt-install.mjs';
import { PreparationError, report } from './progress.mjs';
import { runCommand } from './run-command.mjs';

/**
 * @typedef {object} SystemPackage
 * @property {string} binary a program that exists exactly when the package is installed
 * @property {readonly string[]} packages package names in Debian and Ubuntu
 * @property {readonly string[]} [services] systemd units that the packages would start
 * @property {boolean} [isOptional] what needs it says so itself; without root it is not required
 * @property {string} purpose
 */

/** @type {Record<'redis' | 'rtpengine' | 'postgres' | 'espeak' | 'flite' | 'tshark' | 'baresip' | 'linphonec' | 'sipp' | 'kamailio' | 'stunnel' | 'openssl' | 'httpx' | 'websockets' | 'iptables' | 'iproute' | 'systemd' | 'keepalived' | 'prometheus' | 'faketime' | 'pebble' | 'chromium', SystemPackage>} */
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
  espeak: {
    binary: 'espeak-ng',
    packages: ['espeak-ng'],
    isOptional: true,
    purpose: 'agent tests by voice: the voice of the caller',
  },
  flite: {
    binary: 'flite',
    packages: ['flite'],
    isOptional: true,
    purpose: 'agent tests by voice: more English voices of the caller',
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
  httpx: { binary: 'httpx', packages: ['python3-httpx'], purpose: 'tests: the Python client' },
  websockets: {
    // The package has no program.
    binary: 'python3',
    packages: ['python3', 'python3-websockets'],
    purpose: 'tests: a bot in Python',
  },
  iptables: { binary: 'iptables', packages: ['iptables'], purpose: 'tests: a network that loses datagrams' },
  iproute: { binary: 'tc', packages: ['iproute2'], purpose: 'tests: separate networks' },
  systemd: {
    binary: 'systemd-analyze',
    packages: ['systemd'],
    isOptional: true,
    purpose: 'tests: systemd units',
  },
  keepalived: {
    binary: 'keepalived',
    // Its checks and its notify script ask by curl.
    packages: ['keepalived', 'curl'],
    services: ['keepalived.service'],
    isOptional: true,
    purpose: 'tests: an address that moves to another machine',
  },
  prometheus: {
    binary: 'promtool',
    packages: ['prometheus'],
    services: ['prometheus.service'],
    isOptional: true,
    purpose: 'tests: configuration and rules of Prometheus',
  },
  faketime: {
    binary: 'faketime',
    packages: ['faketime'],
    isOptional: true,
    purpose: 'tests: a wall clock that is set while calls are up',
  },
  pebble: {
    binary: 'pebble',
    packages: ['pebble', 'lego'],
    isOptional: true,
    purpose: 'tests: an ACME server and its client',
  },
  // The same browser without its own windows, which takes a third less processor time in tests.
  chromium: {
    binary: 'chromium-headless-shell',
    packages: ['chromium-headless-shell'],
    purpose: 'tests: the dashboard in a browser',
  },
};

/** Daemons are installed in sbin, which an ordinary user's PATH often lacks. */
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

/** Adds the folders searched here to PATH, so that programs started later are found as well. */
export function widenPath() {
  process.env.PATH = folders.join(delimiter);
}

/** Debian installs one server per version, outside PATH. */
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
 * What dpkg says of packages: `installed`, `unpacked` and others; those that it does not know are missing, as all are without dpkg.
 * @param {readonly string[]} names
 * @param {string} [database]
 * @returns {ReadonlyMap<string, string>}
 */
function packageStates(names, database = '/var/lib/dpkg') {
  const { stdout } = spawnSync('dpkg-query', [`--admindir=${database}`, '-s', ...names], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
    maxBuffer: 16 * 1_024 * 1_024,
  });
  const found = (stdout ?? '').matchAll(/^Package: (\S+)\nStatus: \S+ \S+ (\S+)$/gm);
  return new Map([...found].map(([, name = '', state = '']) => [name, state]));
}

/**
 * Those whose program is missing, or comes from Debian's package and that or one that belongs to it is not installed: after an installation
 * that was killed, the program may be there and its package not configured.
 * @param {readonly SystemPackage[]} wanted
 * @param {string} [database] of dpkg
 */
export function absentOf(wanted, database) {
  const states = packageStates(
    wanted.flatMap(({ packages }) => packages),
    database,
  );
  const isAbsent = (/** @type {string} */ name) =>
    ['not-installed', 'config-files'].includes(states.get(name) ?? 'not-installed');
  // What waits for a trigger, such as a rebuilt index of manuals, is configured.
  const isReady = (/** @type {string} */ name) => /^(installed|triggers-\w+)$/.test(states.get(name) ?? '');
  return wanted.filter(({ binary, packages }) => {
    if (findBinary(binary) === undefined) return true;
    const [main] = packages;
    return main !== undefined && !isAbsent(main) && !packages.every(isReady);
  });
}

/**
 * @param {readonly SystemPackage[]} wanted
 * @returns {Promise<void>} rejects with the command to run when something is missing and cannot be installed
 */
export async function ensureSystemPackages(wanted) {
  const canInstall = process.getuid?.() === 0 && isDebianLike() && findBinary('apt-get') !== undefined;
  const absent = absentOf(wanted);
  const missing = canInstall ? absent : absent.filter(({ isOptional }) => isOptional !== true);
  for (const { binary, purpose } of absent.filter((entry) => !missing.includes(entry)))
    report(`Not installed: ${binary} (${purpose}).`);
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
    const complete = isInterrupted() ? 'sudo dpkg --configure -a && ' : '';
    throw new PreparationError(
      `these programs are missing:\n${list}\n\nInstall them, then run the command again:\n\n  ${complete}sudo apt-get update && sudo ${command}\n`,
    );
  }
  report(`Installing system packages: ${names.join(' ')} …`);
  await withoutStartingServices(() => aptInstall(names, command));
  await keepServicesOff(missing.flatMap(({ services }) => services ?? []));
  const still = absentOf(missing);
  if (still.length > 0) {
    throw new PreparationError(
      `apt installed the packages, but these programs are still not found or not configured: ${still.map(({ binary }) => binary).join(', ')}`,
    );
  }
  report('System packages are installed.');
}

function isDebianLike() {
  try {
    const release = readFileSync('/etc/os-release', 'utf8');
    return /^(ID|ID_LIKE)=.*\b(debian|ubuntu)\b/m.test(release);
  } catch {
    return false;
  }
}

const ownPolicy = '#!/bin/sh\n# Demarc is installing packages\nexit 101\n';

/**
 * Packaged services must not start: the user did not ask for them, and they would occupy well-known ports.
 * policy-rc.d is Debian's mechanism for that; an existing one is left in place, unless a killed installation of Demarc left it.
 * @param {() => Promise<void>} work
 * @param {string} [policy]
 */
export async function withoutStartingServices(work, policy = '/usr/sbin/policy-rc.d') {
  if (existsSync(policy) && readFileSync(policy, 'utf8') !== ownPolicy) return work();
  writeFileSync(policy, ownPolicy, { mode: 0o755 });
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
 * Disables the services of the packages, so that they stay off after a reboot as well.
 * @param {readonly string[]} services
 */
async function keepServicesOff(services) {
  if (services.length === 0 || !existsSync('/run/systemd/system')) return;
  await runCommand('systemctl', ['disable', ...services]);
  report(`Not enabled as system services: ${services.join(', ')} (Demarc runs private copies).`);
}
