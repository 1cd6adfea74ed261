import type { Logger } from '../base/log.js';
import type { EdgeSettings } from '../config/edge-settings.js';
import type { Call } from './call/call.js';
import { Drain, type DrainPurpose, endAllByEdge, endByEdge } from './drain.js';
import { composeEdge, type EdgeParts } from './edge-parts.js';
import { countsOf, factsOf, metricSourcesOf, readinessOf } from './edge-state.js';
import { handleRequests } from './handle-requests.js';
import { type EdgeHttp, startEdgeHttp } from './http.js';
import { CallLooks } from './live/call-looks.js';
import { LivePublisher } from './live/live-publisher.js';
import { MomentPublisher } from './live/moment-publisher.js';
import { OpenCalls } from './live/open-calls.js';
import type { EdgeCounts } from './metrics.js';
import type { EdgeNamesDeps } from './routing/names.js';
import { EngineProcess } from './sip/engine-process.js';
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
    handleRequests(parts);
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
