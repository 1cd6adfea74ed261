import type { JSX } from 'preact';
import { useResource } from '../../api/resource.js';
import { type Coverage, readCoverage } from '../../api/testing.js';
import { count } from '../../parts/format.js';
import { Loaded } from '../../parts/notice.js';
import { Facts, Panel } from '../../parts/panel.js';
import { CreateScenarios } from './create-scenarios.js';

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
      {suggested.length > 0 && (
        <CreateScenarios
          scenarios={suggested}
          text={`Create ${count(suggested.length, 'scenario')} for the rest`}
        />
      )}
    </>
  );
}
