import { version } from '../config/version.js';
import type { CallRecord, EndReason } from '../contract/call-record.js';
import { type EndpointHealth, unreachableReasons } from '../contract/health.js';
import { terminationClass, terminationClasses } from '../contract/termination.js';
import { type TransferRecord, transferReasons, transferRecordSchema } from '../contract/transfer.js';
import { bounded, RoleMetrics, type Sample, samplesBy } from '../metrics/role-metrics.js';
import { type MediaMoveResult, mediaMoveResults } from './call/call-services.js';
import type { NodeState } from './media/rtpengine-pool.js';
import { noOtherEdges, type PingState } from './survival/edge-pings.js';

const directions = 'inbound, outbound';
const sides = 'trunk, agent';
const trunkClasses = ['tls', 'tcp', 'udp', 'wss', 'ws'] as const;
const commands = ['offer', 'answer', 'delete', 'query', 'ping'] as const;

/** Objects that calls could leak; every count is 0 when the edge is idle. */
export interface EdgeCounts {
  readonly calls: number;
  readonly ending: number;
  readonly dialogs: number;
  readonly admitted: number;
  readonly watched: number;
  readonly owedDeletions: number;
  readonly recordsWaiting: number;
}

/** Values read at each scrape; zero until the edge is assembled. */
export interface EdgeMetricSources {
  readonly counts: () => EdgeCounts;
  /** Active calls, by direction and whether they are answered. */
  readonly calls: () => readonly Sample<'direction' | 'state'>[];
  readonly nodes: () => readonly NodeState[];
  readonly isEngineUp: () => boolean;
  readonly isRedisUp: () => boolean;
  readonly isDraining: () => boolean;
  readonly malformedDocuments: () => number;
  readonly recordsLost: () => number;
  /** Packets for the collector of DEMARC_HEP_FORWARD. */
  readonly forwarded: () => { readonly sent: number; readonly dropped: number };
  readonly probedEndpoints: () => number;
  readonly streamProcesses: () => number;
  /** On other machines, by what came of the pings to them. */
  /** Of active calls. */
  readonly listeners: () => number;
  readonly otherEdges: () => Readonly<Record<PingState, number>>;
  readonly setups: () => { readonly waiting: number; readonly shed: number };
  readonly registrations: () => { readonly registered: number; readonly not_registered: number };
}

const seconds = {
  setup: [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 13, 20, 30, 60],
  command: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  call: [1, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400],
  probe: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  jitter: [0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2],
};

/** Times of an answered call in Unix milliseconds. */
interface AnsweredCall {
  readonly direction: 'inbound' | 'outbound';
  readonly startedAt: number;
  readonly ringingAt: number | null;
  readonly answeredAt: number | null;
}

/** The edge's Prometheus metrics; one instance per process, passed to all that count. No label contains text from strangers. */
export class EdgeMetrics extends RoleMetrics {
  /** Set once, when the components exist. */
  sources: EdgeMetricSources | undefined;

  private readonly calls = this.counter({
    name: 'demarc_calls_total',
    help: 'Completed calls by termination class.',
    labels: {
      direction: directions,
      trunk_class: `transport of the trunk's leg: ${trunkClasses.join(', ')}, other`,
      termination: terminationClasses.join(', '),
    },
  });
  private readonly ends = this.counter({
    name: 'demarc_call_ends_total',
    help: 'Completed calls by end reason.',
    labels: { direction: directions, reason: 'end_reason of call records' },
  });
  private readonly refusals = this.counter({
    name: 'demarc_refusals_total',
    help: 'Calls refused at admission, including those not recorded during a flood.',
    labels: { reason: 'end_reason of call records', status: 'SIP status sent' },
  });
  private readonly illegalStates = this.counter({
    name: 'demarc_call_state_errors_total',
    help: 'Events that the state of a call did not allow. Always a fault of this program; the event is ignored.',
    labels: { from: 'phase of the call', to: 'phase that the event would have led to' },
  });
  private readonly transfers = this.counter({
    name: 'demarc_transfers_total',
    help: 'Completed transfers, successful or not.',
    labels: { mode: transferRecordSchema.shape.mode.options.join(', '), reason: transferReasons.join(', ') },
  });
  private readonly mediaMoves = this.counter({
    name: 'demarc_media_moves_total',
    help: 'Answered calls whose rtpengine was lost, by what came of moving their media to another one or to the restarted one.',
    labels: { result: mediaMoveResults.join(', ') },
  });
  private readonly setup = this.histogram(
    {
      name: 'demarc_call_setup_duration_seconds',
      help: 'Time from the INVITE or order to the answer.',
      labels: { direction: directions },
    },
    seconds.setup,
  );
  private readonly postDialDelay = this.histogram(
    {
      name: 'demarc_call_post_dial_delay_seconds',
      help: 'Time from the INVITE or order to the first ringing.',
      labels: { direction: directions },
    },
    seconds.setup,
  );
  private readonly duration = this.histogram(
    {
      name: 'demarc_call_duration_seconds',
      help: 'Duration of answered calls, from answer to end.',
      labels: { direction: directions },
    },
    seconds.call,
  );
  private readonly ngSeconds = this.histogram(
    {
      name: 'demarc_rtpengine_command_duration_seconds',
      help: 'Time from an rtpengine command to its reply.',
      labels: { command: `${commands.join(', ')}, other`, result: 'ok, error, timeout' },
    },
    seconds.command,
  );
  private readonly packets = this.counter({
    name: 'demarc_rtp_packets_total',
    help: 'RTP packets of completed calls, as counted by rtpengine.',
    labels: { side: sides, direction: 'received, sent' },
  });
  private readonly lost = this.counter({
    name: 'demarc_rtp_packets_lost_total',
    help: 'RTP packets lost in completed calls, if the endpoints reported it.',
    labels: { side: sides },
  });
  private readonly jitter = this.histogram(
    {
      name: 'demarc_rtp_jitter_seconds',
      help: 'Average jitter per call, if the endpoints reported it.',
      labels: { side: sides },
    },
    seconds.jitter,
  );
  private readonly mos = this.histogram(
    {
      name: 'demarc_rtp_mos_score',
      help: 'Average MOS per call, 1 to 5, if the endpoints sent RTCP reports.',
      labels: { side: sides },
    },
    [1, 2, 2.5, 3, 3.5, 3.8, 4, 4.2, 4.4],
  );
  private readonly probes = this.counter({
    name: 'demarc_probes_total',
    help: "Health checks of customers' servers by result.",
    labels: { result: `healthy, ${unreachableReasons.join(', ')}` },
  });
  private readonly probeSeconds = this.histogram(
    {
      name: 'demarc_probe_duration_seconds',
      help: 'Time from OPTIONS to the final response.',
    },
    seconds.probe,
  );

  constructor() {
    super('edge');
    this.gauge(
      { name: 'demarc_edge_info', help: 'Always 1.', labels: { version: 'version of the program' } },
      () => [{ labels: { version }, value: 1 }],
    );
    this.gaugesOfCalls();
    this.gaugesOfParts();
  }

  /** Counts a call at its end. */
  callEnded(
    record: Pick<CallRecord, 'direction' | 'end_reason' | 'answered_at' | 'ringing_at' | 'started_at'> & {
      readonly source: { readonly protocol: string };
      readonly media: CallRecord['media'];
      readonly duration_milliseconds: number;
    },
  ): void {
    const { direction, end_reason: reason } = record;
    const isAnswered = record.answered_at !== null;
    const trunkClass = bounded(record.source.protocol.toLowerCase(), trunkClasses);
    this.calls.inc({ direction, trunk_class: trunkClass, termination: terminationClass(reason, isAnswered) });
    this.ends.inc({ direction, reason });
    if (isAnswered) this.duration.observe({ direction }, record.duration_milliseconds / 1_000);
    else if (record.ringing_at !== null) {
      const delay = Date.parse(record.ringing_at) - Date.parse(record.started_at);
      this.postDialDelay.observe({ direction }, delay / 1_000);
    }
    if (record.media !== null) this.mediaEnded(record.media);
  }

  /** Counts a call when it is answered. */
  callAnswered({ direction, startedAt, ringingAt, answeredAt }: AnsweredCall): void {
    if (answeredAt === null) return;
    this.setup.observe({ direction }, (answeredAt - startedAt) / 1_000);
    if (ringingAt !== null) this.postDialDelay.observe({ direction }, (ringingAt - startedAt) / 1_000);
  }

  callStateError({ from, to }: { readonly from: string; readonly to: string }): void {
    this.illegalStates.inc({ from, to });
  }

  callRefused(reason: EndReason, status: number): void {
    this.refusals.inc({ reason, status: String(status) });
  }

  transferEnded({ mode, reason }: Pick<TransferRecord, 'mode' | 'reason'>): void {
    this.transfers.inc({ mode, reason });
  }

  mediaMoved(result: MediaMoveResult): void {
    this.mediaMoves.inc({ result });
  }

  rtpengineAnswered(command: string, result: 'ok' | 'error' | 'timeout', duration: number): void {
    this.ngSeconds.observe({ command: bounded(command, commands), result }, duration);
  }

  probed({ status, reason, response_time_milliseconds: milliseconds }: EndpointHealth): void {
    this.probes.inc({ result: status === 'healthy' ? 'healthy' : (reason ?? 'other') });
    if (status === 'healthy' && milliseconds !== null) this.probeSeconds.observe(milliseconds / 1_000);
  }

  private mediaEnded(media: NonNullable<CallRecord['media']>): void {
    for (const side of ['trunk', 'agent'] as const) {
      const counted = media[side];
      if (counted === null) continue;
      this.packets.inc({ side, direction: 'received' }, counted.packets_received);
      this.packets.inc({ side, direction: 'sent' }, counted.packets_sent);
      if (counted.packets_lost !== undefined) this.lost.inc({ side }, Math.max(0, counted.packets_lost));
      if (counted.jitter_milliseconds !== undefined) {
        this.jitter.observe({ side }, counted.jitter_milliseconds / 1_000);
      }
      if (counted.mos !== undefined) this.mos.observe({ side }, counted.mos);
    }
  }

  private gaugesOfCalls(): void {
    this.gauge(
      {
        name: 'demarc_active_calls',
        help: 'Active calls.',
        labels: { direction: directions, state: 'ringing (not answered yet), answered' },
      },
      () => this.sources?.calls() ?? [],
    );
    const leftovers = {
      calls: [
        'demarc_calls',
        'Calls that have not ended; like the following gauges, 0 when the edge is idle.',
      ],
      ending: ['demarc_ending', 'Ended calls without a record yet.'],
      dialogs: ['demarc_dialogs', 'SIP dialogs of this edge, two for an answered call.'],
      admitted: ['demarc_admitted', 'Calls that count against the limits.'],
      watched: ['demarc_watched', 'Calls whose media is monitored for silence.'],
      owedDeletions: [
        'demarc_owed_deletions',
        'Media sessions waiting to be deleted at unreachable rtpengines.',
      ],
      recordsWaiting: ['demarc_records_waiting', 'Call records waiting for Redis.'],
    } as const;
    for (const [field, [name, help]] of Object.entries(leftovers) as [
      keyof typeof leftovers,
      [string, string],
    ][]) {
      this.gauge({ name, help }, () => this.sources?.counts()[field] ?? 0);
    }
  }

  private gaugesOfParts(): void {
    const perNode = (read: (node: NodeState) => number | null) => () =>
      (this.sources?.nodes() ?? []).flatMap((node) => {
        const value = read(node);
        return value === null ? [] : [{ labels: { node: node.name }, value }];
      });
    const labels = { node: 'host:port of DEMARC_RTPENGINE' };
    this.gauge(
      { name: 'demarc_rtpengine_up', help: '1 if the rtpengine is up.', labels },
      perNode(({ state }) => (state === 'up' ? 1 : 0)),
    );
    this.gauge(
      { name: 'demarc_rtpengine_round_trip_seconds', help: 'Round trip of the last answered ping.', labels },
      perNode(({ roundTripMilliseconds }) => roundTripMilliseconds && roundTripMilliseconds / 1_000),
    );
    const flag = (name: string, help: string, read: (sources: EdgeMetricSources) => boolean): void =>
      this.gauge({ name, help }, () => (this.sources !== undefined && read(this.sources) ? 1 : 0));
    flag('demarc_engine_up', '1 if the SIP engine is connected.', ({ isEngineUp }) => isEngineUp());
    flag('demarc_redis_up', '1 if Redis is up.', ({ isRedisUp }) => isRedisUp());
    flag('demarc_draining', '1 if the edge is draining.', ({ isDraining }) => isDraining());
    this.counted(
      { name: 'demarc_malformed_documents_total', help: 'Malformed number documents read.' },
      () => this.sources?.malformedDocuments() ?? 0,
    );
    this.counted(
      {
        name: 'demarc_records_lost_total',
        help: 'Call records lost because neither Redis nor the disk accepted them.',
      },
      () => this.sources?.recordsLost() ?? 0,
    );
    this.counted(
      {
        name: 'demarc_hep_packets_total',
        help: 'Messages, records and reports for the collector of DEMARC_HEP_FORWARD.',
        labels: { result: 'sent, dropped' },
      },
      () => samplesBy('result', this.sources?.forwarded() ?? { sent: 0, dropped: 0 }),
    );
    this.counted(
      {
        name: 'demarc_calls_shed_total',
        help: 'Calls refused with 503 because they waited longer for their setup than DEMARC_SETUP_DELAY_MS allows.',
      },
      () => this.sources?.setups().shed ?? 0,
    );
    this.gauge(
      {
        name: 'demarc_setups_waiting',
        help: 'Calls that wait for their setup because the edge is busy.',
      },
      () => this.sources?.setups().waiting ?? 0,
    );
    this.gauge(
      { name: 'demarc_probed_endpoints', help: 'Servers probed by this edge.' },
      () => this.sources?.probedEndpoints() ?? 0,
    );
    this.gauge(
      {
        name: 'demarc_stream_processes',
        help: 'Processes `demarc media-stream` that take calls now. At 0, calls to agents by WebSocket fail.',
      },
      () => this.sources?.streamProcesses() ?? 0,
    );
    this.gauge(
      {
        name: 'demarc_listeners',
        help: 'People and programs that listen to active calls of this edge now (`calls:listen`); at most 20.',
      },
      () => this.sources?.listeners() ?? 0,
    );
    this.gauge(
      {
        name: 'demarc_other_edges',
        help: 'Edges on other machines, by what came of the pings to them. `unknown`: none was answered yet, so that the loss of its machine would show by its lease alone.',
        labels: { state: 'answers, refuses, silent, unknown' },
      },
      () => samplesBy('state', this.sources?.otherEdges() ?? noOtherEdges),
    );
    this.gauge(
      {
        name: 'demarc_registrations',
        help: "Registrations with customers' PBXs held by this edge.",
        labels: { state: 'registered, not_registered' },
      },
      () => samplesBy('state', this.sources?.registrations() ?? { registered: 0, not_registered: 0 }),
    );
  }
}
