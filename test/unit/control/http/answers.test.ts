import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { ControlSettings } from '../../../../src/config/control-settings.js';
import { enforce } from '../../../../src/control/http/enforce.js';
import { failure, faultOf, listed, success } from '../../../../src/control/http/envelope.js';
import { metadataSchema } from '../../../../src/control/http/metadata.js';
import { nameOf, oneLine } from '../../../../src/control/http/one-line.js';
import { publicUrl } from '../../../../src/control/http/public-url.js';
import { requireOperator, scopesOf } from '../../../../src/control/http/roles.js';
import { allScopes } from '../../../../src/control/http/scopes.js';
import { isInUsualYears } from '../../../../src/control/http/usual-years.js';

describe('the envelope of a response', () => {
  it('has data without errors, or errors without data', () => {
    expect(success({ a: 1 })).toEqual({ data: { a: 1 }, errors: null });
    expect(failure([faultOf('NOT_FOUND', 'Trunk not found')], 'req-1')).toEqual({
      data: null,
      errors: [{ error: 'NOT_FOUND', message: 'Trunk not found' }],
      request_id: 'req-1',
    });
    expect('request_id' in failure([faultOf('NOT_FOUND')])).toBe(false);
    expect(faultOf('NOT_FOUND').message).toMatch(/./);
  });

  it('of a list says whether there are more entries', () => {
    expect(listed([1], 'b')).toEqual({ data: [1], has_more: true, next: 'b', errors: null });
    expect(listed([1], null)).toEqual({ data: [1], has_more: false, next: null, errors: null });
  });
});

describe('a rate limit', () => {
  interface Given {
    isExceeded: boolean;
    isAllowed?: boolean;
    max?: number;
    remaining?: number;
    ttlInSeconds?: number;
    timeWindow?: number;
  }
  const ask = async (given: Given, text?: Parameters<typeof enforce>[3]) => {
    const headers: Record<string, string> = {};
    const reply = {
      header(name: string, value: string) {
        headers[name] = value;
        return reply;
      },
    };
    const limit = async () => ({
      isAllowed: false,
      max: 10,
      remaining: 3,
      ttlInSeconds: 7,
      timeWindow: 60_000,
      ...given,
    });
    const error = await enforce(
      limit as never,
      {} as FastifyRequest,
      reply as unknown as FastifyReply,
      text,
    ).then(
      () => undefined,
      (problem: { code: string; detail: string }) => [problem.code, problem.detail],
    );
    return { headers, error };
  };
  const shown = {
    'x-ratelimit-limit': '10',
    'x-ratelimit-remaining': '3',
    'x-ratelimit-reset': '7',
  };

  it('is shown while it is not exceeded', async () =>
    expect(await ask({ isExceeded: false })).toEqual({ headers: shown, error: undefined }));

  it('refuses what exceeds it, and says when to try again', async () =>
    expect(await ask({ isExceeded: true, remaining: -2 }, { of: 'this key' })).toEqual({
      headers: { ...shown, 'x-ratelimit-remaining': '0', 'retry-after': '7' },
      error: ['TOO_MANY_REQUESTS', 'the limit of this key is 10 requests a minute'],
    }));

  it('is silent until it is exceeded when it is not shown', async () => {
    expect(await ask({ isExceeded: false }, { isShown: false })).toEqual({ headers: {}, error: undefined });
    const exceeded = await ask({ isExceeded: true }, { isShown: false });
    expect(exceeded.headers['retry-after']).toBe('7');
    expect(exceeded.error?.[0]).toBe('TOO_MANY_REQUESTS');
  });

  it('does not apply to those whom it allows', async () =>
    expect(await ask({ isExceeded: true, isAllowed: true })).toEqual({ headers: {}, error: undefined }));

  it('waits a second at least', async () =>
    expect((await ask({ isExceeded: true, ttlInSeconds: 0 })).headers['retry-after']).toBe('1'));

  it.each([
    [1_000, 'a second'],
    [60_000, 'a minute'],
    [900_000, 'in 15 minutes'],
    [86_400_000, 'a day'],
  ])('of %i milliseconds is called "%s"', async (timeWindow, text) =>
    expect((await ask({ isExceeded: true, timeWindow })).error?.[1]).toBe(`the limit is 10 requests ${text}`),
  );
});

describe('where people reach the service', () => {
  const url = (fields: object): string =>
    publicUrl({ notices: {}, http: { host: '127.0.0.1', port: 8080 }, ...fields } as ControlSettings);

  it('is what the settings say, else where it listens', () => {
    expect(url({ notices: { publicUrl: 'https://control.example.com' } })).toBe(
      'https://control.example.com',
    );
    expect(url({})).toBe('http://127.0.0.1:8080');
    expect(url({ httpTls: {} })).toBe('https://127.0.0.1:8080');
    expect(url({ http: { host: '::1', port: 8443 } })).toBe('http://[::1]:8443');
  });
});

describe('a text of one line', () => {
  it('has no control characters, and no spaces around it', () => {
    expect(oneLine(5).parse('  abc ')).toBe('abc');
    expect(oneLine(5).parse('')).toBe('');
    expect(nameOf(5).safeParse('  ').success).toBe(false);
    for (const text of ['abcdef', 'a\nb', 'a\tb', 'a\x00', 'a\x7f', 'a\x80', 'a\x9f'])
      expect(oneLine(5).safeParse(text).success).toBe(false);
    expect(oneLine(5).safeParse('a\xa0b').success).toBe(true);
  });
});

describe('the data of a customer', () => {
  it('has 16 KB of JSON at most', () => {
    // {"a":"…"} has eight octets around the text.
    expect(metadataSchema.safeParse({ a: 'x'.repeat(16_376) }).success).toBe(true);
    expect(metadataSchema.safeParse({ a: 'x'.repeat(16_377) }).success).toBe(false);
    expect(metadataSchema.safeParse({ a: 'ü'.repeat(8_188) }).success).toBe(true);
    expect(metadataSchema.safeParse({ a: 'ü'.repeat(8_189) }).success).toBe(false);
  });

  it('has names of 200 characters at most', () => {
    expect(metadataSchema.safeParse({ ['x'.repeat(200)]: 1 }).success).toBe(true);
    expect(metadataSchema.safeParse({ ['x'.repeat(201)]: 1 }).success).toBe(false);
    expect(metadataSchema.safeParse([1]).success).toBe(false);
  });
});

describe('a time that can be stored', () => {
  it.each([
    ['1969-12-31T23:59:59.999Z', false],
    ['1970-01-01T00:00:00Z', true],
    ['2999-12-31T23:59:59.999Z', true],
    ['3000-01-01T00:00:00Z', false],
  ])('is %s: %s', (text, isUsual) => expect(isInUsualYears(new Date(text))).toBe(isUsual));
});

describe('the rights of roles', () => {
  it('are all, those to operate, and those to read', () => {
    expect(scopesOf('owner')).toBeNull();
    const reading = allScopes.filter((scope) => scope.endsWith(':read'));
    expect(scopesOf('viewer')).toEqual(reading);
    expect(scopesOf('operator')).toEqual([...reading, 'alerts:write', 'calls:write', 'agent-testing:write']);
    expect(scopesOf('operator')).not.toContain('calls:listen');
  });

  it('of operators are required for the fleet', () => {
    expect(() => requireOperator({ isOperator: true })).not.toThrow();
    expect(() => requireOperator({ isOperator: false })).toThrow(
      expect.objectContaining({ code: 'OPERATOR_ONLY' }),
    );
  });
});
