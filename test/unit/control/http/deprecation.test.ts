import { fastify } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ApiServer } from '../../../../src/control/http/api-server.js';
import { announceDeprecations } from '../../../../src/control/server/deprecation.js';

const server = fastify() as unknown as ApiServer;
server.setValidatorCompiler(validatorCompiler);
server.setSerializerCompiler(serializerCompiler);
announceDeprecations(server);
const parameter = (since: string, sunset?: string) =>
  z
    .string()
    .optional()
    .meta({
      deprecated: true,
      'x-deprecated-since': since,
      ...(sunset === undefined ? {} : { 'x-sunset': sunset }),
    });
const querystring = z.strictObject({
  current: z.string().optional(),
  old: parameter('2026-01-01'),
  ending: parameter('2026-02-01', '2028-03-01'),
  within: z.string().meta({ deprecated: true, 'x-deprecated-since': '2026-01-01' }).optional().default(''),
});
server.get('/list', { schema: { querystring } }, async () => 'entries');
const read = z.preprocess((query) => query, querystring);
server.get('/read', { schema: { querystring: read } }, async () => 'entries');
const changed = querystring.transform((query) => query);
server.get('/changed', { schema: { querystring: changed } }, async () => 'entries');
afterAll(() => server.close());

const headersOf = async (query: string, path = '/list') => {
  const { headers } = await server.inject(`${path}?${query}`);
  return [headers.deprecation, headers.sunset];
};

describe('deprecated query parameters', () => {
  it('are announced in the response, with their end when it is known', async () => {
    const january = `@${Date.UTC(2026, 0, 1) / 1_000}`;
    const february = `@${Date.UTC(2026, 1, 1) / 1_000}`;
    const end = 'Wed, 01 Mar 2028 00:00:00 GMT';
    expect(await headersOf('current=1')).toEqual([undefined, undefined]);
    expect(await headersOf('old=1')).toEqual([january, undefined]);
    expect(await headersOf('ending=1')).toEqual([february, end]);
    expect(await headersOf('old=1&ending=1')).toEqual([january, end]);
    expect(await headersOf('old=1&unknown=1')).toEqual([january, undefined]);
    expect(await headersOf('within=1')).toEqual([january, undefined]);
  });

  it.each(['/read', '/changed'])(
    'are announced by %s, whose query is read before or changed after',
    async (path) => {
      expect(await headersOf('current=1', path)).toEqual([undefined, undefined]);
      expect(await headersOf('old=1', path)).toEqual([`@${Date.UTC(2026, 0, 1) / 1_000}`, undefined]);
    },
  );

  it('can be read of an object alone', () => {
    const schema = { querystring: z.record(z.string(), z.string()) };
    const fresh = fastify() as unknown as ApiServer;
    announceDeprecations(fresh);
    expect(() => fresh.get('/any', { schema }, async () => '')).toThrow(/not one of an object/);
  });

  it('must say since when they are deprecated', () => {
    const schema = { querystring: z.object({ old: z.string().meta({ deprecated: true }) }) };
    const fresh = fastify() as unknown as ApiServer;
    announceDeprecations(fresh);
    expect(() => fresh.get('/undated', { schema }, async () => '')).toThrow(/old does not say since when/);
  });
});
