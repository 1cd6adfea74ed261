import type { TestCall } from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

export type { TestCall };

/** A test call to the number's own servers. */
export const testCallOf =
  (phone_number: string): ApiRequest<{ readonly call_id: string }> =>
  (client) =>
    client.startTestCall({ phone_number });

export const isOver = ({ status }: TestCall): boolean =>
  ['completed', 'failed', 'busy', 'no-answer'].includes(status);

export const readTestCall = (call_id: string, signal?: AbortSignal): Promise<TestCall> =>
  ask(demarc.getTestCall({ call_id }, { signal }));
