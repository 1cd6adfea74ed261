import type { Logger } from '../base/log.js';
import type { EdgeSettings } from '../config/edge-settings.js';
import type { Call } from './call/call.js';
import { options, refusedMethods, refuseMethod } from './call/options.js';
import { Drain, type DrainPurpose, endAllByEdge, endByEdge } from './drain.js';
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
import { refuseInvite } from './sip/refuse-invite.js';
import { Survival } from './survival/survival.js';
import { TraceCollector } from './trace/trace-collector.js';

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

  /** Refuses new calls, ends or leaves the others as `Drain` says, stops. */
  async drain(seconds: number, purpose: DrainPurpose = 'end'): Promise<void> {
    await new Drain(this.parts, this.survival).run(seconds, purpose);
    await this.close();
    this.parts.log.info('Drained.');
  }

  /** Ends every active call. */
  endAll(reason: 'drained', text: string): void {
    endAllByEdge(this.parts.table, reason, text);
  }

  /** Their dialogs are gone with the engine, or with the connection to it. */
  private endLost(calls: readonly Call[]): void {
    for (const call of calls) endByEdge(call, 'engine_lost', 'Engine lost');
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
