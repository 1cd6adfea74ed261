import { describe, expect, it } from 'vitest';
import type { AgentCallSettings } from '../../../../src/config/edge-settings.js';
import { AgentGate } from '../../../../src/edge/outbound/agent-gate.js';

const gate = (settings: Partial<AgentCallSettings> = {}) =>
  new AgentGate({
    listen: { host: '10.0.0.5', port: 5070 },
    trunkPorts: [5061, 5060],
    sources: ['10.0.0.0/24', '127.0.0.1', '::1'],
    trustUdpSources: false,
    trust: 'credentials',
    operator: undefined,
    ...settings,
  });
const origin = (fields: { from?: string; on?: string; protocol?: string } = {}) => ({
  source_address: fields.from ?? '10.0.0.9',
  receivedOn: fields.on ?? '10.0.0.5:5070',
  protocol: fields.protocol ?? 'tcp',
});

describe('who may place calls by SIP', () => {
  it('is a known source on the private listener', () => {
    expect(gate().isAgent(origin())).toBe(true);
    expect(gate().isAgent(origin({ from: '::ffff:10.0.0.9' }))).toBe(true);
  });

  it.each([
    ['another source', { from: '10.0.1.9' }],
    ['no address', { from: 'agent.example' }],
    ['the trunks’ port', { on: '10.0.0.5:5061' }],
    ['another address of this machine', { on: '203.0.113.5:5070' }],
    ['a datagram, whose source may be forged', { protocol: 'udp' }],
  ])('is not %s', (_name, fields) => {
    expect(gate().isAgent(origin(fields))).toBe(false);
  });

  it('is not recognised where the listener is unknown', () => {
    expect(gate({ listen: undefined }).isAgent(origin())).toBe(false);
    expect(gate().isAgent({ source_address: '10.0.0.9', protocol: 'tcp' })).toBe(false);
  });

  it('may use datagrams on this machine, or where sources are trusted', () => {
    const local = gate({ listen: { host: '127.0.0.1', port: 0 } });
    const datagram = { from: '127.0.0.1', on: '127.0.0.1:41234', protocol: 'udp' };
    expect(local.isAgent(origin(datagram))).toBe(true);
    expect(gate({ trustUdpSources: true }).isAgent(origin({ protocol: 'udp' }))).toBe(true);
  });

  it('is distinguished from trunks by their ports where the private one is any free port', () => {
    const local = gate({ listen: { host: '127.0.0.1', port: 0 } });
    expect(local.isAgent(origin({ from: '127.0.0.1', on: '127.0.0.1:41234' }))).toBe(true);
    expect(local.isAgent(origin({ from: '127.0.0.1', on: '127.0.0.1:5060' }))).toBe(false);
  });

  it('reads IPv6', () => {
    const local = gate({ listen: { host: '::1', port: 5070 } });
    expect(local.isAgent(origin({ from: '::1', on: '::1:5070' }))).toBe(true);
    expect(local.isAgent(origin({ from: '::1', on: '[::1]:5070' }))).toBe(true);
  });
});
