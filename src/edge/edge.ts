import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../base/log.js';
import { within } from '../base/within.js';
import type { EdgeSettings } from '../config/edge-settings.js';
import type { Call } from './call/call.js';
import { options, refusedMethods, refuseMethod } from './call/options.js';
import { composeEdge, type EdgeParts } from './edge-parts.js';
import { countsOf, factsOf, metricSourcesOf, readinessOf } from './edge-state.js';
import { type EdgeHttp, startEdgeHttp } from './http.js';
import { accept } from './inbound/accept.js';
import { byeBeforeAck } from './inbound/bye-before-ack.js';
import { loadShedder } from './inbound/shed-invites.js';
import { CallLooks } from './live/call-looks.js';
import { LivePublisher } from './live/live-publisher.js';
import { MomentPublisher } from './live/moment-publisher.js';
import { OpenCalls } from './live/open-calls.js';
import type { EdgeCounts } from './metrics.js';
import { acceptFromAgent } from './outbound/accept-from-agent.js';
import { AgentGate } from './outbound/agent-gate.js';
import type { EdgeNamesDeps } from './routing/names.js';
import { nameDefect } from './sip/dialog-name.js';
import { answerPrack } from './sip/early-requests.js';
import { EngineProcess } from './sip/engine-process.js';
import { sipReason } from './sip/reason.js';
import { refuseInvite } from './sip/refuse-invite.js';
import { Survival } from './survival/survival.js';
import { TraceCollector } from './trace/trace-collector.js';

const handOverPollMilliseconds = 20;
const successorPollMilliseconds = 250;
/** How long an engine that was just replaced may take to have the calls of an edge that stops. */
const settleMilliseconds = 1_000;
/** The same, until another edge is known there. */
const successorMilliseconds = 5_000;

/** Why an edge stops: for good, to be started again, or because another edge takes its place. */
export type DrainPurpose = 'end' | 'restart' | 'replacement';

/** The whole edge in one process: start, drain. */
export class Edge {
  private http: EdgeHttp | undefined;
  private engineMetricsUrl: () => string | undefined;
  private readonly stops: (() => Promise<unknown> | unknown)[] = [];
  private readonly survival: Survival;

  private constructor(private readonly parts: EdgeParts) {
    this.engineMetricsUrl = () => parts.settings.engineMetrics;
    this.survival = new Survival(parts, (calls) => this.endLost(calls));
  }

  /** Starts every part; rejects, with what was started ended again, when one cannot start. */
  static async start(settings: EdgeSettings, log: Logger, names?: EdgeNamesDeps): Promise<Edge> {
    const traces = await TraceCollector.start(settings.trace, log);
    const edge = new Edge(composeEdge(settings, traces, log, names));
    try {
      await edge.startParts();
    } catch (error) {
      await edge.close();
      throw error;
    }
    return edge;
  }

  /** Base URL of the health endpoints. */
  get httpUrl(): string {
    return this.http?.url ?? '';
  }

  counts(): EdgeCounts {
    return countsOf(this.parts);
  }

  /**
   * Refuses new calls, lets the others finish for at most `seconds`, ends the rest, writes the records, stops.
   * @param purpose other than `end`: answered calls are left to the next edge instead, where the engine keeps them
   */
  async drain(seconds: number, purpose: DrainPurpose = 'end'): Promise<void> {
    const { table, registrations, life, engine, log } = this.parts;
    const until = performance.now() + seconds * 1_000;
    const hasSuccessor = await this.announceLeaving(purpose);
    // Before we refuse any: the engine gives new calls to the other edge.
    if (hasSuccessor) await this.survival.refuseNew();
    life.isDraining = true;
    // A connection to another engine process announces that we take calls.
    engine.on('up', () => void this.survival.refuseNew());
    log.info({ calls: table.size, seconds, hasSuccessor }, 'Draining, refusing new calls.');
    const released = registrations.stop();
    if (!hasSuccessor || !(await this.handOver(until, released)))
      await this.drainAlone(until, released, purpose !== 'end');
    await released;
    await this.close();
    log.info('Drained.');
  }

  /** An edge that is replaced takes calls until the other edge is known, which the engine may just have got to know itself. */
  private async announceLeaving(purpose: DrainPurpose): Promise<boolean> {
    const patience = purpose === 'replacement' ? successorMilliseconds : settleMilliseconds;
    const until = performance.now() + patience;
    if (await this.survival.announceLeaving(until)) return true;
    if (purpose !== 'replacement' || !this.survival.mayHaveSuccessor) return false;
    while (performance.now() < until) {
      await sleep(successorPollMilliseconds);
      if (await this.survival.hasSuccessor()) return true;
    }
    return false;
  }

  /** Waits for the calls to end, or for another edge: one that starts meanwhile takes the answered ones. */
  private async drainAlone(until: number, released: Promise<void>, isRestarted: boolean): Promise<void> {
    const { table } = this.parts;
    const drained = table.drained().then(() => true);
    for (;;) {
      const left = Math.max(0, until - performance.now());
      if ((await within(Math.min(left, successorPollMilliseconds), drained)) === true) return;
      if (left === 0) break;
      if (!(await this.survival.hasSuccessor())) continue;
      await this.survival.refuseNew();
      if (await this.handOver(until, released)) return;
    }
    if (isRestarted && (await this.leave(released))) return;
    this.endAll('drained', 'Server is going down');
    await drained;
  }

  /**
   * Leaves the answered calls to another edge, once the others have ended.
   * @param until monotonic milliseconds until which they may take
   * @returns false: no other edge stays; nothing has happened to the answered calls
   */
  private async handOver(until: number, released: Promise<void>): Promise<boolean> {
    const { table, log } = this.parts;
    await this.settleOthers(until, released);
    const calls = table.size;
    const isHandedOver = await this.survival.handOver();
    if (isHandedOver) log.info({ calls }, 'Handed over answered calls to another edge.');
    else log.info({ calls }, 'No other edge stays: waiting for the answered calls.');
    return isHandedOver;
  }

  /**
   * Leaves the answered calls to the engine, which keeps them for the next edge as after a crash.
   * @returns false: the engine ends with this edge, or cannot keep them; nothing has happened to the answered calls
   */
  private async leave(released: Promise<void>): Promise<boolean> {
    const { table, settings, log } = this.parts;
    if (settings.drachtio === undefined || !this.survival.mayLeave) return false;
    await this.settleOthers(performance.now(), released);
    const calls = table.size;
    const isLeft = await this.survival.leave();
    if (isLeft) log.info({ calls }, 'Left answered calls to the engine, for the next edge.');
    else log.warn({ calls }, 'Redis does not take the answered calls: ending them.');
    return isLeft;
  }

  /** Waits for calls that are not answered, or in transfer; ends those that no other edge can continue then. */
  private async settleOthers(until: number, released: Promise<void>): Promise<void> {
    const { table, stream } = this.parts;
    const unsettled = (): Call[] => {
      const calls: Call[] = [];
      table.forEach((call) => {
        if (call.state.phase !== 'confirmed' || call.transfer !== undefined) calls.push(call);
      });
      return calls;
    };
    while ((unsettled().length > 0 || table.ending > 0) && performance.now() < until)
      await sleep(handOverPollMilliseconds);
    // A transfer under way fails, as when its edge dies; the call continues if it has both legs.
    for (const call of unsettled())
      if (!isContinuable(call)) this.end(call, 'drained', 'Server is going down');
    while (table.ending > 0) await sleep(handOverPollMilliseconds);
    await released;
    // A call that has ended but is not recorded yet would get another record there.
    await stream.flush();
    const { turns, listenings } = this.parts.calls;
    await Promise.all([turns.stop(), listenings.stop()]);
  }

  /** Ends every active call. */
  endAll(reason: 'drained', text: string): void {
    this.parts.table.forEach((call) => {
      this.end(call, reason, text);
    });
  }

  private end(call: Call, reason: 'drained' | 'engine_lost', text: string): void {
    const engineIsGone = reason === 'engine_lost';
    const retryAfter = String(this.parts.settings.drain.retryAfterSeconds);
    call.end(
      { reason, by: 'edge', detail: engineIsGone ? 'Lost the connection to the SIP engine.' : undefined },
      {
        answer: { status: 503, headers: { 'Retry-After': retryAfter } },
        reason: sipReason(503, text),
        engineIsGone,
      },
    );
  }

  /** Their dialogs are gone with the engine, or with the connection to it. */
  private endLost(calls: readonly Call[]): void {
    for (const call of calls) this.end(call, 'engine_lost', 'Engine lost');
  }

  private async startParts(): Promise<void> {
    const { parts } = this;
    const { redis, traces, trunks, stream, pool, engine, registrations, calls } = parts;
    this.stops.push(
      () => redis.disconnect(),
      () => traces.stop(),
      () => trunks.stop(),
      () => stream.stop(),
      () => pool.stop(),
      () => calls.quality.stop(),
      () => calls.turns.stop(),
      () => calls.listenings.stop(),
    );
    await Promise.all([trunks.start(), stream.start(), pool.start()]);
    await this.begin(new OpenCalls(parts));
    this.listen();
    await this.begin(parts.limitFleet);
    await this.begin(parts.streams);
    await this.begin(this.survival);
    await this.begin(parts.agentReach);
    await this.connectEngine();
    await this.begin(parts.prober);
    await this.begin(registrations);
    engine.on('up', () => registrations.engineIsUp());
    engine.on('flowLost', (callId, reason) => registrations.connectionLost(callId, reason));
    await this.begin(parts.discoveries);
    await this.begin(parts.sightings);
    await this.begin(new LivePublisher({ ...parts, facts: () => factsOf(parts) }));
    await this.begin(new MomentPublisher(parts));
    await this.begin(new CallLooks(parts));
    await this.begin(parts.orderedTransfers);
    await this.begin(parts.callControls);
    parts.metrics.sources = { ...metricSourcesOf(parts), otherEdges: () => this.survival.otherEdges };
    await this.begin(parts.orders);
    await this.startHttp();
  }

  private async begin(part: { start(): Promise<void> | void; stop(): Promise<void> | void }): Promise<void> {
    this.stops.push(() => part.stop());
    await part.start();
  }

  private listen(): void {
    const { engine, calls, admission, metrics, inbound, outbound, sightings, table, settings, isDraining } =
      this.parts;
    const gate = new AgentGate(settings.agentCalls);
    engine.handle('invite', (request, response) => {
      const defect = nameDefect(request, (name) => table.hasDialogName(name) || engine.hasDialog(name));
      if (defect !== undefined) refuseInvite(response, defect);
      else if (gate.isAgent(request)) acceptFromAgent(outbound, request, response);
      else accept(inbound, request, response);
    });
    engine.shedder = loadShedder(admission, metrics);
    const isReady = (): boolean => !isDraining();
    engine.handle('options', (request, response) =>
      sightings.answered(request, { status: options(calls, isReady, request, response) }),
    );
    for (const method of refusedMethods) {
      engine.handle(method, (request, response) =>
        sightings.answered(request, { status: refuseMethod(request, response) }),
      );
    }
    engine.handle('prack', answerPrack);
    engine.handle('bye', (request, response) => byeBeforeAck(table, request, response));
    // INFO belongs to a session (RFC 6086 §4.2.2), and this one to none; unhandled it would be answered 503.
    engine.handle('info', (_request, response) => response.send(481, undefined, {}));
  }

  /** With a drachtio-server the edge waits for it in the background: it may come later, and `/readyz` tells. */
  private async connectEngine(): Promise<void> {
    const { engine, settings, log } = this.parts;
    if (settings.drachtio !== undefined) {
      this.stops.push(() => engine.close());
      engine.connect(settings.drachtio);
      return;
    }
    const child = new EngineProcess({ settings: settings.engine, log });
    this.engineMetricsUrl = () => child.metricsUrl;
    this.stops.push(
      () => child.stop(),
      () => engine.close(),
    );
    engine.connect(await child.start());
    await new Promise<void>((resolve) => engine.once('up', () => resolve()));
  }

  private async startHttp(): Promise<void> {
    const { settings, metrics, isDraining, log } = this.parts;
    this.http = await startEdgeHttp({
      listen: settings.http,
      parts: readinessOf(this.parts),
      isDraining,
      metrics,
      engineMetricsUrl: () => this.engineMetricsUrl(),
      metricsToken: settings.metricsToken,
      log,
    });
    this.stops.push(() => this.http?.close());
  }

  /** In reverse order of the start. */
  private async close(): Promise<void> {
    for (const stop of this.stops.splice(0).reverse()) {
      try {
        await stop();
      } catch (error) {
        this.parts.log.warn({ error: String(error) }, 'A component did not stop cleanly.');
      }
    }
  }
}

const isContinuable = ({ state, dialogs }: Call): boolean =>
  state.phase === 'confirmed' && dialogs.trunk !== undefined && dialogs.agent !== undefined;
