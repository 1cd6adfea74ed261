import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { createScenario, type ScenarioBody } from '../../api/testing.js';
import { count } from '../../parts/format.js';
import { Problem } from '../../parts/notice.js';

/** A button that creates generated scenarios, one after the other, until one is refused. */
export function CreateScenarios({
  scenarios,
  text,
}: {
  readonly scenarios: readonly ScenarioBody[];
  readonly text: string;
}): JSX.Element {
  const [created, setCreated] = useState<number | undefined>();
  const [failure, setFailure] = useState<ApiFailure | undefined>();
  const [isBusy, setBusy] = useState(false);
  const create = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    let done = 0;
    try {
      for (const scenario of scenarios) {
        await createScenario(scenario);
        done++;
      }
    } catch (error) {
      setFailure(error as ApiFailure);
    }
    setCreated(done);
    setBusy(false);
  };
  return (
    <>
      {failure !== undefined && (
        <Problem title="A scenario was not created">
          <p>{failure.message}</p>
        </Problem>
      )}
      {created === undefined ? (
        <button
          type="button"
          class="primary"
          disabled={isBusy || scenarios.length === 0}
          onClick={() => void create()}
        >
          {text}
        </button>
      ) : (
        <p class="note" role="status">
          {count(created, 'scenario')} created. <a href="/testing">All scenarios</a>
        </p>
      )}
    </>
  );
}
