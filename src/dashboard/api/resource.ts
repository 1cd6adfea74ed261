import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiFailure } from './client.js';

export interface Resource<Data> {
  /** The last answer; kept while a newer one loads, and when that request fails. */
  readonly data: Data | undefined;
  readonly failure: ApiFailure | undefined;
  readonly isLoading: boolean;
  /** When `data` was received, in milliseconds since the epoch. */
  readonly at: number | undefined;
  readonly reload: () => void;
}

interface State<Data> {
  readonly key: string;
  readonly data?: Data;
  readonly failure?: ApiFailure;
  readonly at?: number;
  readonly isLoading: boolean;
}

/**
 * Loads the resource that `key` names, reloads it when the key changes, and polls it while the page is visible.
 * Never shows the answer for an earlier key under a later one.
 */
export function useResource<Data>(
  key: string,
  load: (signal: AbortSignal) => Promise<Data>,
  { everyMilliseconds }: { everyMilliseconds?: number } = {},
): Resource<Data> {
  const [state, setState] = useState<State<Data>>({ key, isLoading: true });
  const latestLoad = useRef(load);
  latestLoad.current = load;
  const running = useRef<AbortController | undefined>(undefined);

  const reload = useCallback(() => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState((before) => (before.key === key ? { ...before, isLoading: true } : { key, isLoading: true }));
    latestLoad.current(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) setState({ key, data, at: Date.now(), isLoading: false });
      },
      (reason: unknown) => {
        if (controller.signal.aborted) return;
        const failure =
          reason instanceof ApiFailure
            ? reason
            : new ApiFailure(String(reason), { status: 0, code: 'PAGE_ERROR', cause: reason });
        setState((before) => ({ ...(before.key === key ? before : { key }), failure, isLoading: false }));
      },
    );
  }, [key]);

  useEffect(() => {
    reload();
    const timer =
      everyMilliseconds === undefined
        ? undefined
        : setInterval(() => {
            if (document.visibilityState === 'visible') reload();
          }, everyMilliseconds);
    return () => {
      clearInterval(timer);
      running.current?.abort();
    };
  }, [reload, everyMilliseconds]);

  const current: State<Data> = state.key === key ? state : { key, isLoading: true };
  return {
    data: current.data,
    failure: current.failure,
    isLoading: current.isLoading,
    at: current.at,
    reload,
  };
}
