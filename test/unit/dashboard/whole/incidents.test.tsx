import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IncidentPage } from '../../../../src/dashboard/pages/incidents/incident-page.js';
import { IncidentsPage } from '../../../../src/dashboard/pages/incidents/incidents-page.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

let api: ExampleApi;
beforeEach(async () => {
  api = await ExampleApi.open();
  signInAs();
});
afterEach(closePages);

const at = '2026-11-20T10:00:00.000Z';
const later = '2026-11-20T11:00:00.000Z';

describe('an incident', () => {
  const open = (): Promise<OpenedPage> =>
    OpenedPage.open(api, '/alerts/incidents/:id', IncidentPage, '/alerts/incidents/i1');
  const story = (fields: object): void =>
    api.answer('getIncident', (data) => ({
      ...data,
      incident_id: 'i1',
      organization: { id: 'o1', name: 'Acme' },
      first_call: null,
      reasons: [],
      alerts: [],
      changes: [],
      acknowledged_at: null,
      acknowledged_by: null,
      note: null,
      recovered_at: later,
      ...fields,
    }));
  const linkTo = (page: OpenedPage, beginning: string): string | null | undefined =>
    page
      .elements('a')
      .map((link) => link.getAttribute('href'))
      .find((href) => href?.startsWith(beginning));

  it('leads to its first failed call, where that is of the own organization', async () => {
    const first_call = { call_id: 'c/1', started_at: at };
    story({ first_call });
    expect(linkTo(await open(), '/calls/')).toBe('/calls/c%2F1');
    story({ first_call, organization: { id: 'o2', name: 'Other' } });
    const page = await open();
    expect(linkTo(page, '/calls/')).toBeUndefined();
    expect(page.text).toContain('First failed call:');
    story({});
    expect((await open()).text).not.toContain('First failed call:');
  });

  it('says why the verdict was red, and leads to those calls', async () => {
    const reason = {
      text: 'Calls failed',
      cause: null,
      advice: null,
      phone_number: null,
      end_reason: null,
      sip_status: null,
      first_seen_at: at,
      last_seen_at: later,
    };
    story({
      reasons: [
        { ...reason, cause: 'The PBX is down.', advice: 'Start it.', phone_number: '+14155550100' },
        { ...reason, text: 'Busy', end_reason: 'busy', sip_status: 486 },
      ],
    });
    const page = await open();
    expect(page.text).toContain('The PBX is down. Start it.');
    expect(linkTo(page, '/trunks/')).toBe('/trunks/14155550100');
    const calls = new URL(linkTo(page, '/calls?')!, 'http://x').searchParams;
    expect(Object.fromEntries(calls)).toEqual({
      end_reason: 'busy',
      code: '486',
      ended_after: '2026-11-20T09:00:00.000Z',
      ended_before: later,
    });
  });

  it('says who was notified, and how that failed', async () => {
    const notice = { channel: 'email', status: 'delivered', target: 'noc@acme.example', last_error: null };
    story({
      alerts: [
        {
          alert_id: 'a1',
          title: 'Unreachable',
          fired_at: at,
          notices: [
            { ...notice, delivery_id: 'd1', delivered_at: at },
            { ...notice, delivery_id: 'd2', status: 'failed', delivered_at: null, last_error: 'refused' },
          ],
        },
        { alert_id: 'a2', title: 'Slow', fired_at: at, notices: [] },
      ],
    });
    const page = await open();
    const targets = page.all('.targets')[0]!;
    expect(targets).toMatch(/to noc@acme\.example, 20/);
    expect(targets).toMatch(/to noc@acme\.example, refused$/);
    expect(page.text.match(/No recipient is set\./g)).toHaveLength(1);
    expect(page.all('.empty-title')).toEqual(['No changes']);
  });

  it('says that no alert fired, and what the session may not read', async () => {
    story({ alerts: [], changes: [] });
    expect((await open()).all('.empty-title')).toEqual(['No recipient: no alert fired', 'No changes']);
    story({ alerts: null, changes: null });
    const { text } = await open();
    expect(text).toContain('(alerts:read)');
    expect(text).toContain('(members:read)');
  });

  it('lists what was changed before it', async () => {
    const change = { at, by: 'Ada', summary: 'Trunk changed', subject: 'Headquarters' };
    story({
      changes: [
        { ...change, fields: 'allowed_ips' },
        { ...change, subject: 'Branch', fields: '' },
      ],
    });
    const { text } = await open();
    expect(text).toMatch(/Trunk changed Headquarters .* by Ada: allowed_ips/);
    expect(text).toMatch(/Trunk changed Branch .* by Ada(?!:)/);
  });

  it('is acknowledged with a note, or without one', async () => {
    story({});
    const page = await open();
    await page.fill('Note for colleagues', ' On it ');
    await page.press('Acknowledge');
    await page.fill('Note for colleagues', ' ');
    await page.press('Acknowledge');
    expect(api.changesSent.map(({ body }) => body)).toEqual([
      { acknowledged: true, note: 'On it' },
      { acknowledged: true, note: null },
    ]);
    expect(api.sent.filter(({ operation }) => operation === 'getIncident')).toHaveLength(3);
    api.refuse('updateIncident', 404, 'NOT_FOUND', 'It is gone.');
    await page.press('Acknowledge');
    expect(page.all('.field-problem')).toEqual(['It is gone.']);
  });

  it('says who acknowledged it, which can be taken back', async () => {
    story({ acknowledged_at: at, acknowledged_by: 'Ada', note: 'On it' });
    const page = await open();
    expect(page.text).toMatch(/Acknowledged by Ada at .*: On it/);
    await page.press('Withdraw');
    expect(api.changesSent.map(({ body }) => body)).toEqual([{ acknowledged: false, note: null }]);
    story({ acknowledged_at: at, acknowledged_by: 'Ada', note: null });
    expect((await open()).text).not.toMatch(/Acknowledged by Ada at [^W]*: /);
  });

  it.each([
    ['a session that may not change alerts', { scopes: ['noc:read'] }, { id: 'o1', name: 'Acme' }, true],
    ['a session that may', { scopes: ['alerts:write'] }, { id: 'o1', name: 'Acme' }, false],
    ['an incident of the whole service, for a customer', {}, null, true],
    ['an incident of the whole service, for an operator', { operator: true }, null, false],
  ])('is acknowledged or not: %s', async (_who, session, organization, isDisabled) => {
    signInAs(session as never);
    story({ organization });
    const page = await open();
    expect(page.button('Acknowledge').getAttribute('disabled') !== null).toBe(isDisabled);
  });
});

describe('the incidents', () => {
  it('are explained where there are none', async () => {
    api.answer('listIncidents', (data) => ({ ...data, incidents: [] }));
    const page = await OpenedPage.open(api, '/alerts/incidents', IncidentsPage);
    expect(page.all('.empty-title')).toHaveLength(1);
  });
});
