import { describe, expect, it } from 'vitest';
import { portMail } from '../../../../src/control/porting/port-mail.js';
import type { PortStatus } from '../../../../src/control/porting/port-status.js';

const row = (number: string, status: PortStatus, reason: string | null = null) => ({
  number,
  status,
  reason,
});

describe('the mail about the state of a port', () => {
  it('names the number, the state, each number with its reason, and what to do', () => {
    const numbers = [row('14155550100', 'completed'), row('14155550101', 'failed', 'The name differs.')];
    expect(portMail({ id: 'port_1', status: 'completed' }, numbers, 'Ported.')).toEqual({
      title: '[Demarc] Port of +14155550100 and 1 more: completed',
      text: [
        'Request: port_1',
        'Reason: Ported.',
        '+14155550100: completed',
        '+14155550101: failed (The name differs.)',
        '',
        'The ported numbers are inbound numbers of your organization now.',
        '',
      ].join('\n'),
    });
  });

  it('counts the other numbers in its title', () => {
    const title = (count: number): string =>
      portMail(
        { id: 'port_1', status: 'submitted' },
        Array.from({ length: count }, (_, at) => row(`1415555010${at}`, 'submitted')),
        '',
      ).title;
    expect(title(1)).toBe('[Demarc] Port of +14155550100: signed and submitted');
    expect(title(2)).toBe('[Demarc] Port of +14155550100 and 1 more: signed and submitted');
    expect(title(5)).toBe('[Demarc] Port of +14155550100 and 4 more: signed and submitted');
  });

  it('leaves an empty reason out, and says the reason of the request once', () => {
    const text = (reason: string, why: string | null): string[] =>
      portMail({ id: 'port_1', status: 'failed' }, [row('14155550100', 'failed', why)], reason).text.split(
        '\n',
      );
    expect(text('', null).slice(0, 2)).toEqual(['Request: port_1', '+14155550100: failed']);
    expect(text('Refused.', 'Refused.').slice(1, 3)).toEqual(['Reason: Refused.', '+14155550100: failed']);
    expect(text('Refused.', 'The name differs.').slice(1, 3)).toEqual([
      'Reason: Refused.',
      '+14155550100: failed (The name differs.)',
    ]);
  });

  it.each<[PortStatus, string, RegExp]>([
    ['waiting_for_signature', 'waiting for signature', /asked by mail to sign/],
    ['submitted', 'signed and submitted', /on its way to the losing carrier\. Keep the service there active/],
    ['in_progress', 'in progress at the losing carrier', /processing it\. Keep the service there active/],
    ['completed', 'completed', /inbound numbers of your organization now/],
    ['failed', 'failed', /Correct the problem named in the reason, then start a new request/],
    ['canceled', 'canceled', /No numbers were moved/],
  ])('says of %s what it means', (status, title, advice) => {
    const mail = portMail({ id: 'port_1', status }, [row('14155550100', status)], '');
    expect(mail.title).toBe(`[Demarc] Port of +14155550100: ${title}`);
    expect(mail.text).toMatch(advice);
  });
});
