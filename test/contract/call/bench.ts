import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createLog } from '../../../src/base/log.js';
import { readEdgeSettings } from '../../../src/config/edge-settings.js';
import type { CallRecord } from '../../../src/contract/call-record.js';
import { callRecordSchema } from '../../../src/contract/call-record.js';
import type { CallCommand } from '../../../src/contract/commands.js';
import { callStream, commandStream } from '../../../src/contract/keys.js';
import { Edge } from '../../../src/edge/edge.js';
import type { EdgeNamesDeps } from '../../../src/edge/routing/names.js';
import type { SipRequest } from '../../../src/sip/message.js';
import { type Arrival, SipPeer } from '../../../src/testkit/sip-peer.js';
import { patient, until } from '../../../src/testkit/waiting.js';
import { demarcCommand, type EngineUnderTest, startEngine } from '../../support/engine-under-test.js';
import { freePort } from '../../support/free-ports.js';
import { configureNumber } from '../../support/number-writer.js';
import { PeerCall } from '../../support/peer-call.js';
import { TestProcess } from '../../support/processes.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { RtpengineProcess } from '../media/rtpengine-process.js';
import { PrivateRedis } from '../redis/private-redis.js';
import { BreakableLink } from './breakable-link.js';

export const calledNumber = '4930123456';

type Environment = Readonly<Record<string, string>>;

/** Two legs of one call at the scripted peers. */
export interface TwoLegs {
  readonly trunk: PeerCall;
  readonly agent: PeerCall;
  /** The INVITE at the agent. */
  readonly invite: Arrival<SipRequest>;
}

/** The edge with everything real around it but the two parties, which tests script. */
export class CallBench {
  readonly trunk: SipPeer;
  readonly agent: SipPeer;
  readonly redis: Redis;
  edge!: Edge;
  /** Further edges on the same engine. */
  readonly furtherEdges: Edge[] = [];
  private recordsFrom = '0';
  private readonly records: CallRecord[] = [];

  private constructor(
    readonly engine: EngineUnderTest,
    readonly rtpengine: RtpengineProcess,
    readonly server: PrivateRedis,
    readonly link: BreakableLink,
    peers: { trunk: SipPeer; agent: SipPeer },
    private readonly environment: Environment,
    private readonly names: EdgeNamesDeps | undefined,
  ) {
    this.redis = server.client();
    this.trunk = peers.trunk;
    this.agent = peers.agent;
  }

  /**
   * `environment`: variables of the edge, known at once or when engine and Redis listen. `names`: how the edge resolves names; by
   * default as the machine does.
   */
  static async start(
    environment:
      | Environment
      | ((engine: EngineUnderTest, redis: PrivateRedis) => Environment | Promise<Environment>) = {},
    makeEngine: () => Promise<EngineUnderTest> = () => startEngine({ t1: 100 }),
    names?: EdgeNamesDeps,
  ): Promise<CallBench> {
    const [engine, rtpengine, server] = await Promise.all([
      makeEngine(),
      RtpengineProcess.start(),
      PrivateRedis.start(),
    ]);
    const target = engine.listeners.tcp!;
    const trunk = await SipPeer.open({ protocol: 'tcp', target });
    const agent = await SipPeer.open({ protocol: 'tcp', target });
    const bench = new CallBench(
      engine,
      rtpengine,
      server,
      await BreakableLink.to(engine.admin),
      { trunk, agent },
      typeof environment === 'function' ? await environment(engine, server) : environment,
      names,
    );
    await bench.configure({});
    await bench.startEdge();
    return bench;
  }

  async startEdge(): Promise<void> {
    this.edge = await this.newEdge('bench');
    await until(async () => (await this.health()) === 200, 5_000, 'edge is ready');
  }

  /** A further edge on the same engine until the bench stops: the engine deals calls out in turn. */
  async addEdge(id: string): Promise<Edge> {
    const edge = await this.newEdge(id);
    this.furtherEdges.push(edge);
    await until(async () => (await fetch(`${edge.httpUrl}/readyz`)).ok, 10_000, 'the other edge is ready');
    return edge;
  }

  /** All of them. */
  get edges(): readonly Edge[] {
    return [this.edge, ...this.furtherEdges];
  }

  /** A call that is up at that edge. */
  async establishAt(edge: Edge): Promise<TwoLegs> {
    for (let attempt = 0; attempt < 2 * this.edges.length; attempt++) {
      const before = edge.counts().calls;
      const call = await this.establish();
      if (edge.counts().calls > before) return call;
      await call.trunk.send('BYE');
      await call.agent.respond(await this.agent.expectRequest('BYE', { callId: call.agent.callId }), 200);
      await call.trunk.response(200, 'BYE');
      await this.record();
    }
    throw new Error('The engine gave no call to that edge.');
  }

  /** Another edge on the same engine, which the caller drains; it may not be ready yet. */
  async newEdge(id: string, environment: Environment = {}): Promise<Edge> {
    const settings = readEdgeSettings({ ...(await this.environmentOf(id)), ...environment });
    return Edge.start(
      settings,
      createLog({ level: settings.log.level, role: 'edge', edge: settings.edgeId }),
      this.names,
    );
  }

  /** The same as a separate process; resolves once it takes calls. */
  async edgeProcess(id: string, environment: Environment = {}): Promise<TestProcess> {
    const [command, argv] = demarcCommand('edge', []);
    const ownEnvironment = await this.environmentOf(id);
    const edge = new TestProcess(command, argv, {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { PATH: process.env.PATH, ...ownEnvironment, DEMARC_LOG_LEVEL: 'info', ...environment },
    });
    await edge.line(/Edge is up/, 60_000);
    const url = `http://127.0.0.1:${ownEnvironment.DEMARC_HTTP_PORT}/readyz`;
    await until(async () => (await fetch(url)).ok, 10_000, 'the edge process is ready');
    return edge;
  }

  private async environmentOf(id: string): Promise<Environment> {
    return {
      DEMARC_EDGE_ID: id,
      DEMARC_STATE_DIR: this.server.directory,
      DEMARC_LOG_LEVEL: process.env.DEMARC_TEST_LOG ?? 'silent',
      DEMARC_REDIS_URL: this.server.url,
      DRACHTIO_HOST: '127.0.0.1',
      DRACHTIO_PORT: String(this.link.port),
      DRACHTIO_SECRET: this.engine.secret,
      // A real server sends its captures there.
      DEMARC_HEP_LISTEN: `127.0.0.1:${process.env.DRACHTIO_HEP_PORT ?? 0}`,
      DEMARC_RTPENGINE: `127.0.0.1:${this.rtpengine.port}`,
      DEMARC_HTTP_PORT: String(await freePort()),
      DEMARC_AGENT_URI: this.agent.uri('agent'),
      DEMARC_SOURCE_POLICY: 'any',
      // A machine that does other things may keep Redis and rtpengine waiting.
      DEMARC_TRUNK_WAIT_MS: '5000',
      DEMARC_RTPENGINE_TIMEOUT_MS: '3000',
      // Scripted agents send no media, and answer OPTIONS where a test says so.
      // On a busy machine a call may wait longer for its setup than an edge that serves people allows.
      DEMARC_SETUP_DELAY_MS: '0',
      DEMARC_AGENT_SILENCE_SECONDS: '0',
      DEMARC_SILENT_CALL_SECONDS: '3600',
      ...this.environment,
    };
  }

  /** Status of `/readyz`. */
  async health(): Promise<number> {
    return (await fetch(`${this.edge.httpUrl}/readyz`)).status;
  }

  /** Writes the called number's document; fields replace the usual ones. Resolves when the edges know of it. */
  configure(fields: Record<string, unknown>): Promise<void> {
    return configureNumber(this.redis, calledNumber, { inbound: [{ id: 'any' }], ...fields });
  }

  /** Orders a call from `calledNumber` as control does; its id. */
  async order(fields: Partial<CallCommand> = {}): Promise<string> {
    const command: CallCommand = {
      version: 1,
      call_id: randomUUID(),
      organization: 'acme',
      number: calledNumber,
      phone_number: '14155550100',
      max_duration_seconds: 600,
      expires_at: new Date(Date.now() + 60_000).toISOString(),
      ...fields,
    };
    await this.redis.xadd(commandStream, '*', 'command', JSON.stringify(command));
    return command.call_id;
  }

  /** The caller sends an INVITE; nothing is waited for. */
  async call(
    options: { body?: string; headers?: Record<string, string | null>; isUntagged?: boolean } = {},
  ): Promise<PeerCall> {
    const { isUntagged = false, ...invite } = options;
    const call = PeerCall.to(this.trunk, calledNumber);
    if (isUntagged) call.localTag = '';
    await call.invite({ body: trunkDescription(), ...invite });
    return call;
  }

  /** The INVITE that reached the agent for the caller's call. */
  async atAgent(): Promise<{ agent: PeerCall; invite: Arrival<SipRequest> }> {
    const invite = await this.agent.expectRequest('INVITE');
    return { agent: PeerCall.from(this.agent, invite.message), invite };
  }

  /** The INVITE that reached the trunk for the agent's call. */
  async atTrunk(): Promise<{ trunk: PeerCall; invite: Arrival<SipRequest> }> {
    const invite = await this.trunk.expectRequest('INVITE').catch((error: Error) => {
      throw new Error(`${error.message} The agent got: ${this.agent.inbox.notTaken}.`);
    });
    return { trunk: PeerCall.from(this.trunk, invite.message), invite };
  }

  /** Answers the question for its health that a trunk gets as soon as it is known. */
  async answerProbe(): Promise<void> {
    const probe = await this.trunk.expectRequest('OPTIONS');
    await PeerCall.from(this.trunk, probe.message).respond(probe, 200);
  }

  /** A call that is up. */
  async establish(
    options: {
      offer?: string;
      answer?: string;
      headers?: Record<string, string>;
      /** The caller has no From tag (RFC 2543). */
      isUntagged?: boolean;
    } = {},
  ): Promise<TwoLegs> {
    const trunk = await this.call({
      body: options.offer ?? trunkDescription(),
      ...(options.headers === undefined ? {} : { headers: options.headers }),
      ...(options.isUntagged === undefined ? {} : { isUntagged: options.isUntagged }),
    });
    const { agent, invite } = await this.atAgent().catch((error: Error) => {
      throw new Error(`${error.message} The caller got: ${this.trunk.inbox.notTaken}.`);
    });
    await agent.respond(invite, 180);
    await trunk.response(180);
    await agent.respond(invite, 200, { body: options.answer ?? agentDescription() });
    const ok = await trunk.response(200);
    await trunk.ack(ok.message);
    await this.agent.expectRequest('ACK', { callId: agent.callId });
    return { trunk, agent, invite };
  }

  /** Both legs get a BYE from the edge and answer it; what Reason it gave each. */
  async bothAreLetGo(
    { trunk, agent }: Pick<TwoLegs, 'trunk' | 'agent'>,
    milliseconds: number,
  ): Promise<{ trunk: string; agent: string }> {
    const [atTrunk, atAgent] = await Promise.all([
      this.trunk.expectRequest('BYE', { callId: trunk.callId, milliseconds }),
      this.agent.expectRequest('BYE', { callId: agent.callId, milliseconds }),
    ]);
    await trunk.respond(atTrunk, 200);
    await agent.respond(atAgent, 200);
    return {
      trunk: atTrunk.message.headers.get('Reason') ?? '',
      agent: atAgent.message.headers.get('Reason') ?? '',
    };
  }

  /** The next call record. */
  async record(milliseconds = 6_000): Promise<CallRecord> {
    const end = performance.now() + patient(milliseconds);
    while (this.records.length === 0) {
      const left = Math.max(1, Math.ceil(end - performance.now()));
      const read = await this.redis.xread('BLOCK', left, 'STREAMS', callStream, this.recordsFrom);
      for (const [id, fields] of read?.[0]?.[1] ?? []) {
        this.recordsFrom = id;
        this.records.push(callRecordSchema.parse(JSON.parse(fields[1]!)));
      }
      if (this.records.length === 0 && performance.now() >= end) throw new Error('No call record came.');
    }
    return this.records.shift()!;
  }

  /** Nothing is left of any call: not at the edge, not at the engine, not at rtpengine. */
  async expectNothingLeft(milliseconds = 5_000): Promise<void> {
    let last = '';
    try {
      await until(
        async () => {
          last = await this.left();
          return last === '';
        },
        milliseconds,
        () => `Left over: ${last}`,
      );
    } catch (error) {
      await this.clear(milliseconds);
      throw error;
    }
  }

  /** Ends what a failed test left behind, which must not fail the next one. */
  async clear(milliseconds: number): Promise<void> {
    for (const edge of this.edges) edge.endAll('drained', 'Test failed');
    const isClear = async (): Promise<boolean> => (await this.left()) === '' && (await this.health()) === 200;
    await until(isClear, milliseconds, 'the calls have ended').catch(() => this.replaceEdge());
    while ((await this.record(300).catch(() => undefined)) !== undefined);
    for (const { inbox } of [this.trunk, this.agent]) inbox.clear();
  }

  /** It does not know any more of what it has left, or a test has drained it and then failed. */
  private async replaceEdge(): Promise<void> {
    await this.edge.drain(0).catch(() => {});
    await this.rtpengine.restart();
    await this.startEdge();
  }

  private async left(): Promise<string> {
    const counts = this.edges.flatMap((edge) =>
      Object.entries(edge.counts()).filter(([, count]) => count !== 0),
    );
    const engine = Object.entries((await this.engine.counts()) ?? {}).filter(
      ([name, count]) =>
        /dialog|request|pending/i.test(name) && !/application|route/i.test(name) && count !== 0,
    );
    const sessions = (await this.rtpengine.sessions()).map((id) => ['session', id] as const);
    return [...counts, ...engine, ...sessions].map((entry) => entry.join(' ')).join(', ');
  }

  /** Breaks the edge's connection to the engine as a crash of the engine does; it is made again. */
  dropEngineConnection(): void {
    this.link.break();
  }

  /** The same, but it is not made again before `work` is done. */
  async withoutEngineConnection(work: () => Promise<void>): Promise<void> {
    this.link.isCut = true;
    this.link.break();
    try {
      await work();
    } finally {
      this.link.isCut = false;
    }
  }

  async stop(): Promise<void> {
    for (const edge of this.edges) await edge.drain(0);
    await Promise.all([this.trunk.close(), this.agent.close(), this.link.close()]);
    this.redis.disconnect();
    await Promise.all([this.engine.stop(), this.rtpengine.stop(), this.server.stop()]);
  }
}
