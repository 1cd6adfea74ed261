import { describe, expect, it } from 'vitest';
import { refuseLoop, refuseTooManyHops } from '../../../../src/edge/admission/routing-loop.js';
import { invite } from './request.js';

const listeners = ['tls/edge.example.com:5061', 'TCP/192.0.2.10:5060', 'udp/192.0.2.10:5062'];
const refusedBy = (via: readonly string[], own: readonly string[] = listeners) =>
  refuseLoop(invite({ via: [...via] }), own)?.detail;

describe('a request that has passed an own listener', () => {
  it.each([
    ['SIP/2.0/TLS edge.example.com:5061;branch=z9hG4bK1'],
    ['SIP/2.0/TLS EDGE.example.com;branch=z9hG4bK1'],
    ['SIP/2.0/TCP 192.0.2.10;branch=z9hG4bK1'],
    ['SIP/2.0/UDP 192.0.2.10:5062;branch=z9hG4bK1'],
  ])('is refused by %s', (via) => expect(refusedBy([via])).toContain('own listener'));

  it.each([
    ['another host', 'SIP/2.0/TLS other.example.com:5061;branch=z9hG4bK1'],
    ['another port', 'SIP/2.0/TLS edge.example.com:5062;branch=z9hG4bK1'],
    ['the same port of another protocol', 'SIP/2.0/TCP 192.0.2.10:5062;branch=z9hG4bK1'],
    ['the usual port of another protocol', 'SIP/2.0/TCP edge.example.com;branch=z9hG4bK1'],
  ])('is not recognized by %s', (_, via) => expect(refusedBy([via])).toBeUndefined());

  it('is recognized behind other hops and behind a Via that cannot be read', () => {
    const own = 'SIP/2.0/TCP 192.0.2.10;branch=z9hG4bK2';
    expect(refusedBy(['nonsense'])).toBeUndefined();
    expect(refusedBy(['nonsense', 'SIP/2.0/UDP 198.51.100.1;branch=z9hG4bK1', own])).toContain(
      '192.0.2.10:5060',
    );
    expect(refusedBy([own], [])).toBeUndefined();
    expect(refusedBy([])).toBeUndefined();
  });

  it('is recognized by the header of an edge, even without a Via', () => {
    const headers = { 'X-Demarc-Call-ID': 'c1' };
    expect(refuseLoop(invite({ via: [], headers }), [])?.detail).toContain('X-Demarc-Call-ID');
  });
});

it('a request without hops left is refused, one without Max-Forwards is not', () => {
  expect(refuseTooManyHops(invite({ maxForwards: 0 }))?.endReason).toBe('refused_too_many_hops');
  expect(refuseTooManyHops(invite({ maxForwards: 1 }))).toBeUndefined();
  expect(refuseTooManyHops(invite({ maxForwards: undefined }))).toBeUndefined();
});
