import { fastify } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { ApiServer } from '../../../../src/control/http/api-server.js';
import { answers } from '../../../../src/control/http/envelope.js';
import { warningsSchema } from '../../../../src/control/numbers/warnings.js';
import { answerAfterChanges } from '../../../../src/control/server/after-changes.js';

const servers: ReturnType<typeof fastify>[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

/** What the API answers to a change, and how often it waited for the edges. */
async function answered(
  settled: () => Promise<boolean>,
  data: object,
  {
    method = 'POST',
    status = 200,
    schema = warningsSchema,
  }: { method?: 'GET' | 'POST'; status?: number; schema?: z.ZodType } = {},
): Promise<{ data: unknown; waits: number }> {
  const server = fastify();
  server.setSerializerCompiler(() => JSON.stringify);
  servers.push(server);
  let waits = 0;
  answerAfterChanges(server as unknown as ApiServer, () => {
    waits++;
    return settled();
  });
  server.route({
    method,
    url: '/v1/change',
    schema: { response: answers(z.object({ warnings: schema })) },
    handler: async (_, reply) => reply.code(status).send({ data }),
  });
  const answer = await server.inject({ method, url: '/v1/change' });
  return { data: answer.json().data, waits };
}

const unconfirmed = { phone_number: null, warning: 'CHANGE_NOT_CONFIRMED', message: expect.any(String) };

it('answers a change of numbers once the edges have it, whatever its path', async () => {
  expect(await answered(async () => true, { id: 'a', warnings: [] })).toEqual({
    data: { id: 'a', warnings: [] },
    waits: 1,
  });
});

it('reports a change that the edges did not confirm, or about which they could not be asked', async () => {
  const before = { phone_number: '+14155550100', warning: 'NO_REGISTRAR', message: 'No registrar' };
  expect(await answered(async () => false, { warnings: [before] })).toEqual({
    data: { warnings: [before, unconfirmed] },
    waits: 1,
  });
  expect(await answered(() => Promise.reject(new Error('down')), { warnings: [] })).toEqual({
    data: { warnings: [unconfirmed] },
    waits: 1,
  });
});

it.each<[string, object, Parameters<typeof answered>[2]]>([
  ['that changes no number', { id: 'a' }, {}],
  ['that was refused', { warnings: [] }, { status: 409 }],
  ['that reads', { warnings: [] }, { method: 'GET' }],
  [
    'whose warnings are about something else',
    { warnings: ['No recognition'] },
    { schema: z.array(z.string()) },
  ],
])('does not wait for a request %s', async (_, data, more) => {
  expect(await answered(async () => false, data, more)).toEqual({ data, waits: 0 });
});
