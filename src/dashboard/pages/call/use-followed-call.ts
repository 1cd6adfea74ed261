import { useEffect, useRef } from 'preact/hooks';
import { type CallDetail, readCall } from '../../api/calls.js';
import { type Resource, useResource } from '../../api/resource.js';

const followMilliseconds = 2_000;
/** A request pending for longer is considered lost, and polling sends another. */
const patienceMilliseconds = 10_000;
/** A record reaches the history shortly after the call ends; a page that asks earlier retries. */
const lookAgainMilliseconds = [700, 2_000, 5_000] as const;

/**
 * The current state of a call: polled every two seconds while the call is active and the page is visible, at once when `state`
 * from the event stream changes, and no longer once the call has its record.
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
