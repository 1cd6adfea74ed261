import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connection, heardAt, problem, summary } from '../../../../src/dashboard/api/live.js';
import type { Summary } from '../../../../src/dashboard/api/noc.js';
import { session } from '../../../../src/dashboard/api/session.js';
import { App } from '../../../../src/dashboard/app/app.js';
import { Navigation } from '../../../../src/dashboard/app/navigation.js';
import { ConnectionState, StaleNotice } from '../../../../src/dashboard/frame/connection-state.js';
import { now } from '../../../../src/dashboard/parts/time.js';
import { type Rendered, rendered } from '../rendered.js';
import { at, signInAs } from '../visitor.js';

afterEach(() => {
  session.value = undefined;
  summary.value = undefined;
  connection.value = 'connecting';
  heardAt.value = undefined;
  problem.value = undefined;
  vi.unstubAllGlobals();
});

describe('the dashboard', () => {
  const open = (pathname: string, search = ''): Rendered => {
    vi.stubGlobal('location', { pathname, search, origin: 'https://demarc.example' });
    vi.stubGlobal('localStorage', { getItem: () => null });
    return rendered(<App />);
  };

  it('shows nothing until it knows whether the visitor is signed in', () => {
    expect(open('/calls').html).toBe('');
  });

  it('asks signed-out visitors to sign in, at every address', () => {
    session.value = null;
    for (const path of ['/', '/calls', '/no/such/page'])
      expect(open(path).text).toContain('Sign in to Demarc');
  });

  it('tells organizations without SIP who enables it, and shows them no page', () => {
    signInAs({ organization: { id: 'o1', name: 'Acme', sip_enabled: false } } as never);
    const { text } = open('/members');
    expect(text).toContain('SIP is not enabled for this organization');
    expect(text).toContain('demarc org entitle Acme');
    expect(text).not.toContain('Invite');
  });

  it('shows the page of the address', () => {
    signInAs();
    expect(open('/calls').all('h1')).toEqual(['Calls']);
    expect(open('/calls/').all('h1')).toEqual(['Calls']);
    expect(open('/').all('h1')).toEqual(['Overview']);
  });

  it('says that an address does not exist', () => {
    signInAs();
    for (const path of ['/no', '/calls/c1/more', '/trunks/1/edit/2'])
      expect(open(path).all('h1'), path).toEqual(['Page not found']);
  });

  it('names who is signed in', () => {
    signInAs();
    const name = (): unknown => {
      const account = open('/calls')
        .elements('a')
        .find(({ class: name }) => name === 'account-name')!;
      return [account.children, account.title];
    };
    expect(name()).toEqual(['Acme', 'Key deploy (sk-demarc-abcd…)']);
    signInAs({
      key: null,
      member: { id: 'm1', name: 'Ada', email: 'ada@acme.example', role: 'owner' },
    } as never);
    expect(name()).toEqual(['Ada, Acme', 'Ada (ada@acme.example), owner']);
  });

  it('says on every page that alerts reached no recipient', () => {
    signInAs();
    const banner = (unnoticed: number) => {
      summary.value = { alerts: { active: 3, unnoticed }, parts: {} } as unknown as Summary;
      return open('/calls').all('.alert-banner')[0];
    };
    expect(banner(0)).toBeUndefined();
    expect(banner(1)).toContain('1 active alert reached no recipient.');
    expect(banner(2)).toContain('2 active alerts reached no recipient.');
  });
});

describe('the navigation', () => {
  const current = (path: string): string[] => {
    const { elements } = rendered(at({ path }, <Navigation />));
    const marked = elements('a').filter((link) => link['aria-current'] !== undefined);
    // The menu of a phone repeats the links.
    return [...new Set(marked.map((link) => `${link.href} ${link['aria-current']}`))];
  };

  it.each([
    ['/', ['/ page']],
    ['/calls', ['/calls page']],
    ['/calls/c1', ['/calls true']],
    ['/trunks/add', ['/trunks true']],
    ['/callsigns', []],
  ])('marks for %s the entries %j', (path, entries) => expect(current(path)).toEqual(entries));

  it('marks the menu of a phone for pages that its bar does not have', () => {
    const isInMenu = (path: string): boolean =>
      rendered(at({ path }, <Navigation />)).html.includes('data-current');
    expect([isInMenu('/calls'), isInMenu('/alerts/maintenance'), isInMenu('/setup/keys')]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('counts the active alerts', () => {
    const badge = (): string | undefined => rendered(at({}, <Navigation />)).all('.badge')[0];
    expect(badge()).toBeUndefined();
    summary.value = { alerts: { active: 4 } } as unknown as Summary;
    expect(badge()).toBe('4 active');
    summary.value = { alerts: { active: 0 } } as unknown as Summary;
    expect(badge()).toBeUndefined();
  });
});

describe('the connection to the live state', () => {
  beforeEach(() => {
    now.value = Date.parse('2026-11-22T12:00:00Z');
  });

  it.each<[typeof connection.value, string | undefined, string]>([
    ['live', undefined, 'Live'],
    ['connecting', undefined, 'Connecting'],
    ['connecting', 'Redis is down.', 'No live data'],
    ['reconnecting', undefined, 'Reconnecting'],
  ])('is shown, while it is %s with the problem %s, as %s', (state, why, word) => {
    connection.value = state;
    problem.value = why;
    expect(rendered(<ConnectionState />).text).toBe(word);
  });

  it('says how old the figures are only while it is interrupted', () => {
    heardAt.value = now.value - 90_000;
    connection.value = 'live';
    expect(rendered(<StaleNotice />).html).toBe('');
    connection.value = 'reconnecting';
    expect(rendered(<StaleNotice />).text).toContain('Connection lost. Last update 1 min ago.');
    heardAt.value = undefined;
    expect(rendered(<StaleNotice />).html).toBe('');
  });
});
