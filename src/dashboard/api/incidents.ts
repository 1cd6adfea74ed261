import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';

export type Incident = api.Incident;
export type IncidentStory = api.IncidentStory;
export type IncidentPage = api.ListIncidentsAnswer['data'] & Pick<api.ListIncidentsAnswer, 'next'>;

export async function readIncidents(
  filter: api.ListIncidentsQuery,
  signal?: AbortSignal,
): Promise<IncidentPage> {
  const asked = demarc.listIncidents(filter, { signal });
  const { incidents } = await ask(asked);
  return { incidents, next: (await asked).next };
}

export const readIncident = (incident_id: string, signal?: AbortSignal): Promise<IncidentStory> =>
  ask(demarc.getIncident({ incident_id }, { signal }));

export const handleIncident = (incident_id: string, change: api.UpdateIncidentBody): Promise<IncidentStory> =>
  ask(demarc.updateIncident({ incident_id }, change));
