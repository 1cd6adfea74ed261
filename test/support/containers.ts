import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../src/testkit/waiting.js';
import { type ComposeService, environmentOf, volumeArgument } from './compose-file.js';
import type { Machine } from './machine.js';
import { TestProcess } from './processes.js';

type ContainerBases =
  | { readonly folder: string; readonly storage: readonly string[] }
  | { readonly reason: string };

// tsc reads no JavaScript, and the installer has to run before anything is compiled.
const installer = new URL('../../dev/gate/container-bases.mjs', import.meta.url).href;
const { findContainerBases } = (await import(installer)) as {
  findContainerBases: () => Promise<ContainerBases>;
};
const longestInstallMilliseconds = 900_000;
/** At a low priority, because tests that measure time run meanwhile. */
const longestBuildMilliseconds = 1_100_000;

/** Where images are built and run, or why they cannot be. @param outcome file that `npm test`, which installs the bases beside the tests, writes */
export async function containerBases(
  outcome: string | undefined = process.env.DEMARC_TEST_CONTAINER_BASES,
): Promise<ContainerBases> {
  if (outcome === undefined) return findContainerBases();
  await until(() => existsSync(outcome), longestInstallMilliseconds, 'the bases of the images are ready');
  return JSON.parse(readFileSync(outcome, 'utf8')) as ContainerBases;
}

/** Images and containers of one test, under unique names. */
export class Containers {
  private readonly started: string[] = [];
  private readonly images: string[] = [];
  private readonly volumes = new Set<string>();
  private readonly environment: NodeJS.ProcessEnv;
  readonly prefix = `demarc-test-${process.pid}`;

  /** @param directory for files that podman reads */
  constructor(
    private readonly storage: readonly string[],
    directory: string,
  ) {
    const file = join(directory, 'containers.conf');
    // Without these limits, runc may not raise those of this machine.
    writeFileSync(file, '[containers]\ndefault_ulimits=["nofile=1024:4096","nproc=4096:4096"]\n');
    this.environment = { ...process.env, CONTAINERS_CONF: file };
  }

  /** Builds an image; resolves with its name. @param mounts of this machine's files during the build */
  async build(dockerfile: string, context: string, mounts: readonly string[] = []): Promise<string> {
    const image = `${this.prefix}-${this.images.length}`;
    await this.runBuildah([
      ...['bud', '--isolation', 'chroot', '--tag', image, ...mounts.flatMap((mount) => ['--volume', mount])],
      ...['--file', join(context, dockerfile), context],
    ]);
    this.images.push(image);
    return image;
  }

  /** Builds an image unless an earlier run has built it from the same files; resolves with its name. It is not removed. */
  async buildOnce(
    name: string,
    dockerfile: string,
    context: string,
    files: readonly string[],
  ): Promise<string> {
    const hash = createHash('sha256');
    for (const file of [dockerfile, ...files]) hash.update(readFileSync(join(context, file)));
    const image = `${name}:${hash.digest('hex').slice(0, 12)}`;
    if ((await this.command('podman', [...this.podmanOptions, 'image', 'exists', image]).exit(60_000)) === 0)
      return image;
    const argv = [
      'bud',
      '--isolation',
      'chroot',
      '--tag',
      image,
      '--file',
      join(context, dockerfile),
      context,
    ];
    await this.runBuildah(argv);
    return image;
  }

  private runBuildah(argv: readonly string[]): Promise<string> {
    return this.run(longestBuildMilliseconds, 'nice', ['-n', '10', 'buildah', ...this.storage, ...argv]);
  }

  /** Size of all its layers in octets. */
  async sizeOf(image: string): Promise<number> {
    return Number(await this.podman('image', 'inspect', '--format', '{{.Size}}', image));
  }

  /** Starts a service as the compose file says, with the network of that machine as the host's; resolves with the container's name. @param context `folder` has the files that `env_file` names */
  async start(
    name: string,
    service: ComposeService,
    {
      machine,
      image,
      composeFile,
      folder,
    }: { machine: Machine; image: string; composeFile: string; folder: string },
  ): Promise<string> {
    const container = `${this.prefix}-${name}`;
    const volumes = service.volumes.map((volume) => volumeArgument(volume, composeFile, this.prefix));
    for (const volume of volumes) if (!volume.startsWith('/')) this.volumes.add(volume.split(':')[0]!);
    const variables = Object.entries(environmentOf(service, folder)).flatMap(([key, value]) => [
      '--env',
      `${key}=${value ?? ''}`,
    ]);
    this.started.push(container);
    await this.podman(
      ...['run', '--detach', '--name', container, '--network', `ns:${machine.networkPath}`],
      ...(service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
      ...service.tmpfs.flatMap((place) => ['--tmpfs', place]),
      ...service.cap_drop.flatMap((capability) => ['--cap-drop', capability.toLowerCase()]),
      ...service.cap_add.flatMap((capability) => ['--cap-add', capability]),
      ...service.security_opt.flatMap((option) => ['--security-opt', option.replace(/:true$/, '')]),
      ...(service.mem_limit === undefined ? [] : ['--memory', service.mem_limit]),
      ...volumes.flatMap((volume) => ['--volume', volume]),
      ...variables,
      ...(service.entrypoint === undefined ? [] : ['--entrypoint', JSON.stringify(service.entrypoint)]),
      image,
      ...(service.command ?? []),
    );
    return container;
  }

  /** Runs its health check; undefined: it has none. */
  async isHealthy(container: string, { healthcheck }: ComposeService): Promise<boolean | undefined> {
    const [kind, ...test] = healthcheck?.test ?? [];
    if (kind === undefined) return undefined;
    const command = kind === 'CMD' ? test : ['sh', '-c', ...test];
    return (await this.exec(container, ...command)).code === 0;
  }

  /** Runs a command in a container. */
  async exec(container: string, ...command: string[]): Promise<{ code: number | null; output: string }> {
    const ran = this.command('podman', [...this.podmanOptions, 'exec', container, ...command]);
    return { code: await ran.exit(60_000), output: ran.output };
  }

  async kill(container: string, signal: string): Promise<void> {
    await this.podman('kill', '--signal', signal, container);
  }

  /** Starts one that has ended again. */
  async restart(container: string): Promise<void> {
    await this.podman('start', container);
  }

  /** Resolves with the exit code when it has ended. */
  async ended(container: string): Promise<number> {
    return Number(await this.podman('wait', container));
  }

  /** What it has printed. */
  async logs(container: string): Promise<string> {
    return this.podman('logs', '--tail', '200', container);
  }

  async isRunning(container: string): Promise<boolean> {
    return (await this.podman('inspect', '--format', '{{.State.Running}}', container)) === 'true';
  }

  /** Removes all containers with their volumes; the images stay. */
  async stopAll(): Promise<void> {
    const [names, volumes] = [this.started.splice(0), [...this.volumes]];
    this.volumes.clear();
    if (names.length > 0) await this.attempt('rm', '--force', '--volumes', '--time', '0', ...names);
    if (volumes.length > 0) await this.attempt('volume', 'rm', '--force', ...volumes);
  }

  async remove(): Promise<void> {
    await this.stopAll();
    if (this.images.length > 0) await this.attempt('rmi', '--force', ...this.images);
    await this.attempt('image', 'prune', '--force');
  }

  private async attempt(...argv: string[]): Promise<void> {
    await this.podman(...argv).catch(() => undefined);
  }

  private readonly podman = (...argv: string[]): Promise<string> =>
    this.run(120_000, 'podman', [...this.podmanOptions, ...argv]);

  private get podmanOptions(): string[] {
    return [...this.storage, '--cgroup-manager', 'cgroupfs', '--runtime', 'runc'];
  }

  private async run(milliseconds: number, file: string, argv: readonly string[]): Promise<string> {
    const ran = this.command(file, argv);
    if ((await ran.exit(milliseconds)) === 0) return ran.output.trim();
    throw new Error(`${file} ${argv.join(' ')}:\n${ran.output.slice(-4_000)}`);
  }

  private command(file: string, argv: readonly string[]): TestProcess {
    return new TestProcess(file, argv, { env: this.environment });
  }
}
