import type { JSX } from 'preact';
import type { Summary } from '../api/noc.js';
import { Facts, Panel } from '../parts/panel.js';
import { NamedState } from '../parts/state.js';

/** The service itself, for everybody. */
export function PartsPanel({ parts, registrations }: Pick<Summary, 'parts' | 'registrations'>): JSX.Element {
  return (
    <Panel title="Service">
      <Facts
        rows={[
          ['Edges', <NamedState name={parts.edges} />],
          ['Media (rtpengine)', <NamedState name={parts.media} />],
          ['Redis', <NamedState name={parts.redis} />],
          ['PostgreSQL', <NamedState name={parts.database} />],
          ...(registrations === null
            ? []
            : [
                [
                  'Registrations',
                  <span class="figure">
                    {registrations.registered} of {registrations.total} registered
                  </span>,
                ] as const,
              ]),
        ]}
      />
    </Panel>
  );
}
