import { describe, expect, it } from 'vitest';
import type { NumberDocument } from '../../../../src/contract/number.js';
import { failoverStateOf } from '../../../../src/control/health/failover/failover-state.js';
import { endpointNamesOf } from '../../../../src/control/health/number-health.js';

const document = {
  version: 1,
  number: '14155550100',
  organization: 'org_1',
  updated_at: '2026-11-20T12:00:00.000Z',
  inbound: [],
  outbound: [{ id: 'cfg_1', host: 'one.example.com', transport: 'tls', headers: [] }],
  codecs: { order: ['PCMU'], transcode: false },
  limits: {},
  outbound_policy: {
    failover: {
      endpoints: [{ host: 'two.example.com', transport: 'udp' }],
      triggers: ['timeout'],
      failback: 'manual',
    },
  },
} as unknown as NumberDocument;
const [first, second] = ['tls:one.example.com', 'udp:two.example.com'] as const;
const out = (since: string, trigger = 'timeout'): string => JSON.stringify({ since, trigger, detail: '408' });
const state = (hash: Record<string, string>) => failoverStateOf(document, [first, second], hash);

describe('the server that a number uses', () => {
  it('is the first one while it is not out', () => {
    expect(state({})).toEqual({
      active: first,
      failed_over: false,
      since: null,
      reason: null,
      detail: null,
      failback: 'manual',
      out: [],
    });
  });

  it('is the next one while the first one is out, and says since when and why', () => {
    const hash = {
      [`out:${first}`]: out('2026-11-20T11:00:00.000Z', 'auth_failure'),
      [`healthy:${first}`]: '2',
    };
    expect(state(hash)).toEqual({
      active: second,
      failed_over: true,
      since: '2026-11-20T11:00:00.000Z',
      reason: 'auth_failure',
      detail: '408',
      failback: 'manual',
      out: [
        {
          endpoint: first,
          since: '2026-11-20T11:00:00.000Z',
          reason: 'auth_failure',
          detail: '408',
          healthy_probes: 2,
        },
      ],
    });
  });

  it('is the first one while all are out, since it may be back', () => {
    const hash = {
      [`out:${second}`]: out('2026-11-20T11:30:00.000Z'),
      [`out:${first}`]: out('2026-11-20T11:00:00.000Z'),
    };
    const all = state(hash);
    expect([all.active, all.failed_over, all.since]).toEqual([first, false, null]);
    expect(all.out.map(({ endpoint, healthy_probes }) => [endpoint, healthy_probes])).toEqual([
      [first, 0],
      [second, 0],
    ]);
  });

  it('is the first one when only a backup is out, or what is stored cannot be read', () => {
    expect(state({ [`out:${second}`]: out('2026-11-20T11:00:00.000Z') })).toMatchObject({
      active: first,
      failed_over: false,
    });
    expect(state({ [`out:${first}`]: 'not JSON' })).toMatchObject({ active: first, out: [] });
  });
});

describe('the servers of a number', () => {
  it('are named in the order in which calls use them, each once', () => {
    expect(endpointNamesOf(document)).toEqual([first, second]);
    const twice = { ...document, outbound: [...document.outbound, ...document.outbound] } as NumberDocument;
    expect(endpointNamesOf(twice)).toEqual([first, second]);
    expect(endpointNamesOf({ ...document, outbound: [] } as NumberDocument)).toEqual([]);
  });
});
