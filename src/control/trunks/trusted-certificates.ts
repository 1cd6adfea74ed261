import { X509Certificate } from 'node:crypto';
import { z } from 'zod';

/** A chain, and its successor during a change. */
const maximumCertificates = 10;
const maximumCharacters = 20_000;

const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Why a text cannot be `tls_ca`; undefined: it can. `now`: Unix time, milliseconds. */
export function certificatesProblem(text: string, now = Date.now()): string | undefined {
  if (text.includes('PRIVATE KEY-----')) return 'Must hold certificates only; it holds a private key';
  const blocks = text.match(block) ?? [];
  if (blocks.length === 0)
    return 'Must be one or more certificates in PEM, beginning with -----BEGIN CERTIFICATE-----';
  if (blocks.length > maximumCertificates)
    return `Must hold at most ${maximumCertificates} certificates; it holds ${blocks.length}`;
  for (const [index, pem] of blocks.entries()) {
    const which = `Certificate ${index + 1} of ${blocks.length}`;
    let certificate: X509Certificate;
    try {
      certificate = new X509Certificate(pem);
    } catch {
      return `${which} cannot be read`;
    }
    if (Date.parse(certificate.validTo) < now) return `${which} expired on ${certificate.validTo}`;
  }
  return undefined;
}

/** Who may have issued a server's certificate, or that certificate itself. */
export const trustedCertificatesSchema = z
  .string()
  .max(maximumCharacters)
  .superRefine((text, context) => {
    const message = certificatesProblem(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .meta({
    description:
      'PEM: the CA of the server, or its own certificate (which then may carry any name). It replaces the authorities that the edge trusts. Needs transport tls',
  });
