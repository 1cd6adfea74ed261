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
  duration_seconds: z.nullable(z.number()),
  timeline: z.array(
    z.object({
      event: z.string(),
      at: z.string(),
      detail: z.nullish(z.string()),
      cause: z.nullish(z.string()),
      advice: z.nullish(z.string()),
    }),
  ),
  cause: z.nullish(z.string()),
  advice: z.nullish(z.string()),
});
export type TestCall = z.infer<typeof testCallSchema>;

export const readTestCall = (callId: string, signal?: AbortSignal): Promise<TestCall> =>
  ask(testCallSchema, `/v1/sip/test-call/status${query({ call_id: callId })}`, { ...(signal && { signal }) });
