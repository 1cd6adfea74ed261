import { describe, expect, it } from 'vitest';
import { fateOf, readIdempotencyKey } from '../../../../src/control/idempotency/idempotency-keys.js';

const request = (key: string | string[] | undefined, method = 'POST', takesIdempotencyKey?: boolean) => ({
  method,
  headers: { 'idempotency-key': key } as never,
  routeOptions: { config: takesIdempotencyKey === undefined ? {} : { takesIdempotencyKey } },
});

describe('the Idempotency-Key of a request', () => {
  it.each(['a', '7e3c1f7e-8a5e-4c3c-9f36-0f5f7f9d2a11', '!~', 'x'.repeat(255)])('may be "%s"', (key) =>
    expect(readIdempotencyKey(request(key))).toBe(key),
  );

  it.each(['', 'x'.repeat(256), 'a b', 'a\tb', 'ü', 'a\n', ['a', 'b']])('is not %j', (key) =>
    expect(() => readIdempotencyKey(request(key))).toThrow(
      'headers.idempotency-key: Idempotency-Key must be 1 to 255 visible ASCII characters',
    ),
  );

  it('is read of a POST that takes one', () => {
    expect(readIdempotencyKey(request(undefined))).toBeUndefined();
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
      expect(readIdempotencyKey(request('a b', method))).toBeUndefined();
    expect(readIdempotencyKey(request('a b', 'POST', false))).toBeUndefined();
    expect(readIdempotencyKey(request('a', 'POST', true))).toBe('a');
  });
});

describe('what becomes of an idempotent request', () => {
  it.each<[number, boolean, boolean, ReturnType<typeof fateOf>]>([
    [200, true, true, 'store'],
    [200, true, false, 'store'],
    [399, true, true, 'store'],
    [400, true, true, 'forget'],
    [400, true, false, 'release'],
    [409, false, true, 'forget'],
    [499, true, true, 'forget'],
    [500, true, true, 'release'],
    [503, true, false, 'release'],
    [200, false, true, 'forget'],
    [200, false, false, 'release'],
  ])('answered with %i (as text: %s; the first attempt: %s) is to %s it', (status, hasText, isFirst, fate) =>
    expect(fateOf(status, hasText, isFirst)).toBe(fate),
  );
});
