import type { JSX } from 'preact';
import type { TrunkStatus } from '../../api/trunks.js';
import { Facts, Panel } from '../../parts/panel.js';
import { NamedState } from '../../parts/state.js';
import { Ago, When } from '../../parts/time.js';

/** The registrar that Demarc registers with for the number, and the registration state. */
export function RegistrationPanel({ registrations }: Pick<TrunkStatus, 'registrations'>): JSX.Element | null {
  if (registrations.length === 0) return null;
  return (
    <Panel title="Registration">
      {registrations.map((registration) => (
        <Facts
          key={`${registration.registrar} ${registration.username}`}
          rows={[
            [
              'State',
              <>
                <NamedState name={registration.state} />{' '}
                {registration.since !== null && (
                  <span class="muted">
                    <Ago at={registration.since} />
                  </span>
                )}
              </>,
            ],
            ['Registrar', <span class="mono breakable">{registration.registrar ?? '–'}</span>],
            ['User name', <span class="breakable">{registration.username}</span>],
            ...(registration.last_error === null
              ? []
              : [
                  [
                    'Last error',
                    <span class="breakable">
                      {registration.sip_code !== null && <b class="figure">{registration.sip_code} </b>}
                      {registration.last_error}
                    </span>,
                  ] as const,
                ]),
            ...(registration.expires_at === null
              ? []
              : [['Expires', <When at={registration.expires_at} />] as const]),
            ...(registration.next_attempt_at === null
              ? []
              : [['Next attempt', <When at={registration.next_attempt_at} />] as const]),
          ]}
        />
      ))}
    </Panel>
  );
}
