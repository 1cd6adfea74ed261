import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PathwayVersion } from '../../api/pathways.js';
import { Panel } from '../../parts/panel.js';
import { drawnDocument } from './drawn-document.js';
import { NodeDetails } from './node-details.js';
import { PathwayGraph } from './pathway-graph.js';
import { addressOfVersion } from './version-state.js';

/** The graph of a version, and the node that the reader selects. */
export function GraphAndNode({
  version,
  choice,
}: {
  version: PathwayVersion;
  choice?: JSX.Element;
}): JSX.Element {
  const [selected, setSelected] = useState(version.document.start_node_id);
  return (
    <div class="pathway-columns">
      <Panel title="Graph" aside={choice}>
        <PathwayGraph
          document={drawnDocument(version.document)}
          label={`Graph of version ${version.version_number}`}
          selected={selected}
          onSelect={setSelected}
        />
        {choice !== undefined && (
          <p>
            <a href={addressOfVersion(version.pathway_id, version.version_number)}>
              Open version {version.version_number}
            </a>{' '}
            to compare, fork or promote it.
          </p>
        )}
      </Panel>
      <NodeDetails document={version.document} selected={selected} onSelect={setSelected} />
    </div>
  );
}
