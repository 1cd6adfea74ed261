import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TonePhone } from '../../dev/tone/tone-phone.js';
import { generateSecretKey } from '../../src/contract/secret.js';
import { SipPeer } from '../../src/testkit/sip-peer.js';
import { until } from '../../src/testkit/waiting.js';
import { TestAuthority } from '../support/certificates.js';
import { type ComposeService, readCompose } from '../support/compose-file.js';
import { Containers, containerBases } from '../support/containers.js';
import { demoAgentCommand } from '../support/engine-under-test.js';
import { freePort } from '../support/free-ports.js';
import { type Machine, MachineNetwork } from '../support/machine.js';
import { TestProcess } from '../support/processes.js';

const root = join(import.meta.dirname, '..', '..');
const composeFile = join(root, 'docker-compose.yml');
const number = '12025550100';
const sipTlsPort = 5061;
const apiPort = 8080;
/** The base is Debian's, and the stand-in for it larger than the real one (75 MB). */
const largestOwnMegabytes = 250 - 75;
const mebibyte = 1_000_000;
/** Seconds of tone that count as heard: packets of 20 ms. */
const packetsToHear = 25;

/** The images of docker/, each service as docker-compose.yml says, in a network namespace that acts as a machine; caller and agent are outside. */
describe('the images', () => {
  let reason: string | undefined;
  let network: MachineNetwork;
  let machine: Machine;
  let containers: Containers;
  let directory: string;
  let authority: TestAuthority;
  let agent: TestProcess;
  let peer: SipPeer;
  let edgeImage: string;
  let services: ReadonlyMap<string, ComposeService>;
  let apiKey: string;
  const running = new Map<string, string>();

  const container = (name: string): string => running.get(name)!;

  const api = async <Data>(path: string, body?: unknown): Promise<Data> => {
    const answer = await machine.fetch(`http://127.0.0.1:${apiPort}${path}`, { key: apiKey, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return (answer.body as { data: Data }).data;
  };

  /** Starts these services, as `docker compose up` does, and waits until they are healthy. */
  async function start(...names: string[]): Promise<void> {
    const images: Record<string, string> = {
      'docker/edge.Dockerfile': edgeImage,
      'docker/rtpengine.Dockerfile': await rtpengineImage(),
    };
    await Promise.all(
      names.map(async (name) => {
        const service = services.get(name)!;
        const image = service.image ?? images[service.build!.dockerfile]!;
        running.set(name, await containers.start(name, service, { machine, image, composeFile }));
      }),
    );
    await Promise.all(names.map(healthy));
  }

  const rtpengineImage = (): Promise<string> =>
    containers.buildOnce('demarc-test-rtpengine', 'docker/rtpengine.Dockerfile', root, [
      'docker/rtpengine.sh',
    ]);

  async function healthy(name: string): Promise<void> {
    const isHealthyOrEnded = async (): Promise<boolean> =>
      (await containers.isHealthy(container(name), services.get(name)!)) !== false ||
      !(await containers.isRunning(container(name)));
    const check = async (): Promise<void> => {
      await until(isHealthyOrEnded, 90_000, `${name} is healthy`);
      if (!(await containers.isRunning(container(name)))) throw new Error(`${name} has ended.`);
    };
    await check().catch(async (failure: Error) => {
      throw new Error(`${failure.message}\n${await containers.logs(container(name))}`, { cause: failure });
    });
  }

  /** Resolves when an edge accepts calls. */
  const ready = (httpPort: number): Promise<void> =>
    until(
      async () =>
        (await machine.fetch(`http://127.0.0.1:${httpPort}/readyz`).catch(() => undefined))?.status === 200,
      60_000,
      `readiness at port ${httpPort}`,
    );

  async function startAgent(): Promise<string> {
    const listen = `${network.hostAddress}:${await freePort(network.hostAddress)}`;
    const [command, argv] = demoAgentCommand(['--listen', listen, '--tone-ms', '200']);
    agent = new TestProcess(command, argv, { cwd: root });
    await agent.message((message) => (message === undefined ? undefined : true), 60_000, 'agent ready');
    return `sip:agent@${listen};transport=tcp`;
  }

  /** What an operator writes: .env, demarc.env and the folder of the certificate. */
  async function configure(): Promise<Record<string, string>> {
    authority = await TestAuthority.create();
    const certificate = await authority.issue('server', ['localhost', machine.address]);
    const tls = join(directory, 'tls');
    mkdirSync(tls);
    for (const [from, to] of [
      [certificate.certFile, 'server.crt'],
      [certificate.keyFile, 'server.key'],
    ] as const) {
      copyFileSync(from, join(tls, to));
      chmodSync(join(tls, to), 0o644);
    }
    for (const path of [directory, tls]) chmodSync(path, 0o755);
    // A setting that the compose file does not name. The caller describes its media there.
    writeFileSync(join(directory, 'demarc.env'), `DEMARC_PRIVATE_NETWORKS=${network.hostAddress}/24\n`);
    return {
      LOCAL_ADDRESS: machine.address,
      TLS_DIRECTORY: tls,
      REDIS_PASSWORD: generateSecretKey(),
      POSTGRES_PASSWORD: generateSecretKey(),
      DRACHTIO_SECRET: generateSecretKey(),
      DEMARC_SECRET_KEY: generateSecretKey(),
      DEMARC_AGENT_URI: await startAgent(),
      DEMARC_PRIVATE_ENDPOINTS: 'allow',
      DEMARC_DRAIN_SECONDS: '20',
    };
  }

  async function bringNumber(): Promise<void> {
    const organization = await containers.exec(
      container('control'),
      'demarc',
      'org',
      'create',
      'acme',
      '--sip',
    );
    expect(organization.code, organization.output).toBe(0);
    const key = await containers.exec(container('control'), 'demarc', 'key', 'create', 'acme');
    apiKey = /sk-demarc-\S+/.exec(key.output)?.[0] ?? key.output;
    const attached = await api<{ configured: string[] }>('/v1/sip/attach', {
      phone_numbers: [`+${number}`],
      directions: [{ type: 'inbound', allowed_ips: [network.hostAddress] }],
      service: 'sip',
    });
    expect(attached.configured).toEqual([`+${number}`]);
  }

  /** A call that is up and heard. The number may not have reached the edges yet. */
  async function call(): Promise<TonePhone> {
    let phone: TonePhone | undefined;
    let refusal = '';
    await until(
      async () => {
        phone = await TonePhone.dial(peer, number, { hertz: 1_000 }).catch((failure: Error) => {
          refusal = failure.message;
          return undefined;
        });
        return phone !== undefined;
      },
      30_000,
      () => `a call that is up: ${refusal}`,
    );
    await heard(phone!);
    return phone!;
  }

  async function heard({ stream }: TonePhone): Promise<void> {
    const before = stream.heardAt.length;
    await until(
      () => stream.heardAt.length >= before + packetsToHear,
      20_000,
      'the tone, echoed by the agent',
    );
  }

  beforeAll(async () => {
    const bases = await containerBases();
    if ('reason' in bases) {
      ({ reason } = bases);
      return;
    }
    directory = mkdtempSync(join(tmpdir(), 'demarc-image-'));
    containers = new Containers(bases.storage, directory);
    // Packages come from this machine's npm cache and registry where possible.
    const mounts = [
      [join(homedir(), '.npm'), '/root/.npm'],
      [join(homedir(), '.npmrc'), '/root/.npmrc:ro'],
      ['/etc/ssl/certs', '/etc/ssl/certs:ro'],
    ].flatMap(([from, to]) => (existsSync(from!) ? [`${from}:${to}`] : []));
    edgeImage = await containers.build('docker/edge.Dockerfile', root, mounts);
    network = MachineNetwork.create();
    machine = network.add();
    services = readCompose(composeFile, await configure());
    await start('redis', 'postgres', 'rtpengine', 'engine');
    await start('edge-1', 'edge-2', 'control');
    await Promise.all([ready(8081), ready(8082), ready(apiPort)]);
    peer = await SipPeer.open({
      protocol: 'tls',
      target: { host: machine.address, port: sipTlsPort },
      host: network.hostAddress,
      ca: authority.ca,
      certificate: await authority.issue('phone', [network.hostAddress]),
    });
    await bringNumber();
  }, 1_200_000);

  afterAll(async () => {
    await peer?.close();
    await agent?.stop();
    await containers?.remove();
    network?.remove();
    authority?.remove();
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  }, 120_000);

  it('contain what the build of the tests creates, in at most 250 MB', async ({ skip }) => {
    skip(reason !== undefined, reason);
    const scripts = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const wanted = scripts
      .filter((path) => path.endsWith('.lua') || path.endsWith('-worker.ts'))
      .map((path) => path.replace(/\.ts$/, '.js'));
    expect(wanted.length).toBeGreaterThan(20);
    const listed = await containers.exec(container('control'), 'find', '/opt/demarc/dist', '-type', 'f');
    const present = new Set(listed.output.split('\n').map((path) => path.replace('/opt/demarc/dist/', '')));
    expect(wanted.filter((path) => !present.has(path))).toEqual([]);
    expect([...present].filter((path) => /\.(ts|map)$/.test(path))).toEqual([]);
    // Pruning has left what each dependency imports.
    // One of them needs the metadata of another.
    const script = `await import('reflect-metadata');
      for (const name of Object.keys(require('/opt/demarc/package.json').dependencies)) await import(name);`;
    const imported = await containers.exec(
      container('control'),
      'node',
      '--input-type=module',
      '-e',
      `import { createRequire } from 'node:module'; const require = createRequire('/opt/demarc/dist/cli.js'); ${script}`,
    );
    expect(imported.code, imported.output).toBe(0);
    const base = await containers.sizeOf('docker.io/library/debian:bookworm-slim');
    const own = ((await containers.sizeOf(edgeImage)) - base) / mebibyte;
    expect(own).toBeLessThan(largestOwnMegabytes);
  });

  it('run healthy, without root, capabilities and a writable root directory', async ({ skip }) => {
    skip(reason !== undefined, reason);
    for (const name of ['rtpengine', 'engine', 'edge-1', 'edge-2', 'control']) {
      const { output: status } = await containers.exec(container(name), 'cat', '/proc/1/status');
      expect(status, name).toMatch(/^CapEff:\s+0+$/m);
      expect(status, name).toMatch(/^NoNewPrivs:\s+1$/m);
      expect(status, name).not.toMatch(/^Uid:\s+0\b/m);
      expect((await containers.exec(container(name), 'touch', '/opt/written')).code, name).not.toBe(0);
    }
    for (const name of running.keys()) {
      expect(await containers.isHealthy(container(name), services.get(name)!), name).not.toBe(false);
    }
    const written = await containers.exec(container('control'), 'touch', '/var/lib/demarc/documents/written');
    expect(written.code, written.output).toBe(0);
  });

  it('keep a call while both edges are killed and started again', async ({ skip }) => {
    skip(reason !== undefined, reason);
    const phone = await call();
    const killedAt = performance.now();
    await Promise.all(['edge-1', 'edge-2'].map((name) => containers.kill(container(name), 'KILL')));
    await Promise.all(['edge-1', 'edge-2'].map((name) => containers.ended(container(name))));
    await heard(phone);
    await containers.restart(container('edge-1'));
    await ready(8081);
    expect(await phone.turn('sendonly')).toBe(200);
    expect(await phone.turn('sendrecv')).toBe(200);
    await heard(phone);
    expect(phone.stream.longestGap(killedAt, performance.now())).toBeLessThan(5_000);
    expect(await phone.hangUp()).toBe(200);
    phone.close();
    await containers.restart(container('edge-2'));
    await ready(8082);
    const calls = () => api<{ calls: { outcome: string }[] }>('/v1/sip/calls');
    await until(async () => (await calls()).calls.length === 1, 30_000, 'one record of the call');
    expect((await calls()).calls[0]).toMatchObject({ outcome: 'completed' });
  });

  it('drain on SIGTERM: calls continue on the other edge, and processes exit with 0', async ({ skip }) => {
    skip(reason !== undefined, reason);
    const phone = await call();
    await containers.kill(container('edge-1'), 'TERM');
    expect(await containers.ended(container('edge-1'))).toBe(0);
    await heard(phone);
    expect(await phone.hangUp()).toBe(200);
    phone.close();
    for (const name of ['control', 'edge-2', 'engine']) {
      await containers.kill(container(name), 'TERM');
      expect(await containers.ended(container(name)), await containers.logs(container(name))).toBe(0);
    }
  });
});
