// @peculiar/x509 needs this polyfill and does not load it itself.
import 'reflect-metadata';
import { randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

export interface CertificateFiles {
  /** The CA's certificate, which callers must trust. */
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** False when all files existed and were valid. */
  readonly renewed: boolean;
}

export interface CertificateNames {
  readonly dns: readonly string[];
  readonly addresses: readonly string[];
}

const dayMilliseconds = 86_400_000;
/** Allows for clock differences between the two sides. */
const backdatedMilliseconds = dayMilliseconds;
const caDays = 3_650;
/** 398 days is the longest lifetime that strict clients accept for a server certificate. */
const serverDays = 397;
const renewBeforeDays = 30;
/** P-256: every TLS library of the last ten years supports it, and a handshake costs a fraction of RSA's. */
const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

interface KeyedCertificate {
  readonly certificate: x509.X509Certificate;
  readonly key: CryptoKey;
}
type CryptoKey = webcrypto.CryptoKey;
/** The browser's `Crypto` type, for which Node's typings have no name. */
type ProviderCrypto = ReturnType<typeof x509.cryptoProvider.get>;

/**
 * Makes sure that `folder` holds a CA and a server certificate issued by it for exactly these names, valid for at least 30 days.
 * The CA is kept while it is valid, so that callers that trust it need no change. Only the owner can read the keys.
 */
export async function ensureCertificates(
  folder: string,
  names: CertificateNames,
  now = new Date(),
): Promise<CertificateFiles> {
  const files = {
    caFile: join(folder, 'ca.crt'),
    caKeyFile: join(folder, 'ca.key'),
    certificateFile: join(folder, 'server.crt'),
    keyFile: join(folder, 'server.key'),
  };
  const result = { caFile: files.caFile, certificateFile: files.certificateFile, keyFile: files.keyFile };
  const caIsGood = isGood(files.caFile, files.caKeyFile, now);
  if (caIsGood && isGood(files.certificateFile, files.keyFile, now, files.caFile, names))
    return { ...result, renewed: false };
  x509.cryptoProvider.set(webcrypto as unknown as ProviderCrypto);
  const authority = caIsGood
    ? await readAuthority(files.caFile, files.caKeyFile)
    : await createAuthority(now);
  if (!caIsGood) {
    await writeKey(files.caKeyFile, authority.key);
    writeWhole(files.caFile, authority.certificate.toString('pem'), 0o644);
  }
  const server = await createServer(authority, names, now);
  await writeKey(files.keyFile, server.key);
  writeWhole(files.certificateFile, server.certificate.toString('pem'), 0o644);
  return { ...result, renewed: true };
}

function isGood(
  certificateFile: string,
  keyFile: string,
  now: Date,
  caFile?: string,
  names?: CertificateNames,
): boolean {
  if (!existsSync(certificateFile) || !existsSync(keyFile)) return false;
  try {
    const certificate = new X509Certificate(readFileSync(certificateFile));
    if (Date.parse(certificate.validTo) - now.getTime() < renewBeforeDays * dayMilliseconds) return false;
    if (Date.parse(certificate.validFrom) > now.getTime()) return false;
    if (caFile !== undefined && !certificate.verify(new X509Certificate(readFileSync(caFile)).publicKey))
      return false;
    if (names === undefined) return true;
    return (
      names.dns.every((name) => certificate.checkHost(name)) &&
      names.addresses.every((address) => certificate.checkIP(address))
    );
  } catch {
    // Unreadable or incomplete: created again.
    return false;
  }
}

async function createAuthority(now: Date): Promise<KeyedCertificate> {
  const keys = await webcrypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify']);
  // Each CA has a unique name, because a trust store may hold an older one from the same machine.
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `CN=Demarc local CA ${randomBytes(4).toString('hex')}`,
    ...validity(now, caDays),
    signingAlgorithm: keyAlgorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, key: keys.privateKey };
}

async function createServer(
  authority: KeyedCertificate,
  names: CertificateNames,
  now: Date,
): Promise<KeyedCertificate> {
  const keys = await webcrypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify']);
  const subjectNames: x509.JsonGeneralNames = [
    ...names.dns.map((value) => ({ type: 'dns' as const, value })),
    ...names.addresses.filter((value) => isIP(value) !== 0).map((value) => ({ type: 'ip' as const, value })),
  ];
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: `CN=${names.dns[0] ?? names.addresses[0] ?? 'demarc'}`,
    issuer: authority.certificate.subject,
    ...validity(now, serverDays),
    signingAlgorithm: keyAlgorithm,
    publicKey: keys.publicKey,
    signingKey: authority.key,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      // The edge is also a TLS client when it calls a customer's server that requests a client certificate.
      new x509.ExtendedKeyUsageExtension([
        x509.ExtendedKeyUsage.serverAuth,
        x509.ExtendedKeyUsage.clientAuth,
      ]),
      new x509.SubjectAlternativeNameExtension(subjectNames),
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, key: keys.privateKey };
}

function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - backdatedMilliseconds),
    notAfter: new Date(now.getTime() + days * dayMilliseconds),
  };
}

/** RFC 5280 §4.1.2.2: positive, at most 20 octets. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes.toString('hex');
}

async function readAuthority(certificateFile: string, keyFile: string): Promise<KeyedCertificate> {
  const [pkcs8] = x509.PemConverter.decode(readFileSync(keyFile, 'utf8'));
  if (pkcs8 === undefined) throw new Error(`${keyFile} holds no key.`);
  return {
    certificate: new x509.X509Certificate(readFileSync(certificateFile, 'utf8')),
    key: await webcrypto.subtle.importKey('pkcs8', pkcs8, keyAlgorithm, false, ['sign']),
  };
}

async function writeKey(path: string, key: CryptoKey): Promise<void> {
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', key);
  writeWhole(path, x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'), 0o600);
}

function writeWhole(path: string, text: string, mode: number): void {
  const temporary = `${path}.new`;
  writeFileSync(temporary, text.endsWith('\n') ? text : `${text}\n`, { mode });
  // Overwriting a leftover temporary file would keep its old mode.
  chmodSync(temporary, mode);
  renameSync(temporary, path);
}
