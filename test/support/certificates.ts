// @peculiar/x509 needs this polyfill and does not load it itself.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const day = 86_400_000;

export interface IssuedCertificate {
  readonly certFile: string;
  readonly keyFile: string;
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

function pemOfKey(pkcs8: ArrayBuffer): string {
  const body = Buffer.from(pkcs8)
    .toString('base64')
    .replace(/(.{64})/g, '$1\n');
  return `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`;
}

/** A certificate authority of the test's own, with its files in a temporary directory. */
export class TestAuthority {
  private serial = 1;

  private constructor(
    readonly directory: string,
    /** PEM of the authority. */
    readonly ca: string,
    readonly caFile: string,
    private readonly keys: webcrypto.CryptoKeyPair,
    private readonly name: string,
  ) {}

  static async create(name = 'CN=Demarc test authority'): Promise<TestAuthority> {
    x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[0]);
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      serialNumber: '01',
      name,
      notBefore: new Date(Date.now() - day),
      notAfter: new Date(Date.now() + 90 * day),
      signingAlgorithm: algorithm,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    const directory = mkdtempSync(join(tmpdir(), 'demarc-certificates-'));
    const ca = `${certificate.toString('pem')}\n`;
    const caFile = join(directory, 'ca.pem');
    writeFileSync(caFile, ca);
    return new TestAuthority(directory, ca, caFile, keys, name);
  }

  /** Issues a certificate for these DNS names and IP addresses. */
  async issue(
    file: string,
    names: readonly string[] = ['localhost', '127.0.0.1', '::1'],
  ): Promise<IssuedCertificate> {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    this.serial += 1;
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: this.serial.toString(16).padStart(2, '0'),
      subject: `CN=${names[0] ?? file}`,
      issuer: this.name,
      notBefore: new Date(Date.now() - day),
      notAfter: new Date(Date.now() + 60 * day),
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey: this.keys.privateKey,
      extensions: [
        new x509.BasicConstraintsExtension(false),
        new x509.ExtendedKeyUsageExtension([
          x509.ExtendedKeyUsage.serverAuth,
          x509.ExtendedKeyUsage.clientAuth,
        ]),
        new x509.SubjectAlternativeNameExtension(
          names.map((name) => ({
            type: /^[\d.]+$|:/.test(name) ? ('ip' as const) : ('dns' as const),
            value: name,
          })),
        ),
      ],
    });
    const cert = `${certificate.toString('pem')}\n`;
    const key = pemOfKey(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
    const certFile = join(this.directory, `${file}-cert.pem`);
    const keyFile = join(this.directory, `${file}-key.pem`);
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key, { mode: 0o600 });
    return { certFile, keyFile, cert, key };
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
