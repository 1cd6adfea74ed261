import { describe, expect, it } from 'vitest';
import { EgressPolicy, type OwnListener } from '../../../src/naming/egress.js';

const listeners: readonly OwnListener[] = [
  { protocol: 'tls', host: '0.0.0.0', port: 5061 },
  { protocol: 'tcp', host: '127.0.0.1', port: 5070 },
  { protocol: 'tcp', host: '[2600::7]', port: 5062 },
];
const parts = { ownListeners: () => listeners, localAddresses: () => ['203.0.113.9', '2600::7'] };
const open = new EgressPolicy({ allowPrivate: true, ...parts });
const closed = new EgressPolicy({ allowPrivate: false, ...parts });

describe('the egress policy', () => {
  it('never lets a request reach our own listeners, regardless of the setting for private networks', () => {
    for (const policy of [open, closed]) {
      for (const [address, port, protocol] of [
        ['127.0.0.1', 5070, 'tcp'],
        ['0.0.0.0', 5070, 'tcp'],
        ['::', 5070, 'tcp'],
        ['::ffff:127.0.0.1', 5070, 'tcp'],
        ['127.9.9.9', 5061, 'tls'],
        ['203.0.113.9', 5061, 'tls'],
        ['2600::7', 5062, 'tcp'],
        ['[2600::7]', 5062, undefined],
      ] as const) {
        expect(policy.problemOf({ address, port, protocol }), `${protocol} ${address} ${port}`).toBe(
          'own_listener',
        );
      }
    }
  });

  it('lets an agent or PBX beside our listeners be reached where the operator allows private networks', () => {
    for (const [address, port, protocol] of [
      ['127.0.0.1', 5090, 'tcp'],
      ['127.0.0.2', 5070, 'tcp'],
      ['127.0.0.1', 5070, 'udp'],
      ['10.0.0.1', 5060, 'udp'],
    ] as const) {
      expect(open.problemOf({ address, port, protocol })).toBeUndefined();
      expect(closed.problemOf({ address, port, protocol })).toBe('private');
    }
  });

  it('reaches the Internet, and nothing that no host can have', () => {
    for (const policy of [open, closed]) {
      expect(policy.allows({ address: '8.8.8.8', port: 5070, protocol: 'tcp' })).toBe(true);
      expect(policy.problemOf({ address: '255.255.255.255' })).toBe('reserved');
      expect(policy.problemOf({ address: '0.0.0.0', port: 25 })).toBe('reserved');
      expect(policy.problemOf({ address: 'not.resolved.example' })).toBe('reserved');
    }
  });

  it('reaches the listed networks of an operator who refuses the others', () => {
    const listed = new EgressPolicy({
      allowPrivate: false,
      privateNetworks: ['10.20.0.0/16', 'fd00::/8', '127.0.0.1'],
      ...parts,
    });
    for (const address of ['10.20.1.2', 'fd00::1', '[fd00::1]', '127.0.0.1', '::ffff:10.20.1.2']) {
      expect(listed.problemOf({ address }), address).toBeUndefined();
    }
    expect(listed.problemOf({ address: '10.21.0.1' })).toBe('private');
    expect(listed.problemOf({ address: '127.0.0.2' })).toBe('private');
    expect(listed.problemOf({ address: '127.0.0.1', port: 5070, protocol: 'tcp' })).toBe('own_listener');
  });
});
