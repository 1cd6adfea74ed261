import { describe, expect, it } from 'vitest';
import {
  directionSchema,
  realmProblem,
  trustProblem,
} from '../../../../src/control/trunks/direction-schema.js';

const outbound = { type: 'outbound', sip_endpoint: 'sip:pbx.example.com' };
const inbound = { type: 'inbound', agent: 'sip:agent@example.com' };
const registering = {
  type: 'inbound',
  auth_mode: 'register',
  register_auth: { username: '700', password: 'long enough' },
  registrar: 'sip:pbx.example.com',
};
const credentials = { sip_username: 'acme', sip_password: 'long enough' };

/** `path: message` of each problem; empty: the direction is accepted. */
const problemsOf = (direction: object): string[] =>
  directionSchema
    .safeParse(direction)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

describe('a direction of a trunk', () => {
  it.each([
    ['an outbound server', outbound],
    ['an outbound server with credentials', { ...outbound, options: credentials }],
    [
      'an outbound server with credentials of one realm',
      { ...outbound, options: { ...credentials, sip_realm: 'pbx' } },
    ],
    ['an agent', inbound],
    ['an agent by its older name', { type: 'inbound', sip_endpoint: 'sip:agent@example.com' }],
    ['an agent by both names alike', { ...inbound, sip_endpoint: 'sip:agent@example.com' }],
    ['a registration', registering],
    ['a registration in one realm', { ...registering, options: { ...credentials, sip_realm: 'pbx' } }],
    [
      'a registrar by its older name',
      { ...registering, registrar: undefined, sip_endpoint: 'sip:pbx.example.com' },
    ],
  ])('accepts %s', (_, direction) => expect(problemsOf(direction)).toEqual([]));

  it.each<[string, object]>([
    ['registrar: registrar requires auth_mode register.', { ...inbound, registrar: 'sip:pbx.example.com' }],
    ['register_auth: Required with auth_mode register', { ...registering, register_auth: undefined }],
    ['register_auth: Requires auth_mode register', { ...inbound, register_auth: registering.register_auth }],
    [
      'sip_endpoint: sip_endpoint is an older name of agent: set only one of them.',
      { ...inbound, sip_endpoint: 'sip:other@example.com' },
    ],
    [
      'sip_endpoint: sip_endpoint is an older name of registrar: set only one of them.',
      { ...registering, sip_endpoint: 'sip:other.example.com' },
    ],
    [
      'options.sip_password: sip_username and sip_password must be set together',
      { ...outbound, options: { sip_username: 'acme' } },
    ],
    [
      'options.sip_username: sip_username and sip_password must be set together',
      { ...outbound, options: { sip_password: 'long enough' } },
    ],
    [
      'options.agents: Agents answer calls to the number: an inbound direction has them',
      {
        ...outbound,
        options: { agents: { strategy: 'ring_all', endpoints: ['sip:a@example.com', 'sip:b@example.com'] } },
      },
    ],
    [
      'options.sip_realm: Inbound directions require auth_mode register',
      { ...inbound, options: { ...credentials, sip_realm: 'pbx' } },
    ],
  ])('rejects with "%s"', (problem, direction) => expect(problemsOf(direction)).toEqual([problem]));
});

describe('a realm', () => {
  it('requires a user outbound, and a registration inbound', () => {
    expect(realmProblem({}, { type: 'inbound' })).toBeUndefined();
    expect(realmProblem({ sip_realm: 'pbx' }, { type: 'outbound' })).toBe('Requires sip_username');
    expect(realmProblem({ sip_realm: 'pbx', sip_username: 'a' }, { type: 'outbound' })).toBeUndefined();
    expect(realmProblem({ sip_realm: 'pbx' }, { type: 'inbound', auth_mode: 'register' })).toBeUndefined();
    expect(realmProblem({ sip_realm: 'pbx' }, { type: 'inbound', auth_mode: 'ip' })).toContain(
      'auth_mode register',
    );
  });
});

describe('trusted certificates', () => {
  const tls_ca = 'PEM';

  it.each<[string | undefined, string | undefined, string | null | undefined]>([
    [undefined, undefined, undefined],
    [undefined, undefined, null],
    [undefined, 'tls', 'sip:pbx.example;transport=tcp'],
    [undefined, undefined, 'sip:pbx.example;transport=tls'],
    ['Requires transport tls; it is udp', 'udp', 'sip:pbx.example;transport=tls'],
    ['Requires transport tls; it is tcp', undefined, 'sip:pbx.example;transport=tcp'],
  ])('have the problem %s with the transport %s at %s', (problem, transport, sip_endpoint) => {
    expect(trustProblem({ tls_ca, transport }, { type: 'outbound', sip_endpoint })).toBe(problem);
  });

  it('require a registration inbound, and are no problem where none are named', () => {
    expect(trustProblem({ tls_ca }, { type: 'inbound', auth_mode: 'ip' })).toContain('auth_mode register');
    expect(trustProblem({ tls_ca }, { type: 'inbound', auth_mode: 'register' })).toBeUndefined();
    expect(trustProblem({ transport: 'udp' }, { type: 'inbound', auth_mode: 'ip' })).toBeUndefined();
  });
});
