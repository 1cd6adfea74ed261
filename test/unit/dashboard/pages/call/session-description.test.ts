import { describe, expect, it } from 'vitest';
import {
  describeMediaLine,
  readMediaLines,
} from '../../../../../src/dashboard/pages/call/session-description.js';

const sdp = (...lines: string[]) =>
  ['v=0', 'o=- 1 1 IN IP4 192.0.2.1', 's=-', 'c=IN IP4 192.0.2.1', 't=0 0', ...lines, ''].join('\r\n');

const described = (...lines: string[]) => readMediaLines(sdp(...lines)).map(describeMediaLine);

describe('a session description in words', () => {
  it('says where audio is received, in which codecs, and that it is not encrypted', () => {
    expect(
      described('m=audio 4000 RTP/AVP 0 8 101', 'a=rtpmap:101 telephone-event/8000', 'a=rtpmap:0 PCMU/8000'),
    ).toEqual(['audio at 192.0.2.1 port 4000: PCMU, PCMA, DTMF; not encrypted (RTP)']);
  });

  it('names an address of the line itself, and types without a name', () => {
    expect(described('m=audio 4000 RTP/AVP 98', 'c=IN IP4 192.0.2.9')).toEqual([
      'audio at 192.0.2.9 port 4000: 98; not encrypted (RTP)',
    ]);
  });

  it('names the suites of SRTP, or that a key is missing', () => {
    const crypto = 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj';
    expect(described('m=audio 4000 RTP/SAVP 0', crypto)[0]).toContain('; SRTP AES_CM_128_HMAC_SHA1_80');
    expect(described('m=audio 4000 RTP/SAVP 0')[0]).toContain('; SRTP without a key');
  });

  it.each([
    ['sendonly', ', on hold (sends only)'],
    ['recvonly', ', receives only'],
    ['inactive', ', on hold (silent both ways)'],
    ['sendrecv', '(RTP)'],
  ])('says what the direction %s means', (direction, words) => {
    expect(described('m=audio 4000 RTP/AVP 0', `a=${direction}`)[0]).toMatch(
      new RegExp(`${words.replace(/[()]/g, '\\$&')}$`),
    );
    const [line] = readMediaLines(sdp(`a=${direction}`, 'm=audio 4000 RTP/AVP 0'));
    expect(line!.direction).toBe(direction);
  });

  it('says that media is refused, or cannot be read', () => {
    expect(described('m=audio 0 RTP/AVP 0', 'm=video 5000 RTP/AVP 96')).toEqual([
      'audio: refused',
      expect.stringMatching(/^video at 192\.0\.2\.1 port 5000/),
    ]);
    expect(described('m=audio nonsense')).toEqual(['a media line that could not be read']);
  });
});
