import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scope } from '../../../../src/dashboard/api/live.js';
import { ContactsPanel } from '../../../../src/dashboard/pages/alerts/contacts-panel.js';
import { Handling } from '../../../../src/dashboard/pages/alerts/handling.js';
import { AuditPage } from '../../../../src/dashboard/pages/members/audit-page.js';
import { Failures } from '../../../../src/dashboard/pages/overview/failures.js';
import { now } from '../../../../src/dashboard/parts/time.js';
import { rendered } from '../rendered.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

let api: ExampleApi;
beforeEach(async () => {
  api = await ExampleApi.open();
  signInAs();
});
afterEach(closePages);

const at = '2026-11-20T10:00:00Z';

describe('the contacts of alerts', () => {
  const open = (): Promise<OpenedPage> => OpenedPage.open(api, '/alerts', ContactsPanel);
  const contacts = (fields: object): void =>
    api.answer('getAlertContacts', (data) => ({
      ...data,
      emails: [],
      phone_numbers: [],
      available: { email: true, sms: true },
      ...fields,
    }));
  const emails = ['a@acme.example', 'b@acme.example'];

  it('are added to those of their channel', async () => {
    contacts({ emails, phone_numbers: ['+14155550100'] });
    const page = await open();
    await page.fill('Email address', ' c@acme.example ');
    await page.press('Add');
    expect(page.field('Email address').value).toBe('');
    await page.fill('Phone number', '+14155550101');
    await page.press('Add', 1);
    expect(api.changesSent.map(({ body }) => body)).toEqual([
      { emails: [...emails, 'c@acme.example'] },
      { phone_numbers: ['+14155550100', '+14155550101'] },
    ]);
  });

  it('are changed in their place, and deleted', async () => {
    contacts({ emails });
    const page = await open();
    await page.press('Change a@acme.example');
    await page.press('Cancel');
    await page.press('Change a@acme.example');
    await page.fill('Email address instead of a@acme.example', 'z@acme.example');
    await page.press('Save');
    await page.press('Delete b@acme.example');
    expect(api.changesSent.map(({ body }) => body)).toEqual([
      { emails: ['z@acme.example', 'b@acme.example'] },
      { emails: ['a@acme.example'] },
    ]);
    api.refuse('updateAlertContacts', 400, 'VALIDATION_ERROR', 'No such address.');
    await page.press('Delete b@acme.example');
    expect(page.all('.field-problem')).toEqual(['No such address.']);
  });

  it('are tested: what came of it is said', async () => {
    contacts({ emails });
    const page = await open();
    const outcome = async (status: string, detail: string | null): Promise<string> => {
      api.answer('testAlertContact', (data) => ({ ...data, status, detail, milliseconds: 120 }));
      await page.press('Send test to b@acme.example');
      return page.all('li')[1]!;
    };
    expect(await outcome('delivered', null)).toMatch(/Delivered in 120 ms$/);
    expect(await outcome('failed', 'Mailbox full')).toMatch(/Failed Mailbox full$/);
    api.refuse('testAlertContact', 429, 'RATE_LIMITED', 'Too many tests.');
    await page.press('Send test to b@acme.example');
    expect(page.all('li')[1]).toMatch(/Too many tests\.$/);
  });

  it('of a channel that cannot send can be deleted alone', async () => {
    contacts({ emails, available: { email: false, sms: true } });
    const page = await open();
    await expect(page.press('Send test to a@acme.example')).rejects.toThrow('disabled');
    await expect(page.press('Change a@acme.example')).rejects.toThrow('disabled');
    await expect(page.press('Add')).rejects.toThrow('disabled');
    await page.press('Delete a@acme.example');
    expect(api.changesSent).toHaveLength(1);
  });

  it('are at most ten of a channel', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `${index}@acme.example`);
    contacts({ emails: many(9) });
    expect((await open()).text).not.toContain('Ten contacts');
    contacts({ emails: many(10) });
    const page = await open();
    expect(page.text).toContain('Ten contacts: delete one first.');
    await expect(page.press('Add')).rejects.toThrow('disabled');
    // They can still be changed.
    await page.press('Change 0@acme.example');
  });

  it('are only shown to sessions that may not change alerts', async () => {
    signInAs({ scopes: ['alerts:read'] });
    contacts({ emails });
    const page = await open();
    for (const name of ['Add', 'Change', 'Delete'])
      await expect(page.press(name === 'Add' ? name : `${name} a@acme.example`)).rejects.toThrow('disabled');
  });
});

describe('the handling of an alert', () => {
  let changed = 0;
  const open = (fields: object): Promise<OpenedPage> => {
    changed = 0;
    const alert = {
      alert_id: 'a1',
      state: 'active',
      acknowledged_at: null,
      acknowledged_by: null,
      note: null,
      muted_until: null,
      muted_by: null,
      ...fields,
    };
    const onChanged = (): void => {
      changed += 1;
    };
    return OpenedPage.open(api, '/', () => <Handling alert={alert as never} onChanged={onChanged} />);
  };
  const buttons = (page: OpenedPage): string[] => page.elements('button').map(({ text }) => text);

  it('acknowledges with a note', async () => {
    const page = await open({});
    expect(buttons(page)).toEqual(['Acknowledge …', 'Mute for 1 h']);
    await page.press('Acknowledge …');
    expect(buttons(page)).toEqual(['Acknowledge', 'Cancel']);
    await page.press('Cancel');
    await page.press('Acknowledge …');
    await page.fill('Note for colleagues', ' On it ');
    await page.press('Acknowledge');
    expect(api.changesSent.map(({ url, body }) => [url, body])).toEqual([
      ['/v1/sip/alerts/a1', { acknowledged: true, note: 'On it' }],
    ]);
    expect([changed, buttons(page)]).toEqual([1, ['Acknowledge …', 'Mute for 1 h']]);
  });

  it('says who acknowledged, and withdraws that', async () => {
    const page = await open({ acknowledged_at: at, acknowledged_by: 'Ada', note: 'On it' });
    expect(page.text).toMatch(/^Acknowledged by Ada at .*: On it/);
    await page.press('Withdraw');
    expect(api.changesSent.map(({ body }) => body)).toEqual([{ acknowledged: false, note: null }]);
    expect((await open({ acknowledged_at: at, acknowledged_by: 'Ada' })).text).not.toContain(': ');
  });

  it('mutes for an hour, until which it says so', async () => {
    await (await open({})).press('Mute for 1 h');
    const muted = { muted_until: new Date(now.value + 60_000).toISOString(), muted_by: 'Bob' };
    const page = await open(muted);
    expect(page.text).toMatch(/Muted until .* by Bob: no notices\./);
    await page.press('Unmute');
    expect(api.changesSent.map(({ body }) => body)).toEqual([{ mute_minutes: 60 }, { mute_minutes: null }]);
    expect((await open({ ...muted, muted_by: null })).text).not.toContain(' by ');
    expect((await open({ ...muted, muted_until: at })).text).not.toContain('Muted');
  });

  it('says why it is refused', async () => {
    api.refuse('updateAlert', 404, 'NOT_FOUND', 'It is gone.');
    const page = await open({});
    await page.press('Mute for 1 h');
    expect([changed, page.all('.field-problem')]).toEqual([0, ['It is gone.']]);
  });

  it('offers nothing once the alert has recovered, or to sessions that may not', async () => {
    expect(buttons(await open({ state: 'recovered' }))).toEqual([]);
    signInAs({ scopes: ['alerts:read'] });
    const page = await open({ acknowledged_at: at, acknowledged_by: 'Ada' });
    for (const name of ['Withdraw', 'Mute for 1 h'])
      await expect(page.press(name)).rejects.toThrow('disabled');
  });
});

describe('the audit log', () => {
  const open = (query = ''): Promise<OpenedPage> =>
    OpenedPage.open(api, '/members/audit', AuditPage, `/members/audit${query}`);
  const events = (list: readonly object[], next: string | null = null): void =>
    api.answer(
      'listAuditEvents',
      (data) => ({ ...data, events: list.map((each) => ({ ...data.events[0], ...each })) }),
      next,
    );

  it('says who changed what, a key as such', async () => {
    events([
      { actor: { kind: 'key', id: 'k1', name: 'deploy' }, summary: 'Trunk changed', fields: '' },
      { actor: { kind: 'member', id: 'm1', name: 'Ada' }, summary: 'Key made', fields: 'name' },
    ]);
    const page = await open();
    const [, key, member] = page.all('tr');
    expect(key).toMatch(/deploy API key .*Trunk changed/);
    expect(member).toMatch(/Ada (?!API)/);
    expect(member).toMatch(/\(name\)/);
    expect(key).not.toContain('(');
    expect(page.elements('a').map((link) => link.getAttribute('href'))).toContain('/members/audit?actor=k1');
  });

  it('is read by person and page', async () => {
    events([{}], 'n1');
    const links = async (query: string): Promise<string[]> =>
      (await open(query))
        .elements('a')
        .map((link) => `${link.text} ${link.getAttribute('href')}`)
        .filter((text) => /^(?:All people|Newest|Older)/.test(text));
    expect(await links('')).toEqual(['Older /members/audit?after=n1']);
    expect(await links('?actor=k1&after=a')).toEqual([
      'All people and keys /members/audit',
      'Newest /members/audit?actor=k1',
      'Older /members/audit?actor=k1&after=n1',
    ]);
    const asked = api.sent.filter(({ operation }) => operation === 'listAuditEvents').map(({ url }) => url);
    expect(asked[0]).not.toMatch(/actor|after/);
    expect(asked[1]).toMatch(/actor_id=k1/);
    expect(asked[1]).toMatch(/after=a/);
  });

  it('is for owners', async () => {
    signInAs({ scopes: ['members:read'] });
    const page = await open();
    expect(page.all('.empty-title')).toEqual(['The audit log is for owners']);
    expect(api.sent.map(({ operation }) => operation)).not.toContain('listAuditEvents');
  });

  it('says that there are no changes yet', async () => {
    events([]);
    expect((await open()).all('.empty-title')).toEqual(['No changes yet']);
  });
});

describe('the failures of the overview', () => {
  const failure = {
    end_reason: 'busy',
    direction: 'inbound',
    sip_status: 486,
    count: 5,
    concerns: 'none',
    cause: 'The callee is busy.',
    advice: 'Nothing.',
  };
  const shown = (failures: readonly object[], attempts = 10) =>
    rendered(<Failures figures={{ failures, attempts } as never} window="1h" />);

  afterEach(() => {
    scope.value = 'organization';
  });

  it('open what to do for a cause of at least half of the calls', () => {
    const opened = ({ html }: { html: string }): number => html.match(/<details[^>]* open/g)?.length ?? 0;
    expect(opened(shown([failure, { ...failure, count: 4, sip_status: 480 }]))).toBe(1);
    expect(opened(shown([{ ...failure, count: 4 }]))).toBe(0);
  });

  it('lead to exactly these calls', () => {
    const href = (): unknown => shown([failure]).elements('a')[0]!.href;
    expect(href()).toBe('/calls?end_reason=busy&direction=inbound&code=486&span=1h');
    scope.value = 'fleet';
    expect(href()).toBe('/calls?scope=fleet&end_reason=busy&direction=inbound&code=486&span=1h');
  });

  it('say whether there were calls where none failed', () => {
    expect(shown([], 0).text).toContain('There were no calls.');
    expect(shown([], 1).text).not.toContain('There were no calls.');
    expect(shown([failure]).text).not.toContain('No failed calls');
  });

  it('say how many, and which share', () => {
    expect(shown([failure]).all('td').slice(0, 2)).toEqual(['5', '50 %']);
  });
});
