import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Organization } from '../../../../../src/dashboard/api/organizations.js';
import { session } from '../../../../../src/dashboard/api/session.js';
import { consequencesOf } from '../../../../../src/dashboard/pages/organizations/consequences.js';
import {
  OrganizationsPage,
  OrganizationTable,
} from '../../../../../src/dashboard/pages/organizations/organizations-page.js';
import { firstDayOf, minutesText, toneOf } from '../../../../../src/dashboard/pages/usage/usage-days.js';
import {
  Groups,
  NumberLimits,
  UsageDays,
  UsedLimits,
} from '../../../../../src/dashboard/pages/usage/usage-panel.js';
import { rendered } from '../../rendered.js';
import { at, signInAs } from '../../visitor.js';

const nothing = (): void => undefined;
const none = {
  concurrent_calls: null,
  calls_per_second: null,
  call_retention_days: null,
  minutes_per_month: null,
};
const organization = (fields: Partial<Organization> = {}): Organization => ({
  organization_id: 'org_1',
  name: 'Acme',
  sip_enabled: true,
  region: null,
  limits: none,
  numbers: 3,
  members: 2,
  owners: 1,
  keys: 4,
  created_at: '2026-11-20T10:00:00Z',
  ...fields,
});

beforeEach(() => signInAs({ operator: true }));
afterEach(() => {
  session.value = undefined;
});

describe('consequences of a changed organization', () => {
  const settings = { sip_enabled: true, limits: { ...none, concurrent_calls: 50, call_retention_days: 90 } };
  const taken = (limits: Partial<typeof settings.limits> | object, sip_enabled = true) =>
    consequencesOf(settings, { sip_enabled, limits: { ...settings.limits, ...limits } });

  it('is nothing where limits rise, are lifted, or stay', () => {
    expect(taken({})).toEqual([]);
    expect(taken({ concurrent_calls: 60, call_retention_days: null })).toEqual([]);
    expect(consequencesOf({ ...settings, sip_enabled: false }, settings)).toEqual([]);
  });

  it.each([
    [{ concurrent_calls: 1 }, 'New calls above 1 concurrent call are refused'],
    [{ calls_per_second: 2 }, 'More than 2 new calls per second'],
    [{ call_retention_days: 30 }, 'older than 30 days are deleted for good'],
  ])('is said for %j', (limits, text) => {
    expect(taken(limits)).toEqual([expect.stringContaining(text)]);
  });

  it('is the API and the dashboard without the entitlement', () => {
    expect(taken({}, false)).toEqual([expect.stringContaining('Its numbers stay attached')]);
  });
});

describe('the list of organizations', () => {
  it('names each with its limits and people, and leads to its page', () => {
    const page = {
      organizations: [
        organization({ limits: { ...none, concurrent_calls: 1_500 } }),
        organization({ organization_id: 'org_2', name: 'Lost', sip_enabled: false, owners: 0 }),
      ],
      next: null,
    };
    const { elements, text, all } = rendered(<OrganizationTable page={page} isFirst onPage={nothing} />);
    expect(elements('a').map(({ href }) => href)).toEqual(['/organizations/org_1', '/organizations/org_2']);
    expect(text).toContain('1,500');
    expect(text).toContain('no owner');
    expect(all('button')).toEqual([]);
  });

  it('is for operators only', () => {
    signInAs({ operator: false });
    expect(rendered(at({ path: '/organizations' }, <OrganizationsPage />)).text).toContain('For operators');
  });
});

describe('usage by day', () => {
  const sums = (calls: number, minutes: number) => ({ calls, answered_calls: calls, minutes });
  const day = (date: string, calls: number, minutes: number, peak: number | null) => ({
    date,
    ...sums(calls, minutes),
    inbound: sums(calls, minutes),
    outbound: sums(0, 0),
    peak_concurrent_calls: peak,
  });

  it('sums the days and lists those with calls, newest first', () => {
    const usage = {
      from: '2026-11-20',
      to: '2026-11-22',
      total: sums(5, 12.4),
      days: [day('2026-11-20', 2, 4.26, 1), day('2026-11-21', 0, 0, 0), day('2026-11-22', 3, 8.1, 3)],
    };
    const { all, text } = rendered(at({}, <UsageDays usage={usage as never} />));
    expect(text).toContain('Highest peak 3');
    expect(all('th').filter((heading) => heading.startsWith('2026'))).toEqual(['2026-11-22', '2026-11-20']);
  });

  it('says how much of each limit is used, and when the contacts were notified', () => {
    const limit = { kind: 'minutes_per_month' as const, period: '2026-11', measured: 8.1, limit: 10 };
    const notified = { ...limit, percent: 81, notified_at: '2026-11-22T10:00:00Z' };
    const { text } = rendered(<UsedLimits limits={[notified]} />);
    expect(text).toContain('Minutes this month: 8.1 of 10 minutes');
    expect(text).toContain('alert contacts notified');
    expect([79, 80, 99, 100].map(toneOf)).toEqual(['good', 'warn', 'warn', 'bad']);
  });

  it('lists the numbers and shared trunks near their limits', () => {
    const near = { direction: 'inbound' as const, measured: 4, limit: 5, percent: 80, notified_at: null };
    const { elements, text } = rendered(
      <NumberLimits
        limits={[
          { ...near, phone_number: '+14155550101', trunk_id: null },
          { ...near, phone_number: null, trunk_id: 'trk_1', direction: 'outbound' },
        ]}
      />,
    );
    expect(elements('a').map(({ href }) => href)).toEqual(['/trunks/14155550101', '/trunks/shared/trk_1']);
    expect(text).toContain('80 % Not yet');
  });

  it('lists numbers with a link, agents as texts, and calls without either', () => {
    const group = { ...sums(2, 3), inbound: sums(2, 3), outbound: sums(0, 0) };
    const numbers = [{ ...group, phone_number: '+14155550101', agent: null }];
    expect(rendered(<Groups groups={numbers} by="number" />).elements('a')[0]?.href).toBe(
      '/trunks/14155550101',
    );
    const agents = [
      { ...group, phone_number: null, agent: 'sip:a@agents.example' },
      { ...group, phone_number: null, agent: null },
    ];
    const { text } = rendered(<Groups groups={agents} by="agent" />);
    expect(text).toContain('sip:a@agents.example');
    expect(text).toContain('No agent, or unknown');
  });

  it('begins so that today is the last of the days', () => {
    expect(firstDayOf('7', Date.parse('2026-11-26T23:59:59Z'))).toBe('2026-11-20');
  });

  it.each([
    [0, '0'],
    [0.04, '0.0'],
    [9.94, '9.9'],
    [12.6, '13'],
    [1234.5, '1,235'],
  ])('writes %d minutes as %s', (minutes, text) => {
    expect(minutesText(minutes)).toBe(text);
  });
});
