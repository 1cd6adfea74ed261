import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { ApiFailure } from '../../api/client.js';
import { readVersions } from '../../api/pathways.js';
import { type Resource, useResource } from '../../api/resource.js';
import { readRuns, startRun } from '../../api/runs.js';
import { changeScenario, deleteScenario, readScenario, type Scenario } from '../../api/testing.js';
import { Page } from '../../frame/page.js';
import { DeletePanel } from '../../parts/delete-panel.js';
import { Empty, Loaded, Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { CalibrationPanel } from './calibration-panel.js';
import { backToScenarios } from './new-scenario-page.js';
import { RunTable } from './run-table.js';
import { draftOf, updateOf } from './scenario-draft.js';
import { ScenarioForm } from './scenario-form.js';

/** One scenario: run it, its latest runs, and its form. */
export function ScenarioPage(): JSX.Element {
  const { id = '' } = useRoute().params;
  const { route } = useLocation();
  const scenario = useResource(`scenario ${id}`, (signal) => readScenario(id, signal));
  return (
    <Page title={scenario.data?.name ?? 'Scenario'} above={backToScenarios}>
      <Loaded what="scenario" from={scenario}>
        {(shown) => (
          <>
            <RunPanel scenario={shown} />
            {shown.assertions.length > 0 && <CalibrationPanel scenarioId={id} />}
            <FormOf scenario={shown} from={scenario} />
            <DeletePanel
              what="scenario"
              note="Results of its runs stay."
              remove={() => deleteScenario(id).then(() => route('/testing'))}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The form keeps what the user typed: a save does not replace it. */
function FormOf({ scenario, from }: { scenario: Scenario; from: Resource<Scenario> }): JSX.Element {
  return (
    <ScenarioForm
      key={scenario.id}
      initial={draftOf(scenario)}
      action="Save scenario"
      isStored
      save={(draft) => changeScenario(scenario.id, updateOf(draft)).then(from.reload)}
    />
  );
}

const shownRuns = 5;

function RunPanel({ scenario }: { scenario: Scenario }): JSX.Element {
  const { route } = useLocation();
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const [version, setVersion] = useState('');
  const [channel, setChannel] = useState(scenario.channel);
  const versions = useResource(`versions ${scenario.pathway_id}`, async (signal) =>
    scenario.pathway_id === null ? [] : readVersions(scenario.pathway_id, signal),
  );
  const runs = useResource(`runs ${scenario.id}`, (signal) =>
    readRuns({ scenario_id: scenario.id, limit: shownRuns }, signal),
  );
  const run = (): void => {
    setProblem(undefined);
    startRun(scenario.id, { version: version === '' ? undefined : Number(version), channel }).then(
      ({ run_id: id }) => route(`/testing/runs/${id}`),
      setProblem,
    );
  };
  return (
    <Panel title="Runs" aside={<a href={`/testing/runs?scenario_id=${scenario.id}`}>All runs</a>}>
      <div class="filters">
        {scenario.pathway_id !== null && (
          <label>
            Version
            <select value={version} onChange={({ currentTarget }) => setVersion(currentTarget.value)}>
              <option value="">Draft, else the live version</option>
              {(versions.data ?? []).map(({ version_number: number, version_type: type }) => (
                <option value={number} key={number}>
                  Version {number}, {type === 'production' ? 'live' : type}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          Channel
          <select
            value={channel}
            onChange={({ currentTarget }) => setChannel(currentTarget.value as Scenario['channel'])}
          >
            <option value="text">By text</option>
            <option value="voice">By voice</option>
          </select>
        </label>
        <button type="button" class="primary" onClick={run}>
          Run
        </button>
      </div>
      {problem !== undefined && (
        <Problem title="Not started">
          <p>{problem.message}</p>
        </Problem>
      )}
      <Loaded what="runs" from={runs}>
        {({ runs: list }) =>
          list.length === 0 ? (
            <Empty title="Never run">Run it to see the conversation and the result of each assertion.</Empty>
          ) : (
            <RunTable runs={list} label="Latest runs" hidden="scenario" />
          )
        }
      </Loaded>
    </Panel>
  );
}
