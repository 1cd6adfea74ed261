import { describe, expect, it } from 'vitest';
import type { RegistrationState } from '../../../src/contract/registration.js';
import { noTrunkCalls } from '../../../src/control/noc/trunk-calls.js';
import { type StoredTrunk, withRegistrations } from '../../../src/control/noc/trunks.js';

const nothing = { reason: null, detail: null, cause: null, advice: null, endpoint: null } as const;
const trunk = (phone_number: string, fields: Partial<StoredTrunk>): StoredTrunk => ({
  organization: { id: 'o', name: 'Acme' },
  phone_number,
  directions: ['outbound'],
  status: 'healthy',
  ...nothing,
  response_time_ms: null,
  checked_at: null,
  servers: { total: 1, unreachable: 0 },
  registrationIds: [],
  calls: noTrunkCalls,
  ...fields,
});
const state = (name: RegistrationState['state']): RegistrationState => ({
  version: 1,
  registration: 'r',
  organization: 'o',
  registrar: 'tls:pbx.example.com',
  username: '700',
  edge_id: 'edge',
  state: name,
  since: new Date().toISOString(),
  attempted_at: null,
  expires_at: new Date(Date.now() + 60_000).toISOString(),
  next_attempt_at: null,
  sip_code: null,
  last_error: null,
  contact: null,
  address: null,
});

describe('trunks of the overview', () => {
  it('are ordered by urgency', () => {
    const trunks = [
      trunk('well', {}),
      trunk('unchecked', { status: 'unchecked' }),
      trunk('on a backup', { servers: { total: 2, unreachable: 1 } }),
      trunk('not registered', { status: 'unchecked', registrationIds: ['failed'] }),
      trunk('reachable, but no call succeeds', { calls: { ...noTrunkCalls, state: 'failing' } }),
      trunk('away', { status: 'unreachable', servers: { total: 1, unreachable: 1 } }),
    ];
    const registered = withRegistrations({ total: 6, trunks }, new Map([['failed', state('failed')]]));
    expect(registered.trunks.map(({ phone_number }) => phone_number)).toEqual([
      ...['away', 'reachable, but no call succeeds', 'not registered', 'on a backup', 'unchecked', 'well'],
    ]);
    expect(registered.counts).toEqual({
      total: 6,
      healthy: 3,
      unreachable: 1,
      unchecked: 2,
      failing: 1,
      degraded: 1,
      unregistered: 1,
    });
  });

  it('report the worst of a number’s registrations, and unknown while Redis is down', () => {
    const states = new Map([
      ['a', state('registered')],
      ['b', state('failed')],
    ]);
    const registrationOf = (ids: readonly string[], stored: typeof states | undefined) =>
      withRegistrations({ total: 1, trunks: [trunk('one', { registrationIds: ids })] }, stored).trunks[0]!
        .registration;
    expect(registrationOf([], states)).toBeNull();
    expect(registrationOf(['a'], states)).toBe('registered');
    expect(registrationOf(['a', 'b'], states)).toBe('failed');
    expect(registrationOf(['a', 'unreported'], states)).toBe('unregistered');
    expect(registrationOf(['a'], undefined)).toBe('unknown');
  });
});
