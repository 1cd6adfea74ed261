import { describe, expect, it } from 'vitest';
import type { CallDetail } from '../../../../../src/dashboard/api/calls.js';
import { AttemptsPanel, TransfersPanel } from '../../../../../src/dashboard/pages/call/attempts-panel.js';
import { rendered } from '../../rendered.js';

type Attempt = CallDetail['attempts'][number];
type Transfer = CallDetail['transfers'][number];

const attempt = (fields: Partial<Attempt> = {}): Attempt =>
  ({
    sip_call_id: 'a1',
    server: 'sips:pbx1.example',
    started_at: '2026-11-22T10:00:00.000Z',
    duration_milliseconds: 250,
    sip_status: 503,
    sip_reason: 'Service Unavailable',
    trigger: '5xx',
    is_local: false,
    ...fields,
  }) as Attempt;

const attemptsOf = (...attempts: Attempt[]) => rendered(<AttemptsPanel attempts={attempts} />);

describe('the servers tried', () => {
  it('are not listed when the first accepted the call, or none was tried', () => {
    expect(attemptsOf().html).toBe('');
    expect(attemptsOf(attempt({ sip_status: 200, trigger: null })).html).toBe('');
  });

  it('are listed when the only one failed, and when a second was tried', () => {
    expect(attemptsOf(attempt()).all('.server')).toHaveLength(1);
    const second = attempt({ sip_call_id: 'a2', sip_status: 200, sip_reason: 'OK', trigger: null });
    expect(attemptsOf(attempt(), second).all('.state')).toEqual(['503 Service Unavailable', '200 OK']);
  });

  it.each<[string, Partial<Attempt>, string, string]>([
    ['a success', { sip_status: 299, sip_reason: 'Odd', trigger: null }, 'good', '299 Odd'],
    ['a redirect', { sip_status: 300, sip_reason: 'Multiple', trigger: null }, 'warn', '300 Multiple'],
    ['a refusal', { sip_status: 486, sip_reason: 'Busy Here', trigger: null }, 'warn', '486 Busy Here'],
    ['a failover', { sip_status: 503, sip_reason: null }, 'bad', '503'],
    ['a cancellation', { sip_status: null, trigger: null }, 'idle', 'Cancelled'],
    ['a local one', { is_local: true, sip_status: 408, trigger: 'auth_failure' }, 'bad', 'Auth failure'],
    ['a local one without trigger', { is_local: true, sip_status: 408, trigger: null }, 'bad', 'No answer'],
  ])('show %s', (_, fields, tone, words) => {
    const shown = attemptsOf(attempt(fields), attempt({ sip_call_id: 'a2' }));
    expect(shown.html).toContain(`class="state ${tone}"`);
    expect(shown.all('.state')[0]).toBe(words);
  });

  it('say what a failure counts as', () => {
    expect(attemptsOf(attempt({ trigger: 'auth_failure' })).all('p')[0]).toMatch(
      /, took 250 ms; counts as auth failure$/,
    );
    expect(attemptsOf(attempt({ is_local: true, sip_status: 408, trigger: 'timeout' })).all('p')[0]).toMatch(
      /, took 250 ms; no final response, counted as 408$/,
    );
    const quiet = attempt({ sip_call_id: 'a2', is_local: true, sip_status: null, trigger: 'timeout' });
    expect(
      attemptsOf(attempt({ trigger: null }), quiet)
        .all('p')
        .every((text) => text.endsWith('250 ms')),
    ).toBe(true);
  });
});

const transfer = (fields: Partial<Transfer> = {}): Transfer =>
  ({
    requested_at: '2026-11-22T10:00:05.000Z',
    requested_by: 'agent',
    target: 'sip:+4930@pbx.example',
    mode: 'refer',
    status: 'completed',
    reason: 'target_answered',
    sip_status: null,
    sip_reason: null,
    detail: null,
    other_call_id: null,
    ...fields,
  }) as Transfer;

const transfersOf = (...transfers: Transfer[]) => rendered(<TransfersPanel transfers={transfers} />);

describe('the transfers of a call', () => {
  it('need no panel when there are none, and a title that counts', () => {
    expect(transfersOf().html).toBe('');
    expect(transfersOf(transfer()).all('h2')).toEqual(['Transfer']);
    expect(transfersOf(transfer(), transfer({ target: 'sip:b' })).all('h2')).toEqual(['Transfers']);
  });

  it('say who asked, how it was done and how it ended', () => {
    const { text, html } = transfersOf(transfer());
    expect(text).toContain('Requested by the agent at');
    expect(text).toContain('passed to the trunk by REFER. Target answered.');
    expect(html).not.toContain('<a ');
    expect(transfersOf(transfer({ mode: 'unheard' as Transfer['mode'] })).text).toContain(', unheard. ');
  });

  it('add the response, the detail and the other call where there are any', () => {
    const { text, html, all } = transfersOf(
      transfer({ sip_status: 486, sip_reason: 'Busy Here', detail: 'line busy', other_call_id: 'c/2' }),
    );
    expect(text).toContain(', 486 Busy Here');
    expect(all('p')).toContain('line busy');
    expect(html).toContain('href="/calls/c%2F2"');
  });
});
