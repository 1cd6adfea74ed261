import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../../../src/base/log.js';
import { type EdgeSettings, readEdgeSettings } from '../../../../src/config/edge-settings.js';
import { readEngineSettings } from '../../../../src/config/engine-settings.js';
import {
  type CallAction,
  type CallControlReply,
  callControlChannel,
  callControlReplyKey,
  callControlReplySchema,
} from '../../../../src/contract/call-control.js';
import type { CallRecord } from '../../../../src/contract/call-record.js';
import type { CallCommand } from '../../../../src/contract/commands.js';
import { heldCallsKey } from '../../../../src/contract/held-call.js';
import { numberChannel, numberKey } from '../../../../src/contract/keys.js';
import { openCallsKey } from '../../../../src/contract/open-calls.js';
import {
  type TransferOrder,
  type TransferReply,
  transferChannel,
  transferReplyKey,
  transferReplySchema,
} from '../../../../src/contract/transfer.js';
import type { Call } from '../../../../src/edge/call/call.js';
import { Drain, type DrainPurpose, endAllByEdge, endByEdge } from '../../../../src/edge/drain.js';
import { composeEdge, type EdgeParts } from '../../../../src/edge/edge-parts.js';
import { handleRequests } from '../../../../src/edge/handle-requests.js';
import { OpenCalls } from '../../../../src/edge/live/open-calls.js';
import { placeCall } from '../../../../src/edge/outbound/place-call.js';
import { Survival } from '../../../../src/edge/survival/survival.js';
import { TraceCollector } from '../../../../src/edge/trace/trace-collector.js';
import { Engine } from '../../../../src/engine/engine.js';
import type { SipRequest } from '../../../../src/sip/message.js';
import { type Arrival, SipPeer } from '../../../../src/testkit/sip-peer.js';
import { until } from '../../../../src/testkit/waiting.js';
import { agentDescription, trunkDescription } from '../../../contract/media/descriptions.js';
import type { MemoryRedis } from '../../../support/memory-redis.js';
import { NgDouble } from '../../../support/ng-double.js';
import { OrderRedis } from '../../../support/order-redis.js';
import { PeerCall } from '../../../support/peer-call.js';
import { scriptSurvival } from '../../../support/survival-scripts.js';

/** Calls of agents come in there. */
const agentHost = '127.0.0.2';

export const calledNumber = '4930123456';

/** Two legs of one call at the scripted peers. */
export interface TwoLegs {
  readonly trunk: PeerCall;
  readonly agent: PeerCall;
  /** The INVITE at the agent. */
  readonly invite: Arrival<SipRequest>;
}

/** One of the edges, with its connections to the engine and to Redis, as a process has them. */
export class BenchEdge {
  readonly survival: Survival;
  private readonly open: OpenCalls;
  private isGone = false;

  private constructor(
    readonly parts: EdgeParts,
    private readonly loseRedis: () => void,
    records: CallRecord[],
  ) {
    const { holder, redis, stream } = parts;
    stream.publish = (record) => {
      if (this.isGone) return;
      records.push(record);
      void redis.hdel(heldCallsKey(holder), record.call_id);
      void redis.hdel(openCallsKey(holder), record.call_id);
    };
    this.survival = new Survival(parts, (calls) => {
      for (const call of calls) endByEdge(call, 'engine_lost', 'Engine lost');
    });
    this.open = new OpenCalls(parts);
  }

  /** Resolves when it takes calls. */
  static async start(settings: EdgeSettings, redis: MemoryRedis, records: CallRecord[]): Promise<BenchEdge> {
    const log = createLog({ level: 'silent', role: 'edge', edge: settings.edgeId });
    const traces = await TraceCollector.start(settings.trace, log);
    const connection = redis.connect();
    const parts = composeEdge(settings, traces, log, undefined, connection.redis);
    const edge = new BenchEdge(parts, connection.lose, records);
    await Promise.all([parts.trunks.start(), parts.pool.start()]);
    edge.open.start();
    handleRequests(parts);
    edge.survival.start();
    parts.orderedTransfers.start();
    parts.callControls.start();
    parts.engine.connect(settings.drachtio!);
    await until(() => parts.engine.isUp && parts.pool.isUsable, 20_000, 'the edge takes calls');
    if (parts.engine.owner !== undefined)
      await until(() => parts.lease.isCurrent && parts.lease.engine !== undefined, 20_000, 'its lease');
    return edge;
  }

  has({ trunk }: Pick<TwoLegs, 'trunk'>): boolean {
    return this.parts.table.hasDialogName(trunk.dialogId);
  }

  /** Stops it as one that is asked to. */
  async drain(seconds: number, purpose: DrainPurpose): Promise<void> {
    await new Drain(this.parts, this.survival).run(seconds, purpose);
    await this.stop();
  }

  /** As a process that is killed: nothing that it does has any effect from now on. */
  async crash(): Promise<void> {
    this.isGone = true;
    this.loseRedis();
    await this.stop();
  }

  async stop(): Promise<void> {
    const { parts } = this;
    parts.orderedTransfers.stop();
    parts.callControls.stop();
    await this.survival.stop();
    this.open.stop();
    parts.calls.quality.stop();
    await Promise.all([parts.calls.turns.stop(), parts.calls.listenings.stop(), parts.trunks.stop()]);
    await parts.stream.stop();
    await parts.engine.close();
    await parts.pool.stop();
    await parts.traces.stop();
  }
}

/**
 * The calls of an edge in the test's own process: its parts with the embedded engine and scripted parties on real sockets, with doubles
 * in place of rtpengine and Redis. What needs those, or several processes, is left to the contract tests.
 */
export class UnitCallBench {
  readonly edges: BenchEdge[] = [];

  private constructor(
    private readonly settingsOf: (id: string) => EdgeSettings,
    readonly records: CallRecord[],
    readonly engine: Engine,
    readonly rtpengine: NgDouble,
    readonly redis: MemoryRedis,
    readonly trunk: SipPeer,
    readonly agent: SipPeer,
    private readonly directory: string,
  ) {}

  /** Of the first edge. */
  get parts(): EdgeParts {
    return this.edges[0]!.parts;
  }

  /** Another edge on the same engine, which deals calls out in turn. */
  async addEdge(id: string): Promise<BenchEdge> {
    const edge = await BenchEdge.start(this.settingsOf(id), this.redis, this.records);
    this.edges.push(edge);
    return edge;
  }

  /** It is killed; those that are left take over its calls. */
  async crash(edge: BenchEdge): Promise<void> {
    this.edges.splice(this.edges.indexOf(edge), 1);
    await edge.crash();
  }

  /** It stops as one that is asked to. */
  async drain(edge: BenchEdge, seconds: number, purpose: DrainPurpose): Promise<void> {
    await edge.drain(seconds, purpose);
    this.edges.splice(this.edges.indexOf(edge), 1);
  }

  /** A call that is up at that edge. */
  async establishAt(
    edge: BenchEdge,
    options: Parameters<UnitCallBench['establish']>[0] = {},
  ): Promise<TwoLegs> {
    for (let turn = 0; turn < this.edges.length; turn++) {
      const legs = await this.establish(options);
      if (edge.has(legs)) return legs;
      await this.hangUp(legs.trunk, legs.agent);
      await this.record();
    }
    throw new Error('The engine gave no call to that edge.');
  }

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<UnitCallBench> {
    const directory = mkdtempSync(join(tmpdir(), 'demarc-bench-'));
    const failed = (error: unknown): void => {
      throw error;
    };
    const engine = new Engine(
      readEngineSettings([
        ...['--admin', '127.0.0.1:0', '--secret', 's', '--udp', '127.0.0.1:0', '--tcp', '127.0.0.1:0'],
        ...['--tcp', `${agentHost}:0`, '--t1', '100'],
      ]),
      { wire: () => {}, transport: () => {}, defect: failed },
    );
    const rtpengine = await NgDouble.start();
    await engine.start();
    const listenerAt = (host: string) => {
      const { port } = engine.listeners.find((each) => each.protocol === 'tcp' && each.address === host)!;
      return { host, port };
    };
    const forAgents = listenerAt(agentHost);
    const trunk = await SipPeer.open({ protocol: 'tcp', target: listenerAt('127.0.0.1') });
    const agent = await SipPeer.open({ protocol: 'tcp', target: forAgents });
    const base = {
      DEMARC_STATE_DIR: directory,
      DEMARC_LOG_LEVEL: 'silent',
      DRACHTIO_HOST: '127.0.0.1',
      DRACHTIO_PORT: String(engine.adminPort),
      DRACHTIO_SECRET: 's',
      DEMARC_HEP_LISTEN: '127.0.0.1:0',
      DEMARC_RTPENGINE: `127.0.0.1:${rtpengine.port}`,
      DEMARC_AGENT_URI: agent.uri('agent'),
      DEMARC_SOURCE_POLICY: 'any',
      DEMARC_AGENT_LISTEN: `${forAgents.host}:${forAgents.port}`,
      // A machine that does other things may keep every part waiting.
      DEMARC_RTPENGINE_TIMEOUT_MS: '3000',
      DEMARC_SETUP_DELAY_MS: '0',
      // Scripted agents send no media.
      DEMARC_AGENT_SILENCE_SECONDS: '0',
      DEMARC_SILENT_CALL_SECONDS: '3600',
      ...environment,
    };
    const settingsOf = (id: string): EdgeSettings => readEdgeSettings({ DEMARC_EDGE_ID: id, ...base });
    const redis = new OrderRedis();
    scriptSurvival(redis);
    const bench = new UnitCallBench(settingsOf, [], engine, rtpengine, redis, trunk, agent, directory);
    bench.configure({});
    await bench.addEdge('unit');
    return bench;
  }

  /** The called number's document; fields replace the usual ones. */
  configure(fields: Readonly<Record<string, unknown>>, number = calledNumber): void {
    const document = {
      version: 1,
      number,
      organization: 'acme',
      updated_at: new Date().toISOString(),
      inbound: [{ id: 'any' }],
      ...fields,
    };
    this.redis.strings.set(numberKey(number), JSON.stringify(document));
    this.redis.deliver(numberChannel, number);
  }

  /** What edges keep on disk for one that starts without Redis. */
  loseKept(): void {
    for (const name of readdirSync(this.directory))
      rmSync(join(this.directory, name), { recursive: true, force: true });
  }

  /** Places a call as an order of control does. */
  order(fields: Partial<CallCommand> = {}): Call {
    const command: CallCommand = {
      version: 1,
      call_id: crypto.randomUUID(),
      organization: 'acme',
      number: calledNumber,
      phone_number: '14155550100',
      max_duration_seconds: 600,
      expires_at: new Date(Date.now() + 60_000).toISOString(),
      ...fields,
    };
    return placeCall(this.parts.outbound, command, () => {});
  }

  /** The reply to the API, which asks something of a call. */
  async ask(callId: string, action: CallAction): Promise<CallControlReply> {
    const request_id = crypto.randomUUID();
    const asked = { request_id, call_id: callId, organization: 'acme', ...action };
    this.redis.deliver(callControlChannel, JSON.stringify(asked));
    const replies = () => this.redis.lists.get(callControlReplyKey(request_id)) ?? [];
    await until(() => replies().length > 0, 10_000, 'the edge replies');
    return callControlReplySchema.parse(JSON.parse(replies()[0]!));
  }

  /** The same for a transfer. */
  async orderTransfer(callId: string, fields: Partial<TransferOrder> = {}): Promise<TransferReply> {
    const request_id = crypto.randomUUID();
    const order = { request_id, call_id: callId, organization: 'acme', target: '+14155550100', ...fields };
    this.redis.deliver(transferChannel, JSON.stringify(order));
    const reply = () => this.redis.strings.get(transferReplyKey(request_id));
    await until(() => reply() !== undefined, 10_000, 'the edge replies');
    return transferReplySchema.parse(JSON.parse(reply()!));
  }

  /** The caller sends an INVITE; nothing is waited for. */
  async call(
    options: { body?: string; headers?: Record<string, string | null> } = {},
    user = calledNumber,
  ): Promise<PeerCall> {
    const call = PeerCall.to(this.trunk, user);
    await call.invite({ body: trunkDescription(), ...options });
    return call;
  }

  /** The INVITE that reached the agent for the caller's call. */
  async atAgent(): Promise<{ agent: PeerCall; invite: Arrival<SipRequest> }> {
    return this.at(this.agent).then(({ party, invite }) => ({ agent: party, invite }));
  }

  /** The INVITE that reached a peer. */
  async at(peer: SipPeer): Promise<{ party: PeerCall; invite: Arrival<SipRequest> }> {
    const invite = await peer.expectRequest('INVITE');
    return { party: PeerCall.from(peer, invite.message), invite };
  }

  /** A call that is up. */
  async establish(options: { offer?: string; headers?: Record<string, string> } = {}): Promise<TwoLegs> {
    const trunk = await this.call({
      body: options.offer ?? trunkDescription(),
      ...(options.headers === undefined ? {} : { headers: options.headers }),
    });
    const { agent, invite } = await this.atAgent().catch((error: Error) => {
      throw new Error(`${error.message} The caller got: ${this.trunk.inbox.notTaken}.`);
    });
    await agent.respond(invite, 180);
    await trunk.response(180);
    await agent.respond(invite, 200, { body: agentDescription() });
    const ok = await trunk.response(200);
    await trunk.ack(ok.message);
    await this.agent.expectRequest('ACK', { callId: agent.callId });
    return { trunk, agent, invite };
  }

  /** The one who stays answers the BYE that the end of the other one brings. */
  async hangUp(by: PeerCall, peer: PeerCall): Promise<void> {
    await by.send('BYE');
    await answerBye(peer);
    await by.response(200, 'BYE');
  }

  /** The descriptions that a successor would continue the only call with. */
  get descriptions(): Call['state']['descriptions'] {
    const calls: Call[] = [];
    this.parts.table.forEach((call) => {
      calls.push(call);
    });
    if (calls.length !== 1) throw new Error(`There are ${calls.length} calls.`);
    return calls[0]!.state.descriptions;
  }

  /** The next call record. */
  async record(): Promise<CallRecord> {
    await until(() => this.records.length > 0, 10_000, 'a call record');
    return this.records.shift()!;
  }

  /** Nothing is left of any call: not at the edge, not at the engine, not at rtpengine. */
  async expectNothingLeft(): Promise<void> {
    let last = '';
    const left = async (): Promise<string> => {
      const { dialogs, pendingRequests, outgoingRequests } = this.engine.snapshot().userAgent;
      const calls = this.edges.reduce((sum, { parts }) => sum + parts.table.size, 0);
      const counts = { calls, dialogs, pendingRequests, outgoingRequests };
      const entries = Object.entries(counts).filter(([, count]) => count !== 0);
      return [...entries, ...(await this.rtpengine.sessions())].join();
    };
    const hasEnded = async (): Promise<boolean> => {
      last = await left();
      return last === '';
    };
    try {
      await until(hasEnded, 10_000, () => `Left over: ${last}`);
    } catch (error) {
      // What a failed test left behind must not fail the next one.
      for (const { parts } of this.edges) endAllByEdge(parts.table, 'drained', 'Test failed');
      await until(hasEnded, 10_000, 'the calls have ended').catch(() => {});
      for (const { inbox } of [this.trunk, this.agent]) inbox.clear();
      throw error;
    } finally {
      this.records.length = 0;
    }
  }

  async stop(): Promise<void> {
    for (const edge of this.edges) {
      endAllByEdge(edge.parts.table, 'drained', 'Test is over');
      await edge.stop();
    }
    await Promise.all([this.trunk.close(), this.agent.close()]);
    this.engine.core.abandon();
    await this.engine.leave();
    await this.rtpengine.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

export const answerBye = async (of: PeerCall): Promise<void> => {
  await of.respond(await of.peer.expectRequest('BYE', { callId: of.callId }), 200);
};
