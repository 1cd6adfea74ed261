import { describe, expect, it } from 'vitest';
import { numberDocumentSchema } from '../../../../src/contract/number.js';
import { requestUri, routeOf, triggerOf } from '../../../../src/edge/outbound/targets.js';

const document = (fields: Record<string, unknown>) =>
  numberDocumentSchema.parse({
    version: 1,
    number: '4930123456',
    organization: 'acme',
    updated_at: '2026-11-20T10:00:00.000Z',
    ...fields,
  });

describe('the route of a number', () => {
  it('is its first outbound configuration, then the failover endpoints; SRTP unless told otherwise', () => {
    const endpoints = [
      { host: 'b.example', transport: 'tcp' },
      { host: 'c.example', port: 5070, transport: 'udp' },
    ];
    const failover = { endpoints, triggers: ['timeout'], failback: 'auto' };
    const route = routeOf(
      document({ outbound: [{ id: 'a', host: 'a.example' }], outbound_policy: { failover } }),
    )!;
    expect(route.targets.map((target) => requestUri(target, '14155550100'))).toEqual([
      'sip:+14155550100@a.example;transport=tls',
      'sip:+14155550100@b.example;transport=tcp',
      'sip:+14155550100@c.example:5070',
    ]);
    expect(route.isSecure).toBe(true);
    expect([...route.triggers]).toEqual(['timeout']);
    const plain = document({ outbound: [{ id: 'a', host: '[2001:db8::1]', secure_media: false }] });
    expect(routeOf(plain)).toMatchObject({ isSecure: false });
    expect(requestUri(routeOf(plain)!.targets[0]!, '1')).toBe('sip:+1@[2001:db8::1];transport=tls');
    expect(routeOf(document({}))).toBeUndefined();
  });
});

describe('a failed attempt', () => {
  const failure = (status: number, more: object = {}) =>
    triggerOf({ status, reason: '', isOurs: false, hasRung: false, ...more });

  it.each([404, 486, 600, 603, 607, 608, 480, 484, 488, 302, 606])('%i never goes on', (status) => {
    expect(failure(status)).toBeUndefined();
  });

  it('goes on by its trigger, but not once the phone has rung', () => {
    expect([500, 502, 503].map((status) => failure(status))).toEqual(Array(3).fill('unreachable'));
    expect([408, 504].map((status) => failure(status))).toEqual(Array(2).fill('timeout'));
    expect([401, 403, 407].map((status) => failure(status))).toEqual(Array(3).fill('auth_failure'));
    expect(failure(408, { isOurs: true })).toBe('timeout');
    expect(failure(503, { isOurs: true })).toBe('unreachable');
    expect(failure(503, { hasRung: true })).toBeUndefined();
  });
});
