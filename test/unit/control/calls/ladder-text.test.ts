import { describe, expect, it } from 'vitest';
import { textOf } from '../../../../src/control/calls/history/ladder.js';
import { sampleRecord } from '../../../contract/control/history/sample-record.js';

const rowsOf = (...[changes]: [changes?: Parameters<typeof sampleRecord>[1]]): string[] =>
  textOf(sampleRecord('c1', changes)).split('\n');

describe('the text of a trace', () => {
  it('begins with what is known of the call, its codecs and packets', () => {
    const rows = rowsOf();
    for (const row of [
      'Call        c1',
      'Number      12025550100 (inbound)',
      'Source      198.51.100.9 port 49152 tls',
      'Answered    2026-11-20T15:00:00.500Z',
      'Ended       2026-11-20T15:00:12.750Z by caller: caller_hung_up',
      'Duration    12.250 s',
      'SIP status  200 OK',
      'Codecs      trunk PCMU, agent PCMU',
      'SRTP        AES_CM_128_HMAC_SHA1_80',
      'RTP trunk   100 packets received, 99 sent, 1 lost, jitter 2.5 ms, MOS 4.3',
      'RTP agent   100 packets received, 99 sent',
    ])
      expect(rows).toContain(row);
  });

  it('escapes what would turn the writing direction or overwrite a line in a terminal', () => {
    const text = textOf(sampleRecord('c1', { from: 'anna\u202egpj.exe\r', to: 'b\u0007\u200bb' }));
    expect(text).toContain('anna\\u202egpj.exe\\r');
    expect(text).toContain('b\\u0007\\u200bb');
    expect(text).not.toMatch(/[\u202e\u0007\u200b\r]/);
  });

  it('shows a dash for what a call never had', () => {
    const rows = rowsOf({
      number: null,
      answered_at: null,
      sip_status: null,
      sip_reason: null,
      media: null,
      source: { address: '', port: 0, protocol: 'tls' },
    });
    expect(rows).toContain('Number      unknown (inbound)');
    expect(rows).toContain('Answered    never');
    expect(rows).toContain('SIP status  -');
    expect(rows).toContain('Source      -');
    expect(rows.some((row) => row.startsWith('Codecs'))).toBe(false);
  });
});
