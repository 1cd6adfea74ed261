import { describe, expect, it } from 'vitest';
import { endpointName, endpointsOf } from '../../../../src/contract/health.js';
import { numberDocumentSchema } from '../../../../src/contract/number.js';
import { mediaPartyAt, requestUri, routeOf, triggerOf } from '../../../../src/edge/routing/targets.js';

const document = (fields: Record<string, unknown>) =>
  numberDocumentSchema.parse({
    version: 1,
    number: '4930123456',
    organization: 'acme',
    updated_at: '2026-11-20T10:00:00.000Z',
    ...fields,
  });

describe('the route of a number', () => {
  it('is its first outbound configuration, then the failover endpoints; SRTP by default', () => {
    const endpoints = [
      { host: 'b.example', transport: 'tcp' },
      { host: 'c.example', port: 5070, transport: 'udp' },
    ];
    const failover = { endpoints, triggers: ['timeout'], failback: 'auto' };
    const route = routeOf(
      document({ outbound: [{ id: 'a', host: 'a.example' }], outbound_policy: { failover } }),
    )!;
    expect(route.servers.map((server) => requestUri(server, '14155550100'))).toEqual([
      'sip:+14155550100@a.example;transport=tls',
      'sip:+14155550100@b.example;transport=tcp',
      'sip:+14155550100@c.example:5070;transport=udp',
    ]);
    expect(route.servers.every(({ isSecure }) => isSecure)).toBe(true);
    expect([...route.triggers]).toEqual(['timeout']);
    const plain = document({ outbound: [{ id: 'a', host: '[2001:db8::1]', secure_media: false }] });
    expect(routeOf(plain)!.servers).toMatchObject([{ isSecure: false, name: 'tls:[2001:db8::1]' }]);
    expect(requestUri(routeOf(plain)!.servers[0]!, '1')).toBe('sip:+1@[2001:db8::1];transport=tls');
    const symmetric = document({ outbound: [{ id: 'a', host: 'a.example', symmetric_rtp: true }] });
    expect(routeOf(symmetric)!.servers.map(mediaPartyAt)).toEqual([
      { profile: 'RTP/SAVP', isSymmetric: true },
    ]);
    expect(routeOf(document({}))).toBeUndefined();
  });

  it('continues with the other configurations, each with its settings, no server twice', () => {
    const credential = (username: string) => ({ username, password: 'v1:a:b' });
    const failover = {
      endpoints: [
        { host: 'backup.example', transport: 'tls' },
        { host: 'c.example', transport: 'tls' },
      ],
      triggers: ['unreachable'],
      failback: 'manual',
    };
    const outbound = [
      { id: 'a', host: 'a.example', credential: credential('one') },
      { id: 'b', host: 'b.example', transport: 'udp', secure_media: false },
      { id: 'c', host: 'c.example', credential: credential('three') },
    ];
    const route = routeOf(document({ outbound, outbound_policy: { failover } }))!;
    const seen = route.servers.map((server) => [server.name, server.isSecure, server.credential?.username]);
    expect(seen).toEqual([
      ['tls:a.example', true, 'one'],
      ['tls:backup.example', true, 'one'],
      ['tls:c.example', true, 'three'],
      ['udp:b.example', false, undefined],
    ]);
    expect(route.failback).toBe('manual');
    const names = endpointsOf(document({ outbound, outbound_policy: { failover } })).map(endpointName);
    expect([...new Set(names)]).toEqual(route.servers.map(({ name }) => name));
    // Without a separate policy.
    expect([...routeOf(document({ outbound }))!.triggers]).toEqual(['unreachable', 'timeout']);
  });
});

describe('a failed attempt', () => {
  const failure = (status: number, more: object = {}) =>
    triggerOf({ status, reason: '', isOurs: false, hasRung: false, ...more });

  it.each([404, 486, 600, 603, 607, 608, 480, 484, 488, 302, 606])('%i never fails over', (status) => {
    expect(failure(status)).toBeUndefined();
  });

  it('fails over by its trigger, but not after ringing', () => {
    expect([500, 502, 503].map((status) => failure(status))).toEqual(Array(3).fill('unreachable'));
    expect([408, 504].map((status) => failure(status))).toEqual(Array(2).fill('timeout'));
    expect([401, 403, 407].map((status) => failure(status))).toEqual(Array(3).fill('auth_failure'));
    expect(failure(408, { isOurs: true })).toBe('timeout');
    expect(failure(503, { isOurs: true })).toBe('unreachable');
    expect(failure(503, { hasRung: true })).toBeUndefined();
  });
});
