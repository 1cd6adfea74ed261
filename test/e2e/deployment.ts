import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { TonePhone } from '../../dev/tone/tone-phone.js';
import { generateSecretKey } from '../../src/contract/secret.js';
import { SipPeer } from '../../src/testkit/sip-peer.js';
import { pause, until } from '../../src/testkit/waiting.js';
import { TestAuthority } from '../support/certificates.js';
import { type ComposeService, readCompose } from '../support/compose-file.js';
import type { Containers } from '../support/containers.js';
import { demoAgentCommand } from '../support/engine-under-test.js';
import { freePort } from '../support/free-ports.js';
import { type Machine, MachineNetwork } from '../support/machine.js';
import { TestProcess } from '../support/processes.js';

export type Profile = 'edge' | 'media' | 'data' | 'control';

const root = join(import.meta.dirname, '..', '..');
const composeFile = join(root, 'docker-compose.yml');
const number = '12025550100';
const sipTlsPort = 5061;
const apiPort = 8080;
/** Packets of tone, 20 ms each, that count as heard. */
const packetsToHear = 25;

/** Of Prometheus' API. */
const targetsSchema = z.object({
  data: z.object({
    activeTargets: z.array(z.object({ labels: z.object({ job: z.string() }), health: z.string() })),
  }),
});

/** Each question starts processes in a container or namespace; asked without a pause, they take the processors from the services that start. */
const askMilliseconds = 1_000;
const withPauses = (ask: () => Promise<boolean>) => async (): Promise<boolean> => {
  if (await ask()) return true;
  await pause(askMilliseconds);
  return false;
};

interface PlacedService {
  readonly service: ComposeService;
  readonly machine: Machine;
}

/** docker-compose.yml on one or several machines (network namespaces), as an operator sets it up; caller and agent are outside of them. */
export class Deployment {
  private readonly network = MachineNetwork.create();
  private readonly directory = mkdtempSync(join(tmpdir(), 'demarc-deployment-'));
  private readonly machines = new Map<Profile, Machine>();
  private readonly services = new Map<string, PlacedService>();
  private readonly running = new Map<string, string>();
  private authority!: TestAuthority;
  private agent: TestProcess | undefined;
  private peer: SipPeer | undefined;
  private apiKey = '';

  private constructor(private readonly containers: Containers) {}

  /** Starts everything and configures a number. @param layout the profiles of each machine */
  static async start(containers: Containers, layout: readonly (readonly Profile[])[]): Promise<Deployment> {
    const deployment = new Deployment(containers);
    try {
      await deployment.configure(layout);
      await deployment.startServices('redis', 'postgres', 'rtpengine', 'engine');
      await deployment.startServices('edge-1', 'edge-2', 'media-stream', 'control');
      await Promise.all([
        deployment.ready('edge', 8081),
        deployment.ready('edge', 8082),
        deployment.ready('edge', 8083),
        deployment.ready('control', apiPort),
      ]);
      await deployment.bringNumber();
    } catch (failure) {
      await deployment.stop();
      throw failure;
    }
    return deployment;
  }

  container(name: string): string {
    return this.running.get(name)!;
  }

  service(name: string): ComposeService {
    return this.services.get(name)!.service;
  }

  /** Undefined: it has no health check. */
  private isHealthy(name: string): Promise<boolean | undefined> {
    return this.containers.isHealthy(this.container(name), this.service(name));
  }

  /** Runs a command in the container of a service. */
  exec(name: string, ...command: string[]): Promise<{ code: number | null; output: string }> {
    return this.containers.exec(this.container(name), ...command);
  }

  /** Resolves when an edge or control accepts work. */
  async ready(profile: Profile, httpPort: number): Promise<void> {
    const url = `http://127.0.0.1:${httpPort}/readyz`;
    const ask = () =>
      this.machines
        .get(profile)!
        .fetch(url)
        .catch(() => undefined);
    const isReady = withPauses(async () => (await ask())?.status === 200);
    await until(isReady, 60_000, `readiness at port ${httpPort}`);
  }

  async api<Data>(path: string, body?: unknown): Promise<Data> {
    const url = `http://127.0.0.1:${apiPort}${path}`;
    const answer = await this.machines.get('control')!.fetch(url, { key: this.apiKey, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return (answer.body as { data: Data }).data;
  }

  /** A call that is up and heard. The number may not have reached the edges yet. */
  async call(): Promise<TonePhone> {
    this.peer ??= await SipPeer.open({
      protocol: 'tls',
      target: { host: this.machines.get('edge')!.address, port: sipTlsPort },
      host: this.network.hostAddress,
      ca: this.authority.ca,
      certificate: await this.authority.issue('phone', [this.network.hostAddress]),
    });
    const { peer } = this;
    let refusal = '';
    const dial = () =>
      TonePhone.dial(peer, number, { hertz: 1_000 }).catch((failure: Error) => {
        refusal = failure.message;
        return undefined;
      });
    let phone = await dial();
    await until(
      async () => {
        phone ??= await dial();
        return phone !== undefined;
      },
      30_000,
      () => `a call that is up: ${refusal}`,
    );
    await this.heard(phone!);
    return phone!;
  }

  /** Resolves when the agent has echoed half a second of the caller's tone. */
  async heard({ stream }: TonePhone): Promise<void> {
    const before = stream.heardAt.length;
    await until(() => stream.heardAt.length >= before + packetsToHear, 20_000, 'the tone from the agent');
  }

  /**
   * Debian's Prometheus on the machine of the edges, with the command and the files of docker-compose.yml but for its interval: job and health of
   * each target, sorted, once all are up.
   */
  async scrapedJobs(prometheus: string): Promise<readonly string[]> {
    const machine = this.machines.get('edge')!;
    const { command = [] } = readCompose(composeFile, { LOCAL_ADDRESS: machine.address }, ['monitoring']).get(
      'prometheus',
    )!;
    const folder = this.folder('prometheus');
    cpSync(join(root, 'docker', 'prometheus'), folder, { recursive: true });
    const configuration = join(folder, 'prometheus.yml');
    const text = readFileSync(configuration, 'utf8');
    writeFileSync(configuration, text.replaceAll('_interval: 15s', '_interval: 1s'));
    const series = this.folder('series');
    const options = command.map((option) => option.replace('=/prometheus', `=${series}`));
    const inPlace = `mount --bind ${folder} /etc/prometheus && exec "$@"`;
    const running = machine.run('sh', ['-c', inPlace, 'sh', prometheus, ...options]);
    const scraped = async (): Promise<string[]> => {
      const answer = await machine.fetch('http://127.0.0.1:9090/api/v1/targets?state=active');
      const { activeTargets } = targetsSchema.parse(answer.body).data;
      return activeTargets.map(({ labels, health }) => `${labels.job} ${health}`).sort();
    };
    let jobs: readonly string[] = [];
    const isRead = async (): Promise<boolean> => {
      jobs = await scraped().catch(() => []);
      return jobs.length > 0 && jobs.every((job) => job.endsWith(' up'));
    };
    await until(withPauses(isRead), 60_000, () => `all targets up: ${jobs.join(', ')}\n${running.output}`);
    return jobs;
  }

  async stop(): Promise<void> {
    await this.peer?.close();
    await this.agent?.stop();
    await Promise.all([...new Set(this.machines.values())].map((machine) => machine.stop()));
    await this.containers.stopAll();
    this.network.remove();
    this.authority?.remove();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Writes what an operator writes: .env of each machine, demarc.env, the secrets and the certificate. */
  private async configure(layout: readonly (readonly Profile[])[]): Promise<void> {
    const placed = layout.map((profiles) => ({ profiles, machine: this.network.add() }));
    for (const { profiles, machine } of placed)
      for (const profile of profiles) this.machines.set(profile, machine);
    const isSeveral = placed.length > 1;
    const common = {
      TLS_DIRECTORY: await this.writeCertificate(),
      SECRETS_DIRECTORY: this.writeSecrets(isSeveral),
      REDIS_PASSWORD: generateSecretKey(),
      POSTGRES_PASSWORD: generateSecretKey(),
      DRACHTIO_SECRET: generateSecretKey(),
      DEMARC_AGENT_URI: await this.startAgent(),
      DEMARC_PRIVATE_ENDPOINTS: 'allow',
      DEMARC_DRAIN_SECONDS: '20',
      ...(isSeveral ? this.addresses() : { DEMARC_SECRET_KEY: generateSecretKey() }),
    };
    for (const { profiles, machine } of placed) {
      const variables = { ...common, LOCAL_ADDRESS: machine.address };
      for (const [name, service] of readCompose(composeFile, variables, profiles))
        this.services.set(name, { service, machine });
    }
  }

  /** What several machines need beyond one: where the components listen, and where the others find them. */
  private addresses(): Readonly<Record<string, string>> {
    const [data, media] = [this.machines.get('data')!.address, this.machines.get('media')!.address];
    return {
      REDIS_LISTEN: data,
      REDIS_HOST: data,
      POSTGRES_LISTEN: data,
      POSTGRES_HOST: data,
      RTPENGINE_NG_LISTEN: media,
      DEMARC_RTPENGINE: `${media}:22222;weight=2`,
      SIP_HOST: this.machines.get('edge')!.address,
    };
  }

  private async writeCertificate(): Promise<string> {
    this.authority = await TestAuthority.create();
    const certificate = await this.authority.issue('server', [
      'localhost',
      this.machines.get('edge')!.address,
    ]);
    const folder = this.folder('tls');
    for (const [from, name] of [
      [certificate.certFile, 'server.crt'],
      [certificate.keyFile, 'server.key'],
    ] as const) {
      copyFileSync(from, join(folder, name));
      chmodSync(join(folder, name), 0o644);
    }
    return folder;
  }

  /** demarc.env has a setting that the compose file does not name. The caller describes its media in that network. */
  private writeSecrets(withFiles: boolean): string {
    const folder = this.folder('secrets');
    const lines = [`DEMARC_PRIVATE_NETWORKS=${this.network.hostAddress}/24`];
    if (withFiles) {
      writeFileSync(join(folder, 'secret-key'), `${generateSecretKey()}\n`);
      lines.push('DEMARC_SECRET_KEY_FILE=/run/secrets/secret-key');
    }
    writeFileSync(join(this.directory, 'demarc.env'), `${lines.join('\n')}\n`);
    return folder;
  }

  /** Readable by the users of the images. */
  private folder(name: string): string {
    const path = join(this.directory, name);
    mkdirSync(path);
    for (const place of [this.directory, path]) chmodSync(place, 0o755);
    return path;
  }

  private async startAgent(): Promise<string> {
    const { hostAddress } = this.network;
    const listen = `${hostAddress}:${await freePort(hostAddress)}`;
    const [command, argv] = demoAgentCommand(['--listen', listen, '--tone-ms', '200']);
    this.agent = new TestProcess(command, argv, { cwd: root });
    await this.agent.message((message) => (message === undefined ? undefined : true), 60_000, 'agent ready');
    return `sip:agent@${listen};transport=tcp`;
  }

  /** Starts services as `docker compose up` does, and waits until they are healthy. */
  private async startServices(...names: string[]): Promise<void> {
    await Promise.all(
      names.map(async (name) => {
        const { service, machine } = this.services.get(name)!;
        const image = this.containers.imageOf(service);
        const context = { machine, image, composeFile, folder: this.directory };
        this.running.set(name, await this.containers.start(name, service, context));
      }),
    );
    await Promise.all(names.map((name) => this.healthy(name)));
  }

  private async healthy(name: string): Promise<void> {
    const isRunning = () => this.containers.isRunning(this.container(name));
    const isSettled = async () => (await this.isHealthy(name)) !== false || !(await isRunning());
    try {
      await until(withPauses(isSettled), 240_000, `${name} is healthy`);
      if (!(await isRunning())) throw new Error(`${name} has ended.`);
    } catch (failure) {
      const log = await this.containers.logs(this.container(name));
      throw new Error(`${(failure as Error).message}\n${log}`, { cause: failure });
    }
  }

  private async bringNumber(): Promise<void> {
    const organization = await this.exec('control', 'demarc', 'org', 'create', 'acme', '--sip');
    if (organization.code !== 0) throw new Error(organization.output);
    const key = await this.exec('control', 'demarc', 'key', 'create', 'acme');
    this.apiKey = /sk-demarc-\S+/.exec(key.output)?.[0] ?? key.output;
    await this.api('/v1/sip/attach', {
      phone_numbers: [`+${number}`],
      directions: [{ type: 'inbound', allowed_ips: [this.network.hostAddress] }],
      service: 'sip',
    });
  }
}
