import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Redis } from 'ioredis';
import { type CallRecord, callRecordSchema } from '../../../src/contract/call-record.js';
import { heldCallsKey } from '../../../src/contract/held-call.js';
import { callStream, orderSlotsKey } from '../../../src/contract/keys.js';
import { liveCallsKey, liveEdgesKey } from '../../../src/contract/live.js';
import { openCallsKey } from '../../../src/contract/open-calls.js';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import type { SipRequest } from '../../../src/sip/message.js';
import { type Arrival, type PeerOptions, type PeerProtocol, SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { TestAuthority } from '../../support/certificates.js';
import {
  demarcCommand,
  type EngineOptions,
  type EngineUnderTest,
  startEngine,
} from '../../support/engine-under-test.js';
import { FaultyRelay } from '../../support/faulty-relay.js';
import { freePort } from '../../support/free-ports.js';
import { configureNumber } from '../../support/number-writer.js';
import { PeerCall } from '../../support/peer-call.js';
import { TestProcess } from '../../support/processes.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { RtpengineProcess } from '../media/rtpengine-process.js';
import { PrivateRedis } from '../redis/private-redis.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export const calledNumber = '4930123456';

export interface StageOptions {
  /** How many RTP ports this stage's rtpengine has; a call takes four. */
  readonly rtpPorts?: number;
  readonly engine?: Omit<EngineOptions, 'authority'>;
  /** Variables of the edge, beside and instead of the usual ones. */
  readonly edge?: Readonly<Record<string, string>>;
  readonly isTls?: boolean;
  /** Default 1. */
  readonly edges?: number;
}

interface RunningEdge {
  readonly process: TestProcess;
  readonly http: string;
}

/** Two legs of one call at the scripted peers. */
export interface TwoLegs {
  readonly trunk: PeerCall;
  readonly agent: PeerCall;
  readonly invite: Arrival<SipRequest>;
}

/** Engine, edges, rtpengine and Redis as separate processes, with a relay before rtpengine; trunk and agent are scripted. */
export class Stage {
  /** An agent that answers what the test says. */
  agent!: SipPeer;
  private readonly edges: RunningEdge[] = [];
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
    private readonly httpPorts: readonly number[],
    private readonly options: StageOptions,
  ) {
    this.client = redis.client();
  }

  static async start(options: StageOptions = {}): Promise<Stage> {
    const httpPorts = await Promise.all(Array.from({ length: options.edges ?? 1 }, () => freePort()));
    const authority = await TestAuthority.create();
    const [engine, rtpengine, redis] = await Promise.all([
      startEngine({
        // The parties are in this process, which may be stalled for longer than 64 times a shorter one.
        t1: 60,
        ...options.engine,
        ...(options.isTls === true ? { authority } : {}),
      }),
      RtpengineProcess.start(options.rtpPorts),
      PrivateRedis.start(),
    ]);
    const relay = await FaultyRelay.to({ host: '127.0.0.1', port: rtpengine.port }, 2_026);
    const stage = new Stage(engine, rtpengine, relay, redis, authority, httpPorts, options);
    try {
      stage.agent = await stage.peer('tcp');
      await stage.configure({});
      for (let index = 0; index < httpPorts.length; index++) await stage.startEdge(index);
    } catch (error) {
      await stage.stop();
      throw error;
    }
    return stage;
  }

  /** The only edge, or the first of several. */
  get edge(): TestProcess {
    return this.edges[0]!.process;
  }

  async startEdge(index = 0): Promise<void> {
    const [command, argv] = demarcCommand('edge', []);
    const http = `http://127.0.0.1:${this.httpPorts[index]}`;
    const edge = new TestProcess(command, argv, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        DEMARC_EDGE_ID: index === 0 ? 'hardening' : `hardening-${index}`,
        DEMARC_STATE_DIR: this.redis.directory,
        DEMARC_REDIS_URL: this.redis.url,
        DEMARC_SECRET_KEY: this.secretKey,
        DRACHTIO_HOST: '127.0.0.1',
        DRACHTIO_PORT: String(this.engine.admin.port),
        DRACHTIO_SECRET: this.engine.secret,
        DEMARC_RTPENGINE: `127.0.0.1:${this.relay.address.port}`,
        DEMARC_HTTP_PORT: String(this.httpPorts[index]),
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
    this.edges[index] = { process: edge, http };
    await until(
      async () => {
        if (!edge.isRunning) throw new Error(`The edge ended:\n${edge.output.slice(-3_000)}`);
        return (await this.health(index)) === 200;
      },
      20_000,
      () => `edge ready: ${edge.output.slice(-2_000)}`,
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

  /** Writes the called number's document; fields replace the usual ones. Resolves when the edges know of it. */
  configure(fields: Record<string, unknown>): Promise<void> {
    return configureNumber(this.client, calledNumber, { inbound: [{ id: 'any' }], ...fields });
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
  async health(index = 0): Promise<number | undefined> {
    return (await fetch(`${this.edges[index]!.http}/readyz`).catch(() => undefined))?.status;
  }

  /** One of the edge's metrics by its whole name with labels; 0 when it has never counted. */
  async metric(name: string): Promise<number> {
    const text = await this.page(this.edges[0]!);
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
    await Promise.all(this.edges.map(({ process }) => process.stop()));
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

  /** What is left at the engine, else at the edges, else at rtpengine: what takes long is asked for last, because tests wait for this. */
  async leftOver(): Promise<string[]> {
    const counts = Object.entries((await this.engine.counts()) ?? {}).filter(([name]) =>
      /dialog|request|givenUp|transactions\.|timers/i.test(name),
    );
    if (counts.length < 4) throw new Error('The engine tells too few counts.');
    // The search for idle connections is a timer that always waits.
    const usual = (name: string): number => (name === 'timers' ? 1 : 0);
    const atEngine = counts.filter(([name, count]) => count > usual(name));
    if (atEngine.length > 0) return atEngine.map(([name, count]) => `engine ${name} ${count}`);
    const atEdges = (await Promise.all(this.edges.map((edge) => this.leftAtEdge(edge)))).flat();
    if (atEdges.length > 0) return atEdges;
    return (await this.rtpengine.sessions()).map((id) => `rtpengine session ${id}`);
  }

  private async leftAtEdge(edge: RunningEdge): Promise<string[]> {
    const gauges = /^demarc_(calls|ending|dialogs|admitted|watched|owed_deletions|records_waiting) (\S+)$/gm;
    const found = [...(await this.page(edge)).matchAll(gauges)];
    if (found.length !== 7) throw new Error(`The edge tells only: ${found.map(([line]) => line).join(', ')}`);
    const name = this.edges.length === 1 ? 'edge' : `edge ${this.edges.indexOf(edge) + 1}`;
    return found
      .filter(([, , count]) => count !== '0')
      .map(([, gauge, count]) => `${name} ${gauge} ${count}`);
  }

  /** What Redis holds of active calls: live state, notes for a killed edge, documents for a successor, slots of orders. */
  async leftInRedis(): Promise<string[]> {
    const left: string[] = [];
    for (const holder of await this.client.zrange(liveEdgesKey, '0', '-1')) {
      for (const [key, what] of [
        [liveCallsKey(holder), 'live'],
        [openCallsKey(holder), 'open'],
        [heldCallsKey(holder), 'held'],
      ] as const) {
        for (const id of await this.client.hkeys(key)) left.push(`${what} call ${id}`);
      }
    }
    for (const key of await this.client.keys(orderSlotsKey('*'))) {
      for (const id of await this.client.zrange(key, '0', '-1')) left.push(`slot of ${id}`);
    }
    return left;
  }

  /** Unhandled rejections, call state errors, logged errors and ended processes. */
  async faults(): Promise<string[]> {
    const found: string[] = [];
    if (!this.engine.isRunning()) return [`The engine ended: ${this.engine.output().slice(-2_000)}`];
    if (!this.rtpengine.isRunning) found.push('rtpengine ended');
    const pages = [await (await fetch(this.engine.metricsUrl!)).text()];
    for (const edge of this.edges) {
      if (edge.process.isRunning) pages.push(await this.page(edge));
      else found.push(`An edge ended: ${edge.process.output.slice(-2_000)}`);
    }
    const counters =
      /^demarc_(unhandled_rejections_total|call_state_errors_total|engine_defects_total)\S* [1-9].*$/gm;
    for (const page of pages) found.push(...[...page.matchAll(counters)].map(([line]) => line));
    for (const text of [this.engine.output(), ...this.edges.map(({ process }) => process.output)]) {
      found.push(...(text.match(/^.*"level":(50|60).*$/gm) ?? []).map((line) => line.slice(0, 1_000)));
    }
    return found;
  }

  private async page({ http }: RunningEdge): Promise<string> {
    return (await fetch(`${http}/metrics`)).text();
  }
}
