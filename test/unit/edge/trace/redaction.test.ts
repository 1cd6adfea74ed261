import { describe, expect, it } from 'vitest';
import { redact } from '../../../../src/edge/trace/redaction.js';
import { processorMilliseconds } from '../../../support/processor-use.js';

const secrets = [
  'WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz',
  'deadbeefdeadbeef',
  'hunter2',
  '0a4f113b',
  'rspdead',
  'tok3n',
  'iceSecret',
];

const message = [
  'INVITE sip:bob:hunter2@example.com SIP/2.0',
  'Via: SIP/2.0/TLS 192.0.2.1:5061;branch=z9hG4bK1',
  'From: "A" <sip:alice@example.com:5061>;tag=1',
  'To: <sip:bob:hunter2@example.com;transport=tls>',
  'Authorization: Digest username="bob", realm="r", nonce="n1", uri="sip:bob@example.com", response="deadbeefdeadbeef",',
  ' cnonce="0a4f113b", nc=00000001, qop=auth',
  'proxy-authorization : Digest username="a\\"b",response=deadbeefdeadbeef,cnonce="0a4f\\"113b"',
  'Proxy-Authorization: Bearer tok3n.abc',
  'Authentication-Info: rspauth="rspdead", qop=auth',
  'Content-Type: application/sdp',
  '',
  'v=0',
  'm=audio 40000 RTP/SAVP 0',
  'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz|2^20|1:4 KDR=1',
  'a=crypto:2 AES_CM_128_HMAC_SHA1_32 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz;inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz',
  'a=ice-pwd:iceSecret',
  'k=clear:hunter2',
  '',
].join('\r\n');

describe('redaction', () => {
  it('removes keys, digest answers, passwords and tokens', () => {
    const text = redact(message);
    for (const secret of secrets) expect(text, secret).not.toContain(secret);
    expect(text).not.toContain('113b');
  });

  it('keeps what is needed to understand the call', () => {
    const text = redact(message);
    for (const kept of [
      'INVITE sip:bob:[redacted]@example.com SIP/2.0',
      'From: "A" <sip:alice@example.com:5061>;tag=1',
      'username="bob"',
      'nonce="n1"',
      'nc=00000001',
      'AES_CM_128_HMAC_SHA1_80 inline:[redacted]|2^20|1:4 KDR=1',
      'm=audio 40000 RTP/SAVP 0',
    ]) {
      expect(text, kept).toContain(kept);
    }
    expect(text.split('\r\n')).toHaveLength(message.split('\r\n').length);
  });

  it('leaves a message without secrets as it is', () => {
    const plain =
      'SIP/2.0 200 OK\r\nContact: <sip:a@10.0.0.1:5060>, <sip:b@10.0.0.2>\r\nX-Response: response=5\r\n\r\nv=0\r\n';
    expect(redact(plain)).toBe(plain);
  });

  it('finds keys in a piece without head or end', () => {
    expect(redact('a=crypto:1 X inline:abcdef|2^20\r\n')).not.toContain('abcdef');
  });

  it('takes no longer for hostile input', () => {
    const hostile = `INVITE sip:${'a:'.repeat(30_000)} SIP/2.0\r\nAuthorization: Digest response="${'\\\\'.repeat(30_000)}\r\n\r\n${'inline:'.repeat(10_000)}`;
    expect(processorMilliseconds(() => redact(hostile))).toBeLessThan(1_000);
  });

  it('hides the token of a call, in requests and answers, also folded', () => {
    const token = 'eyJvcmciOiJhY21lIn0.AAAA.keyident.bWFj';
    const message = [
      'INVITE sip:agent@127.0.0.2 SIP/2.0',
      'X-Demarc-Call-ID: c1',
      `X-Demarc-Token: ${token}`,
      `x-demarc-token :\r\n ${token}\r\n\t${token}`,
      'X-Demarc-Org: acme',
    ].join('\r\n');
    const shown = redact(`${message}\r\n\r\n`);
    expect(shown).not.toContain('bWFj');
    expect(shown).toContain('X-Demarc-Token: [redacted]\r\n');
    expect(shown).toContain('X-Demarc-Org: acme');
    expect(redact(message)).not.toContain('bWFj');
  });
});
