import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Redis } from 'ioredis';
import { onTestFailed } from 'vitest';
import { Baresip, type BaresipSettings } from '../../dev/softphone/baresip.js';
import type { CallRecord } from '../../src/contract/call-record.js';
import { callRecordSchema } from '../../src/contract/call-record.js';
import { callStream } from '../../src/contract/keys.js';
import { numberDocumentSchema } from '../../src/contract/number.js';
import { generateSecretKey, numberPlace, SecretBox, streamPlace } from '../../src/contract/secret.js';
import type { TransferPolicy } from '../../src/contract/transfer.js';
import { PrivatePorts } from '../../src/launcher/ports.js';
import { SipPeer } from '../../src/testkit/sip-peer.js';
import { until } from '../../src/testkit/waiting.js';
import { RtpengineProcess } from '../contract/media/rtpengine-process.js';
import { PrivateRedis } from '../contract/redis/private-redis.js';
import { operatorAgentSettings } from '../support/agent-credentials.js';
import { TestAuthority } from '../support/certificates.js';
import { drachtioBinary, startDrachtio } from '../support/drachtio-server.js';
import { demarcCommand, demoAgentCommand } from '../support/engine-under-test.js';
import { systemPorts } from '../support/free-ports.js';
import { NumberWriter } from '../support/number-writer.js';
import { TestProcess } from '../support/processes.js';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const ready = (message: unknown): true | undefined =>
  (message as { type?: unknown } | null)?.type === 'ready' ? true : undefined;

/** Short enough to wait for 64·T1 at the end of a file, long enough for a busy machine. */
const timers = { t1: 100, t2: 800, t4: 1_000 } as const;
const secret = 'e2e-secret';
/** Of all numbers of the tests. */
const organization = 'acme';
const startMilliseconds = 60_000;
/** What it plays before the trunk's keys are agreed is lost: long enough for a machine that stands still meanwhile. */
const toneMilliseconds = 2_000;

export interface StackOptions {
  /** Variables of the edge, beside and instead of the usual ones. */
  readonly edge?: Readonly<Record<string, string>>;
  readonly rtpengines?: number;
  /** Root directory of another release of rtpengine; absent: this system's. */
  readonly rtpengineRoot?: string | undefined;
  /** Names in the engine's certificate. */
  readonly certificateNames?: readonly string[];
  /** True: `demarc edge` starts its engine itself, as it does without DRACHTIO_HOST. */
  readonly embedded?: boolean;
  /** True: trunks may come over TCP and UDP as well. */
  readonly plainTrunks?: boolean;
  /** Address to bind; default loopback. */
  readonly plainAddress?: string;
}

export type PhoneOptions = Partial<
  Pick<
    BaresipSettings,
    | 'codecs'
    | 'toneHertz'
    | 'credentials'
    | 'user'
    | 'registrar'
    | 'domain'
    | 'certificateFile'
    | 'transport'
    | 'answersByItself'
    | 'address'
  >
> & { readonly mediaEncryption?: BaresipSettings['mediaEncryption'] | 'none' };

/** The private side, on separate addresses so that a leak to the trunk side is visible. */
export const agentAddress = '127.0.0.2';
export const edgeAddress = '127.0.0.3';

/** What the agent plays, and the phone says. */
export const agentToneHertz = 440;
export const phoneToneHertz = 1_000;

/** An edge beside the first one. */
interface FurtherEdge {
  readonly process: TestProcess;
  readonly httpPort: number;
}

/** Every role of Demarc as a separate process on loopback, as in production; each can be killed and restarted. */
export class Stack {
  readonly rtpengines: RtpengineProcess[] = [];
  engine: TestProcess | undefined;
  agent!: TestProcess;
  mediaStream: TestProcess | undefined;
  edge!: TestProcess;
  tlsPort = 0;
  private agentPort = 0;
  private streamPort = 0;
  private engineListenPort = 0;
  private adminPort = 0;
  private hepPort = 0;
  private metricsPort = 0;
  private httpPort = 0;
  plainPort = 0;
  private numbers = 0;
  private recordsFrom = '0';
  private unreadRecords: CallRecord[] = [];
  private readonly phones: Baresip[] = [];
  private readonly peers: SipPeer[] = [];
  private readonly further: FurtherEdge[] = [];
  /** Output of processes that have ended. */
  private readonly earlierOutput: string[] = [];
  readonly secretKey = generateSecretKey();
  private readonly client: Redis;
  private readonly certificate: { certFile: string; keyFile: string };

  private constructor(
    readonly directory: string,
    readonly authority: TestAuthority,
    readonly redis: PrivateRedis,
    certificate: { certFile: string; keyFile: string },
    readonly ports: PrivatePorts,
    private readonly options: StackOptions,
  ) {
    this.certificate = certificate;
    this.client = redis.client();
  }

  static async start(options: StackOptions = {}): Promise<Stack> {
    const directory = await mkdtemp(join(tmpdir(), 'demarc-e2e-'));
    const authority = await TestAuthority.create();
    const certificate = await authority.issue('server', options.certificateNames);
    const redis = await PrivateRedis.start();
    const ports = new PrivatePorts(await systemPorts());
    const stack = new Stack(directory, authority, redis, certificate, ports, options);
    try {
      await stack.startParts();
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
  }

  /** Starts the engine, also again after its end, at the same ports. The variables are for this start alone. */
  async startEngine(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    const { certFile, keyFile } = this.certificate;
    const agentSide = `${edgeAddress}:${this.engineListenPort}`;
    const plain = `${this.options.plainAddress ?? '127.0.0.1'}:${this.plainPort}`;
    if (drachtioBinary !== undefined) {
      if (this.engine !== undefined) this.earlierOutput.push(this.engine.output);
      this.engine = await startDrachtio({
        binary: drachtioBinary,
        directory: this.directory,
        secret,
        timers,
        ports: { admin: this.adminPort, hep: this.hepPort, metrics: this.metricsPort },
        contacts: [
          `sips:127.0.0.1:${this.tlsPort};transport=tls`,
          ...(this.options.plainTrunks === true ? [`sip:${plain};transport=tcp,udp`] : []),
          // With UDP here too it would send from here to UDP trunks that are not on loopback.
          `sip:${agentSide};transport=tcp`,
        ],
        certificate: this.certificate,
      });
      return;
    }
    const argv = [
      ...['--admin', `127.0.0.1:${this.adminPort}`, '--metrics', `127.0.0.1:${this.metricsPort}`],
      ...['--tls', `127.0.0.1:${this.tlsPort}`],
      ...(this.options.plainTrunks === true ? ['--tcp', plain, '--udp', plain] : []),
      ...['--tcp', agentSide, '--udp', agentSide],
      ...['--cert', certFile, '--key', keyFile, '--ca', this.authority.caFile],
      ...['--restore-seconds', '3'],
      ...['--t1', String(timers.t1), '--t2', String(timers.t2), '--t4', String(timers.t4)],
    ];
    this.engine = this.run('engine', argv, environment);
    await this.engine.message(ready, startMilliseconds, 'engine ready');
  }

  async startAgent(): Promise<void> {
    const listen = `${agentAddress}:${this.agentPort}`;
    this.agent = this.run('agent', [
      '--listen',
      listen,
      '--ring-ms',
      '100',
      '--tone-ms',
      String(toneMilliseconds),
    ]);
    await this.agent.message(ready, startMilliseconds, 'agent ready');
  }

  /** Starts the process for agents by WebSocket, also again after its end, at the same port. */
  async startMediaStream(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    this.streamPort ||= await this.ports.take();
    if (this.mediaStream !== undefined) this.earlierOutput.push(this.mediaStream.output);
    this.mediaStream = this.run('media-stream', [], {
      DEMARC_STREAM_ID: 'e2e',
      DEMARC_REDIS_URL: this.redis.url,
      DEMARC_SECRET_KEY: this.secretKey,
      DEMARC_STREAM_LISTEN: `${agentAddress}:${this.streamPort}`,
      DEMARC_STREAM_CA: this.authority.caFile,
      DEMARC_STREAM_ALLOW_PRIVATE: 'true',
      DEMARC_DRAIN_SECONDS: '0',
      ...environment,
    });
    await this.mediaStream.message(ready, startMilliseconds, 'media stream ready');
    await until(
      async () => (await this.metrics()).includes('demarc_stream_processes 1'),
      startMilliseconds,
      'the edge knows the media-stream process',
    );
  }

  /** Starts the edge, also again after its end; resolves when it is ready for calls. The variables are for this start alone. */
  async startEdge(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    const { certFile, keyFile } = this.certificate;
    const engine: Record<string, string> =
      this.options.embedded === true
        ? {
            DEMARC_TLS_CERT: certFile,
            DEMARC_TLS_KEY: keyFile,
            DEMARC_TLS_CA: this.authority.caFile,
            DEMARC_SIP_TLS_PORT: String(this.tlsPort),
          }
        : {
            DRACHTIO_HOST: '127.0.0.1',
            DRACHTIO_PORT: String(this.adminPort),
            DRACHTIO_SECRET: secret,
            DEMARC_HEP_LISTEN: `127.0.0.1:${this.hepPort}`,
          };
    this.edge = this.run('edge', [], {
      DEMARC_EDGE_ID: 'e2e',
      DEMARC_STATE_DIR: this.directory,
      DEMARC_REDIS_URL: this.redis.url,
      DEMARC_SECRET_KEY: this.secretKey,
      DEMARC_RTPENGINE: this.rtpengines.map(({ port }) => `127.0.0.1:${port}`).join(','),
      DEMARC_HTTP_PORT: String(this.httpPort),
      DEMARC_AGENT_URI: this.agentUri('usual'),
      DEMARC_AGENT_LISTEN: `${edgeAddress}:${this.engineListenPort}`,
      ...operatorAgentSettings,
      ...engine,
      ...this.options.edge,
      ...environment,
    });
    await until(
      async () => {
        if (!this.edge.isRunning) throw new Error(`The edge ended:\n${this.edge.output.slice(-3_000)}`);
        return (await this.health()) === 200;
      },
      startMilliseconds,
      () => `edge ready: ${this.edge.output.slice(-2_000)}`,
    );
  }

  /** A further edge on the same engine; resolves when it is ready. */
  async startFurtherEdge(id: string): Promise<void> {
    const httpPort = await this.ports.take();
    const before = { edge: this.edge, httpPort: this.httpPort };
    this.httpPort = httpPort;
    try {
      await this.startEdge({
        DEMARC_EDGE_ID: id,
        DEMARC_STATE_DIR: join(this.directory, id),
        DEMARC_HEP_LISTEN: '127.0.0.1:0',
      });
      this.further.push({ process: this.edge, httpPort });
    } finally {
      this.edge = before.edge;
      this.httpPort = before.httpPort;
    }
  }

  /** Ends the edge by that signal; the further one is `edge` from now on. */
  loseEdge(signal: 'SIGKILL' | 'SIGTERM'): void {
    const next = this.further.shift();
    if (next === undefined) throw new Error('There is no further edge.');
    this.edge.signal(signal);
    this.further.push({ process: this.edge, httpPort: this.httpPort });
    this.edge = next.process;
    this.httpPort = next.httpPort;
  }

  get metricsUrl(): string {
    return `http://127.0.0.1:${this.httpPort}/metrics`;
  }

  /** Text of the edge's `/metrics`. */
  async metrics(): Promise<string> {
    return (await fetch(this.metricsUrl)).text();
  }

  /** Status of `/readyz`; undefined: no response. */
  async health(): Promise<number | undefined> {
    const answer = await fetch(`http://127.0.0.1:${this.httpPort}/readyz`).catch(() => undefined);
    return answer?.status;
  }

  /** The agent under a called user, which chooses what it does. */
  agentUri(behaviour: string): string {
    return `sip:${behaviour}@${agentAddress}:${this.agentPort};transport=tcp`;
  }

  /** What a phone dials. */
  uri(number: string, host = '127.0.0.1'): string {
    return `sip:${number}@${host}:${this.tlsPort}`;
  }

  /** What the agent runtime dials, on the private listener. */
  privateUri(number: string): string {
    return `sip:${number}@${edgeAddress}:${this.engineListenPort};transport=tcp`;
  }

  /** Where the edge takes calls of agents, at its private address. */
  get agentSidePort(): number {
    return this.engineListenPort;
  }

  /** What control seals with, so that the edge can open it. */
  get keyForSecrets(): string {
    return this.secretKey;
  }

  /** Bound, as control seals it with DEMARC_BIND_NUMBER_SECRETS=true; the contract tests have unbound ones. */
  seal(password: string): string {
    return new SecretBox([this.secretKey], 'accept', true).seal(password, numberPlace(organization));
  }

  /** A signing secret of connections to bots, as a number's document has it. */
  sealStreamSecret(secret: string): string {
    return new SecretBox([this.secretKey]).seal(secret, streamPlace(organization));
  }

  get numberWriter(): NumberWriter {
    return new NumberWriter(this.client);
  }

  get redisClient(): Redis {
    return this.client;
  }

  /** Configures a new number that any loopback source may call; returns its digits. */
  async number(
    options: {
      behaviour?: string;
      inbound?: Record<string, unknown>;
      codecs?: Record<string, unknown>;
      outbound?: readonly Record<string, unknown>[];
      transfer?: TransferPolicy;
    } = {},
  ): Promise<string> {
    this.numbers += 1;
    const number = `4930${String(100_000 + this.numbers)}`;
    const document = numberDocumentSchema.parse({
      version: 1,
      number,
      organization,
      updated_at: new Date().toISOString(),
      inbound: [
        {
          id: 'in',
          allowed_sources: ['127.0.0.0/8'],
          agent_uri: this.agentUri(options.behaviour ?? 'usual'),
          ...options.inbound,
        },
      ],
      outbound: options.outbound ?? [],
      ...(options.transfer === undefined ? {} : { transfer: options.transfer }),
      codecs: { order: ['PCMU', 'PCMA'], ...options.codecs },
    });
    await this.numberWriter.put(document);
    return number;
  }

  /** Starts a softphone, by default with TLS and mandatory SRTP. */
  async phone(options: PhoneOptions = {}): Promise<Baresip> {
    const { mediaEncryption = 'srtp-mand', ...rest } = options;
    const sipPort = await this.ports.takeRun(2);
    const rtpPort = await this.ports.takeRun(8);
    const phone = await Baresip.start({
      // With a blank, as homes of people have.
      directory: join(this.directory, `phone ${sipPort}`),
      address: '127.0.0.1',
      sipPort,
      controlPort: await this.ports.take(),
      rtpPorts: { low: rtpPort, high: rtpPort + 7 },
      user: 'caller',
      transport: 'tls',
      codecs: ['PCMU/8000/1'],
      toneHertz: phoneToneHertz,
      caFile: this.authority.caFile,
      ...(mediaEncryption === 'none' ? {} : { mediaEncryption }),
      ...rest,
    });
    this.phones.push(phone);
    onTestFailed(() => this.tellAbout(phone));
    return phone;
  }

  /** A scripted caller over TLS, for what no phone does. */
  async rawCaller(): Promise<SipPeer> {
    const peer = await SipPeer.open({
      protocol: 'tls',
      target: { host: '127.0.0.1', port: this.tlsPort },
      certificate: await this.authority.issue('peer'),
      ca: this.authority.ca,
    });
    this.peers.push(peer);
    return peer;
  }

  /** The next call record, or the next one that matches; others are kept. */
  async record(
    matches: (record: CallRecord) => boolean = () => true,
    milliseconds = 30_000,
  ): Promise<CallRecord> {
    let found: CallRecord | undefined;
    await until(
      async () => {
        await this.readRecords();
        const at = this.unreadRecords.findIndex(matches);
        if (at >= 0) [found] = this.unreadRecords.splice(at, 1);
        return found !== undefined;
      },
      milliseconds,
      () =>
        `a call record; others: ${JSON.stringify(this.unreadRecords.map(({ detail, end_reason }) => ({ detail, end_reason })))}`,
    );
    return found!;
  }

  /** The record of a call to that number. */
  recordOf(number: string, milliseconds?: number): Promise<CallRecord> {
    return this.record((record) => record.to.includes(number), milliseconds);
  }

  /** All that any process has written to its log so far. */
  get logs(): string {
    const living = [this.engine, this.agent, this.edge, this.mediaStream].map(
      (process) => process?.output ?? '',
    );
    return [...this.earlierOutput, ...living, ...this.rtpengines.map(({ output }) => output)].join('\n');
  }

  /** Ends the phones and peers of a test, then checks that no call left anything anywhere. */
  async endTest(): Promise<void> {
    await Promise.all(this.phones.splice(0).map((phone) => phone.stop()));
    await Promise.all(this.peers.splice(0).map((peer) => peer.close()));
    await this.expectNothingLeft();
  }

  /** No call, dialog, transaction at work or media session is left. */
  async expectNothingLeft(milliseconds = 30_000): Promise<void> {
    let last = '';
    await until(
      async () => {
        last = (await this.leftOver(/dialog|request|givenUp|\.(client|server)$|boundToFlows/i)).join(', ');
        return last === '';
      },
      milliseconds,
      () => `Left over: ${last}`,
    );
  }

  /** Nor a transaction that waits for late messages, nor a timer, once 64·T1 have passed. */
  async expectIdle(): Promise<void> {
    let last = '';
    await until(
      async () => {
        last = (await this.leftOver(/dialog|request|givenUp|transactions|timers/i)).join(', ');
        return last === '';
      },
      300 * timers.t1,
      () => `Left over: ${last}`,
    );
  }

  /** At the end of a file: checks that all is idle, and stops everything in either case. */
  async finish(): Promise<void> {
    try {
      await this.expectIdle();
    } finally {
      await this.stop();
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.phones.splice(0).map((phone) => phone.stop()));
    await Promise.all(this.peers.splice(0).map((peer) => peer.close()));
    await Promise.all([this.edge?.stop(), ...this.further.map(({ process }) => process.stop())]);
    await Promise.all([this.engine?.stop(), this.agent?.stop(), this.mediaStream?.stop()]);
    await Promise.all(this.rtpengines.map((rtpengine) => rtpengine.stop()));
    this.client.disconnect();
    await this.redis.stop();
    this.authority.remove();
    await rm(this.directory, { recursive: true, force: true });
  }

  private async startParts(): Promise<void> {
    this.tlsPort = await this.ports.take();
    this.agentPort = await this.ports.take();
    this.engineListenPort = await this.ports.take();
    this.adminPort = await this.ports.take();
    this.hepPort = await this.ports.take();
    this.metricsPort = await this.ports.take();
    this.httpPort = await this.ports.take();
    this.plainPort = await this.ports.take();
    for (let node = 0; node < (this.options.rtpengines ?? 1); node += 1) {
      this.rtpengines.push(await RtpengineProcess.start(400, this.options.rtpengineRoot));
    }
    await Promise.all([this.startAgent(), this.options.embedded === true ? undefined : this.startEngine()]);
    await this.startEdge();
  }

  private run(
    role: string,
    argv: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): TestProcess {
    const before = { engine: this.engine, agent: this.agent, edge: this.edge }[role];
    if (before !== undefined) this.earlierOutput.push(before.output);
    const [command, commandLine] = role === 'agent' ? demoAgentCommand(argv) : demarcCommand(role, argv);
    return new TestProcess(command, commandLine, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, DEMARC_ENGINE_SECRET: secret, ...environment },
    });
  }

  /** Shows what a phone and the processes said when a test has failed. */
  private tellAbout(phone: Baresip): void {
    const said = phone.output
      .replaceAll(/inline:[^\s|]+/g, 'inline:…')
      .replaceAll(/(\[\d:\d\d:\d\d\] audio=\S+ \(bit\/s\)\s*)+/g, '');
    const tail = (text: string, lines: number): string => text.split('\n').slice(-lines).join('\n');
    console.error(`The phone said:\n${tail(said, 150)}\nThe processes said:\n${tail(this.logs, 60)}`);
  }

  private async readRecords(): Promise<void> {
    const read = await this.client.xread('COUNT', 100, 'STREAMS', callStream, this.recordsFrom);
    for (const [id, fields] of read?.[0]?.[1] ?? []) {
      this.recordsFrom = id;
      this.unreadRecords.push(callRecordSchema.parse(JSON.parse(fields[1]!)));
    }
  }

  /** What is left at the engine, else at the edge, else at rtpengine: what takes long is asked for last, because tests wait for this. */
  private async leftOver(engineCounts: RegExp): Promise<string[]> {
    const atEngine = await this.leftAtEngine(engineCounts);
    if (atEngine.length > 0) return atEngine;
    const atEdge = await this.leftAtEdge();
    if (atEdge.length > 0) return atEdge;
    const running = this.rtpengines.filter(({ isRunning }) => isRunning);
    const sessions = await Promise.all(running.map((rtpengine) => rtpengine.sessions()));
    return sessions.flat().map((id) => `rtpengine session ${id}`);
  }

  private async leftAtEngine(engineCounts: RegExp): Promise<string[]> {
    // A drachtio-server does not tell in time what it still has.
    if (this.options.embedded === true || drachtioBinary !== undefined) return [];
    const snapshot = await (await fetch(`http://127.0.0.1:${this.metricsPort}/counts`)).json();
    const counts = flatten(snapshot).filter(([name]) => engineCounts.test(name));
    if (counts.length < 4) throw new Error(`The engine tells only: ${JSON.stringify(snapshot)}`);
    // The search for idle connections is a timer that always waits.
    const usual = (name: string): number => (name === 'timers' ? 1 : 0);
    return counts
      .filter(([name, count]) => count > usual(name))
      .map(([name, count]) => `engine ${name} ${count}`);
  }

  private async leftAtEdge(): Promise<string[]> {
    const metrics = await this.metrics();
    const edgeCounts =
      /^demarc_(calls|ending|dialogs|admitted|watched|owed_deletions|records_waiting) (\S+)$/gm;
    const found = [...metrics.matchAll(edgeCounts)];
    if (found.length !== 7) throw new Error(`The edge tells only: ${found.map(([line]) => line).join(', ')}`);
    return found.filter(([, , count]) => count !== '0').map(([, name, count]) => `edge ${name} ${count}`);
  }
}

/** `{ a: { b: 1 } }` as `[['a.b', 1]]`. */
function flatten(value: unknown, path = ''): [string, number][] {
  if (typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => flatten(each, path === '' ? key : `${path}.${key}`));
}
