import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { type Coverage, createScenario, readCoverage } from '../../api/testing.js';
import { count } from '../../parts/format.js';
import { Loaded, Problem } from '../../parts/notice.js';
import { Facts, Panel } from '../../parts/panel.js';

/** Which nodes and edges of the pathway its tests visited. */
export function CoveragePanel({ pathwayId }: { readonly pathwayId: string }): JSX.Element {
  const coverage = useResource(`coverage ${pathwayId}`, (signal) => readCoverage(pathwayId, signal));
  return (
    <Panel
      title="Coverage"
      note="Nodes and edges that tests by text visited in the draft, or else the live version."
    >
      <Loaded what="coverage" from={coverage}>
        {(data) => <Covered coverage={data} />}
      </Loaded>
    </Panel>
  );
}

const shareText = ({ covered, total, percent }: Coverage['nodes']): string =>
  `${percent} % (${covered} of ${total})`;

function Covered({ coverage }: { readonly coverage: Coverage }): JSX.Element {
  const { nodes, edges, runs, version_number: version, suggested_scenarios: suggested } = coverage;
  return (
    <>
      <Facts
        rows={[
          ['Version', String(version)],
          ['Runs', String(runs)],
          ['Nodes', shareText(nodes)],
          ['Edges', shareText(edges)],
        ]}
      />
      {coverage.missing_edges.length > 0 && (
        <details>
          <summary>{count(coverage.missing_edges.length, 'edge')} not taken</summary>
          <ul class="fault-list">
            {coverage.missing_edges.map(({ id, source, target, label, is_reachable: isReachable }) => (
              <li key={id}>
                {source} to {target}: {label}
                {!isReachable && ' (cannot be reached from the start node)'}
              </li>
            ))}
          </ul>
        </details>
      )}
      {suggested.length > 0 && <Suggested scenarios={suggested} />}
    </>
  );
}

function Suggested({ scenarios }: { readonly scenarios: Coverage['suggested_scenarios'] }): JSX.Element {
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
        <button type="button" disabled={isBusy} onClick={() => void create()}>
          Create {count(scenarios.length, 'scenario')} for the rest
        </button>
      ) : (
        <p class="note">{count(created, 'scenario')} created.</p>
      )}
    </>
  );
}
