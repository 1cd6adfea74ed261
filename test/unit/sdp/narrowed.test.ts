import { describe, expect, it } from 'vitest';
import { formatParameters } from '../../../src/sdp/format-parameters.js';
import { narrowed } from '../../../src/sdp/local-description.js';
import { registeredCodec } from '../../../src/sdp/registered-codecs.js';
import { codecsOf, readSession } from '../../../src/sdp/sdp.js';
import { acceptableKey, srtpSuite } from '../../../src/sdp/srtp-key.js';

const audio = (formats: string, ...lines: string[]) => {
  const session = readSession(
    `v=0\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP ${formats}\r\n${lines.join('\r\n')}\r\n`,
  )!;
  return { session, audio: session.media[0]! };
};

describe('a codec', () => {
  it.each([
    ['0', 'PCMU/8000', 'PCMU/8000/1'],
    ['0', 'pcmu/8000/1', 'PCMU/8000/1'],
    ['96', 'OPUS/48000/2', 'opus/48000/2'],
    ['101', 'telephone-event/48000', 'telephone-event/48000/1'],
  ])('%s %s is known', (payloadType, encoding, isKnown) => {
    const codec = registeredCodec(payloadType, encoding)!;
    expect(`${codec.name}/${codec.clockRate}/${codec.channels}`).toBe(isKnown);
  });

  it.each([
    'PCMU/1073741824',
    'PCMU/16000',
    'PCMU/8000/2',
    'PCMU',
    'PCMU/8000/1/1',
    'opus/48000',
    'opus/48000/255',
    'telephone-event/7999',
    'L16/44100/2',
    'toString/8000',
  ])('%s is not: rtpengine would build a converter for it', (encoding) => {
    expect(registeredCodec('96', encoding)).toBeUndefined();
  });

  it('has a payload type below 128 and counts once', () => {
    const { audio: media } = audio('0 0 128 00 -1 8', 'a=rtpmap:128 PCMU/8000', 'a=rtpmap:00 PCMA/8000');
    expect(codecsOf(media).map(({ payloadType }) => payloadType)).toEqual(['0', '8']);
  });
});

describe('parameters of a codec', () => {
  const opus = registeredCodec('96', 'opus/48000/2')!;
  const events = registeredCodec('101', 'telephone-event/8000')!;
  it.each([
    [opus, 'UseInbandFEC=1; stereo=0', 'useinbandfec=1;stereo=0'],
    [opus, 'maxplaybackrate=2147483647;maxaveragebitrate=20000;x=1', 'maxaveragebitrate=20000'],
    [opus, 'constructor=1;ptime=1000000', undefined],
    [events, '0-15,66,70', '0-15,66,70'],
    [events, '0-256', undefined],
    [events, 'a', undefined],
    [registeredCodec('18', 'G729/8000')!, 'annexb=no', 'annexb=no'],
    [registeredCodec('0', 'PCMU/8000')!, 'mode=3', undefined],
  ])('of $name %s come to %s', (codec, value, kept) => {
    expect(formatParameters(codec, value)).toBe(kept);
  });
});

describe('a description for rtpengine', () => {
  it.each([
    ['a=ptime:1000000', 'a=ptime:200'],
    ['a=ptime:1', 'a=ptime:10'],
    ['a=ptime:30', 'a=ptime:30'],
    ['a=ptime:-20', ''],
    ['a=ptime:0', ''],
    ['a=maxptime:4294967316', 'a=maxptime:200'],
    ['a=rtcp:4001', 'a=rtcp:4001'],
    ['a=rtcp:4001 IN IP4 192.0.2.1', 'a=rtcp:4001'],
    // RTCP would go to a peer that has not negotiated it.
    ['a=rtcp:4001 IN IP4 198.51.100.1', ''],
    ['a=rtcp:65536', ''],
    ['b=AS:64', 'b=AS:64'],
    ['b=AS:18446744073709551616', ''],
    ['a=rtcp-fb:0 nack', ''],
  ])('turns %s into "%s"', (line, written) => {
    const lines = narrowed(audio('0', line)).split('\r\n');
    const unchanged = narrowed(audio('0')).split('\r\n');
    expect(lines.filter((line) => !unchanged.includes(line)).join()).toBe(written);
  });
});

describe('a key line', () => {
  const key = 'WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz';
  const rebuilt = (keyParameters: string, sessionParameters = ''): string | undefined =>
    acceptableKey({ tag: '1', suite: srtpSuite, keyParameters, sessionParameters });
  it.each([
    [`inline:${key}|2^31|1:4`, '', `inline:${key}|1:4`],
    [`inline:${key}|1048576`, 'WSH=64 -x=1', `inline:${key}`],
    [`inline:${key};inline:${key}`, 'KDR=0', `inline:${key}`],
  ])('%s %s is written without what we do not use', (parameters, session, written) => {
    expect(rebuilt(parameters, session)).toBe(`a=crypto:1 ${srtpSuite} ${written}`);
  });
  it.each([
    [`inline:${key}|2^49`, ''],
    [`inline:${key}|1:129`, ''],
    [`inline:${key}|99999999999999999999999:4`, ''],
    [`inline:${key}`, 'KDR=1'],
    [`inline:${key}`, 'UNENCRYPTED_SRTCP'],
    [`inline:${key}`, 'FEC_ORDER=FEC_SRTP'],
  ])('%s %s is not usable', (parameters, session) => {
    expect(rebuilt(parameters, session)).toBeUndefined();
  });
});
