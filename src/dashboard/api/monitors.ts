import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

export type Monitor = api.TestMonitor;
export type MonitorBody = api.CreateTestMonitorBody;

export const readMonitors = async (signal?: AbortSignal): Promise<readonly Monitor[]> =>
  (await ask(demarc.listTestMonitors({}, { signal }))).monitors;

export const monitorCreationOf =
  (body: MonitorBody): ApiRequest<Monitor> =>
  (client) =>
    client.createTestMonitor(body);

export const monitorChangeOf =
  (id: string, body: api.UpdateTestMonitorBody): ApiRequest<Monitor> =>
  (client) =>
    client.updateTestMonitor({ id }, body);

export const deleteMonitor = (id: string): Promise<unknown> => ask(demarc.deleteTestMonitor({ id }));

/** A scenario whose caller says what the caller of the judged call said. */
export const scenarioOfRun = (runId: string): Promise<api.TestScenario> =>
  ask(demarc.createTestScenarioFromRun({ id: runId }));
