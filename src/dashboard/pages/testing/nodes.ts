import { readPathway, readVersion } from '../../api/pathways.js';
import { useResource } from '../../api/resource.js';

export interface NamedNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** Nodes of the draft of a pathway, else of its live version, which a run without a version tests as well. */
export function useNodes(pathwayId: string | undefined): readonly NamedNode[] {
  const nodes = useResource(`nodes ${pathwayId ?? ''}`, async (signal): Promise<readonly NamedNode[]> => {
    if (pathwayId === undefined) return [];
    const { current_draft_version: draft, current_production_version: live } = await readPathway(
      pathwayId,
      signal,
    );
    const version = (draft ?? live)?.version_number;
    if (version === undefined) return [];
    return (await readVersion(pathwayId, version, signal)).document.nodes;
  });
  return nodes.data ?? [];
}
