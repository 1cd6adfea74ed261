import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

export type Schedule = api.TestSchedule;
export type ScheduleBody = api.CreateTestScheduleBody;

export const readSchedules = async (signal?: AbortSignal): Promise<readonly Schedule[]> =>
  (await ask(demarc.listTestSchedules({}, { signal }))).schedules;

export const creationOf =
  (body: ScheduleBody): ApiRequest<Schedule> =>
  (client) =>
    client.createTestSchedule(body);

export const changeOf =
  (id: string, body: api.UpdateTestScheduleBody): ApiRequest<Schedule> =>
  (client) =>
    client.updateTestSchedule({ id }, body);

export const deleteSchedule = (id: string): Promise<unknown> => ask(demarc.deleteTestSchedule({ id }));
