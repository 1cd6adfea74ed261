import { describe, expect, it } from 'vitest';
import type { NumberDocument } from '../../../../src/contract/number.js';
import { type RegistrationState, registrationsOf } from '../../../../src/contract/registration.js';
import {
  registrationIds,
  registrationViews,
  stateOf,
} from '../../../../src/control/health/registrations/view.js';
import { configurationRow } from '../numbers/configuration-row.js';

const soon = new Date(Date.now() + 600_000).toISOString();
const past = new Date(Date.now() - 600_000).toISOString();
const registered = (fields: Partial<RegistrationState> = {}): RegistrationState => ({
  version: 1,
  registration: 'r',
  organization: 'org_1',
  registrar: 'tls:reg.example.com',
  username: 'pbx',
  edge_id: 'edge-1',
  state: 'registered',
  since: past,
  attempted_at: past,
  expires_at: soon,
  next_attempt_at: soon,
  sip_code: 200,
  last_error: null,
  contact: null,
  address: null,
  ...fields,
});
const document = {
  organization: 'org_1',
  inbound: [
    {
      id: 'cfg_1',
      registration: { host: 'reg.example.com', transport: 'tls', username: 'pbx', password: 'v1:k:x' },
    },
    { id: 'cfg_plain' },
  ],
} as unknown as NumberDocument;
const { id } = registrationsOf(document)[0]!;
const rows = [
  configurationRow({ id: 'cfg_1', register_username: 'pbx' }),
  configurationRow({ id: 'cfg_plain' }),
];

describe('the state of a registration', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const at = (seconds: number): string => new Date(now + seconds * 1_000).toISOString();
  const state = (next: number | null, expires: number | null, fields: Partial<RegistrationState> = {}) =>
    stateOf(
      registered({
        next_attempt_at: next === null ? null : at(next),
        expires_at: expires === null ? null : at(expires),
        ...fields,
      }),
      now,
    );

  it('is what the edge reported while its attempts are due', () => {
    expect(state(10, 60)).toBe('registered');
    expect(state(-30, -1)).toBe('registered');
    expect(state(null, -1)).toBe('registered');
    expect(state(10, 60, { state: 'failed' })).toBe('failed');
  });

  it('is lost when an attempt is more than 30 seconds late and the binding has expired', () => {
    expect(state(-31, -1)).toBe('unregistered');
    expect(state(-31, null)).toBe('unregistered');
    expect(state(-31, -1, { state: 'failed' })).toBe('unregistered');
    expect(state(-31, 0)).toBe('registered');
    expect(state(-31, 60)).toBe('registered');
  });
});

describe('the registrations of a number', () => {
  it('have their ids, each once', () => {
    expect(registrationIds(document)).toEqual([id]);
    expect(
      registrationIds({
        ...document,
        inbound: [document.inbound[0]!, document.inbound[0]!],
      } as NumberDocument),
    ).toEqual([id]);
    expect(registrationIds(undefined)).toEqual([]);
  });

  it('show what the edge reported', () => {
    const views = registrationViews(document, rows, new Map([[id, registered({ last_error: 'none' })]]));
    expect(views).toEqual([
      {
        state: 'registered',
        registrar: 'tls:reg.example.com',
        username: 'pbx',
        since: past,
        expires_at: soon,
        attempted_at: past,
        next_attempt_at: soon,
        sip_code: 200,
        last_error: 'none',
        edge: 'edge-1',
      },
    ]);
  });

  it('show that no edge maintains one any more', () => {
    const lost = registered({ next_attempt_at: past, expires_at: past });
    expect(registrationViews(document, rows, new Map([[id, lost]]))).toMatchObject([
      {
        state: 'unregistered',
        expires_at: null,
        next_attempt_at: null,
        last_error: 'No edge handles the registration any more',
        edge: 'edge-1',
      },
    ]);
  });

  it.each<[string, NumberDocument | undefined, ReadonlyMap<string, RegistrationState> | undefined, object]>([
    [
      'has no registrar',
      { ...document, inbound: [] } as NumberDocument,
      new Map(),
      {
        state: 'failed',
        registrar: null,
        last_error: 'No registrar: set registrar, or attach an outbound direction',
      },
    ],
    [
      'is unknown while Redis is down',
      document,
      undefined,
      { state: 'unknown', registrar: 'tls:reg.example.com', last_error: 'Redis does not answer' },
    ],
    [
      'waits for an edge',
      document,
      new Map(),
      {
        state: 'unregistered',
        registrar: 'tls:reg.example.com',
        last_error: 'No edge handles the registration yet',
      },
    ],
    ['has no registrar without a document', undefined, new Map(), { state: 'failed' }],
  ])('%s', (_, own, states, view) => {
    const [first, ...rest] = registrationViews(own, rows, states);
    expect(rest).toEqual([]);
    expect(first).toMatchObject({
      username: 'pbx',
      since: null,
      expires_at: null,
      attempted_at: null,
      next_attempt_at: null,
      sip_code: null,
      edge: null,
      ...view,
    });
  });
});
