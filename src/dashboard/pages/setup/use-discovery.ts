import { useEffect, useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { send } from '../../api/request.js';
import {
  type Destination,
  type Discovery,
  discoveryOf,
  parseDestination,
  readDiscovery,
  type WantedDiscovery,
} from '../../api/setup.js';

const pollMilliseconds = 400;
const typingMilliseconds = 250;

export interface RunningDiscovery {
  readonly discovery: Discovery | undefined;
  /** Why it was not started, or is not known any more. */
  readonly problem: ApiFailure | undefined;
  readonly isRunning: boolean;
  readonly start: (wanted: WantedDiscovery) => void;
}

/** A discovery that the page starts and follows. */
export function useDiscovery(): RunningDiscovery {
  const [discovery, setDiscovery] = useState<Discovery | undefined>();
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const running = discovery?.status === 'running' ? discovery.discovery_id : undefined;

  useEffect(() => {
    if (running === undefined) return;
    const abort = new AbortController();
    const timer = setInterval(() => {
      readDiscovery(running, abort.signal).then(setDiscovery, (failure: ApiFailure) => {
        if (abort.signal.aborted) return;
        clearInterval(timer);
        setProblem(failure);
      });
    }, pollMilliseconds);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [running]);

  const start = (discovery: WantedDiscovery): void => {
    setProblem(undefined);
    setDiscovery(undefined);
    send(discoveryOf(discovery)).then(setDiscovery, setProblem);
  };
  return { discovery, problem, isRunning: running !== undefined, start };
}

/** The parsed input, shortly after the last keystroke. */
export function useDestination(input: string): Destination | undefined {
  const [destination, setDestination] = useState<Destination | undefined>();
  useEffect(() => {
    const server = input.trim();
    if (server === '') {
      setDestination(undefined);
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      parseDestination(server, abort.signal).then(setDestination, () => undefined);
    }, typingMilliseconds);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [input]);
  return destination;
}
