import type { JSX } from 'preact';
import type { Summary } from '../../api/noc.js';
import { Facts, Panel } from '../../parts/panel.js';
import { NamedState } from '../../parts/state.js';
import { partAdvice } from './part-advice.js';

const names = [
  ['edges', 'Edges'],
  ['media', 'Media (rtpengine)'],
  ['redis', 'Redis'],
  ['database', 'PostgreSQL'],
] as const;

function Part({ name, parts }: { name: keyof Summary['parts']; parts: Summary['parts'] }): JSX.Element {
  const advice = partAdvice(name, parts);
  return (
    <>
      <NamedState name={parts[name]} />
      {advice !== undefined && <small class="under">{advice}</small>}
    </>
  );
}

/** The state of the service itself, visible to every user. */
export function PartsPanel({ parts, registrations }: Pick<Summary, 'parts' | 'registrations'>): JSX.Element {
  return (
    <Panel title="Service">
      <Facts
        rows={[
          ...names.map(([name, shown]) => [shown, <Part name={name} parts={parts} />] as const),
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
