import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSignedByTwilio } from '../../../../../src/control/porting/carriers/twilio-signature.js';

const token = '12345';
const hmac = (text: string, key = token): string => createHmac('sha1', key).update(text).digest('base64');
const form = 'application/x-www-form-urlencoded';
const url = 'https://control.example.com/carrier/port-events';

const isSigned = (fields: {
  url?: string;
  body?: string;
  type?: string | undefined;
  signature?: string | string[] | undefined;
}): boolean =>
  isSignedByTwilio(token, {
    url: fields.url ?? url,
    headers: { 'content-type': fields.type, 'x-twilio-signature': fields.signature },
    body: Buffer.from(fields.body ?? ''),
  });

describe('the signature of a form', () => {
  // The example of Twilio's documentation ("Validating requests").
  it('is that of the documentation', () => {
    expect(
      isSigned({
        url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
        type: form,
        body: 'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212',
        signature: 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
      }),
    ).toBe(true);
  });

  it('covers the fields in the order of their names, however they were sent', () => {
    const signature = hmac(`${url}a1b2c3`);
    for (const body of ['a=1&b=2&c=3', 'c=3&a=1&b=2', 'b=2&c=3&a=1'])
      expect(isSigned({ type: form, body, signature })).toBe(true);
  });

  it('sorts capital letters before small ones', () => {
    expect(isSigned({ type: form, body: 'a=1&B=2', signature: hmac(`${url}B2a1`) })).toBe(true);
    expect(isSigned({ type: form, body: 'a=1&B=2', signature: hmac(`${url}a1B2`) })).toBe(false);
  });

  it('keeps fields of one name in the order in which they came', () => {
    expect(isSigned({ type: form, body: 'x=2&x=1', signature: hmac(`${url}x2x1`) })).toBe(true);
  });

  it.each([`${form}; charset=UTF-8`, 'Application/X-WWW-Form-Urlencoded'])('is read for %s', (type) =>
    expect(isSigned({ type, body: 'a=1', signature: hmac(`${url}a1`) })).toBe(true),
  );

  it('is refused for other fields, another address or another key', () => {
    const signature = hmac(`${url}a1`);
    expect(isSigned({ type: form, body: 'a=2', signature })).toBe(false);
    expect(isSigned({ type: form, body: 'a=1&b=', signature })).toBe(false);
    expect(isSigned({ type: form, body: 'a=1', url: `${url}?x=1`, signature })).toBe(false);
    expect(isSigned({ type: form, body: 'a=1', signature: hmac(`${url}a1`, 'other') })).toBe(false);
  });

  it.each([undefined, '', 'abc', [hmac(`${url}a1`)]])('is refused when it is %j', (signature) =>
    expect(isSigned({ type: form, body: 'a=1', signature })).toBe(false),
  );
});

describe('the signature of JSON', () => {
  const body = '{"port_in_request_sid":"KW1"}';
  const hash = createHash('sha256').update(body).digest('hex');
  const hashed = `${url}?bodySHA256=${hash}`;

  it('covers the address, which has the hash of the body', () => {
    expect(isSigned({ url: hashed, type: 'application/json', body, signature: hmac(hashed) })).toBe(true);
    expect(isSigned({ url: hashed, body, signature: hmac(hashed) })).toBe(true);
  });

  it('takes a hash in capital letters', () => {
    const shouted = `${url}?bodySHA256=${hash.toUpperCase()}`;
    expect(isSigned({ url: shouted, body, signature: hmac(shouted) })).toBe(true);
  });

  it('is refused for another body, even with a right signature of the address', () => {
    expect(isSigned({ url: hashed, body: `${body} `, signature: hmac(hashed) })).toBe(false);
  });

  it('is refused without a hash, or with a short one', () => {
    expect(isSigned({ url, body, signature: hmac(url) })).toBe(false);
    const short = `${url}?bodySHA256=${hash.slice(1)}`;
    expect(isSigned({ url: short, body, signature: hmac(short) })).toBe(false);
  });

  it('is not that of a form which has the same octets', () => {
    expect(isSigned({ url: hashed, type: form, body: 'a=1', signature: hmac(hashed) })).toBe(false);
  });
});
