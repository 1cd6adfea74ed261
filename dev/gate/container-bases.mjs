import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { releaseLock, takeLock } from '../setup/lock-file.mjs';
import { PreparationError, report } from '../setup/progress.mjs';
import { runCommand } from '../setup/run-command.mjs';
import { ensureSystemPackages, findBinary, systemPackages } from '../setup/system-packages.mjs';
import { cacheFolder } from './cache-folder.mjs';
import { ensureLtsNode } from './lts-node.mjs';
import { ensureNewerPrograms } from './newer-programs.mjs';

/**
 * Stand-ins for the bases of our images and for the images of Redis and PostgreSQL, under the names that `docker/` and the compose file give
 * them: tests reach package registries, but no registry of images.
 */
const suite = 'bookworm';
const names = /** @type {const} */ ({
  debian: 'docker.io/library/debian:bookworm-slim',
  unstable: 'docker.io/library/debian:sid-slim',
  node: 'docker.io/library/node:24-bookworm-slim',
  redis: 'docker.io/library/redis:7-bookworm',
  postgres: 'docker.io/library/postgres:16-bookworm',
});
/** As in Debian's own slim images, and what apt downloads again. */
const leftOut = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/locale/*', '/usr/share/info/*'];

const nodeImage = `FROM ${names.debian}
COPY node /usr/local/bin/node
ADD npm.tar /usr/local/lib/node_modules/
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
`;
/** Debian's servers from this machine, and as much of the entrypoint of PostgreSQL's image as the compose file uses. */
const serversImage = `FROM ${names.debian}
ADD servers.tar /
COPY docker-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
RUN useradd --system --home-dir /var/lib/postgresql postgres && useradd --system --home-dir /data redis && ldconfig \\
  && ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/ && mkdir -p /data /var/run/postgresql && chown postgres /var/run/postgresql
ENV PGDATA=/var/lib/postgresql/data
VOLUME /data /var/lib/postgresql/data
WORKDIR /data
`;
const entrypoint = `#!/bin/sh
set -eu
as() { setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"; }
chown -R postgres "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password && chown postgres /tmp/password
  as initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --no-sync -D "$PGDATA" > /dev/null
  rm /tmp/password
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  echo "CREATE DATABASE $POSTGRES_DB;" | as postgres --single -D "$PGDATA" postgres > /dev/null
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"
`;

/**
 * @typedef {object} Containers
 * @property {string} folder of the images
 * @property {string[]} storage options of podman and buildah: where images are and how layers are stored
 */
/** @typedef {Containers | { reason: string }} ContainerBases the images, or why they are missing, in one line */

const key = createHash('sha256')
  .update([suite, ...Object.values(names), nodeImage, serversImage, entrypoint].join('\n'))
  .digest('hex')
  .slice(0, 12);
const folderName = `containers-${key}`;
const folder = join(cacheFolder(), folderName);
/** podman takes at most 50 characters. */
const runRoot = `/run/demarc-test-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`;
const marker = join(folder, 'storage.json');

/**
 * Only checks for the images, for a test that runs without the installer.
 * @returns {Promise<ContainerBases>}
 */
export async function findContainerBases() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return { reason: 'containers require root on Linux' };
  }
  for (const program of ['podman', 'buildah', 'runc']) {
    if (findBinary(program) === undefined)
      return { reason: `${program} is not installed: npm test installs it` };
  }
  if (!existsSync(marker)) return { reason: `${marker} is missing: npm test creates it` };
  return { folder, storage: await storageOptions() };
}

/**
 * Creates the images unless they exist. Never rejects: where that fails, the tests that need them are skipped.
 * @returns {Promise<ContainerBases>}
 */
export async function ensureContainerBases() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return findContainerBases();
  try {
    await ensureSystemPackages([
      { binary: 'podman', packages: ['podman', 'buildah', 'runc'], purpose: 'tests: the images' },
      {
        binary: 'mmdebstrap',
        packages: ['mmdebstrap', 'debian-archive-keyring'],
        purpose: 'tests: their bases',
      },
    ]);
    if (!existsSync(marker)) await alone(make);
    return findContainerBases();
  } catch (failure) {
    if (!(failure instanceof PreparationError)) throw failure;
    return { reason: /** @type {string} */ (failure.message.split('\n', 1)[0]) };
  }
}

/**
 * Runs one installer at a time; the others find the images.
 * @param {() => Promise<void>} work
 */
async function alone(work) {
  await mkdir(folder, { recursive: true });
  const lock = join(cacheFolder(), `.${folderName}.lock`);
  while (!(await takeLock(lock))) await sleep(500);
  try {
    if (!existsSync(marker)) await work();
  } finally {
    await releaseLock(lock);
  }
}

async function make() {
  report(`Creating the bases of the images from Debian packages in ${folder} …`);
  const context = join(folder, 'context');
  await run('rm', ['-rf', '--one-file-system', context]);
  await mkdir(context, { recursive: true });
  const storage = await storageOptions();
  const base = join(context, 'base.tar');
  await run('timeout', [
    ...['--kill-after=10', '600', 'mmdebstrap', '--variant=apt'],
    // Mirrors may serve a release file that is some days old.
    ...['--aptopt=Acquire::Check-Valid-Until "false"', '--aptopt=Acquire::Retries "3"'],
    ...['--dpkgopt=force-unsafe-io', ...leftOut.map((path) => `--dpkgopt=path-exclude=${path}`)],
    ...['--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*', suite, base],
  ]);
  await run('podman', [...storage, 'import', base, names.debian]);
  await run('rm', [base]);
  await importUnstable(storage);
  await buildNode(context, storage);
  await buildServers(context, storage);
  await run('rm', ['-rf', '--one-file-system', context]);
  await writeFile(marker, JSON.stringify(names));
  report('The bases of the images are ready.');
}

/**
 * The root with the newer test programs, which has rtpengine already.
 * @param {string[]} storage
 */
async function importUnstable(storage) {
  const newer = await ensureNewerPrograms();
  if ('reason' in newer) throw new PreparationError(newer.reason);
  const pack = `tar -C '${newer.root}' --one-file-system --exclude='./tmp/*' --exclude='./proc/*' -c .`;
  await run('bash', [
    '-o',
    'pipefail',
    '-c',
    `${pack} | podman ${storage.join(' ')} import - ${names.unstable}`,
  ]);
}

/** @param {string} context @param {string[]} storage */
async function buildNode(context, storage) {
  const lts = await ensureLtsNode();
  if ('reason' in lts) throw new PreparationError(lts.reason);
  await copyFile(lts.node, join(context, 'node'));
  const { output: modules } = await run('npm', ['root', '--global']);
  await run('tar', ['-C', modules.trim().split('\n').at(-1) ?? '', '-cf', join(context, 'npm.tar'), 'npm']);
  await build(context, storage, nodeImage, [names.node]);
}

/** @param {string} context @param {string[]} storage */
async function buildServers(context, storage) {
  await ensureSystemPackages([systemPackages.redis, systemPackages.postgres]);
  const postgres = findBinary('postgres');
  if (postgres === undefined) throw new PreparationError('PostgreSQL is not installed');
  const binaries = ['redis-server', 'redis-cli'].map((program) => findBinary(program) ?? program);
  const version = dirname(dirname(realpathSync(postgres)));
  const programs = [
    ...binaries,
    ...['postgres', 'initdb', 'pg_isready'].map((name) => join(version, 'bin', name)),
  ];
  const { output } = await run('ldd', [...programs, join(version, 'lib', 'dict_snowball.so')]);
  const libraries = [...output.matchAll(/=> (\/\S+)/g)].map(([, path]) => /** @type {string} */ (path));
  const shared = version.replace('/usr/lib/', '/usr/share/');
  await run('tar', [
    ...[
      '-cf',
      join(context, 'servers.tar'),
      '--dereference',
      '--exclude=bitcode',
      '--exclude=llvmjit*',
      '-C',
      '/',
    ],
    ...[...new Set([...programs, ...libraries, join(version, 'lib'), shared])].map((path) => path.slice(1)),
  ]);
  await writeFile(join(context, 'docker-entrypoint.sh'), entrypoint, { mode: 0o755 });
  await build(context, storage, serversImage, [names.redis, names.postgres]);
}

/** @param {string} context @param {string[]} storage @param {string} content @param {string[]} tags */
async function build(context, storage, content, tags) {
  const file = join(context, 'Dockerfile');
  await writeFile(file, content);
  const named = tags.flatMap((tag) => ['--tag', tag]);
  await run('buildah', [...storage, 'bud', '--isolation', 'chroot', ...named, '--file', file, context]);
}

/** Layers as overlays where the kernel allows them in the folder, else as copies. */
async function storageOptions() {
  const trial = join(folder, `.trial.${process.pid}`);
  const [lower, upper, work, merged] = ['lower', 'upper', 'work', 'merged'].map((name) => join(trial, name));
  try {
    for (const path of [lower, upper, work, merged])
      await mkdir(/** @type {string} */ (path), { recursive: true });
    const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
    const mount = `mount -t overlay overlay -o ${options} ${merged} && umount ${merged}`;
    const { code } = await runCommand('unshare', ['--mount', 'sh', '-c', mount]);
    const driver = code === 0 ? 'overlay' : 'vfs';
    return ['--storage-driver', driver, '--root', join(folder, driver), '--runroot', runRoot];
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

/** @param {string} file @param {string[]} args */
async function run(file, args) {
  // Tests that do not need it run meanwhile.
  const outcome = await runCommand('nice', ['-n', '19', file, ...args]);
  if (outcome.code === 0) return outcome;
  const lines = outcome.output.trim().split('\n');
  const why = lines.findLast((line) => line.startsWith('E: ')) ?? lines.at(-1);
  throw new PreparationError(`${file} failed: ${why}`);
}
