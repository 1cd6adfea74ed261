import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { hasEnded, RunState, type RunStatus } from './run-state.js';

/** The state of runs that belong together, with a button that cancels those that have not ended. */
export function StateAndCancel({
  status,
  cancel,
  onChanged,
}: {
  readonly status: RunStatus;
  readonly cancel: () => Promise<unknown>;
  readonly onChanged: () => void;
}): JSX.Element {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  return (
    <div class="buttons save-line">
      {problem !== undefined && (
        <span role="alert" class="field-problem">
          {problem.message}
        </span>
      )}
      <RunState status={status} />
      {!hasEnded(status) && (
        <button
          type="button"
          onClick={() => {
            setProblem(undefined);
            cancel().then(onChanged, setProblem);
          }}
        >
          Cancel
        </button>
      )}
    </div>
  );
}
