import type { JSX } from 'preact';
import type { TrunkStatus } from '../../api/trunks.js';
import { Facts, Panel } from '../../parts/panel.js';
import { NamedState } from '../../parts/state.js';
import { Ago, When } from '../../parts/time.js';

/** The registrar that Demarc registers with for the number, and the registration state. */
export function RegistrationPanel({ registrations }: Pick<TrunkStatus, 'registrations'>): JSX.Element | null {
  if (registrations === undefined || registrations.length === 0) return null;
  return (
    <Panel title="Registration">
      {registrations.map((one) => (
        <Facts
          key={`${one.registrar} ${one.username}`}
          rows={[
            [
              'State',
              <>
                <NamedState name={one.state} />{' '}
                {one.since !== null && (
                  <span class="muted">
                    <Ago at={one.since} />
                  </span>
                )}
              </>,
            ],
            ['Registrar', <span class="mono breakable">{one.registrar ?? '–'}</span>],
            ['User name', <span class="breakable">{one.username}</span>],
            ...(one.last_error === null
              ? []
              : [
                  [
                    'Last error',
                    <span class="breakable">
                      {one.sip_code !== null && <b class="figure">{one.sip_code} </b>}
                      {one.last_error}
                    </span>,
                  ] as const,
                ]),
            ...(one.expires_at === null ? [] : [['Expires', <When at={one.expires_at} />] as const]),
            ...(one.next_attempt_at === null
              ? []
              : [['Next attempt', <When at={one.next_attempt_at} />] as const]),
          ]}
        />
      ))}
    </Panel>
  );
}
