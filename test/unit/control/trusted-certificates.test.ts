import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCertificates } from '../../../src/control/trunks/trusted-certificates.js';
import { TestAuthority } from '../../support/certificates.js';

let authority: TestAuthority;
beforeAll(async () => {
  authority = await TestAuthority.create();
});
afterAll(() => authority.remove());

const problemOf = (text: string, now?: number): string | undefined => {
  const read = readCertificates(text, now);
  return read.ok ? undefined : read.reason;
};

/** The certificate with letters in place of its dates (UTCTime and GeneralizedTime, RFC 5280 §4.1.2.5). */
function withoutDates(pem: string): string {
  const der = new X509Certificate(pem).raw.toString('latin1');
  const changed = der.replaceAll(
    /(\x17\r|\x18\x0f)(\d+)Z/g,
    (_, start: string, digits: string) => `${start}${'x'.repeat(digits.length)}Z`,
  );
  const base64 = Buffer.from(changed, 'latin1').toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}

describe('certificates that a trunk trusts', () => {
  it('are PEM, one or several, with text around them as openssl writes it', () => {
    const { ca } = authority;
    expect(problemOf(ca)).toBeUndefined();
    expect(problemOf(`subject=CN = x\n${ca}\n${ca.replaceAll('\n', '\r\n')}`)).toBeUndefined();
  });

  it('are refused with the reason', async () => {
    const { ca } = authority;
    const { key } = await authority.issue('pair');
    expect(problemOf('MIIB')).toBe(
      'Must be one or more certificates in PEM, beginning with -----BEGIN CERTIFICATE-----',
    );
    expect(problemOf(`${ca}${key}`)).toBe('Must hold certificates only; it holds a private key');
    expect(problemOf(ca + ca.replace(/MII../, 'AAAAA'))).toBe('Certificate 2 of 2 cannot be read');
    expect(problemOf(ca.repeat(11))).toBe('Must hold at most 10 certificates; it holds 11');
    expect(problemOf(withoutDates(ca))).toBe('Certificate 1 of 1 has a validity that is not a date');
    expect(problemOf(ca, Date.UTC(2999, 0))).toMatch(/^Certificate 1 of 1 expired on .+ GMT$/);
  });
});
