import type { JSX } from 'preact';
import type { Incident } from '../../api/incidents.js';
import { State } from '../../parts/state.js';
import { When } from '../../parts/time.js';

export const incidentAddress = ({ incident_id }: Pick<Incident, 'incident_id'>): string =>
  `/alerts/incidents/${encodeURIComponent(incident_id)}`;

export const IncidentState = ({ incident }: { incident: Incident }): JSX.Element =>
  incident.state === 'open' ? <State tone="bad">Open</State> : <State tone="good">Recovered</State>;

/** From when to when, and whose. */
export function IncidentTimes({ incident }: { incident: Incident }): JSX.Element {
  const { organization, opened_at, recovered_at } = incident;
  return (
    <p class="note">
      {organization === null ? 'The service' : organization.name}, since <When at={opened_at} />
      {recovered_at !== null && (
        <>
          , recovered <When at={recovered_at} />
        </>
      )}
    </p>
  );
}
