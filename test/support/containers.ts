import { existsSync, readFileSync } from 'node:fs';
import { until } from '../../src/testkit/waiting.js';
import { type ComposeService, environmentOf, volumeArgument } from './compose-file.js';
import type { Machine } from './machine.js';
import { TestProcess } from './processes.js';

/** Images by their Dockerfile in the compose file, and the options of podman for them; or why there are none. */
type BuiltImages =
  | { readonly storage: readonly string[]; readonly images: Readonly<Record<string, string>> }
  | { readonly reason: string }
  | { readonly failure: string };

// tsc reads no JavaScript, and `npm test` has to run before anything is compiled.
const gate = new URL('../../dev/gate/', import.meta.url).href;
const { findContainerBases } = (await import(`${gate}container-bases.mjs`)) as {
  findContainerBases: () => Promise<{ readonly storage: readonly string[] } | { readonly reason: string }>;
};
const { buildImages, containersEnvironment, edgeDockerfile } = (await import(`${gate}image-builds.mjs`)) as {
  buildImages: (storage: readonly string[]) => Promise<Readonly<Record<string, string>>>;
  containersEnvironment: (directory: string) => NodeJS.ProcessEnv;
  edgeDockerfile: string;
};
/** On a fresh machine their bases are installed before; both at a low priority, because tests that measure time run meanwhile. */
const longestBuildMilliseconds = 1_700_000;

/** The images, or why they cannot be built here. @param outcome file that `npm test`, which builds them beside the tests, writes */
export async function builtImages(
  outcome: string | undefined = process.env.DEMARC_TEST_IMAGES,
): Promise<Exclude<BuiltImages, { readonly failure: string }>> {
  if (outcome === undefined) {
    const bases = await findContainerBases();
    return 'reason' in bases ? bases : { ...bases, images: await buildImages(bases.storage) };
  }
  await until(() => existsSync(outcome), longestBuildMilliseconds, 'the images are built');
  const built = JSON.parse(readFileSync(outcome, 'utf8')) as BuiltImages;
  if ('failure' in built) throw new Error(built.failure);
  return built;
}

/** Containers of one test, under unique names. */
export class Containers {
  private readonly started: string[] = [];
  private readonly volumes = new Set<string>();
  private readonly environment: NodeJS.ProcessEnv;
  readonly prefix = `demarc-test-${process.pid}`;

  /** @param directory for files that podman reads */
  constructor(
    private readonly storage: readonly string[],
    private readonly images: Readonly<Record<string, string>>,
    directory: string,
  ) {
    this.environment = containersEnvironment(directory);
  }

  /** The image that is built from Demarc's sources. */
  get edgeImage(): string {
    return this.images[edgeDockerfile]!;
  }

  /** The image that a service runs. */
  imageOf({ build, image }: ComposeService): string {
    return build === undefined ? image! : this.images[build.dockerfile]!;
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

  /** Removes the containers, and the image that was built for this test alone; its layers shorten the next builds of some days. */
  async remove(): Promise<void> {
    await this.stopAll();
    await this.attempt('rmi', '--force', '--no-prune', this.edgeImage);
    await this.attempt('image', 'prune', '--force', '--filter', 'until=72h');
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
