import { describe, expect, it } from 'vitest';
import { readParty } from '../../../src/dashboard/pages/call/party.js';
import { phasesOf } from '../../../src/dashboard/pages/call/phase-times.js';
import { describeMediaLine, readMediaLines } from '../../../src/dashboard/pages/call/session-description.js';
import { writtenHead } from '../../../src/dashboard/pages/call/written-head.js';

describe('a SIP message', () => {
  it('is shown as it was written, with its header names apart', () => {
    expect(writtenHead('SIP/2.0 200 OK\r\ni: abc\r\nSubject:one\r\n two: x\r\n\r\nbody')).toEqual({
      startLine: 'SIP/2.0 200 OK',
      lines: [
        { name: 'i', value: ' abc' },
        { name: 'Subject', value: 'one' },
        { name: '', value: ' two: x' },
      ],
    });
    expect(writtenHead('<script>\nnot a header')).toEqual({
      startLine: '<script>',
      lines: [{ name: '', value: 'not a header' }],
    });
  });

  it.each([
    ['"Ada \\"A\\" L" <sip:+14155550100@example.com>;tag=1', 'Ada "A" L', '+14155550100'],
    ['Ada <sips:ada@example.com:5061;transport=tls>', 'Ada', 'ada'],
    ['<sip:example.com>', undefined, 'example.com'],
    ['sip:bob@example.com;tag=2', undefined, 'bob'],
    ['<tel:+14155550100>', undefined, '+14155550100'],
    ['"<img src=x onerror=alert(1)>" <sip:a@b>', '<img src=x onerror=alert(1)>', 'a'],
    ['', undefined, ''],
  ])('names the party of %s', (value, name, address) => {
    expect(readParty(value)).toEqual({ name, address });
  });
});

describe('a session description', () => {
  const sdp = (lines: readonly string[]): string =>
    ['v=0', 'c=IN IP4 192.0.2.1', 't=0 0', ...lines, ''].join('\r\n');

  it('is summarised in one line: address, codecs, encryption', () => {
    const [line] = readMediaLines(
      sdp([
        'm=audio 30000 RTP/SAVP 0 96 101',
        'a=rtpmap:96 opus/48000/2',
        'a=rtpmap:101 telephone-event/8000',
        'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:[redacted]',
      ]),
    );
    expect(describeMediaLine(line!)).toBe(
      'audio at 192.0.2.1 port 30000: PCMU, opus, DTMF; SRTP AES_CM_128_HMAC_SHA1_80',
    );
  });

  it('shows what is held, refused, or not encrypted', () => {
    const [held, refused] = readMediaLines(
      sdp(['m=audio 30000 RTP/AVP 8', 'a=sendonly', 'm=video 0 RTP/AVP 99']),
    ).map(describeMediaLine);
    expect(held).toBe('audio at 192.0.2.1 port 30000: PCMA; not encrypted (RTP), on hold (sends only)');
    expect(refused).toBe('video: refused');
  });

  // sdp-transform returns such fields as numbers, or not at all.
  it.each([
    ['m=audio abc RTP/AVP 0', 'a media line that could not be read'],
    ['m=audio  4000 RTP/AVP 0', 'a media line that could not be read'],
    [
      'm=audio 4000 RTP/AVP 96\r\na=rtpmap:96 123/8000',
      'audio at 192.0.2.1 port 4000: 123; not encrypted (RTP)',
    ],
    [
      'm=audio 4000 RTP/SAVP 0\r\na=crypto:1  AES_CM_128_HMAC_SHA1_80 inline:[redacted]',
      'audio at 192.0.2.1 port 4000: PCMU; SRTP without a key',
    ],
  ])('does not break the page when it is malformed: %s', (line, text) => {
    expect(readMediaLines(sdp([line])).map(describeMediaLine)).toEqual([text]);
  });
});

describe('the phases of a call', () => {
  const at = (seconds: number): string => new Date(Date.UTC(2026, 10, 20) + seconds * 1_000).toISOString();

  it('are set-up, ringing and conversation', () => {
    const call = { started_at: at(0), ringing_at: at(0.2), answered_at: at(2), ended_at: at(10) };
    expect(phasesOf(call).map(({ kind, milliseconds }) => [kind, milliseconds])).toEqual([
      ['setup', 200],
      ['ringing', 1_800],
      ['talk', 8_000],
    ]);
  });

  it('leave out what there was not', () => {
    const refused = { started_at: at(0), ringing_at: null, answered_at: null, ended_at: at(1) };
    expect(phasesOf(refused).map(({ kind }) => kind)).toEqual(['setup']);
    const unanswered = { started_at: at(0), ringing_at: at(1), answered_at: null, ended_at: at(9) };
    expect(phasesOf(unanswered).map(({ kind, milliseconds }) => [kind, milliseconds])).toEqual([
      ['setup', 1_000],
      ['ringing', 8_000],
    ]);
  });
});
