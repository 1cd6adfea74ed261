import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  createSecureContext,
  type PeerCertificate,
  rootCertificates,
  type SecureContext,
  type SecureContextOptions,
  checkServerIdentity as tlsCheckServerIdentity,
} from 'node:tls';
import type { TlsSettings } from './settings.js';
import type { Trust } from './trust.js';

/** `SSL_OP_NO_RENEGOTIATION`: handshakes are expensive for us and cheap for an attacker; Node has no name for it. */
const noRenegotiation = 0x40000000;

/** All key material in use, read and checked together, so that a reload replaces everything or nothing. */
export interface KeyMaterial {
  /** For TLS listeners; absent without a key pair. */
  readonly server?: SecureContextOptions;
  /** For outgoing connections; made once and when it is first needed, because loading the well-known authorities takes milliseconds. */
  readonly client: SecureContext;
  /** When the certificate of the TLS listeners expires, Unix milliseconds; absent without one. */
  readonly expiresAt?: number;
  /** The same without any authority. */
  readonly clientOptions: SecureContextOptions;
  /** Warnings for the operator, e.g. that the certificate has expired. */
  readonly warnings: readonly string[];
}

/** A certificate that cannot be used; the text says which file and why. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

/**
 * Reads and checks the files: key and certificate belong together, the dates are right, authorities can be parsed.
 * `acceptExpired`: an expired certificate becomes a warning (at the start, where TCP and UDP must come up regardless).
 * Throws CertificateError.
 */
export async function readKeyMaterial(settings: TlsSettings, acceptExpired: boolean): Promise<KeyMaterial> {
  const warnings: string[] = [];
  const common: SecureContextOptions = {
    minVersion: settings.minimumVersion,
    secureOptions: noRenegotiation,
  };

  let pair: { key: string; cert: string } | undefined;
  let expiresAt: number | undefined;
  if (settings.keyFile !== undefined && settings.certificateFile !== undefined) {
    pair = await readPair(settings.keyFile, settings.certificateFile, warnings, acceptExpired);
    expiresAt = Date.parse(new X509Certificate(pair.cert).validTo);
    if (settings.chainFile !== undefined) {
      const chain = await readCertificates(settings.chainFile);
      pair = { key: pair.key, cert: `${pair.cert.trimEnd()}\n${chain}` };
    }
  } else if (settings.keyFile !== undefined || settings.certificateFile !== undefined) {
    throw new CertificateError('a TLS key needs its certificate and a certificate its key');
  }

  let server: SecureContextOptions | undefined;
  if (pair !== undefined) {
    server = { ...common, ...pair, honorCipherOrder: true };
    if (settings.clientCertificates !== 'none') {
      if (settings.clientCaFile === undefined) {
        throw new CertificateError('client certificates need a separate authority (clientCaFile)');
      }
      server.ca = await readCertificates(settings.clientCaFile);
    }
  }

  const outbound = settings.outboundCertificate;
  const presented =
    outbound === undefined
      ? pair
      : outbound === 'none'
        ? undefined
        : await readPair(outbound.keyFile, outbound.certificateFile, warnings, acceptExpired);
  const own =
    settings.trustedCaFile === undefined ? undefined : [await readCertificates(settings.trustedCaFile)];
  const clientOptions: SecureContextOptions = { ...common, ...presented };
  try {
    if (server !== undefined) createSecureContext(server);
    createSecureContext({ ...clientOptions, ...(own && { ca: own }) });
  } catch (error) {
    throw new CertificateError(`the TLS files cannot be used: ${textOf(error)}`, { cause: error });
  }
  const ca = authorities(own, settings.trustWellKnownAuthorities);
  let client: SecureContext | undefined;
  return {
    ...(server && { server }),
    get client() {
      client ??= createSecureContext({ ...clientOptions, ...(ca && { ca }) });
      return client;
    },
    clientOptions,
    ...(expiresAt !== undefined && { expiresAt }),
    warnings,
  };
}

/** For connections to servers whose certificates are trusted, and no others. */
export const trustingContext = ({ clientOptions }: KeyMaterial, { certificates }: Trust): SecureContext =>
  // A trusted certificate may be a server's own, issued by another authority.
  createSecureContext({ ...clientOptions, ca: [...certificates], allowPartialTrustChain: true });

/** Undefined: the well-known ones alone, which Node.js has loaded; each other context parses all of them. */
function authorities(own: readonly string[] | undefined, trustsWellKnown: boolean): string[] | undefined {
  if (!trustsWellKnown) return [...(own ?? [])];
  return own === undefined ? undefined : [...rootCertificates, ...own];
}

async function readPair(
  keyFile: string,
  certificateFile: string,
  warnings: string[],
  acceptExpired: boolean,
): Promise<{ key: string; cert: string }> {
  const key = await readText(keyFile);
  const cert = await readText(certificateFile);
  let certificate: X509Certificate;
  let belongsTogether: boolean;
  try {
    certificate = new X509Certificate(cert);
  } catch (error) {
    throw new CertificateError(`${certificateFile} is no certificate: ${textOf(error)}`, { cause: error });
  }
  try {
    belongsTogether = certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    // biome-ignore lint/style/useErrorCause: the text of the error could quote the key
    throw new CertificateError(`${keyFile} is no private key in PEM without a passphrase`);
  }
  if (!belongsTogether) throw new CertificateError(`${keyFile} is not the key of ${certificateFile}`);
  const now = Date.now();
  if (Date.parse(certificate.validFrom) > now) {
    throw new CertificateError(`${certificateFile} is valid only from ${certificate.validFrom}`);
  }
  if (Date.parse(certificate.validTo) < now) {
    const text = `${certificateFile} expired on ${certificate.validTo}`;
    if (!acceptExpired) throw new CertificateError(text);
    warnings.push(text);
  }
  return { key, cert };
}

async function readCertificates(file: string): Promise<string> {
  const text = await readText(file);
  try {
    new X509Certificate(text);
  } catch (error) {
    throw new CertificateError(`${file} holds no certificate: ${textOf(error)}`, { cause: error });
  }
  return text;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CertificateError(`${file} cannot be read: ${textOf(error)}`, { cause: error });
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * RFC 5922 §7: the certificate must carry the host of the SIP URI. Accepts DNS names (wildcards too, as operators
 * use the certificates they have), IP addresses for IP literals, and `sip:` URIs without user part.
 * Returns the problem, or undefined.
 */
export function checkServerName(serverName: string, certificate: PeerCertificate): Error | undefined {
  const error = tlsCheckServerIdentity(serverName, certificate);
  if (error === undefined) return undefined;
  const names = certificate.subjectaltname ?? '';
  // A quoted entry may contain commas and so pose as several names.
  if (names.includes('"')) return error;
  const sipUri = `uri:sip:${serverName.toLowerCase()}`;
  return names.split(', ').some((name) => name.toLowerCase() === sipUri) ? undefined : error;
}
