import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../setup/bootstrap.mjs';
import { PreparationError } from '../setup/progress.mjs';
import { runCommand } from '../setup/run-command.mjs';
import { lowPriority } from './room.mjs';

/** @typedef {Readonly<Record<string, string>>} Images names of the built images, by their Dockerfile in the compose file */

export const edgeDockerfile = 'docker/edge.Dockerfile';
const rtpengineDockerfile = 'docker/rtpengine.Dockerfile';
/** What that of rtpengine copies. */
const rtpengineScripts = ['docker/rtpengine.sh', 'docker/rtpengine-health.sh'];
/** Of `npm test`, when it is interrupted. */
const graceMilliseconds = 10_000;
/** At a low priority, because tests that measure time run meanwhile. */
const longestSeconds = 1_100;

/**
 * Variables for podman and buildah: without these limits, runc may not raise those of this machine.
 * @param {string} directory for the file that they name
 */
export function containersEnvironment(directory) {
  const file = join(directory, 'containers.conf');
  writeFileSync(file, '[containers]\ndefault_ulimits=["nofile=1024:4096","nproc=4096:4096"]\n');
  return { ...process.env, CONTAINERS_CONF: file };
}

/**
 * Builds the images of docker/ on the stand-ins for their bases. That of rtpengine stays for later runs, as long as its files do not change,
 * and so do layers, as of any `docker build`: npm packages are installed again when they change.
 * @param {readonly string[]} storage options of podman and buildah
 * @returns {Promise<Images>} rejects with the end of the output when a build fails
 */
export async function buildImages(storage) {
  const directory = mkdtempSync(join(tmpdir(), 'demarc-images-'));
  try {
    const env = containersEnvironment(directory);
    const hash = createHash('sha256');
    for (const file of [rtpengineDockerfile, ...rtpengineScripts])
      hash.update(readFileSync(join(root, file)));
    const rtpengine = `demarc-test-rtpengine:${hash.digest('hex').slice(0, 12)}`;
    const { code } = await runCommand('podman', [...storage, 'image', 'exists', rtpengine], { env });
    if (code !== 0) await build(storage, env, rtpengineDockerfile, rtpengine);
    // Packages come from this machine's npm cache and registry where possible.
    const mounts = [
      [join(homedir(), '.npm'), '/root/.npm'],
      [join(homedir(), '.npmrc'), '/root/.npmrc:ro'],
      ['/etc/ssl/certs', '/etc/ssl/certs:ro'],
    ].filter(([from = '']) => existsSync(from));
    const edge = `demarc-test-edge-${process.pid}`;
    await build(storage, env, edgeDockerfile, edge, mounts);
    return { [edgeDockerfile]: edge, [rtpengineDockerfile]: rtpengine };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * @param {readonly string[]} storage
 * @param {NodeJS.ProcessEnv} env
 * @param {string} dockerfile
 * @param {string} image its name
 * @param {readonly string[][]} [mounts] of this machine's files during the build
 */
async function build(storage, env, dockerfile, image, mounts = []) {
  const options = mounts.flatMap((mount) => ['--volume', mount.join(':')]);
  const argv = ['bud', '--layers', '--isolation', 'chroot', '--tag', image, ...options];
  const file = ['--file', join(root, dockerfile)];
  const bounded = ['-n', lowPriority(), 'timeout', '--kill-after=10', String(longestSeconds)];
  const { code, output } = await runCommand(
    'nice',
    [...bounded, 'buildah', ...storage, ...argv, ...file, root],
    {
      env,
      graceMilliseconds,
    },
  );
  if (code !== 0) throw new PreparationError(`${dockerfile} was not built:\n${output.slice(-4_000)}`);
}
