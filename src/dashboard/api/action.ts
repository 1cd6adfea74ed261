import { useState } from 'preact/hooks';
import type { ApiFailure } from './client.js';

export interface Action {
  readonly isBusy: boolean;
  /** What the last request was refused with; undefined while another one is under way. */
  readonly problem: ApiFailure | undefined;
  /** For what the page itself refuses, and to hide a problem whose field was changed. */
  readonly setProblem: (problem: ApiFailure | undefined) => void;
  /** Follows a request that was sent. */
  readonly follow: <Data>(sent: Promise<Data>, done?: (data: Data) => void) => void;
}

/** Whether a request of a page is under way, and how it failed. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const follow: Action['follow'] = (sent, done) => {
    setBusy(true);
    setProblem(undefined);
    void sent.then(done, setProblem).finally(() => setBusy(false));
  };
  return { isBusy, problem, setProblem, follow };
}
