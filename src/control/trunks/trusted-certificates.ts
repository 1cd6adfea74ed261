import { X509Certificate } from 'node:crypto';
import { z } from 'zod';

/** A chain, and its successor during a change. */
const maximumCertificates = 10;
export const maximumCharacters = 20_000;

const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

export type ReadCertificates =
  | { readonly ok: true; readonly certificates: readonly X509Certificate[] }
  | { readonly ok: false; readonly reason: string };

/** The certificates of a text for `tls_ca`, or why it cannot be one. `now`: Unix time, milliseconds. */
export function readCertificates(text: string, now = Date.now()): ReadCertificates {
  const refused = (reason: string): ReadCertificates => ({ ok: false, reason });
  if (text.includes('PRIVATE KEY-----'))
    return refused('Must hold certificates only; it holds a private key');
  const blocks = text.match(block) ?? [];
  if (blocks.length === 0)
    return refused('Must be one or more certificates in PEM, beginning with -----BEGIN CERTIFICATE-----');
  if (blocks.length > maximumCertificates)
    return refused(`Must hold at most ${maximumCertificates} certificates; it holds ${blocks.length}`);
  const certificates: X509Certificate[] = [];
  for (const [index, pem] of blocks.entries()) {
    const which = `Certificate ${index + 1} of ${blocks.length}`;
    let certificate: X509Certificate;
    try {
      certificate = new X509Certificate(pem);
    } catch {
      return refused(`${which} cannot be read`);
    }
    // OpenSSL reads a date that is none, and shows it as `Bad time value`.
    if (Number.isNaN(Date.parse(certificate.validFrom)) || Number.isNaN(Date.parse(certificate.validTo)))
      return refused(`${which} has a validity that is not a date`);
    if (Date.parse(certificate.validTo) < now) return refused(`${which} expired on ${certificate.validTo}`);
    certificates.push(certificate);
  }
  return { ok: true, certificates };
}

/** Who may have issued a server's certificate, or that certificate itself. */
export const trustedCertificatesSchema = z
  .string()
  .max(maximumCharacters)
  .superRefine((text, context) => {
    const read = readCertificates(text);
    if (!read.ok) context.addIssue({ code: 'custom', message: read.reason });
  })
  .meta({
    description:
      'PEM: the CA of the server, or its own certificate (which then may carry any name). It replaces the authorities that the edge trusts. Needs transport tls',
  });
