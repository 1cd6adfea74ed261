import type { ComponentChildren, JSX } from 'preact';
import type { PersonaVersion } from '../../api/personas.js';
import { When } from '../../parts/time.js';

/** Of knowledge bases, by id. */
export type Names = ReadonlyMap<string, string>;

export const knowledgeText = ({ kb_ids: ids }: PersonaVersion, names: Names): string =>
  ids.length === 0 ? 'None' : ids.map((id) => names.get(id) ?? id).join(', ');

export const agentText = ({ agent }: PersonaVersion): string =>
  agent === null ? 'The agent of the number' : typeof agent === 'string' ? agent : agent.url;

/** What the agent of a call gets with the version. */
export const factsOf = (
  version: PersonaVersion,
  names: Names,
): readonly (readonly [string, ComponentChildren])[] => [
  ['Knowledge', knowledgeText(version, names)],
  ['Promoted', version.promoted_at === null ? 'Unknown' : <When at={version.promoted_at} key="at" />],
  ['What the agent does', version.orchestration_prompt ?? 'Not set'],
  ['How the agent speaks', version.personality_prompt ?? 'Not set'],
  ['Agent', agentText(version)],
  ['Pathway', <FollowedPathway version={version} key="pathway" />],
  ['Voice', version.voice ?? 'Not set'],
];

function FollowedPathway({ version }: { version: PersonaVersion }): JSX.Element {
  const { pathway_id: id, pathway_version: number } = version;
  if (id === null) return <>That of the number, or none</>;
  return <a href={`/pathways/${id}`}>{number === null ? 'Live version' : `Version ${number}`}</a>;
}
