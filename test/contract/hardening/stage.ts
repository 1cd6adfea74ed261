import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Redis } from 'ioredis';
import { type CallRecord, callRecordSchema } from '../../../src/contract/call-record.js';
import { callStream } from '../../../src/contract/keys.js';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import type { SipRequest } from '../../../src/sip/message.js';
import { type Arrival, type PeerOptions, type PeerProtocol, SipPeer } from '../../../src/testkit/sip-peer.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { TestAuthority } from '../../support/certificates.js';
import {
  demarcCommand,
  type EngineOptions,
  type EngineUnderTest,
  startEngine,
} from '../../support/engine-under-test.js';
import { freePort } from '../../support/free-ports.js';
import { configureNumber } from '../../support/number-writer.js';
import { PeerCall } from '../../support/peer-call.js';
import { TestProcess } from '../../support/processes.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { RtpengineProcess } from '../media/rtpengine-process.js';
import { PrivateRedis } from '../redis/private-redis.js';
import { FaultyRelay } from './faulty-relay.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export const calledNumber = '4930123456';

export interface StageOptions {
  /** How many RTP ports this stage's rtpengine has; a call takes four. */
  readonly rtpPorts?: number;
  readonly engine?: Omit<EngineOptions, 'authority'>;
  /** Variables of the edge, beside and instead of the usual ones. */
  readonly edge?: Readonly<Record<string, string>>;
  readonly isTls?: boolean;
}

/** Two legs of one call at the scripted peers. */
export interface TwoLegs {
  readonly trunk: PeerCall;
  readonly agent: PeerCall;
  readonly invite: Arrival<SipRequest>;
}

/** Engine, edge, rtpengine and Redis as separate processes, with a relay before rtpengine; trunk and agent are scripted. */
export class Stage {
  edge!: TestProcess;
  /** An agent that answers what the test says. */
  agent!: SipPeer;
  private edgeHttp = '';
  private recordsFrom = '0';
  private readonly records: CallRecord[] = [];
  private readonly peers: SipPeer[] = [];
  private readonly secretKey = generateSecretKey();
  private readonly client: Redis;

  private constructor(
    readonly engine: EngineUnderTest,
    readonly rtpengine: RtpengineProcess,
    /** Between edge and rtpengine. */
    readonly relay: FaultyRelay,
    readonly redis: PrivateRedis,
    readonly authority: TestAuthority,
    private readonly httpPort: number,
    private readonly options: StageOptions,
  ) {
    this.client = redis.client();
  }

  static async start(options: StageOptions = {}): Promise<Stage> {
    const http = await freePort();
    const authority = await TestAuthority.create();
    const [engine, rtpengine, redis] = await Promise.all([
      startEngine({
        t1: 30,
        ...options.engine,
        ...(options.isTls === true ? { authority } : {}),
      }),
      RtpengineProcess.start(options.rtpPorts),
      PrivateRedis.start(),
    ]);
    const relay = await FaultyRelay.to({ host: '127.0.0.1', port: rtpengine.port }, 2_026);
    const stage = new Stage(engine, rtpengine, relay, redis, authority, http, options);
    try {
      stage.agent = await stage.peer('tcp');
      await stage.configure({});
      await stage.startEdge();
    } catch (error) {
      await stage.stop();
      throw error;
    }
    return stage;
  }

  async startEdge(): Promise<void> {
    const [command, argv] = demarcCommand('edge', []);
    this.edgeHttp = `http://127.0.0.1:${this.httpPort}`;
    this.edge = new TestProcess(command, argv, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        DEMARC_EDGE_ID: 'hardening',
        DEMARC_STATE_DIR: this.redis.directory,
        DEMARC_REDIS_URL: this.redis.url,
        DEMARC_SECRET_KEY: this.secretKey,
        DRACHTIO_HOST: '127.0.0.1',
        DRACHTIO_PORT: String(this.engine.admin.port),
        DRACHTIO_SECRET: this.engine.secret,
        DEMARC_RTPENGINE: `127.0.0.1:${this.relay.address.port}`,
        DEMARC_HTTP_PORT: String(this.httpPort),
        DEMARC_AGENT_URI: this.agent.uri('agent'),
        DEMARC_SOURCE_POLICY: 'any',
        // Scripted parties send no media.
        DEMARC_AGENT_SILENCE_SECONDS: '0',
        DEMARC_SILENT_CALL_SECONDS: '3600',
        // A machine that does other things may keep Redis and rtpengine waiting.
        DEMARC_TRUNK_WAIT_MS: '5000',
        DEMARC_RTPENGINE_TIMEOUT_MS: '3000',
        // Its load is not what these tests are about.
        DEMARC_SETUP_DELAY_MS: '0',
        ...this.options.edge,
      },
    });
    await until(
      async () => {
        if (!this.edge.isRunning) throw new Error(`The edge ended:\n${this.edge.output.slice(-3_000)}`);
        return (await this.health()) === 200;
      },
      20_000,
      () => `edge ready: ${this.edge.output.slice(-2_000)}`,
    );
  }

  /** A scripted party; closed at the end. */
  async peer(protocol: PeerProtocol, options: Partial<PeerOptions> = {}): Promise<SipPeer> {
    const target = options.target ?? this.engine.listeners[protocol];
    if (target === undefined) throw new Error(`The engine has no ${protocol} listener.`);
    const peer = await SipPeer.open({ protocol, ca: this.authority.ca, ...options, target });
    this.peers.push(peer);
    return peer;
  }

  seal(password: string): string {
    return new SecretBox([this.secretKey]).seal(password);
  }

  /** Writes the called number's document; fields replace the usual ones. Waits until the edge has heard of it. */
  async configure(fields: Record<string, unknown>): Promise<void> {
    await configureNumber(this.client, calledNumber, { inbound: [{ id: 'any' }], ...fields });
    // An edge is notified within milliseconds; no event shows when.
    await pause(150);
  }

  /** A call of that peer; nothing is waited for. */
  async call(from: SipPeer, headers: Record<string, string | null> = {}): Promise<PeerCall> {
    const call = PeerCall.to(from, calledNumber);
    await call.invite({ body: trunkDescription(), headers });
    return call;
  }

  /** A call that is up. */
  async establish(from: SipPeer): Promise<TwoLegs> {
    const trunk = await this.call(from);
    const invite = await this.agent.expectRequest('INVITE');
    const agent = PeerCall.from(this.agent, invite.message);
    await agent.respond(invite, 200, { body: agentDescription() });
    await trunk.ack((await trunk.response(200)).message);
    await this.agent.expectRequest('ACK', { callId: agent.callId });
    return { trunk, agent, invite };
  }

  /** The caller ends the call; milliseconds until its BYE was answered. */
  async hangUp({ trunk, agent }: TwoLegs): Promise<number> {
    const began = performance.now();
    await trunk.hangUp();
    const elapsed = performance.now() - began;
    await agent.respond(await this.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    return elapsed;
  }

  /** A whole call, to show that calls go through. */
  async callAndHangUp(from: SipPeer): Promise<CallRecord> {
    const legs = await this.establish(from);
    await this.hangUp(legs);
    return this.record(legs.trunk.callId);
  }

  /** The record of the call with that Call-ID on the trunk side. */
  async record(callId: string, milliseconds = 6_000): Promise<CallRecord> {
    let found: CallRecord | undefined;
    await until(
      async () => {
        await this.readRecords();
        const at = this.records.findIndex(({ sip_call_ids }) => sip_call_ids.trunk === callId);
        if (at >= 0) [found] = this.records.splice(at, 1);
        return found !== undefined;
      },
      milliseconds,
      () => `record of ${callId}; others: ${this.records.map(({ end_reason }) => end_reason).join(', ')}`,
    );
    return found!;
  }

  /** Records so far that no test has read. */
  async otherRecords(): Promise<CallRecord[]> {
    await this.readRecords();
    return this.records.splice(0);
  }

  /** Status of `/readyz`. */
  async health(): Promise<number | undefined> {
    return (await fetch(`${this.edgeHttp}/readyz`).catch(() => undefined))?.status;
  }

  /** One of the edge's metrics by its whole name with labels; 0 when it has never counted. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.edgeHttp}/metrics`)).text();
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1) ?? 0);
  }

  /** Resident megabytes of engine and edge. */
  async memory(): Promise<{ engine: number; edge: number }> {
    const of = async (pid: number): Promise<number> => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
    };
    return { engine: await of(this.engine.pid!), edge: await of(this.edge.pid!) };
  }

  /** Nothing is left of any call: not at the edge, not at the engine, not at rtpengine. */
  async expectNothingLeft(milliseconds = 15_000): Promise<void> {
    let last = '';
    await until(
      async () => {
        last = (await this.leftOver()).join(', ');
        return last === '';
      },
      milliseconds,
      () => `Left over: ${last}`,
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.peers.map((peer) => peer.close()));
    await this.edge?.stop();
    await Promise.all([this.engine.stop(), this.rtpengine.stop(), this.relay.close()]);
    this.client.disconnect();
    await this.redis.stop();
    this.authority.remove();
  }

  private async readRecords(): Promise<void> {
    const read = await this.client.xread('COUNT', 1_000, 'STREAMS', callStream, this.recordsFrom);
    for (const [id, fields] of read?.[0]?.[1] ?? []) {
      this.recordsFrom = id;
      this.records.push(callRecordSchema.parse(JSON.parse(fields[1]!)));
    }
  }

  private async leftOver(): Promise<string[]> {
    const metrics = await (await fetch(`${this.edgeHttp}/metrics`)).text();
    const gauges = /^demarc_(calls|ending|dialogs|admitted|watched|owed_deletions|records_waiting) (\S+)$/gm;
    const found = [...metrics.matchAll(gauges)];
    if (found.length !== 7) throw new Error(`The edge tells only: ${found.map(([line]) => line).join(', ')}`);
    const left = found
      .filter(([, , count]) => count !== '0')
      .map(([, name, count]) => `edge ${name} ${count}`);
    const counts = Object.entries((await this.engine.counts()) ?? {}).filter(([name]) =>
      /dialog|request|givenUp|transactions\.|timers/i.test(name),
    );
    if (counts.length < 4) throw new Error('The engine tells too few counts.');
    // The search for idle connections is a timer that always waits.
    const usual = (name: string): number => (name === 'timers' ? 1 : 0);
    for (const [name, count] of counts) if (count > usual(name)) left.push(`engine ${name} ${count}`);
    for (const id of await this.rtpengine.sessions()) left.push(`rtpengine session ${id}`);
    return left;
  }
}
