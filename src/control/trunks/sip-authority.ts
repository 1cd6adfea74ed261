import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { SettingsError } from '../../config/environment.js';

/** The CA of Demarc's SIP certificate, for PBXs to install. */
export const sipAuthoritySchema = z
  .object({
    certificate: z.string().meta({ description: 'PEM.' }),
    sha256: z.string().meta({ description: 'Fingerprint of the certificate, hexadecimal with colons.' }),
    subject: z.string().meta({ description: 'Distinguished name.' }),
    not_after: z.iso.datetime().meta({ description: 'When it expires.' }),
  })
  .meta({ id: 'CertificateAuthority' });
export type SipAuthority = z.infer<typeof sipAuthoritySchema>;

/**
 * @param file PEM; undefined: a well-known authority, which PBXs trust already
 * @throws SettingsError when it is no certificate, so that no customer is given a wrong one
 */
export function readSipAuthority(file: string | undefined): SipAuthority | undefined {
  if (file === undefined) return undefined;
  try {
    const certificate = new X509Certificate(readFileSync(file));
    return {
      certificate: certificate.toString(),
      sha256: certificate.fingerprint256,
      subject: certificate.subject.replaceAll('\n', ', '),
      not_after: new Date(certificate.validTo).toISOString(),
    };
  } catch (error) {
    throw new SettingsError([`DEMARC_SIP_CA_CERT: ${file}: ${(error as Error).message}`], { cause: error });
  }
}
