import { randomBytes } from 'node:crypto';
import type { EdgeSettings } from '../config/edge-settings.js';
import { SecretBox } from '../contract/secret.js';
import { AdmissionChain } from './admission/chain.js';
import { OutboundAddresses, systemNameService } from './admission/outbound-addresses.js';
import { RefusalBudget } from './admission/refusal-budget.js';
import { accept } from './call/accept.js';
import { byeBeforeAck } from './call/bye-before-ack.js';
import type { CallParts } from './call/call-parts.js';
import { CallTable } from './call/call-table.js';
import { EngineLink } from './call/engine-link.js';
import { options, refusedMethods, refuseMethod } from './call/options.js';
import { acknowledged } from './call/prack.js';
import { sipReason } from './call/reason.js';
import { DiscoveryRunner, systemDiscoveryNames } from './discovery/discovery-runner.js';
import { EngineProcess } from './engine-process.js';
import { systemEndpointNames } from './health/endpoint-targets.js';
import { HealthProber } from './health/health-prober.js';
import { type EdgeHttp, startEdgeHttp } from './http.js';
import { type EdgeFacts, LivePublisher } from './live/live-publisher.js';
import { callSamples } from './live/live-view.js';
import type { Logger } from './log.js';
import { MediaWatch } from './media/media-watch.js';
import { RtpenginePool } from './media/rtpengine-pool.js';
import { checkTrunkOffer } from './media/trunk-offer.js';
import { type EdgeCounts, EdgeMetrics } from './metrics.js';
import { acceptFromAgent } from './outbound/accept-from-agent.js';
import { AgentGate } from './outbound/agent-gate.js';
import { FailoverStates } from './outbound/failover/failover-states.js';
import { OrderedCalls } from './outbound/ordered-calls.js';
import { OrderLine } from './outbound/pacing/order-line.js';
import { OutboundPlaces, paceOf } from './outbound/pacing/outbound-places.js';
import { type OutboundParts, placeCall } from './outbound/place-call.js';
import { targetGuard } from './outbound/target-guard.js';
import type { TrunkTarget } from './outbound/targets.js';
import { CallStream } from './record/call-stream.js';
import { connectRedis } from './redis.js';
import { Bindings } from './registration/bindings.js';
import { Registrations } from './registration/registrations.js';
import { placeTestCall } from './test-call/place-test-call.js';
import { TraceCollector } from './trace/trace-collector.js';
import { OrderedTransfers } from './transfer/ordered-transfers.js';
import { Transfers } from './transfer/transfers.js';
import { TrunkStore } from './trunk/trunk-store.js';

/** The whole edge in one process: composition, start, drain. */
export class Edge {
  private draining = false;
  private http: EdgeHttp | undefined;
  private engineMetricsUrl: () => string | undefined;
  private readonly stops: (() => Promise<unknown> | unknown)[] = [];
  private constructor(
    private readonly parts: CallParts,
    private readonly admission: AdmissionChain,
    private readonly stream: CallStream,
    private readonly registrations: Registrations,
    engineMetrics: string | undefined,
  ) {
    this.engineMetricsUrl = () => engineMetrics;
  }

  /** Starts every part; rejects, with what was started ended again, when one cannot start. */
  static async start(settings: EdgeSettings, log: Logger): Promise<Edge> {
    const metrics = new EdgeMetrics();
    const redis = connectRedis(settings.redis, log);
    const trunks = new TrunkStore({ settings: settings.trunks, redis, log });
    const stream = new CallStream({ settings: settings.record, redis, log });
    const engine = new EngineLink(log);
    const table = new CallTable();
    const isDraining = (): boolean => edge?.draining ?? false;
    const secrets = new SecretBox(settings.secretKeys);
    // What this process holds in Redis; one that is started again under the same name holds nothing of it.
    const holder = `${settings.edgeId} ${randomBytes(8).toString('hex')}`;
    const registrations = new Registrations({
      settings: settings.registration,
      edgeId: settings.edgeId,
      holder,
      redis,
      engine,
      names: systemEndpointNames(),
      secrets,
      kept: () => trunks.keptNumbers(),
      log,
    });
    const addresses = new OutboundAddresses(systemNameService(), () => performance.now());
    const admission = new AdmissionChain({
      settings: settings.admission,
      trunks,
      secrets,
      checkTrunkOffer,
      isDraining,
      ownHostPorts: () => engine.advertised,
      bindings: new Bindings({ directory: registrations.directory, addresses, redis }),
    });
    const pool = new RtpenginePool({
      settings: settings.rtpengine,
      log,
      observe: (command, result, seconds) => metrics.rtpengineAnswered(command, result, seconds),
    });
    const watch = new MediaWatch(settings.call.mediaTimeoutSeconds * 1_000, log);
    const traces = await TraceCollector.start(settings.trace, log);
    const failover = new FailoverStates({
      redis,
      trunks,
      log,
      failbackProbes: settings.outbound.failbackProbes,
      waitMilliseconds: settings.trunks.waitMilliseconds,
    });
    const line = new OrderLine(redis, holder);
    const places = new OutboundPlaces({
      admission,
      line,
      waitMilliseconds: settings.trunks.waitMilliseconds,
    });
    const transfers = new Transfers({ engine, table, trunks, places, secrets, failover });
    const orderedTransfers = new OrderedTransfers({ redis, table, transfers, log });
    const parts: CallParts = {
      settings,
      guardTarget: settings.outbound.allowPrivate ? undefined : targetGuard(systemEndpointNames()),
      engine,
      admission,
      pool,
      mediaFailures: new RefusalBudget(settings.admission.recordedRefusalsPerSecond, () => performance.now()),
      watch,
      traces,
      stream,
      metrics,
      table,
      transfers,
      log,
    };
    const prober = new HealthProber({
      settings: settings.health,
      edgeId: settings.edgeId,
      holder,
      redis,
      engine,
      names: systemEndpointNames(),
      checked: (health) => {
        metrics.probed(health);
        void failover.probed(health);
        void registrations.checked(health);
      },
      log,
    });
    const outbound = {
      calls: parts,
      trunks,
      admission,
      places,
      secrets,
      failover,
      defaultAgentUri: settings.admission.defaultAgentUri,
      isDraining,
      answeredBy: (target: TrunkTarget) => void prober.answeredCall(target),
    };
    const orders = new OrderedCalls({
      redis,
      line,
      owner: holder,
      isReady: () => engine.isUp && pool.isUsable && !isDraining(),
      paceOf: async (number) => {
        const document = await trunks.find(number);
        if (document === undefined) return {};
        return admission.hasRoom(document.organization) ? paceOf(document) : undefined;
      },
      place: (command, report) => {
        const call = command.test
          ? placeTestCall({ ...outbound, redis }, command, report)
          : placeCall(outbound, command, report);
        const reason = sipReason(200, 'Stopped');
        return { stop: () => call.end({ reason: 'stopped', by: 'api' }, { reason }) };
      },
      log,
    });
    const discoveries = new DiscoveryRunner({
      settings: settings.discovery,
      redis,
      engine,
      names: systemDiscoveryNames(),
      holder,
      log,
    });
    const edge: Edge = new Edge(parts, admission, stream, registrations, settings.engineMetrics);
    edge.stops.push(
      () => redis.disconnect(),
      () => traces.stop(),
      () => trunks.stop(),
      () => stream.stop(),
      () => pool.stop(),
    );
    try {
      await Promise.all([trunks.start(), stream.start(), pool.start()]);
      edge.listen(outbound, new AgentGate(settings.agentCalls));
      await edge.connectEngine(settings);
      edge.stops.push(() => prober.stop());
      prober.start();
      edge.stops.push(() => registrations.stop());
      registrations.start();
      engine.on('up', () => registrations.engineIsUp());
      edge.stops.push(() => discoveries.stop());
      discoveries.start();
      const live = new LivePublisher({
        edgeId: settings.edgeId,
        holder,
        redis,
        table,
        facts: () => edge.facts(trunks),
        log,
      });
      edge.stops.push(() => live.stop());
      live.start();
      orderedTransfers.start();
      edge.stops.push(() => orderedTransfers.stop());
      metrics.sources = {
        counts: () => edge.counts(),
        calls: () => callSamples(table),
        nodes: () => pool.states(),
        isEngineUp: () => engine.isUp,
        isRedisUp: () => trunks.isConnected,
        isDraining,
        malformedDocuments: () => trunks.malformed,
        recordsLost: () => stream.lost,
        forwarded: () => traces.forwarded,
        probedEndpoints: () => prober.size,
        registrations: () => ({ all: registrations.size, registered: registrations.registered }),
      };
      await orders.start();
      edge.stops.push(() => orders.stop());
      edge.http = await edge.startHttp(settings, trunks);
      edge.stops.push(() => edge.http?.close());
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
    const { table, engine, watch, pool } = this.parts;
    return {
      calls: table.size,
      ending: table.ending,
      dialogs: engine.dialogCount,
      admitted: this.admission.activeCalls,
      watched: watch.size,
      owedDeletions: pool.owedDeletions,
      recordsWaiting: this.stream.waiting,
    };
  }

  /** Refuses new calls, lets the others finish for at most `seconds`, ends the rest, writes the records, stops. */
  async drain(seconds: number): Promise<void> {
    const { table, log } = this.parts;
    this.draining = true;
    log.info({ calls: table.size, seconds }, 'Draining: new calls are refused.');
    const handedOver = this.registrations.stop();
    const bound = setTimeout(() => this.endAll('drained', 'Server is going down'), seconds * 1_000);
    await table.drained();
    clearTimeout(bound);
    await handedOver;
    await this.close();
    log.info('Drained.');
  }

  /** Ends every call that is going on. */
  endAll(reason: 'drained' | 'engine_lost', text: string): void {
    const engineIsGone = reason === 'engine_lost';
    const retryAfter = String(this.parts.settings.drain.retryAfterSeconds);
    this.parts.table.forEach((call) => {
      call.end(
        { reason, by: 'edge', detail: engineIsGone ? 'The connection to the SIP engine broke.' : undefined },
        {
          answer: { status: 503, headers: { 'Retry-After': retryAfter } },
          reason: sipReason(503, text),
          engineIsGone,
        },
      );
    });
  }

  private listen(outbound: OutboundParts, gate: AgentGate): void {
    const { engine } = this.parts;
    engine.handle('invite', (request, response) => {
      if (gate.isAgent(request)) acceptFromAgent(outbound, request, response);
      else accept(this.parts, request, response);
    });
    const isReady = (): boolean => !this.draining;
    engine.handle('options', (request, response) => options(this.parts, isReady, request, response));
    for (const method of refusedMethods) engine.handle(method, refuseMethod);
    engine.handle('prack', acknowledged);
    engine.handle('bye', (request, response) => byeBeforeAck(this.parts.table, request, response));
    // INFO belongs to a session (RFC 6086 §4.2.2), and this one to none; unhandled it would be answered 503.
    engine.handle('info', (_request, response) => response.send(481, undefined, {}));
    engine.on('down', () => this.endAll('engine_lost', 'Engine lost'));
  }

  /** With a drachtio-server the edge waits for it in the background: it may come later, and `/readyz` tells. */
  private async connectEngine(settings: EdgeSettings): Promise<void> {
    const { engine, traces, log } = this.parts;
    if (settings.drachtio !== undefined) {
      this.stops.push(() => engine.close());
      engine.connect(settings.drachtio);
      return;
    }
    const hep = { host: settings.trace.host, port: traces.port };
    const child = new EngineProcess({ settings: settings.engine, hep, log });
    this.engineMetricsUrl = () => child.metricsUrl;
    this.stops.push(
      () => child.stop(),
      () => engine.close(),
    );
    engine.connect(await child.start());
    await new Promise<void>((resolve) => engine.once('up', () => resolve()));
  }

  private facts(trunks: TrunkStore): EdgeFacts {
    const { engine, pool } = this.parts;
    const redis = trunks.state();
    return {
      draining: this.draining,
      engine: {
        up: engine.isUp,
        kind: engine.isEmbedded ? 'embedded' : 'drachtio',
        listeners: engine.advertised,
      },
      rtpengine: pool.states().map(({ name, state, owed, roundTripMilliseconds }) => ({
        name,
        state,
        round_trip_milliseconds: roundTripMilliseconds,
        owed_deletions: owed,
      })),
      redis,
      recordsWaiting: this.stream.waiting,
      owedDeletions: pool.owedDeletions,
    };
  }

  private startHttp(settings: EdgeSettings, trunks: TrunkStore): Promise<EdgeHttp> {
    const { engine, pool, metrics, log } = this.parts;
    const readiness = [
      {
        name: 'engine',
        state: () => ({
          ready: engine.isUp,
          detail: engine.isUp ? engine.advertised.join(', ') : 'not connected',
        }),
      },
      {
        name: 'rtpengine',
        state: () => ({
          ready: pool.isUsable,
          detail: pool
            .states()
            .map(({ name, state }) => `${name} ${state}`)
            .join(', '),
        }),
      },
      { name: 'redis', state: () => trunks.state() },
    ];
    return startEdgeHttp({
      listen: settings.http,
      parts: readiness,
      isDraining: () => this.draining,
      metrics,
      engineMetricsUrl: () => this.engineMetricsUrl(),
      metricsToken: settings.metricsToken,
      log,
    });
  }

  /** In reverse order of the start. */
  private async close(): Promise<void> {
    for (const stop of this.stops.splice(0).reverse()) {
      try {
        await stop();
      } catch (error) {
        this.parts.log.warn({ error: String(error) }, 'A part did not stop as it should.');
      }
    }
  }
}
