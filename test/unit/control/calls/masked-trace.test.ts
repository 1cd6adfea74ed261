import { describe, expect, it } from 'vitest';
import { maskTrace, maskUser } from '../../../../src/control/calls/shares/masked-trace.js';
import { sampleRecord } from '../../../contract/control/history/sample-record.js';
import { processorMilliseconds } from '../../../support/processor-use.js';

const [invite] = sampleRecord('call').trace;
const masked = (...lines: string[]): string =>
  maskTrace([{ ...invite!, message: [...lines, '', 'v=0'].join('\r\n') }])[0]!.message;

describe('the message of a shared call', () => {
  it.each([
    [
      'From: "Ada, \\"the\\" Countess" <sip:+14155550199@a.example>;tag=1',
      'From: <sip:+xxxxxxxxx99@a.example>;tag=1',
    ],
    ['f: Ada <sip:ada@a.example>;tag=1', 'From: <sip:xxx@a.example>;tag=1'],
    ['To: sip:4155550100;isub=12:secret@a.example', 'To: <sip:xxxxxxxx00>'],
    ['To: <sip:4155550100;isub=12:secret@a.example>', 'To: <sip:xxxxxxxx00@a.example>'],
    ['To: <tel:+1-415-555-0100;phone-context=x>;tag=2', 'To: <tel:+x-xxx-xxx-xx00>;tag=2'],
    [
      'Contact: <sips:ada@192.0.2.1>, Ada <sip:+14155550199@192.0.2.2>',
      'Contact: <sips:xxx@192.0.2.1>, <sip:+xxxxxxxxx99@192.0.2.2>',
    ],
    [
      'Contact: <sip:ada:secret@192.0.2.1;transport=tls;x-name=Ada?Subject=Ada>;expires=60;+sip.instance="<urn:uuid:1>"',
      'Contact: <sip:xxx@192.0.2.1;transport=tls>;expires=60',
    ],
    ['From: Ada Lovelace', 'From: (not shown)'],
    [
      'Warning: 399 a.example "Ask sip:ada;x=1:2@a.example"',
      'Warning: 399 a.example "Ask sip:xxx@a.example"',
    ],
    ['Reason: Q.850;cause=21;text="to +1 415 555 0100"', 'Reason: Q.850;cause=21;text="to +x xxx xxx xx00"'],
    ['Warning: 399 a.example "No SRTP"', 'Warning: 399 a.example "No SRTP"'],
  ])('masks %s', (line, shown) => {
    expect(masked('SIP/2.0 180 Ringing', line).split('\r\n').slice(0, 2)).toEqual([
      'SIP/2.0 180 Ringing',
      shown,
    ]);
  });

  it('has no header that may name a person, and no body', () => {
    const text = masked(
      'INVITE sip:+14155550100@a.example SIP/2.0',
      'P-Asserted-Identity: <sip:+14155550199@a.example>',
      'Remote-Party-ID: <sip:+14155550199@a.example>',
      'X-Customer: Ada',
      'Authorization: Digest username="ada"',
      'Call-ID: 1@a.example',
    );
    expect(text).toBe(
      'INVITE sip:+xxxxxxxxx00@a.example SIP/2.0\r\nCall-ID: 1@a.example\r\nContent-Length: 0\r\n\r\n',
    );
  });

  it('takes no long time, whatever a peer has sent', () => {
    const values = [`a${' '.repeat(60_000)}b`, 'sip:'.repeat(15_000), `,${' '.repeat(300)}`.repeat(200)];
    for (const name of ['From', 'Warning', 'Route'])
      for (const value of [...values, ',"'.repeat(30_000), '1('.repeat(30_000)]) {
        const milliseconds = processorMilliseconds(() => masked('SIP/2.0 180 Ringing', `${name}: ${value}`));
        expect(milliseconds, `${name} ${value.slice(0, 10)}`).toBeLessThan(300);
      }
  });

  it('is not that of the agent', () => {
    expect(maskTrace([{ ...invite!, leg: 'agent' }])).toEqual([]);
  });
});

describe('a masked user', () => {
  it.each([
    ['+14155550100', '+xxxxxxxxx00'],
    ['anonymous', 'xxx'],
    ['', ''],
  ])('%s is %s', (user, shown) => expect(maskUser(user)).toBe(shown));
});
