import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

export type MaintenanceWindow = api.MaintenanceWindow;
export type WindowBody = api.CreateMaintenanceWindowBody;
export type Weekday = Extract<MaintenanceWindow['schedule'], { type: 'weekly' }>['weekdays'][number];
export type AlertKind = MaintenanceWindow['kinds'][number];

export const weekdays: readonly Weekday[] = [
  ...(['monday', 'tuesday', 'wednesday', 'thursday'] as const),
  ...(['friday', 'saturday', 'sunday'] as const),
];

export const kindNames: Readonly<Record<AlertKind, string>> = {
  unreachable: 'Unreachable',
  failure_rate: 'Failure rate',
  response_time: 'Response time',
};

export const readWindows = async (
  filter: api.ListMaintenanceWindowsQuery,
  signal?: AbortSignal,
): Promise<MaintenanceWindow[]> => (await ask(demarc.listMaintenanceWindows(filter, { signal }))).windows;

export const creationOf =
  (body: WindowBody): ApiRequest<MaintenanceWindow> =>
  (client) =>
    client.createMaintenanceWindow(body);

export const changeOf =
  (window_id: string, body: api.UpdateMaintenanceWindowBody): ApiRequest<MaintenanceWindow> =>
  (client) =>
    client.updateMaintenanceWindow({ window_id }, body);

export const deleteWindow = (window_id: string): Promise<unknown> =>
  ask(demarc.deleteMaintenanceWindow({ window_id }));
