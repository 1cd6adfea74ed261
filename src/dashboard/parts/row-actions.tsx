import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../api/client.js';
import { may, whyNot } from '../api/members.js';
import { Problem } from './notice.js';

interface RowActions {
  /** Of every button that changes a row; disabled with the reason for members without the scope. */
  readonly button: {
    readonly type: 'button';
    readonly class: string;
    readonly disabled: boolean;
    readonly title: string | undefined;
  };
  /** Reports the change, or shows above the table why there is none. */
  readonly run: (work: Promise<unknown>) => void;
  /** To be shown above the table. */
  readonly refusal: JSX.Element | undefined;
}

/** What the buttons in the rows of a table do and show. */
export function useRowActions(scope: Parameters<typeof may>[0], onChanged: () => void): RowActions {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const isAllowed = may(scope);
  return {
    button: {
      type: 'button',
      class: 'small',
      disabled: !isAllowed,
      title: isAllowed ? undefined : whyNot.value,
    },
    run: (work) => {
      setProblem(undefined);
      work.then(onChanged, setProblem);
    },
    refusal:
      problem === undefined ? undefined : (
        <Problem title="Not changed">
          <p>{problem.message}</p>
        </Problem>
      ),
  };
}
