import { MediaRefused } from '../media/media-refused.js';
import { MediaUnavailable } from '../media/rtpengine-pool.js';
import { sipReason } from '../sip/reason.js';
import type { Call } from './call.js';

/** Ends a call on an error thrown in its setup or later; during setup each kind of error maps to a response. */
export function fail(call: Call, error: unknown): void {
  if (error instanceof MediaRefused) {
    // Before an answer, the offer is at fault.
    const hasAnswered =
      call.dialogs.agent !== undefined ||
      call.legs.offered.agent !== undefined ||
      call.state.answeredAt !== null;
    const reason = hasAnswered ? 'media_failed' : 'refused_media';
    call.end(
      { reason, by: 'edge', detail: error.detail },
      {
        answer: { status: error.status, headers: { Warning: error.warning } },
        reason: sipReason(error.status, 'Not acceptable here'),
      },
    );
  } else if (error instanceof MediaUnavailable) {
    if (call.state.agentSipCallId === null && !call.deps.mediaFailures.take(call.state.source.address)) {
      call.noteRefusal({ isUnrecorded: true });
      call.deps.metrics.callRefused('media_failed', 503);
    }
    const retryAfter = String(call.deps.settings.drain.retryAfterSeconds);
    call.end(
      { reason: 'media_failed', by: 'edge', detail: error.message },
      {
        answer: { status: 503, headers: { 'Retry-After': retryAfter } },
        reason: sipReason(503, 'Media not available'),
      },
    );
  } else {
    call.log.error({ err: error }, 'Internal error in a call.');
    call.end(
      {
        reason: 'internal_error',
        by: 'edge',
        detail: error instanceof Error ? error.message : String(error),
      },
      { answer: { status: 500 }, reason: sipReason(500, 'Internal error') },
    );
  }
}

/** A callback of a call: what it throws ends that call alone, and is counted with its end reason. */
export const endingOnThrow =
  <Parameters extends unknown[]>(
    call: Call,
    work: (...parameters: Parameters) => void,
  ): ((...parameters: Parameters) => void) =>
  (...parameters) => {
    try {
      work(...parameters);
    } catch (error) {
      fail(call, error);
    }
  };
