import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';

/** Trusts the public authorities, and those of the operator's file. @param caFile PEM */
export const trustedAuthorities = (caFile: string | undefined): tls.SecureContext =>
  tls.createSecureContext(caFile === undefined ? {} : { ca: certificates(caFile) });

/** The same as PEM texts. Undefined: this Node.js does not say what it trusts by default. */
export function trustedCertificates(caFile: string | undefined): string[] | undefined {
  if (caFile !== undefined) return certificates(caFile);
  // From Node.js 22.15 on, which its types do not have yet.
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  return getCACertificates?.('default');
}

const certificates = (caFile: string): string[] => [...tls.rootCertificates, readFileSync(caFile, 'utf8')];
