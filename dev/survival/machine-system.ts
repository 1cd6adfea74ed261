import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { type CallControl, callControlChannel } from '../../src/contract/call-control.js';
import { type CallRecord, callRecordSchema } from '../../src/contract/call-record.js';
import { callStream, commandStream } from '../../src/contract/keys.js';
import { liveCallSchema } from '../../src/contract/live.js';
import { numberDocumentSchema } from '../../src/contract/number.js';
import { openCallOwnersKey, openCallsKey } from '../../src/contract/open-calls.js';
import { generateSecretKey, SecretBox } from '../../src/contract/secret.js';
import { formatHostPort } from '../../src/sip/uri.js';
import { SipPeer } from '../../src/testkit/sip-peer.js';
import { until } from '../../src/testkit/waiting.js';
import { operatorAgentSettings } from '../../test/support/agent-credentials.js';
import { TestAuthority } from '../../test/support/certificates.js';
import { demarcCommand, demoAgentCommand } from '../../test/support/engine-under-test.js';
import { type Machine, MachineNetwork } from '../../test/support/machine.js';
import { NumberWriter } from '../../test/support/number-writer.js';
import { TestProcess } from '../../test/support/processes.js';
import { findBinary } from '../setup/system-packages.mjs';
import { TonePhone } from '../tone/tone-phone.js';
import type { CallSystem } from './call-system.js';

const keepalivedExample = fileURLToPath(new URL('../../docker/keepalived', import.meta.url));
const startMilliseconds = 60_000;
export const ports = {
  tls: 5061,
  plain: 5060,
  agentSide: 5070,
  agent: 5080,
  ping: 5099,
  redis: 6379,
  ng: 22_222,
  http: 8081,
} as const;
const secret = 'machines';
const organization = 'acme';
const username = 'trunk-user';

/** How many calls `furtherCalls` makes. */
export const furtherKinds = 7;

export interface MachineSystemOptions {
  /** True: each machine has its own rtpengine. False: one elsewhere serves all. */
  readonly isMediaOnMachines?: boolean;
  readonly machines?: number;
  /**
   * One address for all, which the first machine has; the others are on standby. `early`: their sockets have it already; `unwatched`: and
   * their engines do not wait for it.
   */
  readonly address?: 'floating' | 'floating early' | 'floating unwatched' | 'keepalived';
  /** How long engines keep the calls of an edge that is gone; absent: their default. */
  readonly keepSeconds?: number;
  /** True: no machine dies, so that every call continues where it is. */
  readonly staysUp?: boolean;
  /** Of all addresses; default IPv4. */
  readonly family?: 4 | 6;
  /** True: `furtherCalls` makes some of each kind. */
  readonly hasAllKinds?: boolean;
  readonly edge?: Readonly<Record<string, string>>;
}

/** Why there can be no such system here; undefined: there can. */
export const machinesRefusal = ({ address }: MachineSystemOptions): string | undefined =>
  address === 'keepalived' && findBinary('keepalived') === undefined
    ? 'keepalived is not installed (apt-get install keepalived)'
    : MachineNetwork.refusal();

/** Engine and edge on each of several machines (network namespaces); callers, agent and Redis are elsewhere, and do not die. */
export class MachineSystem implements CallSystem {
  readonly machines: Machine[] = [];
  private readonly network: MachineNetwork;
  private readonly directory = mkdtempSync(join(tmpdir(), 'demarc-machines-'));
  private readonly processes: TestProcess[] = [];
  private readonly peers: SipPeer[] = [];
  private readonly seen: CallRecord[] = [];
  private readonly edges = new Map<Machine, TestProcess>();
  private readonly keepalived: TestProcess[] = [];
  /** Of keepalived. */
  private scripts: string | undefined;
  private readonly engines = new Map<Machine, TestProcess>();
  private readonly key = generateSecretKey();
  private authority!: TestAuthority;
  private certificate!: { certFile: string; keyFile: string };
  private client!: Redis;
  /** Monotonic milliseconds of the last `moveAddress`. */
  movedAt = 0;
  private readFrom = '0';
  private numbers = 0;

  private constructor(private readonly options: MachineSystemOptions) {
    this.network = MachineNetwork.create(options.family);
  }

  static async start(options: MachineSystemOptions = {}): Promise<MachineSystem> {
    const system = new MachineSystem(options);
    try {
      await system.startAll();
      return system;
    } catch (error) {
      await system.stop();
      throw error;
    }
  }

  private get isFloating(): boolean {
    return this.options.address !== undefined;
  }

  private get waitsForAddress(): boolean {
    return this.isFloating && this.options.address !== 'floating unwatched';
  }

  private get hasKeepalived(): boolean {
    return this.options.address === 'keepalived';
  }

  /** Where a machine's engine listens. */
  private sipHost(machine: Machine): string {
    return this.isFloating ? this.network.floatingAddress : machine.address;
  }

  get host(): string {
    return this.network.hostAddress;
  }

  /** What all processes have written. */
  get logs(): string {
    const named = this.machines.flatMap((machine) => [
      `--- engine ${machine.address}`,
      this.engines.get(machine)?.output ?? '',
      `--- edge ${machine.address}`,
      this.edges.get(machine)?.output ?? '',
    ]);
    return named.join('\n');
  }

  /** A trunk over TLS to the first machine. */
  caller(): Promise<SipPeer> {
    return this.peer('tls');
  }

  /** The same number's trunk, to the last machine. */
  get laterCaller(): (() => Promise<SipPeer>) | undefined {
    return this.isFloating || this.options.staysUp === true
      ? undefined
      : () => this.peer('tls', this.machines.at(-1)!);
  }

  /** Once the address has moved: TCP repeats what was sent to the former machine at growing intervals. */
  get newCaller(): (() => Promise<SipPeer>) | undefined {
    if (!this.isFloating || this.options.staysUp === true) return undefined;
    return async () => {
      await until(() => this.movedAt > 0, 30_000, 'the move of the address');
      return this.peer('tls');
    };
  }

  /** The second machine gets the address of the first one; resolves at once. */
  moveAddress({ isFromLiving }: { readonly isFromLiving: boolean }): void {
    const [first, second] = this.machines as [Machine, Machine];
    this.network.moveAddress(second, isFromLiving ? first : undefined);
    this.movedAt = performance.now();
  }

  peer(protocol: 'udp' | 'tcp' | 'tls', machine = this.machines[0]!): Promise<SipPeer> {
    return this.open(protocol, machine, { host: this.host });
  }

  /** One that only it can open connections with; and the address that engines see it at. */
  async peerBehindNat(protocol: 'tcp' | 'tls'): Promise<{ readonly peer: SipPeer; readonly source: string }> {
    const { address, publicAddress } = this.network.addTranslation();
    const peer = await this.open(protocol, this.machines[0]!, { host: address, localAddress: address });
    return { peer, source: publicAddress };
  }

  private async open(
    protocol: 'udp' | 'tcp' | 'tls',
    machine: Machine,
    local: { readonly host: string; readonly localAddress?: string },
  ): Promise<SipPeer> {
    const peer = await SipPeer.open({
      protocol,
      target: { host: this.sipHost(machine), port: protocol === 'tls' ? ports.tls : ports.plain },
      ...local,
      ...(protocol === 'tls' && {
        ca: this.authority.ca,
        certificate: await this.authority.issue(`peer-${this.peers.length}`, [this.host]),
      }),
    });
    this.peers.push(peer);
    return peer;
  }

  async number(
    { port, protocol }: SipPeer,
    inbound: Readonly<Record<string, unknown>> = {},
    outbound: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const number = `1202555${String(1_000 + ++this.numbers)}`;
    await new NumberWriter(this.client).put(
      numberDocumentSchema.parse({
        version: 1,
        number,
        organization,
        updated_at: new Date().toISOString(),
        inbound: [{ id: 'in', allowed_sources: [this.host], ...inbound }],
        outbound: [{ id: 'trunk', host: this.host, port, transport: protocol, ...outbound }],
        codecs: { order: ['PCMU', 'PCMA'] },
      }),
    );
    return number;
  }

  async order(number: string): Promise<string> {
    const command = {
      version: 1,
      call_id: randomUUID(),
      organization,
      number,
      phone_number: '14155550100',
      max_duration_seconds: 600,
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    };
    await this.client.xadd(commandStream, '*', 'command', JSON.stringify(command));
    return command.call_id;
  }

  /** Id of the active call to that number. */
  async callTo(number: string): Promise<string> {
    for (const owner of await this.client.smembers(openCallOwnersKey))
      for (const json of await this.client.hvals(openCallsKey(owner))) {
        const call = liveCallSchema.parse(JSON.parse(json));
        if (call.number === number) return call.call_id;
      }
    throw new Error(`No call to ${number} is active.`);
  }

  async end(callId: string): Promise<void> {
    const control: CallControl = {
      request_id: randomUUID(),
      call_id: callId,
      organization,
      action: 'stop',
    };
    await this.client.publish(callControlChannel, JSON.stringify(control));
  }

  /** Over TCP and UDP, ordered ones at a UDP trunk that challenges every INVITE, and one that was transferred. */
  async furtherCalls(hertzOf: (index: number) => number): Promise<TonePhone[]> {
    if (this.options.hasAllKinds !== true) return [];
    const phones: TonePhone[] = [];
    const next = () => ({ hertz: hertzOf(phones.length) });
    for (const protocol of ['tcp', 'udp'] as const) {
      const peer = await this.peer(protocol);
      const number = await this.number(peer);
      for (let index = 0; index < 2; index++) phones.push(await TonePhone.dial(peer, number, next()));
    }
    const trunk = await this.peer('udp');
    const credential = { username, password: new SecretBox([this.key]).seal('secret') };
    const number = await this.number(trunk, {}, { credential });
    for (let index = 0; index < 2; index++) {
      const taken = TonePhone.answer(trunk, { ...next(), challenges: username });
      await this.order(number);
      phones.push(await taken);
    }
    phones.push(await this.transferred(next().hertz));
    return phones;
  }

  /** The target of a transfer, once its transferor has left. */
  private async transferred(hertz: number): Promise<TonePhone> {
    const peer = await this.peer('tls');
    const transferor = await TonePhone.dial(peer, await this.number(peer), { hertz });
    const taken = TonePhone.answer(peer, { hertz });
    const status = await transferor.refer(`sip:1001@${formatHostPort(this.host)}`);
    if (status !== 202) throw new Error(`REFER: ${status}`);
    const target = await taken;
    await until(() => transferor.transferOutcome === 200, 10_000, 'the outcome of the transfer');
    if (transferor.isUp) await transferor.hangUp();
    transferor.close();
    return target;
  }

  async records(callIds: readonly string[]) {
    const wanted = (): CallRecord[] => {
      return this.seen.filter((record) => idsOf(record).some((id) => callIds.includes(id)));
    };
    await until(
      async () => {
        await this.readRecords();
        return new Set(wanted().map(({ call_id: id }) => id)).size >= callIds.length;
      },
      15_000,
      'all records',
    ).catch(() => {});
    const all = wanted();
    const complete = all.filter((record) => record.answered_at !== null && record.trace.length > 0);
    const isRepeated = new Set(all.map(({ call_id: id }) => id)).size < all.length;
    return {
      complete: new Set(complete.map(({ call_id: id }) => id)).size,
      problems: isRepeated ? ['a call has two records'] : [],
    };
  }

  async ended(): Promise<void> {
    await Promise.all(this.peers.splice(0).map((peer) => peer.close()));
    for (const [machine, edge] of this.edges) {
      if (!edge.isRunning) continue;
      await until(
        async () => {
          const text = await (await fetch(this.url(machine, '/metrics'))).text();
          const left = [...text.matchAll(/^demarc_(?:calls|ending|dialogs|admitted)(?:\{\S*\})? (\d+)$/gm)];
          return left.length > 0 && left.every(([, count]) => count === '0');
        },
        30_000,
        'no call is left in the metrics',
      );
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.peers.splice(0).map((peer) => peer.close()));
    await Promise.all(this.machines.map((machine) => machine.stop()));
    this.client?.disconnect();
    await Promise.all(this.processes.map((each) => each.stop(2_000)));
    this.network.remove();
    this.authority?.remove();
    for (const directory of [this.directory, this.scripts])
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  }

  private async startAll(): Promise<void> {
    const { host } = this;
    const redis = ['--bind', host, '--port', String(ports.redis), '--protected-mode', 'no', '--save', ''];
    const server = new TestProcess('redis-server', [...redis, '--dir', this.directory]);
    this.processes.push(server);
    await server.line(/Ready to accept connections/, 10_000);
    this.client = new Redis({ host, port: ports.redis });
    const [command, argv] = demoAgentCommand([
      '--listen',
      formatHostPort(host, ports.agent),
      ...['--ring-ms', '100', '--tone-ms', '500'],
    ]);
    const agent = new TestProcess(command, argv);
    this.processes.push(agent);
    for (let index = 0; index < (this.options.machines ?? 2); index++) this.machines.push(this.network.add());
    this.authority = await TestAuthority.create();
    this.certificate = await this.authority.issue('server', [
      'localhost',
      this.network.floatingAddress,
      ...this.machines.map(({ address }) => address),
    ]);
    if (this.options.address === 'floating early' || this.options.address === 'floating unwatched')
      for (const machine of this.machines) machine.allowEarlyBinding();
    if (this.isFloating && !this.hasKeepalived) this.network.moveAddress(this.machines[0]!);
    if (this.options.isMediaOnMachines !== true)
      this.processes.push(new TestProcess('rtpengine', rtpengineOptions(host)));
    // Alone, so that every call begins there.
    await Promise.all([
      agent.line(/Agent is ready/, startMilliseconds),
      this.startMachine(this.machines[0]!),
    ]);
  }

  /** Starts the other machines; resolves when each edge has an answer to its pings from all others. */
  async startOthers(): Promise<void> {
    await Promise.all(this.machines.slice(1).map((machine) => this.startMachine(machine)));
    // On standby they hold no calls, so the first one does not ping them.
    const pinging = this.isFloating ? this.machines.slice(1) : this.machines;
    const expected = this.isFloating ? 1 : this.machines.length - 1;
    const answer = async (machine: Machine): Promise<boolean> => {
      const text = await (await fetch(this.url(machine, '/metrics'))).text();
      return new RegExp(`^demarc_other_edges\\{.*state="answers".*\\} ${expected}$`, 'm').test(text);
    };
    await until(
      async () => (await Promise.all(pinging.map(answer))).every(Boolean),
      20_000,
      'answers to the pings of all edges',
    );
  }

  /** With the example configuration, which has other addresses, and less patience than a busy machine needs. */
  private async startKeepalived(machine: Machine): Promise<void> {
    const { floatingAddress } = this.network;
    const [neighbor] = this.machines.filter((each) => each !== machine);
    // It runs no script below a folder that others can write to (enable_script_security).
    this.scripts ??= mkdtempSync('/run/demarc-keepalived-');
    const directory = join(this.scripts, machine.address);
    mkdirSync(directory);
    const script = join(directory, 'notify.sh');
    const notify = readFileSync(join(keepalivedExample, 'notify.sh'), 'utf8')
      .replaceAll('127.0.0.1:8081', `${machine.address}:${ports.http}`)
      // Otherwise keepalived discards what it prints.
      .replace('set -u\n', `set -u\nexec >> ${this.noticesOf(machine)}\n`);
    writeFileSync(script, notify, { mode: 0o755 });
    const text = readFileSync(join(keepalivedExample, 'keepalived.conf'), 'utf8')
      .replaceAll('192.0.2.10', floatingAddress)
      .replaceAll('192.0.2.11', machine.address)
      .replaceAll('192.0.2.12', neighbor!.address)
      .replaceAll('/etc/keepalived/notify.sh', script)
      .replace('advert_int 0.3', 'advert_int 0.5')
      .replace('fall 3', 'fall 10');
    const file = join(directory, 'keepalived.conf');
    writeFileSync(file, text);
    const pids = ['--pid', join(directory, 'pid'), '--vrrp_pid', join(directory, 'vrrp')];
    const keepalived = machine.run('keepalived', ['-n', '-l', '-P', '-f', file, ...pids]);
    this.keepalived.push(keepalived);
    if (machine !== this.machines[0]) return;
    await until(
      // Asynchronous, so that the program that says it is started less often the longer it takes.
      async () => machine.has(floatingAddress),
      20_000,
      () => `the address: ${keepalived.output}`,
    );
    this.network.holderOfAddress = machine;
    await this.ready(machine);
  }

  /** Resolves when keepalived has given the address to the second machine, and its notify script has found the edge ready. */
  async addressMoved(): Promise<void> {
    const [, second] = this.machines as [Machine, Machine];
    await until(() => second.has(this.network.floatingAddress), 20_000, 'the address at the other machine');
    this.movedAt = performance.now();
    this.network.holderOfAddress = second;
    const isNotified = async (): Promise<boolean> =>
      (await readFile(this.noticesOf(second), 'utf8').catch(() => '')).includes('its edge takes calls');
    await until(isNotified, 20_000, () => `the notice of the notify script: ${this.keepalived[1]!.output}`);
  }

  /** What its notify script has printed. */
  private noticesOf({ address }: Machine): string {
    return join(this.directory, `notices-${address}`);
  }

  private async startMachine(machine: Machine): Promise<void> {
    if (this.options.isMediaOnMachines === true) machine.run('rtpengine', rtpengineOptions(machine.address));
    await this.startEngine(machine);
    await this.startEdge(machine);
    // It asks the engine whether the machine may have the address.
    if (this.hasKeepalived) await this.startKeepalived(machine);
  }

  /** `kill -9`, and started again. */
  async restartEngine(machine: Machine): Promise<void> {
    const engine = this.engines.get(machine)!;
    engine.signal('SIGKILL');
    await engine.exit(5_000);
    await this.startEngine(machine);
  }

  async startEngine(machine: Machine): Promise<void> {
    const address = this.sipHost(machine);
    const { certFile, keyFile } = this.certificate;
    const { keepSeconds } = this.options;
    const engine = machine.run(
      ...demarcCommand('engine', [
        ...['--admin', '127.0.0.1:9022', '--tls', formatHostPort(address, ports.tls)],
        ...['--tcp', formatHostPort(address, ports.plain), '--udp', formatHostPort(address, ports.plain)],
        ...['--tcp', formatHostPort(address, ports.agentSide)],
        ...['--cert', certFile, '--key', keyFile, '--ca', this.authority.caFile],
        ...['--restore-seconds', '3'],
        ...(keepSeconds === undefined ? [] : ['--keep-seconds', String(keepSeconds)]),
        ...(this.waitsForAddress ? ['--standby'] : []),
        ...['--metrics', '127.0.0.1:9099'],
      ]),
      { ...inherited(), DEMARC_ENGINE_SECRET: secret },
    );
    this.engines.set(machine, engine);
    await engine.line(this.isStandby(machine) ? /Waiting for the addresses/ : /"ready"/, startMilliseconds);
  }

  async startEdge(machine: Machine): Promise<void> {
    const { host } = this;
    const { address } = machine;
    const nodes =
      this.options.isMediaOnMachines === true ? this.machines.map((each) => each.address) : [host];
    const edge = machine.run(...demarcCommand('edge', []), {
      ...inherited(),
      DEMARC_EDGE_ID: `edge-${address.replaceAll(':', '-')}`,
      DEMARC_STATE_DIR: join(this.directory, address.replaceAll(':', '-')),
      DEMARC_REDIS_URL: `redis://${formatHostPort(host, ports.redis)}`,
      DEMARC_SECRET_KEY: this.key,
      DEMARC_RTPENGINE: nodes.map((node) => formatHostPort(node, ports.ng)).join(','),
      DEMARC_BIND: address,
      DEMARC_HTTP_PORT: String(ports.http),
      DEMARC_AGENT_URI: `sip:usual@${formatHostPort(host, ports.agent)};transport=tcp`,
      DEMARC_AGENT_LISTEN: formatHostPort(this.sipHost(machine), ports.agentSide),
      ...(this.isFloating || this.options.staysUp === true
        ? { DEMARC_PING_LISTEN: formatHostPort(address, ports.ping) }
        : {}),
      DRACHTIO_HOST: '127.0.0.1',
      DRACHTIO_SECRET: secret,
      DEMARC_TRUST_UDP_SOURCES: 'true',
      ...operatorAgentSettings,
      ...this.options.edge,
    });
    this.edges.set(machine, edge);
    if (this.isStandby(machine)) await edge.line(/Edge is up/, startMilliseconds);
    else await this.ready(machine);
  }

  async ready(machine: Machine): Promise<void> {
    const edge = this.edges.get(machine)!;
    await until(
      async () => {
        if (!edge.isRunning) throw new Error(`The edge ended:\n${edge.output.slice(-3_000)}`);
        return (await fetch(this.url(machine, '/readyz')).catch(() => undefined))?.status === 200;
      },
      startMilliseconds,
      () => `edge ready: ${edge.output.slice(-2_000)}`,
    );
  }

  /** Without the address of its engine. */
  private isStandby(machine: Machine): boolean {
    return this.waitsForAddress && this.network.holderOfAddress !== machine;
  }

  private url({ address }: Machine, path: string): string {
    return `http://${formatHostPort(address, ports.http)}${path}`;
  }

  private async readRecords(): Promise<void> {
    for (const [id, fields] of await this.client.xrange(callStream, `(${this.readFrom}`, '+')) {
      this.readFrom = id;
      this.seen.push(callRecordSchema.parse(JSON.parse(fields[1]!)));
    }
  }
}

/** Call-IDs of its trunk side, of transfer targets as well. */
const idsOf = ({ sip_call_ids: { trunk }, transfers = [] }: CallRecord): string[] => [
  trunk,
  ...transfers.flatMap(({ sip_call_id: id }) => id ?? []),
];

/** What a role needs of this process: where its modules are, and how tests run. */
const inherited = () => ({ NODE_ENV: 'test', DEMARC_LOG_LEVEL: process.env.DEMARC_LOG_LEVEL ?? 'info' });

const rtpengineOptions = (address: string): string[] => [
  ...['--config-file=none', '--foreground', '--log-stderr', '--log-level=5', '--table=-1', '--mos=LQ'],
  ...[`--interface=${address}`, `--listen-ng=${formatHostPort(address, ports.ng)}`],
  ...['--port-min=10000', '--port-max=12000'],
];
