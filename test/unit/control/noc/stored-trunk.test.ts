import { describe, expect, it } from 'vitest';
import type { EndpointHealth } from '../../../../src/contract/health.js';
import type { NumberDocument } from '../../../../src/contract/number.js';
import { registrationsOf } from '../../../../src/contract/registration.js';
import { noTrunkCalls } from '../../../../src/control/noc/trunk-calls.js';
import { storedTrunk, trunkFilters } from '../../../../src/control/noc/trunks.js';
import { healthy, unreachable } from '../health/endpoint-health.js';

const now = Date.parse('2026-11-20T12:05:00Z');
const number = { number: '14155550100', id: 'org_1', name: 'Acme' };
const [first, second] = ['tls:one.example.com', 'tls:two.example.com'];
const document = {
  organization: 'org_1',
  inbound: [],
  outbound: [
    { id: 'a', host: 'one.example.com', transport: 'tls', headers: [] },
    { id: 'b', host: 'two.example.com', transport: 'tls', headers: [] },
  ],
} as unknown as NumberDocument;
const trunk = (checks: EndpointHealth[], own: NumberDocument | undefined = document) =>
  storedTrunk(
    { ...number, directions: ['outbound', 'inbound'] },
    own,
    new Map(checks.map((check) => [check.endpoint, check])),
    undefined,
    now,
  );

describe('a trunk of the overview', () => {
  it('shows the first server with the status of the whole', () => {
    expect(
      trunk([
        unreachable({ endpoint: first!, reason: 'refused' }),
        healthy({ endpoint: second!, response_time_milliseconds: 12 }),
      ]),
    ).toEqual({
      organization: { id: 'org_1', name: 'Acme' },
      phone_number: '+14155550100',
      directions: ['inbound', 'outbound'],
      status: 'healthy',
      endpoint: second,
      reason: null,
      detail: null,
      cause: null,
      advice: null,
      response_time_ms: 12,
      checked_at: '2026-11-20T12:00:00.000Z',
      servers: { total: 2, unreachable: 1 },
      registrationIds: [],
      calls: noTrunkCalls,
    });
  });

  it('says why all its servers are unreachable', () => {
    const down = trunk([
      unreachable({ endpoint: first!, reason: 'dns', detail: 'NXDOMAIN' }),
      unreachable({ endpoint: second! }),
    ]);
    expect(down).toMatchObject({
      status: 'unreachable',
      endpoint: first,
      reason: 'dns',
      detail: 'NXDOMAIN',
      servers: { total: 2, unreachable: 2 },
    });
    expect(down.cause).toMatch(/./);
    expect(down.advice).toMatch(/./);
  });

  it('gives no reason from a check that is too old', () => {
    const old = { checked_at: '2026-11-20T11:00:00.000Z' };
    expect(
      trunk([unreachable({ endpoint: first!, ...old }), unreachable({ endpoint: second!, ...old })]),
    ).toMatchObject({
      status: 'unchecked',
      endpoint: first,
      reason: null,
      cause: null,
      servers: { total: 2, unreachable: 0 },
    });
  });

  it('has no server without a document', () => {
    const bare = storedTrunk({ ...number, directions: ['inbound'] }, undefined, new Map(), undefined, now);
    expect(bare).toMatchObject({
      status: 'unchecked',
      endpoint: null,
      response_time_ms: null,
      checked_at: null,
      servers: { total: 0, unreachable: 0 },
      registrationIds: [],
    });
  });

  it('has its registrations, and its calls of the last hour', () => {
    const registered = {
      ...document,
      inbound: [
        {
          id: 'c',
          registration: { host: 'reg.example.com', transport: 'tls', username: 'pbx', password: 'v1:k:x' },
        },
      ],
    } as unknown as NumberDocument;
    const calls = { ...noTrunkCalls, state: 'working' as const, calls: 9 };
    const own = storedTrunk({ ...number, directions: ['inbound'] }, registered, new Map(), calls, now);
    expect(own.registrationIds).toEqual(registrationsOf(registered).map(({ id }) => id));
    expect(own.calls).toBe(calls);
  });
});

describe('a list of trunks is narrowed', () => {
  const {
    registrationIds: _,
    organization: _organization,
    ...stored
  } = trunk([healthy({ endpoint: first! }), healthy({ endpoint: second! })]);
  const well = { ...stored, registration: 'registered' as const };
  const states = (fields: Partial<typeof well> | object): string[] =>
    Object.entries(trunkFilters)
      .filter(([, filter]) => filter({ ...well, ...fields } as never))
      .map(([name]) => name);

  it.each<[object, string[]]>([
    [{}, []],
    [{ status: 'unreachable' }, ['unreachable']],
    [{ status: 'unchecked', servers: { total: 1, unreachable: 1 } }, []],
    [{ servers: { total: 2, unreachable: 1 } }, ['degraded']],
    [{ calls: { ...noTrunkCalls, state: 'failing' } }, ['failing']],
    [{ calls: { ...noTrunkCalls, state: 'degraded' } }, ['degraded']],
    [{ calls: { ...noTrunkCalls, state: 'working' } }, []],
    [{ registration: 'failed' }, ['unregistered']],
    [{ registration: 'unregistered' }, ['unregistered']],
    [{ registration: 'registering' }, []],
    [{ registration: 'unknown' }, []],
    [{ registration: null }, []],
    [{ status: 'unreachable', registration: 'failed' }, ['unreachable', 'unregistered']],
  ])('to those with %j: %j', (fields, names) => expect(states(fields)).toEqual(names));
});
