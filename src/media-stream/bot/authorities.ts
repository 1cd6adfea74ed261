import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** Trusts the public authorities, and those of the operator's file. @param caFile PEM */
export const trustedAuthorities = (caFile: string | undefined): SecureContext =>
  createSecureContext(
    caFile === undefined ? {} : { ca: [...rootCertificates, readFileSync(caFile, 'utf8')] },
  );
