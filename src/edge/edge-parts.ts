import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Logger } from '../base/log.js';
import { connectRedis, type Redis } from '../base/redis.js';
import type { EdgeSettings, EgressSettings } from '../config/edge-settings.js';
import { heldCallsKey } from '../contract/held-call.js';
import type { Takeover } from '../contract/live.js';
import { openCallsKey } from '../contract/open-calls.js';
import { SecretBox } from '../contract/secret.js';
import { anyOf } from '../contract/source-range.js';
import { EgressPolicy } from '../naming/egress.js';
import type { TargetResolver } from '../naming/target-resolver.js';
import { Bindings } from './admission/bindings.js';
import { AdmissionChain } from './admission/chain.js';
import { DigestGate } from './admission/digest-gate.js';
import { LimitFleet } from './admission/fleet/limit-fleet.js';
import { RefusalBudget } from './admission/refusal-budget.js';
import type { CallDeps, TransferRequests } from './call/call.js';
import { CallTable } from './call/call-table.js';
import { RequestGate } from './call/request-gate.js';
import { stopByApi } from './call-control/actions.js';
import { CallControls } from './call-control/call-controls.js';
import { DiscoveryRunner } from './discovery/discovery-runner.js';
import { AgentReach } from './health/agent-reach.js';
import { HealthProber } from './health/health-prober.js';
import type { InboundDeps } from './inbound/inbound-deps.js';
import { Listenings } from './listening/listenings.js';
import { MediaWatch } from './media/media-watch.js';
import { NodeWatch } from './media/node-watch.js';
import { RtpenginePool } from './media/rtpengine-pool.js';
import { checkTrunkOffer } from './media/trunk-offer.js';
import { EdgeMetrics } from './metrics.js';
import { AgentCredentials } from './outbound/agent-credentials.js';
import { OrderedCalls } from './outbound/ordered-calls.js';
import type { OutboundDeps } from './outbound/outbound-deps.js';
import { OrderLine } from './outbound/pacing/order-line.js';
import { OutboundPlaces, paceOf } from './outbound/pacing/outbound-places.js';
import { placeCall } from './outbound/place-call.js';
import { QualityWatch } from './quality/quality-watch.js';
import { TurnWatch } from './quality/turn-watch.js';
import { CallStream } from './record/call-stream.js';
import { Registrations } from './registration/registrations.js';
import { FailoverStates } from './routing/failover-states.js';
import { type EdgeNamesDeps, edgeNames } from './routing/names.js';
import { OutboundAddresses } from './routing/outbound-addresses.js';
import { targetGuard } from './routing/target-guard.js';
import { TrunkStore } from './routing/trunk-store.js';
import { Sightings } from './sightings/sightings.js';
import { EngineLink } from './sip/engine-link.js';
import { StreamPool } from './streams/stream-pool.js';
import { forgetCallsElsewhere } from './survival/calls-elsewhere.js';
import { dialogsAtEngine } from './survival/dialogs-at-engine.js';
import { HolderLease } from './survival/holder-lease.js';
import { placeTestCall } from './test-call/place-test-call.js';
import type { TraceCollector } from './trace/trace-collector.js';
import { OrderedTransfers } from './transfer/ordered-transfers.js';
import { Transfers } from './transfer/transfers.js';

const logFlushMilliseconds = 200;

export type EdgeParts = ReturnType<typeof composeEdge>;

/** Assembles the components of one edge, each from those above it; starts only the traces. */
export function composeEdge(
  settings: EdgeSettings,
  traces: TraceCollector,
  log: Logger,
  namesDeps?: EdgeNamesDeps,
  redis = connectRedis(settings.redis, log, 'demarc-edge', { socketTimeout: 3_000, needsPrimary: true }),
) {
  const resolvers = edgeNames(namesDeps);
  const base = { ...baseOf(settings, redis, traces, log), names: resolvers.targets };
  const { trunks, secrets, engine, table, gate, holder } = base;
  const { waitMilliseconds } = settings.trunks;
  const registrations = new Registrations({
    ...base,
    settings: settings.registration,
    kept: () => trunks.keptNumbers(),
  });
  const admission = admissionOf(base, registrations, new OutboundAddresses(resolvers.admission));
  const { failbackProbes } = settings.outbound;
  const failover = new FailoverStates({ redis, trunks, log, failbackProbes, waitMilliseconds });
  const line = new OrderLine(redis, holder);
  const places = new OutboundPlaces({ admission, line, waitMilliseconds });
  const transfers = new Transfers({ engine, table, trunks, places, secrets, failover });
  const calls = callDepsOf(base, transfers);
  const prober = proberOf(base, failover, registrations);
  const sightings = new Sightings(base);
  const inbound: InboundDeps = { calls, table, admission, replacements: transfers, sightings };
  const outbound: OutboundDeps = {
    calls,
    table,
    trunks,
    admission,
    places,
    agents: agentCredentialsOf(base),
    secrets,
    failover,
    defaultAgentUri: settings.admission.defaultAgentUri,
    isDraining: base.isDraining,
    answeredBy: (target) => void prober.answeredCall(target),
  };
  return {
    ...base,
    admission,
    calls,
    inbound,
    outbound,
    transfers,
    places,
    pool: calls.pool,
    watch: calls.watch,
    prober,
    registrations,
    sightings,
    agentReach: new AgentReach({ ...base, defaultAgentUri: settings.admission.defaultAgentUri }),
    orders: ordersOf(base, admission, line, outbound),
    callControls: new CallControls(base),
    orderedTransfers: new OrderedTransfers({ redis, table, gate, transfers, log }),
    discoveries: new DiscoveryRunner({
      ...base,
      settings: settings.discovery,
      egress: egressOf({ ...settings.egress, ...settings.discovery }, engine),
    }),
  };
}

type Base = ReturnType<typeof baseOf> & { readonly names: TargetResolver };

/** What the other components depend on. */
function baseOf(settings: EdgeSettings, redis: Redis, traces: TraceCollector, log: Logger) {
  const life = { isDraining: false };
  // State that this process holds in Redis; a restarted process of the same name holds none of it.
  const instance = randomBytes(8).toString('hex');
  const holder = `${settings.edgeId} ${instance}`;
  const secrets = new SecretBox(settings.secretKeys);
  // Without a key nothing can be sealed, and without a sealed description no edge can continue a call.
  const owner = secrets.hasKey && settings.survival.isEnabled ? instance : undefined;
  const engine = new EngineLink(log, (frame, start) => traces.receiveFrame(frame, start), owner);
  const lease = new HolderLease({
    redis,
    holder,
    edgeId: settings.edgeId,
    ...settings.survival,
    dialogsAtEngine: (instance) => dialogsAtEngine(engine, instance),
    lost: () => {
      log.error('Another edge has taken over the calls of this process, which did not renew its lease.');
      void forgetCallsElsewhere({ engine, lease, table, log }).then(() =>
        exit(log, 'The calls of this process continue at another edge; exiting.'),
      );
    },
  });
  const table = new CallTable();
  const gate = new RequestGate();
  const { waitMilliseconds } = settings.trunks;
  return {
    settings,
    edgeId: settings.edgeId,
    holder,
    /** Changed only by the edge. */
    life,
    isDraining: () => life.isDraining,
    /** Calls of other edges that this one has. */
    takeovers: [] as Takeover[],
    metrics: new EdgeMetrics(),
    redis,
    trunks: new TrunkStore({ settings: settings.trunks, redis, edge: holder, log }),
    stream: new CallStream({
      settings: settings.record,
      redis,
      openCallsKey: openCallsKey(holder),
      heldCallsKey: heldCallsKey(holder),
      isHolder: () => lease.isHolder(),
      log,
    }),
    engine,
    lease,
    leaveAddress: () =>
      exit(log, 'An address of the engine has left this machine, and the calls with it; exiting.'),
    streams: new StreamPool(redis, log),
    limitFleet: new LimitFleet({ redis, holder, ...settings.survival, waitMilliseconds }),
    egress: egressOf(settings.egress, engine),
    secrets,
    table,
    gate,
    traces,
    log,
  };
}

/** Another edge has our calls, or will: nothing here may touch them or their media any more. The supervisor starts a new process. */
function exit(log: Logger, why: string): void {
  log.fatal(why);
  // Log lines are written together, a moment later.
  setTimeout(() => process.exit(1), logFlushMilliseconds);
}

const egressOf = ({ allowPrivate, privateNetworks }: EgressSettings, engine: EngineLink): EgressPolicy =>
  new EgressPolicy({ allowPrivate, privateNetworks, ownListeners: () => engine.ownListeners });

function admissionOf(base: Base, { directory }: Registrations, addresses: OutboundAddresses): AdmissionChain {
  const { settings, trunks, secrets, redis, engine, egress, limitFleet, isDraining } = base;
  return new AdmissionChain({
    settings: settings.admission,
    trunks,
    secrets,
    checkTrunkOffer: (sdp, codecs, isForeign) =>
      checkTrunkOffer(sdp, codecs, isForeign ? egress : undefined, {
        suites: settings.rtpengine.srtpSuites,
        takesOptimistic: settings.rtpengine.takesOptimisticSrtp,
      }),
    isDraining,
    ownHostPorts: () => engine.advertised,
    listeners: () => engine.advertisedListeners,
    addresses,
    bindings: new Bindings({ directory, addresses, redis, trunks }),
    redis,
    fleet: limitFleet,
  });
}

function agentCredentialsOf({ settings, secrets, engine }: Base): AgentCredentials {
  const now = { wall: Date.now, monotonic: () => performance.now() };
  const digest = new DigestGate(settings.admission.digest, secrets, () => engine.advertised, now, 'agents');
  return new AgentCredentials(settings.agentCalls, digest);
}

function callDepsOf(base: Base, transfers: TransferRequests): CallDeps {
  const { settings, engine, metrics, stream, streams, traces, names, egress, secrets, redis, gate, log } =
    base;
  const { agentLostAnnouncementFile: announcement } = settings.call;
  const pool = new RtpenginePool({
    settings: {
      ...settings.rtpengine,
      agentSources: anyOf(settings.agentCalls.sources),
    },
    egress,
    log,
    observe: (command, result, seconds) => metrics.rtpengineAnswered(command, result, seconds),
  });
  return {
    settings,
    guardTarget: targetGuard({
      egress,
      names,
      engine,
      defaultAgentUri: settings.admission.defaultAgentUri,
    }),
    engine,
    pool,
    gate,
    nodes: new NodeWatch(pool),
    quality: new QualityWatch(),
    turns: new TurnWatch(log),
    listenings: new Listenings({ redis, secrets, log }),
    mediaFailures: new RefusalBudget(settings.admission.recordedRefusalsPerSecond, () => performance.now()),
    watch: new MediaWatch(
      {
        trunk: settings.call.mediaTimeoutSeconds * 1_000,
        agent: settings.call.agentSilenceSeconds * 1_000,
        node: settings.rtpengine.lostMilliseconds,
      },
      log,
    ),
    agentLostAnnouncement: announcement === undefined ? undefined : readFileSync(announcement),
    traces,
    stream,
    metrics,
    secrets,
    streams,
    transfers,
    illegalState: (error) => {
      metrics.callStateError(error);
      log.error(
        { err: error, call: error.callId },
        'A call received an event that its state does not allow.',
      );
      // Production ignores the event: the call has a better chance without an exception in its handler.
      if (process.env.NODE_ENV === 'test') throw error;
    },
    log,
  };
}

function proberOf(base: Base, failover: FailoverStates, registrations: Registrations): HealthProber {
  return new HealthProber({
    ...base,
    settings: base.settings.health,
    checked: (health) => {
      base.metrics.probed(health);
      void failover.probed(health);
      void registrations.checked(health);
    },
  });
}

function ordersOf(
  base: Base,
  admission: AdmissionChain,
  line: OrderLine,
  outbound: OutboundDeps,
): OrderedCalls {
  const { redis, holder, engine, trunks, isDraining, log } = base;
  return new OrderedCalls({
    redis,
    line,
    owner: holder,
    isReady: () => engine.isResponsive && outbound.calls.pool.isUsable && !isDraining(),
    paceOf: async (number) => {
      const document = await trunks.find(number);
      if (document === undefined) return {};
      return (await admission.hasRoom(document)) ? paceOf(document) : undefined;
    },
    place: (command, report) => {
      const call = command.test
        ? placeTestCall({ ...outbound, redis }, command, report)
        : placeCall(outbound, command, report);
      return { stop: () => stopByApi(call) };
    },
    log,
  });
}
