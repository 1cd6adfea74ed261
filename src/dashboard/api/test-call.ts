import * as z from 'zod/mini';
import { ask, query } from './client.js';

const startedSchema = z.object({ call_id: z.string() });

/** Has the number's server called; returns the id of the test call. */
export const startTestCall = async (phoneNumber: string): Promise<string> =>
  (await ask(startedSchema, '/v1/sip/test-call', { method: 'POST', body: { phone_number: phoneNumber } }))
    .call_id;

const testCallSchema = z.object({
  status: z.string(),
  result: z.string(),
  duration_seconds: z.number(),
  cause: z.nullable(z.string()),
  advice: z.nullable(z.string()),
  /** For the call's page, once it is over. */
  history_call_id: z.string(),
  timeline: z.array(z.object({ event: z.string(), at: z.string(), detail: z.nullable(z.string()) })),
});
export type TestCall = z.infer<typeof testCallSchema>;

export const isOver = ({ status }: TestCall): boolean =>
  ['completed', 'failed', 'busy', 'no-answer'].includes(status);

export const readTestCall = (callId: string, signal?: AbortSignal): Promise<TestCall> =>
  ask(testCallSchema, `/v1/sip/test-call/status${query({ call_id: callId })}`, { ...(signal && { signal }) });
