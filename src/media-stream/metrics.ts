import { RoleMetrics } from '../metrics/role-metrics.js';
import type { RtpSocketKind } from './rtp-sockets/rtp-sockets.js';
import type { StreamCounters } from './stream-call-parts.js';

export interface StreamState {
  readonly calls: number;
  readonly latenessP99: number;
  readonly skippedFrames: number;
  readonly sockets: RtpSocketKind;
  readonly counters: StreamCounters;
}

const none: StreamState = {
  calls: 0,
  latenessP99: 0,
  skippedFrames: 0,
  sockets: 'dgram',
  counters: {
    answered: 0,
    refused: 0,
    reconnected: 0,
    unknownMessages: 0,
    droppedToBots: 0,
    droppedFromBotsMilliseconds: 0,
  },
};

/** The numbers of `demarc media-stream` for Prometheus. */
export class MediaStreamMetrics extends RoleMetrics {
  /** @param state undefined: for the reference alone */
  constructor(state: () => StreamState | undefined) {
    super('media-stream');
    const read = (): StreamState => state() ?? none;
    this.gauge({ name: 'demarc_stream_calls', help: 'Calls at bots by WebSocket.' }, () => read().calls);
    this.gauge(
      {
        name: 'demarc_stream_frame_lateness_seconds',
        help: 'Within this time 99 of 100 ticks of the last seconds were done. Above DEMARC_STREAM_MAX_LATENESS_MS new calls go to other processes.',
      },
      () => read().latenessP99 / 1_000,
    );
    this.counted(
      {
        name: 'demarc_stream_frames_skipped_total',
        help: 'Frames of 20 ms that were not sent because the process did not run in time.',
      },
      () => read().skippedFrames,
    );
    this.gauge(
      {
        name: 'demarc_stream_rtp_sockets',
        help: 'Always 1. The label says how the process sends and receives RTP (DEMARC_STREAM_SOCKETS).',
        labels: { kind: 'native, dgram' },
      },
      () => [{ labels: { kind: read().sockets }, value: 1 }],
    );
    this.counted(
      {
        name: 'demarc_stream_calls_total',
        help: 'Calls that a bot has taken, and calls that it has not.',
        labels: { result: 'answered, refused' },
      },
      () => [
        { labels: { result: 'answered' }, value: read().counters.answered },
        { labels: { result: 'refused' }, value: read().counters.refused },
      ],
    );
    this.counted(
      {
        name: 'demarc_stream_reconnects_total',
        help: 'Connections to bots that were lost in a call and made again.',
      },
      () => read().counters.reconnected,
    );
    this.counted(
      {
        name: 'demarc_stream_messages_ignored_total',
        help: 'Messages of bots that their format does not define.',
      },
      () => read().counters.unknownMessages,
    );
    this.counted(
      {
        name: 'demarc_stream_frames_dropped_total',
        help: 'Frames of callers that bots did not take in time.',
      },
      () => read().counters.droppedToBots,
    );
    this.counted(
      {
        name: 'demarc_stream_audio_dropped_seconds_total',
        help: 'Audio of bots beyond DEMARC_STREAM_QUEUE_SECONDS.',
      },
      () => read().counters.droppedFromBotsMilliseconds / 1_000,
    );
  }
}
