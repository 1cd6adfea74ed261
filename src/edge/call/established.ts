import type { MediaLoss } from '../media/media-watch.js';
import { sipReason } from '../sip/reason.js';
import { agentFailure, endWithoutAgent } from './agent-loss.js';
import type { Call } from './call.js';
import { fail } from './fail.js';

/** Both legs are up: starts the duration limit, and the media watch once the trunk's 200 is acknowledged. */
export function established(call: Call): void {
  if (call.hasEnded || call.media === undefined) return;
  limitDuration(call, call.state.maximumSeconds);
  // Not before the ACK: without it there is no media either, and the missing ACK is the cause to report.
  void call.acknowledged.promise.then(() => {
    if (call.hasEnded) return;
    call.confirm();
    watchMedia(call);
  });
  call.log.info({ media: call.media.summary }, 'Call answered.');
}

/** Ends the call after so many seconds, the rest of its maximum. */
export function limitDuration(call: Call, secondsLeft: number): void {
  const seconds = call.state.maximumSeconds;
  call.setDeadline('maximum_duration', secondsLeft, () => {
    call.end(
      {
        reason: 'max_duration',
        by: 'edge',
        detail: `The call reached its maximum duration of ${seconds} s.`,
      },
      { reason: sipReason(200, 'Maximum duration reached') },
    );
  });
}

/** Watches the call's present media session instead of an earlier one. */
export function watchMedia(call: Call): void {
  call.watch();
  if (call.hasEnded || call.media === undefined) return;
  const stop = call.deps.watch.watch(call.media, {
    onLoss: (loss) => mediaLost(call, loss),
    askAgent: () => agentFailure(call),
  });
  call.watch(stop);
}

function mediaLost(call: Call, loss: MediaLoss): void {
  if (loss.kind === 'silent') {
    call.end(
      {
        reason: 'media_timeout',
        by: 'edge',
        detail: `The ${call.party} sent no RTP and no RTCP for ${loss.seconds} s.`,
      },
      { reason: sipReason(200, 'Media timeout') },
    );
  } else if (loss.kind === 'agent-lost') {
    const detail = `The agent sent no media for ${loss.seconds} s, and ${loss.detail}.`;
    endWithoutAgent(call, detail).catch((error: unknown) => fail(call, error));
  } else {
    call.end(
      { reason: 'media_failed', by: 'edge', detail: `The media node lost the call: ${loss.detail}` },
      { reason: sipReason(200, 'Media lost') },
    );
  }
}
