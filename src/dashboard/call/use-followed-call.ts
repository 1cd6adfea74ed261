import { useEffect, useRef } from 'preact/hooks';
import { type CallDetail, readCall } from '../api/calls.js';
import { type Resource, useResource } from '../api/resource.js';

const followMilliseconds = 2_000;
/** An answer that has not come by then will not come. */
const patienceMilliseconds = 10_000;
/** A record reaches the history a moment after the call's end; whoever is quicker looks again. */
const lookAgainMilliseconds = [700, 2_000, 5_000] as const;

/**
 * A call as it is now: asked for again every two seconds while it goes on and the page is seen, at once when `state`, as the
 * stream of events tells it, has changed, and not any more once it has its record.
 */
export function useFollowedCall(callId: string, state: string | undefined): Resource<CallDetail> {
  const call = useResource(callId, (signal) => readCall(callId, signal));
  const { reload, isLoading, failure } = call;
  const isEnded = call.data?.state === 'ended';
  const isMissing = failure?.status === 404;
  const isFollowed = !isEnded && !isMissing && (call.data !== undefined || (failure?.status ?? 0) >= 500);

  const askedAt = useRef<number | undefined>(undefined);
  if (!isLoading) askedAt.current = undefined;
  else askedAt.current ??= performance.now();

  useEffect(() => {
    if (!isFollowed) return;
    const timer = setInterval(() => {
      const { current: at } = askedAt;
      const isAsked = at !== undefined && performance.now() - at < patienceMilliseconds;
      if (!isAsked && document.visibilityState === 'visible') reload();
    }, followMilliseconds);
    return () => clearInterval(timer);
  }, [isFollowed, reload]);

  const toldState = useRef(state);
  useEffect(() => {
    if (toldState.current === state) return;
    toldState.current = state;
    if (!isEnded) reload();
  }, [state, isEnded, reload]);

  useEffect(() => {
    if (!isMissing) return;
    const timers = lookAgainMilliseconds.map((wait) => setTimeout(reload, wait));
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [isMissing, reload]);
  return call;
}
