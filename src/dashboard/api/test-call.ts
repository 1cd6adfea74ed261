import type { TestCall } from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';

export type { TestCall };

/** Starts a test call to the number's server; returns the id of the test call. */
export const startTestCall = async (phone_number: string): Promise<string> =>
  (await ask(demarc.startTestCall({ phone_number }))).call_id;

export const isOver = ({ status }: TestCall): boolean =>
  ['completed', 'failed', 'busy', 'no-answer'].includes(status);

export const readTestCall = (call_id: string, signal?: AbortSignal): Promise<TestCall> =>
  ask(demarc.getTestCall({ call_id }, { signal }));
