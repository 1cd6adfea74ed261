import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSipAuthority } from '../../../../src/control/trunks/sip-authority.js';
import { ensureCertificates } from '../../../../src/launcher/certificates.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'demarc-authority-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the CA that PBXs install', () => {
  it('is the one that npm start made, with the fingerprint that openssl prints', async () => {
    const { caFile, certificateFile } = await ensureCertificates(folder, {
      dns: ['localhost'],
      addresses: [],
    });
    const authority = readSipAuthority(caFile)!;
    expect(authority.sha256).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    expect(authority.subject).toMatch(/^CN=Demarc local CA /);
    const server = new X509Certificate(readFileSync(certificateFile));
    expect(server.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
  });

  it('is never the private key beside it', () => {
    expect(() => readSipAuthority(join(folder, 'ca.key'))).toThrow(/DEMARC_SIP_CA_CERT/);
  });

  it('stops control when the file is missing or is no certificate', () => {
    expect(() => readSipAuthority(join(folder, 'none.pem'))).toThrow(/DEMARC_SIP_CA_CERT: .*ENOENT/);
    const wrong = join(folder, 'wrong.pem');
    writeFileSync(wrong, 'hello');
    expect(() => readSipAuthority(wrong)).toThrow(/DEMARC_SIP_CA_CERT/);
  });

  it('is none without a file', () => expect(readSipAuthority(undefined)).toBeUndefined());
});
