import type { JSX } from 'preact';
import { type Persona, type PersonaVersion, readVersions } from '../../api/personas.js';
import { useResource } from '../../api/resource.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Facts, Panel } from '../../parts/panel.js';
import { State } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { factsOf, type Names } from './version-facts.js';

/** What calls got before: records name the version that their agent had. */
export function VersionsPanel({ persona, names }: { persona: Persona; names: Names }): JSX.Element {
  const live = persona.current_production_version?.version_number;
  const versions = useResource(`versions ${persona.id} ${live}`, (signal) =>
    readVersions(persona.id, signal),
  );
  return (
    <Panel title="Earlier versions" note="Calls name the version that they got in X-Demarc-Persona-Version.">
      <Loaded what="the versions" from={versions}>
        {(list) => <VersionList versions={list} names={names} />}
      </Loaded>
    </Panel>
  );
}

interface ListProps {
  readonly versions: readonly PersonaVersion[];
  readonly names: Names;
}

export function VersionList({ versions, names }: ListProps): JSX.Element {
  const earlier = versions.filter(({ version_type }) => version_type === 'archived');
  if (earlier.length === 0) return <Empty title="None yet">A promotion keeps the version before it.</Empty>;
  return (
    <>
      {earlier.map((version) => (
        <details key={version.id}>
          <summary>
            <State tone="over">{`Version ${version.version_number}`}</State>
            {version.promoted_at !== null && (
              <>
                , live from <When at={version.promoted_at} />
              </>
            )}
          </summary>
          <Facts rows={factsOf(version, names)} />
        </details>
      ))}
    </>
  );
}
