import { createHash, X509Certificate } from 'node:crypto';

/** Certificates trusted for a request's TLS servers, replacing the engine's own authorities. */
export interface Trust {
  /** The same for the same certificates. */
  readonly id: string;
  /** PEM: authorities, or the very certificates of servers. */
  readonly certificates: readonly string[];
  /** True for one of them (DER): a server that presents it is authenticated, whatever name the certificate has. */
  isPinned(certificate: Buffer | undefined): boolean;
}

/** A chain, and its successor during a change; more make each request long. */
const maximumCertificates = 10;

/** Reads certificates as an application gives them: base64 of DER, separated by commas. Undefined when they are none. */
export function readTrust(text: string): Trust | undefined {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > maximumCertificates) return undefined;
  try {
    const certificates = parts.map((part) => new X509Certificate(Buffer.from(part, 'base64')));
    const fingerprints = certificates.map(({ fingerprint256 }) => fingerprint256);
    return {
      id: createHash('sha256').update(fingerprints.join()).digest('hex'),
      certificates: certificates.map((certificate) => certificate.toString()),
      isPinned: (certificate) =>
        certificate !== undefined && fingerprints.includes(new X509Certificate(certificate).fingerprint256),
    };
  } catch {
    return undefined;
  }
}
