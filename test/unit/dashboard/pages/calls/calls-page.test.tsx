import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallSummary } from '../../../../../src/dashboard/api/calls.js';
import { connection, scope, summary } from '../../../../../src/dashboard/api/live.js';
import type { Summary } from '../../../../../src/dashboard/api/noc.js';
import { session } from '../../../../../src/dashboard/api/session.js';
import { CallTable } from '../../../../../src/dashboard/pages/calls/call-table.js';
import { CallsPage } from '../../../../../src/dashboard/pages/calls/calls-page.js';
import type { ColumnName } from '../../../../../src/dashboard/pages/calls/columns.js';
import { Filters } from '../../../../../src/dashboard/pages/calls/filters.js';
import { LivePanel } from '../../../../../src/dashboard/pages/calls/live-panel.js';
import type { Search } from '../../../../../src/dashboard/pages/calls/search.js';
import { type Rendered, rendered } from '../../rendered.js';
import { at, signInAs } from '../../visitor.js';

beforeEach(() => signInAs());
afterEach(() => {
  session.value = undefined;
  summary.value = undefined;
  connection.value = 'connecting';
  scope.value = 'organization';
  vi.useRealTimers();
});

const call = (fields: Partial<CallSummary> = {}): CallSummary =>
  ({
    call_id: 'c1',
    organization_id: 'o1',
    direction: 'inbound',
    from: '+14155550100',
    to: '+14155550199',
    outcome: 'completed',
    end_reason: 'caller_hung_up',
    sip_status: 200,
    started_at: '2026-11-20T10:00:00Z',
    answered_at: '2026-11-20T10:00:02Z',
    duration_seconds: 65,
    mos: 4.2,
    ...fields,
  }) as CallSummary;

describe('the list of past calls', () => {
  const table = (fields: Partial<CallSummary> = {}, organizations?: Record<string, string>): Rendered =>
    rendered(<CallTable calls={[call(fields)]} organizations={organizations} />);

  it('shows the time that was talked, and none for a call without an answer', () => {
    expect(table().all('.number')).toContain('1:05');
    expect(table({ answered_at: null, duration_seconds: 0 }).all('td')).toContain('–');
  });

  it.each<[number | null, string, boolean]>([
    [null, '–', false],
    [4.24, '4.2', false],
    [3.6, '3.6', false],
    [3.59, '3.6', true],
    [1, '1.0', true],
  ])('shows the MOS %s as %s, with a warning below 3.6: %s', (mos, text, isWarned) => {
    const drawn = table({ mos });
    expect(drawn.all('.number')).toContain(text);
    expect(drawn.html.includes('class="state warn"')).toBe(isWarned);
  });

  it('names a call in which a side was not heard by that', () => {
    expect(table({ end_reason: 'one_way_audio' }).all('td')[0]).toContain('One-way audio');
    expect(table().all('td')[0]).toContain('Completed');
  });

  it('links a call, whatever its id has', () => {
    const links = table({ call_id: 'a/b?c#d' })
      .elements('a')
      .map(({ href }) => href);
    expect(links).toEqual(['/calls/a%2Fb%3Fc%23d']);
  });

  it('links no call of another organization, but its organization', () => {
    const drawn = table({ organization_id: 'o2' }, { o2: 'Other' });
    expect(drawn.elements('a').map(({ href, children }) => [href, children])).toEqual([
      ['/calls?scope=fleet&organization=o2', 'Other'],
    ]);
  });

  it('shows the id of an organization whose name is not known', () => {
    expect(table({ organization_id: 'o3' }, {}).all('a')).toEqual(['o3']);
  });

  it('links a call of an unknown number, which is of no organization', () => {
    const drawn = table({ organization_id: null }, {});
    expect(drawn.text).toContain('none: unknown number');
    expect(drawn.elements('a').map(({ href }) => href)).toEqual(['/calls/c1']);
  });

  it('has a column of organizations for the fleet alone', () => {
    expect(table().all('th')).not.toContain('Organization');
    expect(table({}, {}).all('th')).toContain('Organization');
  });

  const chosen = (columns: readonly ColumnName[], fields: Partial<CallSummary> = {}): readonly string[] => {
    const drawn = rendered(<CallTable calls={[call(fields)]} columns={columns} />);
    const headings = drawn.all('th').filter((text) => !/^(Outcome|Started|20 Nov .*)$/.test(text));
    return headings.map((heading, index) => `${heading}: ${drawn.all('td')[index + 1]}`);
  };

  it('has the columns that were chosen, after outcome and start', () => {
    const fields: Partial<CallSummary> = {
      phone_number: '+14155550199',
      ended_by: 'caller',
      ended_at: '2019-11-20T10:01:07Z',
      sip_code: 200,
      source_ip: '198.51.100.7',
      sip_call_id: 'a\u202Eb@example.com',
    };
    const columns = [
      'number',
      'setup',
      'ended_by',
      'ended_at',
      'sip_code',
      'address',
      'sip_call_id',
    ] as const;
    expect(chosen(columns, fields)).toEqual([
      'My number: +14155550199',
      'Time to answer: 2.0 s',
      'Ended by: Caller',
      expect.stringMatching(/^Ended at: 20 Nov 2019 /),
      'SIP status: 200',
      'Address: 198.51.100.7',
      'Call-ID: aU+202Eb@example.com',
    ]);
    expect(chosen([])).toEqual([]);
  });

  it('has a dash where a call has no such value', () => {
    const fields = { phone_number: null, answered_at: null, sip_code: null, source_ip: '', sip_call_id: '' };
    const cells = chosen(['number', 'setup', 'talked', 'sip_code', 'address', 'sip_call_id'], fields);
    expect(cells).toHaveLength(6);
    for (const cell of cells) expect(cell).toMatch(/: –$/);
  });

  it('names the API as what ended a call', () => {
    expect(chosen(['ended_by'], { ended_by: 'api' })).toEqual(['Ended by: API']);
  });
});

describe('the filters', () => {
  const filters = (search: Search): Rendered =>
    rendered(<Filters search={search} onSearch={() => undefined} />);
  const values = ({ elements }: Rendered) =>
    Object.fromEntries(
      [...elements('select'), ...elements('input')].map(({ name, value, defaultValue }) => [
        name,
        value ?? defaultValue,
      ]),
    );

  it('show what the address searches for', () => {
    const search = {
      q: 'ada',
      outcome: 'bad_audio',
      span: '7d',
      number: '+1',
      direction: 'outbound',
      code: '486',
      end_reason: 'agent_lost',
      address: '198.51.100.0/24',
      header: 'X-Tenant: acme',
    };
    expect(values(filters(search))).toEqual({ ...search, ended_after: '', ended_before: '' });
    expect(Object.values(values(filters({}))).join('')).toBe('');
  });

  it('open the rarer ones when one is used, and count them', () => {
    expect(filters({ q: 'ada' }).all('summary')).toEqual(['More filters']);
    expect(filters({ q: 'ada' }).elements('details')[0]!.open).toBe(false);
    expect(filters({ code: '486', number: '+1' }).all('summary')).toEqual(['More filters (2)']);
    expect(filters({ code: '486' }).elements('details')[0]!.open).toBe(true);
  });

  it('are cleared back to the same scope', () => {
    const clear = (search: Search) =>
      filters(search)
        .elements('a')
        .map(({ href }) => href);
    expect(clear({})).toEqual([]);
    expect(clear({ scope: 'fleet' })).toEqual([]);
    expect(clear({ q: 'ada' })).toEqual(['/calls']);
    expect(clear({ q: 'ada', scope: 'fleet' })).toEqual(['/calls?scope=fleet']);
  });

  it('name the interval of a bar', () => {
    const bar = filters({ ended_after: '2019-11-20T10:00:00Z', ended_before: '2019-11-20T11:00:00Z' });
    expect(bar.text).toMatch(/Calls that ended from 20 Nov 2019 .* to 20 Nov 2019/);
    expect(bar.all('option')).toContain('One interval');
    expect(filters({}).all('option')).not.toContain('One interval');
  });
});

describe('the page of calls', () => {
  it('exports what it searches for', () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-22T12:34:56Z'), toFake: ['Date'] });
    const page = rendered(at({ path: '/calls', query: { span: '1h', direction: 'inbound' } }, <CallsPage />));
    const file = page.elements('a').find(({ download }) => download === true)!;
    expect(file.href).toBe(
      `/v1/sip/calls.csv?scope=organization&direction=inbound&ended_after=${encodeURIComponent('2026-11-22T11:35:00.000Z')}`,
    );
  });

  it('says whose calls it lists', () => {
    const titles = () => rendered(at({ path: '/calls' }, <CallsPage />)).all('h2');
    expect(titles()).toContain('Past calls');
    scope.value = 'fleet';
    expect(titles()).toContain('Past calls of all organizations');
  });
});

describe('the active calls', () => {
  const panel = (): string => rendered(at({ path: '/calls' }, <LivePanel most={5} />)).text;
  const parts = (edges: string, redis: string): void => {
    summary.value = { parts: { edges, redis } } as unknown as Summary;
  };

  it('are awaited until the first snapshot', () => {
    expect(panel()).toBe('Now Loading live calls …');
  });

  it.each([
    ['up', 'up', 'Now 0 calls No active calls'],
    ['down', 'up', 'Now Live state is unavailable No edge responds.'],
    ['unknown', 'down', 'Now Live state is unavailable Redis is down.'],
    ['unknown', 'up', 'Now 0 calls No active calls'],
  ])('with edges %s and Redis %s are: %s', (edges, redis, text) => {
    connection.value = 'live';
    parts(edges, redis);
    expect(panel()).toMatch(new RegExp(`^${text}`));
  });
});
