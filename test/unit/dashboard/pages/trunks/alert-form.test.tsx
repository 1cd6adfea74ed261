import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Contacts } from '../../../../../src/dashboard/api/alerts.js';
import { type Session, session } from '../../../../../src/dashboard/api/session.js';
import type { AlertConfig, Direction } from '../../../../../src/dashboard/api/trunks.js';
import { notSent, problemOf } from '../../../../../src/dashboard/pages/alerts/contact-problem.js';
import { readForm } from '../../../../../src/dashboard/pages/trunks/alert-fields.js';
import { AlertForm } from '../../../../../src/dashboard/pages/trunks/alert-panel.js';
import { type Rendered, rendered } from '../../rendered.js';

beforeEach(() => {
  session.value = {
    scopes: null,
    member: null,
    organization: { id: 'o', name: 'Acme' },
  } as unknown as Session;
});
afterEach(() => {
  session.value = undefined;
});

function submitted(fields: Readonly<Record<string, string>>, direction: Direction = 'outbound'): AlertConfig {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return readForm(form, direction);
}

describe('the submitted form of an alert', () => {
  it('has what is filled in, as numbers', () => {
    const fields = {
      enabled: 'on',
      unreachable_minutes: '5',
      failure_rate_percent: '',
      sms: 'on',
      webhook: ' https://x ',
    };
    expect(submitted(fields)).toEqual({
      enabled: true,
      thresholds: { unreachable_minutes: 5 },
      channels: { email: false, sms: true, webhook: 'https://x' },
    });
  });

  it('has no webhook when the field is empty', () => {
    expect(submitted({ webhook: '  ' }).channels).toEqual({ email: false, sms: false });
    expect(submitted({ email: 'on' })).toEqual({
      enabled: false,
      thresholds: {},
      channels: { email: true, sms: false },
    });
  });

  it('of inbound calls has failure rates alone', () => {
    const fields = {
      unreachable_minutes: '5',
      response_time_ms: '400',
      failure_rate_percent: '20',
      failure_rate_window_minutes: '15',
    };
    expect(Object.keys(submitted(fields).thresholds ?? {})).toHaveLength(4);
    expect(submitted(fields, 'inbound').thresholds).toEqual({
      failure_rate_percent: 20,
      failure_rate_window_minutes: 15,
    });
  });
});

const contacts = (fields: Partial<Contacts> = {}): Contacts =>
  ({
    available: { email: true, sms: true },
    emails: ['noc@example.com'],
    phone_numbers: [],
    ...fields,
  }) as Contacts;

describe('a channel', () => {
  it.each<['email' | 'sms', Partial<Contacts>, string | undefined]>([
    ['email', {}, undefined],
    ['sms', {}, 'No contact: add one under Alerts.'],
    ['sms', { phone_numbers: ['+1312'] }, undefined],
    ['email', { emails: [], phone_numbers: ['+1312'] }, 'No contact: add one under Alerts.'],
    ['email', { available: { email: false, sms: true } }, notSent.email],
    ['sms', { available: { email: true, sms: false }, phone_numbers: ['+1312'] }, notSent.sms],
  ])('%s with %j has the problem %s', (name, fields, expected) => {
    expect(problemOf(name, contacts(fields))).toBe(expected);
  });
});

describe('the form of an alert', () => {
  const form = (
    config: AlertConfig | null,
    direction: Direction = 'outbound',
    contacts?: Contacts,
  ): Rendered =>
    rendered(
      <AlertForm
        phoneNumber="+1312"
        direction={direction}
        config={config}
        contacts={contacts}
        onChanged={() => undefined}
      />,
    );
  const input = ({ html }: Rendered, name: string): string =>
    new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? `no input ${name}`;

  it('asks for thresholds of servers for outbound calls only', () => {
    expect(form(null).html).toContain('name="response_time_ms"');
    expect(form(null, 'inbound').html).not.toContain('name="response_time_ms"');
    expect(form(null, 'inbound').html).toContain('name="failure_rate_percent"');
  });

  it('shows the stored configuration', () => {
    const shown = form({
      enabled: true,
      thresholds: { response_time_ms: 400 },
      channels: { email: true, webhook: 'https://x' },
    } as AlertConfig);
    expect(input(shown, 'response_time_ms')).toContain('value="400"');
    expect(input(shown, 'unreachable_minutes')).not.toMatch(/value="[^"]+"/);
    expect(input(shown, 'webhook')).toContain('value="https://x"');
    for (const name of ['enabled', 'email']) expect(input(shown, name)).toContain('checked');
    expect(input(shown, 'sms')).not.toContain('checked');
  });

  it('lets a channel without contact be switched off, but not on', () => {
    const unset = form(null, 'outbound', contacts());
    expect(input(unset, 'sms')).toContain('disabled');
    expect(input(unset, 'email')).not.toContain('disabled');
    const set = form(
      { enabled: true, thresholds: {}, channels: { sms: true } } as AlertConfig,
      'outbound',
      contacts(),
    );
    expect(input(set, 'sms')).not.toContain('disabled');
    expect(set.all('small')).toEqual(['No contact: add one under Alerts.']);
    // Not known yet: no judgement.
    expect(input(form(null), 'sms')).not.toContain('disabled');
  });

  it('sends no test notice before it is saved, and changes nothing without the scope', () => {
    const disabled = (shown: Rendered): number => shown.html.match(/<button[^>]* disabled/g)?.length ?? 0;
    expect(form(null).html).toContain('Save the alert first.');
    expect(disabled(form(null))).toBe(1);
    const config = { enabled: true, thresholds: {}, channels: {} } as AlertConfig;
    expect(disabled(form(config))).toBe(0);
    session.value = { ...session.value!, scopes: ['trunks:write'] };
    expect(disabled(form(config))).toBe(1);
    session.value = { ...session.value!, scopes: ['alerts:write'] };
    expect(disabled(form(config))).toBe(1);
  });
});
