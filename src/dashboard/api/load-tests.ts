import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';
import { type Listed, pageOf } from './runs.js';

export type LoadTest = api.LoadTest;
export type LoadTestStep = api.LoadTestStep;
export type ListedLoadTest = api.ListedLoadTest;
export type LoadTestBody = api.StartLoadTestBody;

export const readLoadTests = (
  after: string | undefined,
  signal?: AbortSignal,
): Promise<Listed<ListedLoadTest>> =>
  ask(
    demarc
      .listLoadTests(pageOf(after), { signal })
      .then(({ data, next }) => ({ data: { rows: data.load_tests, next } })),
  );

export const readLoadTest = (id: string, signal?: AbortSignal): Promise<LoadTest> =>
  ask(demarc.getLoadTest({ id }, { signal }));

export const loadTestStartOf =
  (body: LoadTestBody): ApiRequest<api.StartLoadTestAnswer['data']> =>
  (client) =>
    client.startLoadTest(body);

export const cancelLoadTest = (id: string): Promise<LoadTest> => ask(demarc.cancelLoadTest({ id }));
