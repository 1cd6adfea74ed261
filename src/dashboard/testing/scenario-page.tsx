import type { JSX } from 'preact';
import { useLocation, useRoute } from 'preact-iso';
import { type Resource, useResource } from '../api/resource.js';
import { changeScenario, deleteScenario, readScenario, type Scenario } from '../api/testing.js';
import { DeletePanel } from '../parts/delete-panel.js';
import { Loaded } from '../parts/notice.js';
import { Page } from '../shell/page.js';
import { backToScenarios } from './new-scenario-page.js';
import { draftOf, updateOf } from './scenario-draft.js';
import { ScenarioForm } from './scenario-form.js';

/** One scenario. */
export function ScenarioPage(): JSX.Element {
  const { id = '' } = useRoute().params;
  const { route } = useLocation();
  const scenario = useResource(`scenario ${id}`, (signal) => readScenario(id, signal));
  return (
    <Page title={scenario.data?.name ?? 'Scenario'} above={backToScenarios}>
      <Loaded what="scenario" from={scenario}>
        {(shown) => (
          <>
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
      save={(draft) => changeScenario(scenario.id, updateOf(draft, scenario)).then(from.reload)}
    />
  );
}
