import { describe, expect, it } from 'vitest';
import type { RegistrationState } from '../../../../src/contract/registration.js';
import type { Sighting } from '../../../../src/contract/sighting.js';
import { stateOf } from '../../../../src/control/health/registrations/view.js';
import { viewOf } from '../../../../src/control/sightings/view.js';

const sighting = (fields: object = {}): Sighting =>
  ({
    at: '2026-11-22T10:00:00.000Z',
    kind: 'request',
    source: { address: '192.0.2.1', port: 5061, protocol: 'tls' },
    tls: null,
    method: 'OPTIONS',
    user_agent: null,
    called: null,
    number: null,
    call_id: 'c1',
    status: 200,
    end_reason: null,
    detail: null,
    ...fields,
  }) as unknown as Sighting;

describe('what arrived from a PBX', () => {
  it.each<[object, RegExp]>([
    [{}, /^The PBX reaches Demarc/],
    [{ method: 'REGISTER', status: 405 }, /no registrar\.$/],
    [{ method: 'INVITE', status: null }, /^The call was admitted\./],
    [{ status: 503 }, /shutting down/],
    [{ method: 'MESSAGE', status: 405 }, /^Demarc does not accept MESSAGE \(405\)\.$/],
  ])('with %j is explained', (fields, cause) => {
    expect(viewOf(sighting(fields)).cause).toMatch(cause);
  });

  it('is explained by the end of its call, or by its handshake, first', () => {
    const refused = viewOf(sighting({ method: 'REGISTER', status: 403, end_reason: 'refused_source' }));
    expect(refused.cause).not.toContain('registrar');
    expect(
      viewOf(sighting({ kind: 'handshake', end_reason: 'refused_source', detail: 'no shared cipher' })).cause,
    ).not.toBe(refused.cause);
  });

  it('names a call only with a number of the organization', () => {
    expect(viewOf(sighting())).toMatchObject({ phone_number: null, call_id: null });
    expect(viewOf(sighting({ number: '13125550161' }))).toMatchObject({
      phone_number: '+13125550161',
      call_id: 'c1',
    });
  });
});

describe('the state of a registration', () => {
  const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();
  const state = (next: number | null, expires: number | null, seconds: number): string =>
    stateOf(
      {
        state: 'registered',
        next_attempt_at: next === null ? null : at(next),
        expires_at: expires === null ? null : at(expires),
      } as unknown as RegistrationState,
      seconds * 1_000,
    );

  it('is what the edge said while it maintains it', () => {
    expect(state(100, 160, 130)).toBe('registered');
    expect(state(null, null, 10_000)).toBe('registered');
    expect(state(100, null, 130)).toBe('registered');
  });

  it('is over when neither an attempt nor the binding is left', () => {
    expect(state(100, 160, 161)).toBe('unregistered');
    expect(state(100, 160, 160)).toBe('registered');
    expect(state(100, null, 130.001)).toBe('unregistered');
    expect(state(100, 200, 150)).toBe('registered');
  });
});
