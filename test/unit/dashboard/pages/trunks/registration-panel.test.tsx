import { describe, expect, it } from 'vitest';
import type { TrunkStatus } from '../../../../../src/dashboard/api/trunks.js';
import { RegistrationPanel } from '../../../../../src/dashboard/pages/trunks/registration-panel.js';
import { rendered } from '../../rendered.js';

type State = NonNullable<TrunkStatus['registrations']>[number];

const registration = (fields: Partial<State> = {}): State =>
  ({
    state: 'registered',
    since: null,
    registrar: 'pbx.example',
    username: '700',
    last_error: null,
    sip_code: null,
    expires_at: null,
    next_attempt_at: null,
    ...fields,
  }) as State;
const panel = (...registrations: State[]) => rendered(<RegistrationPanel registrations={registrations} />);

describe('the registrations of a number', () => {
  it('need no panel when there are none', () => {
    expect(panel().html).toBe('');
  });

  it('are shown with what is known of each', () => {
    const { text, all } = panel(registration(), registration({ username: '701', registrar: null }));
    expect(all('dt')).toEqual(['State', 'Registrar', 'User name', 'State', 'Registrar', 'User name']);
    expect(text).toContain('pbx.example');
    expect(text).toContain('–');
    expect(text).not.toContain('ago');
  });

  it('have a time where one is known, and the last error with its SIP code', () => {
    const at = '2026-11-22T10:00:00Z';
    const shown = panel(
      registration({
        since: at,
        expires_at: at,
        next_attempt_at: at,
        last_error: 'Forbidden',
        sip_code: 403,
      }),
    );
    expect(shown.all('dt')).toEqual([
      'State',
      'Registrar',
      'User name',
      'Last error',
      'Expires',
      'Next attempt',
    ]);
    expect(shown.text).toContain('ago');
    expect(shown.text).toContain('403 Forbidden');
    expect(panel(registration({ last_error: 'No answer' })).all('b')).toEqual([]);
  });
});
