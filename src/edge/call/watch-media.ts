import type { MediaLoss } from '../media/media-watch.js';
import { sipReason } from '../sip/reason.js';
import { agentFailure, endWithoutAgent } from './agent-loss.js';
import type { Call } from './call.js';
import { endingOnThrow, fail } from './fail.js';
import { moveMedia } from './move-media.js';

/** Watches the call's present media session instead of an earlier one. */
export function watchMedia(call: Call): void {
  call.watch();
  if (call.hasEnded || call.media === undefined) return;
  const stopWatch = call.deps.watch.watch(call.media, {
    onLoss: endingOnThrow(call, (loss) => mediaLost(call, loss)),
    onCount: endingOnThrow(call, (reply) => call.deps.quality.counted(call, reply)),
    askAgent: () =>
      agentFailure(call).catch((error: unknown) => {
        fail(call, error);
        return undefined;
      }),
  });
  const stopNodes = call.deps.nodes.watch(
    call.media,
    endingOnThrow(call, (cause) => move(call, cause)),
  );
  call.watch(() => {
    stopWatch();
    stopNodes();
  });
}

/** Calls that are being moved, which outlasts a loss of the engine. */
const moving = new WeakSet<Call>();

/** The node of the session is gone, or has lost it. */
function move(call: Call, cause: string): void {
  call.watch();
  if (moving.has(call)) return;
  moving.add(call);
  moveMedia(call, cause)
    .finally(() => moving.delete(call))
    .then((isThere) => {
      if (isThere) watchMedia(call);
    })
    .catch((error: unknown) => fail(call, error));
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
  } else move(call, loss.detail);
}
