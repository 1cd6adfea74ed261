import { sipReason } from '../sip/reason.js';
import type { Call } from './call.js';
import { fail } from './fail.js';
import { watchMedia } from './watch-media.js';

/** Both legs are up: starts the duration limit, and the media watch once the trunk's 200 is acknowledged. */
export function established(call: Call): void {
  if (call.hasEnded || call.media === undefined) return;
  limitDuration(call, call.state.maximumSeconds);
  // Not before the ACK: without it there is no media either, and the missing ACK is the cause to report.
  call.legs.acknowledged.promise
    .then(() => {
      if (call.hasEnded) return;
      call.confirm();
      watchMedia(call);
    })
    // Without its watches the call would last until its maximum duration.
    .catch((error: unknown) => fail(call, error));
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
