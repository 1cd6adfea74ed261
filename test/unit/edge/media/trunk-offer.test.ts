import { describe, expect, it } from 'vitest';
import { codecPolicySchema } from '../../../../src/contract/number.js';
import { checkTrunkOffer, readTrunkOffer } from '../../../../src/edge/media/trunk-offer.js';
import { keyLineOf } from '../../../../src/sdp/srtp-key.js';

const policy = codecPolicySchema.parse({});
const lines = (...text: string[]): string => `${text.join('\r\n')}\r\n`;
const key80 = 'inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz';

/** Offers as the named products write them. */
const offers: Record<string, string> = {
  baresip: lines(
    'v=0',
    'o=- 1234567890 1234567890 IN IP4 192.0.2.10',
    's=-',
    'c=IN IP4 192.0.2.10',
    't=0 0',
    'a=tool:baresip 1.0.0',
    'm=audio 41000 RTP/SAVP 0 96 101',
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:96 opus/48000/2',
    'a=fmtp:96 stereo=1;sprop-stereo=1',
    'a=rtpmap:101 telephone-event/8000',
    'a=fmtp:101 0-15',
    'a=rtcp:41001',
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 ${key80}`,
    'a=crypto:2 AES_CM_128_HMAC_SHA1_32 inline:d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj',
    'a=ssrc:1234 cname:sip:alice@192.0.2.10',
    'a=sendrecv',
    'a=label:1',
    'a=rtcp-rsize',
    'a=ptime:20',
  ),
  linphone: lines(
    'v=0',
    'o=alice 2890 1287 IN IP4 192.0.2.10',
    's=Talk',
    'c=IN IP4 192.0.2.10',
    't=0 0',
    'a=rtcp-xr:rcvr-rtt=all:10000 stat-summary=loss,dup,jitt,TTL voip-metrics',
    'm=audio 7078 RTP/SAVP 96 97 98 0 8 18 101 99',
    'a=rtpmap:96 opus/48000/2',
    'a=fmtp:96 useinbandfec=1',
    'a=rtpmap:97 speex/16000',
    'a=rtpmap:98 speex/8000',
    'a=rtpmap:101 telephone-event/48000',
    'a=rtpmap:99 telephone-event/8000',
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 ${key80}`,
  ),
  'Cisco CUBE': lines(
    'v=0',
    'o=CiscoSystemsSIP-GW-UserAgent 4414 1820 IN IP4 198.51.100.7',
    's=SIP Call',
    'c=IN IP4 198.51.100.7',
    't=0 0',
    'm=audio 16402 RTP/SAVP 18 0 101',
    'c=IN IP4 198.51.100.7',
    'a=rtpmap:18 G729/8000',
    'a=fmtp:18 annexb=no',
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:101 telephone-event/8000',
    'a=fmtp:101 0-15',
    'a=ptime:20',
    'a=crypto:1 AEAD_AES_256_GCM inline:7mLLCOBVQ5kZXZOyNIGA/aEgcV1I2b1VS5Xi2gMnYgmvVKI5gpCLLWOh6lo=',
    `a=crypto:2 AES_CM_128_HMAC_SHA1_80 ${key80}`,
  ),
  'Microsoft Teams': lines(
    'v=0',
    'o=- 135590 0 IN IP4 203.0.113.9',
    's=session',
    'c=IN IP4 203.0.113.9',
    'b=CT:10000000',
    't=0 0',
    'm=audio 52338 RTP/SAVP 104 9 103 111 18 0 8 97 101 13 118',
    'c=IN IP4 203.0.113.9',
    'a=rtcp:52339',
    'a=label:main-audio',
    'a=mid:1',
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 ${key80}|2^31`,
    'a=sendrecv',
    'a=rtpmap:104 SILK/16000',
    'a=rtpmap:9 G722/8000',
    'a=rtpmap:103 SILK/8000',
    'a=rtpmap:111 SIREN/16000',
    'a=fmtp:111 bitrate=16000',
    'a=rtpmap:97 RED/8000',
    'a=rtpmap:101 telephone-event/8000',
    'a=rtpmap:118 CN/16000',
    'a=ptime:20',
  ),
  'Asterisk chan_pjsip': lines(
    'v=0',
    'o=- 1903840412 1903840412 IN IP4 192.0.2.33',
    's=Asterisk',
    'c=IN IP4 192.0.2.33',
    't=0 0',
    'm=audio 11632 RTP/SAVP 0 8 101',
    `a=crypto:1 AES_CM_128_HMAC_SHA1_80 ${key80}`,
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:8 PCMA/8000',
    'a=rtpmap:101 telephone-event/8000',
    'a=ptime:20',
    'a=maxptime:150',
    'a=sendrecv',
  ),
  'Kamailio with rtpengine, twelve suites': lines(
    'v=0',
    'o=- 8000 8000 IN IP6 2001:db8::7',
    's=-',
    'c=IN IP6 2001:db8::7',
    't=0 0',
    'm=audio 30044 RTP/SAVP 8',
    'a=rtpmap:8 PCMA/8000',
    'a=crypto:1 AEAD_AES_256_GCM inline:7mLLCOBVQ5kZXZOyNIGA/aEgcV1I2b1VS5Xi2gMnYgmvVKI5gpCLLWOh6lo',
    'a=crypto:2 AEAD_AES_128_GCM inline:7mLLCOBVQ5kZXZOyNIGA/aEgcV1I2b1VS5Xi2g',
    'a=crypto:3 AES_256_CM_HMAC_SHA1_80 inline:7mLLCOBVQ5kZXZOyNIGA/aEgcV1I2b1VS5Xi2gMnYgmvVKI5gpCLLWOh6lo',
    `a=crypto:7 AES_CM_128_HMAC_SHA1_80 ${key80}`,
    `a=crypto:11 NULL_HMAC_SHA1_80 ${key80}`,
  ),
};

describe('an acceptable offer', () => {
  it.each(Object.entries(offers))('of %s is accepted', (_name, sdp) => {
    expect(checkTrunkOffer(sdp, policy)).toMatchObject({ ok: true });
  });

  it('is reduced to the key line of our suite at any position', () => {
    const read = readTrunkOffer(offers['Kamailio with rtpengine, twelve suites']!, policy);
    expect(read.ok && keyLineOf(read.audio)).toBe(`a=crypto:7 AES_CM_128_HMAC_SHA1_80 ${key80}`);
  });

  it('may have lifetime and MKI after the key', () => {
    const sdp = offers['Asterisk chan_pjsip']!.replace(key80, `${key80}|2^20|1:4`);
    expect(checkTrunkOffer(sdp, policy)).toMatchObject({ ok: true });
  });

  it('may have bare line feeds and an empty body means a late offer', () => {
    expect(checkTrunkOffer(offers.baresip!.replaceAll('\r\n', '\n'), policy)).toMatchObject({ ok: true });
    expect(checkTrunkOffer(undefined, policy)).toMatchObject({ ok: true });
  });

  it('is the second audio line when the first is plain', () => {
    const plain = 'm=audio 5000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n';
    const sdp = offers['Asterisk chan_pjsip']!;
    const at = sdp.indexOf('m=');
    const read = readTrunkOffer(sdp.slice(0, at) + plain + sdp.slice(at), policy);
    expect(read.ok && read.index).toBe(1);
  });

  it('is plain with a key where that is taken, unless a line is RTP/SAVP', () => {
    const secure = offers['Asterisk chan_pjsip']!;
    const optimistic = secure.replace('RTP/SAVP', 'RTP/AVP');
    const read = readTrunkOffer(optimistic, policy, undefined, { takesOptimistic: true });
    expect(read).toMatchObject({ ok: true, isOptimistic: true, audio: { protocol: 'RTP/SAVP' } });
    const both = optimistic + secure.slice(secure.indexOf('m='));
    const preferred = readTrunkOffer(both, policy, undefined, { takesOptimistic: true });
    expect(preferred).toMatchObject({ ok: true, index: 1, isOptimistic: false });
    const keyless = optimistic.replace(/a=crypto.*\r\n/, '');
    expect(readTrunkOffer(keyless, policy, undefined, { takesOptimistic: true })).toMatchObject({
      ok: false,
    });
  });
});

describe('an offer that is refused', () => {
  const good = offers['Asterisk chan_pjsip']!;
  const keyless = good.replace(/a=crypto.*\r\n/, '');
  it.each([
    ['over plain RTP', keyless.replace('RTP/SAVP', 'RTP/AVP'), /^305 .*SRTP required/, /RTP\/AVP/],
    ['over plain RTP with a key', good.replace('RTP/SAVP', 'RTP/AVP'), /^305 .*SRTP required/, /RTP\/AVP/],
    ['over DTLS', keyless.replace('RTP/SAVP', 'UDP/TLS/RTP/SAVPF'), /^305 .*SRTP required/, /UDP\/TLS/],
    ['without a key', keyless, /a=crypto required/, /without any/],
    ['with a suite of 32 bits', good.replace('SHA1_80', 'SHA1_32'), /No common SRTP suite/, /SHA1_32/],
    ['with a key that is too short', good.replace(key80, 'inline:c2hvcnQ='), /unusable key/, /wrong length/],
    ['with two keys short of one', good.replace(key80, `${key80}AAAA`), /unusable key/, /wrong length/],
    ['without a key method', good.replace('inline:', 'other:'), /unusable key/, /wrong length/],
    ['with encryption off', good.replace(key80, `${key80} UNENCRYPTED_SRTP`), /unusable key/, /off/],
    ['with authentication off', good.replace(key80, `${key80} UNAUTHENTICATED_SRTP`), /unusable key/, /off/],
    [
      'with codecs that are not enabled',
      good.replace('SAVP 0 8 101', 'SAVP 18 101'),
      /No common codec/,
      /G729/,
    ],
    ['with DTMF only', good.replace('SAVP 0 8 101', 'SAVP 101'), /No common codec/, /telephone-event/],
    ['with audio refused', good.replace('m=audio 11632', 'm=audio 0'), /^304 .*No audio/, /audio/],
    ['without an address', good.replace(/c=.*\r\n/, ''), /^301 .*IP address/, /no c= line/],
    ['with a name for an address', good.replace(/c=.*\r/, 'c=IN IP4 pbx.example.com\r'), /^301/, /pbx\./],
    ['with a zone in its address', good.replaceAll(/IN IP4 \S+/g, 'IN IP6 fe80::1%lo'), /^301/, /fe80::1%lo/],
    ['with an address of the other family', good.replace('c=IN IP4', 'c=IN IP6'), /^301/, /IN IP6/],
    ['to a multicast group', good.replace(/c=.*\r/, 'c=IN IP4 224.2.1.1/127\r'), /^301/, /224\.2/],
    ['for fax only', 'v=0\r\nm=image 4000 udptl t38\r\n', /^304 .*No audio/, /image udptl/],
    ['without media', 'v=0\r\ns=-\r\n', /^304 .*No audio/, /no m= line/],
    ['that is no description', 'hello', /not valid/, /not a session/],
    ['with a port beyond the range', good.replace('11632', '99999'), /not valid/, /not a session/],
  ])('%s', (_name, sdp, warning, detail) => {
    const refusal = checkTrunkOffer(sdp, policy);
    expect(refusal).toMatchObject({ ok: false, status: 488 });
    if (refusal.ok) return;
    expect(refusal.warning).toMatch(warning);
    expect(refusal.warning).toMatch(/^30[145] demarc "[^"]*"$/);
    expect(refusal.detail).toMatch(detail);
    expect(JSON.stringify(refusal)).not.toContain('WVNfX19z');
  });

  it('is accepted with codecs that are not enabled where conversion is allowed', () => {
    const sdp = good.replace('SAVP 0 8 101', 'SAVP 18 101');
    expect(checkTrunkOffer(sdp, { order: ['PCMU'], transcode: true })).toMatchObject({ ok: true });
    const silk = good
      .replace('SAVP 0 8 101', 'SAVP 120')
      .replace('a=ptime', 'a=rtpmap:120 SILK/16000\r\na=ptime');
    expect(checkTrunkOffer(silk, { order: ['PCMU'], transcode: true })).toMatchObject({ ok: false });
  });
});
