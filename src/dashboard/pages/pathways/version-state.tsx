import type { JSX } from 'preact';
import type { Pathway, PathwayVersionSummary } from '../../api/pathways.js';
import { State, type Tone } from '../../parts/state.js';

const states: Readonly<Record<PathwayVersionSummary['version_type'], readonly [tone: Tone, word: string]>> = {
  production: ['good', 'Live'],
  draft: ['busy', 'Draft'],
  fork: ['busy', 'Fork'],
  archived: ['idle', 'Was live'],
};

export function VersionState({ version }: { version: PathwayVersionSummary }): JSX.Element {
  const [tone, word] = states[version.version_type];
  return <State tone={tone}>{word}</State>;
}

export function LivePathway({ pathway }: { pathway: Pathway }): JSX.Element {
  const live = pathway.current_production_version;
  return live === null ? (
    <State tone="idle">Never promoted</State>
  ) : (
    <State tone="good">Version {live.version_number}</State>
  );
}

export const addressOfVersion = (pathwayId: string, version: number): string =>
  `/pathways/${pathwayId}/versions/${version}`;

/** Drafts and forks take changes. */
export const isChangeable = ({ version_type: type }: PathwayVersionSummary): boolean =>
  type === 'draft' || type === 'fork';
