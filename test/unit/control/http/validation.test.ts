import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  compileValidator,
  faultsOf,
  type InvalidRequest,
  refuseUnstorableText,
} from '../../../../src/control/http/validation.js';

const schema = z.strictObject({
  name: z.string().max(5),
  options: z.strictObject({ port: z.int().min(1).optional() }).optional(),
  list: z.array(z.string()).optional(),
});
const check = (value: unknown, httpPart?: string) =>
  compileValidator({ schema, ...(httpPart === undefined ? {} : { httpPart }) })(value);
const faults = (value: unknown, httpPart?: string): [string | undefined, string][] => {
  const result = check(value, httpPart);
  if (!('error' in result)) return [];
  return (result.error as InvalidRequest).faults.map(({ path, message }) => [path, message]);
};

describe('a part of a request', () => {
  it('is passed on as its schema read it', () =>
    expect(check({ name: 'Acme' })).toEqual({ value: { name: 'Acme' } }));

  it('has one fault for each field that is wrong', () => {
    expect(faults({ name: 'Acme Corp', options: { port: 0 }, list: ['a', 1] })).toEqual([
      ['name', 'name must have at most 5 characters.'],
      ['options.port', 'port must be at least 1.'],
      ['list.1', 'list.1 must be a string.'],
    ]);
    expect(faults({})).toEqual([['name', 'name is required.']]);
  });

  it('has a fault for each field that is not known', () => {
    expect(faults({ name: 'Acme', x: 1, y: 2, options: { z: 3 } }).toSorted()).toEqual([
      ['options.z', 'z is not a known field.'],
      ['x', 'x is not a known field.'],
      ['y', 'y is not a known field.'],
    ]);
  });

  it.each([
    ['body', 'body'],
    ['querystring', 'query'],
    ['params', 'path'],
    ['headers', 'headers'],
    [undefined, 'body'],
  ])('%s as a whole is called %s', (httpPart, name) =>
    expect(faults('text', httpPart)).toEqual([[name, `The ${name} must be an object.`]]),
  );

  it('has twenty faults at most', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, 1]));
    expect(faults({ name: 'Acme', ...many })).toHaveLength(20);
    const issues = Array.from({ length: 25 }, (_, index) => ({
      code: 'custom' as const,
      path: ['list', index],
      message: 'x',
    }));
    const found = faultsOf(issues as never, 'body');
    expect([found.length, found.at(-1)!.path]).toEqual([20, 'list.19']);
  });

  it('cuts what a caller sent in names', () => {
    const [path, message] = faults({ name: 'Acme', ['x'.repeat(300)]: 1 })[0]!;
    expect(path).toBe('x'.repeat(100));
    expect(message).toBe(`${'x'.repeat(100)} is not a known field.`);
  });
});

describe('text that no field may hold', () => {
  const problem = async (parts: Partial<Pick<FastifyRequest, 'body' | 'query' | 'params'>>) => {
    try {
      await refuseUnstorableText({ body: null, query: {}, params: {}, ...parts } as FastifyRequest);
      return undefined;
    } catch (error) {
      const [fault] = (error as InvalidRequest).faults;
      return [fault!.path, fault!.message];
    }
  };
  const unicode = 'Must be Unicode text without U+0000';

  it('is refused wherever it is', async () => {
    expect(await problem({ body: { a: [{ b: 'x\0' }] } })).toEqual(['a.0.b', unicode]);
    expect(await problem({ query: { q: '\ud800' } })).toEqual(['q', unicode]);
    expect(await problem({ params: { id: 'x\0' } })).toEqual(['id', unicode]);
    expect(await problem({ body: 'x\0' })).toEqual(['body', unicode]);
  });

  it('is refused in names of fields', async () =>
    expect(await problem({ body: { 'a\0': 1 } })).toEqual([
      'body',
      'Field names must be Unicode text without U+0000',
    ]));

  it('is none in usual requests', async () => {
    expect(await problem({ body: { a: 'Zoë 🎉', b: [1, true, null], c: {} } })).toBeUndefined();
    expect(await problem({})).toBeUndefined();
  });

  it('is not looked for beyond 32 levels, which are refused', async () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)]);
    expect(await problem({ body: nested(32) })).toBeUndefined();
    expect((await problem({ body: nested(33) }))?.[1]).toBe('Nested too deeply');
  });
});
