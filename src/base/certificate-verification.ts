/**
 * Why a peer's certificate was refused, by the code of the error that Node.js reports (the X.509 verification errors of OpenSSL).
 * Each completes the sentence "the certificate is refused: …".
 */
const reasons: ReadonlyMap<string | undefined, string> = new Map([
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its chain ends in an authority that we do not trust'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'it is self-signed and not trusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its issuer is not trusted'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'its issuer is not known'],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'its issuer is not trusted, or the intermediate certificate is missing',
  ],
  // An authority of the same name as a trusted one, with another key: renewed, or another installation of the same software.
  ['CERT_SIGNATURE_FAILURE', 'its signature is not that of the trusted authority of the same name'],
  ['UNABLE_TO_DECRYPT_CERT_SIGNATURE', 'its signature cannot be read'],
  ['UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY', 'the key of its issuer cannot be read'],
  ['CERT_HAS_EXPIRED', 'it has expired'],
  ['CERT_NOT_YET_VALID', 'it is not valid yet'],
  ['ERROR_IN_CERT_NOT_BEFORE_FIELD', 'its dates cannot be read'],
  ['ERROR_IN_CERT_NOT_AFTER_FIELD', 'its dates cannot be read'],
  ['CERT_REVOKED', 'it is revoked'],
  ['CERT_CHAIN_TOO_LONG', 'its chain is too long'],
  ['INVALID_CA', 'a certificate of its chain may not issue certificates'],
  ['PATH_LENGTH_EXCEEDED', 'a certificate of its chain may not issue certificates of authorities'],
  ['INVALID_PURPOSE', 'it is not for this use (extended key usage)'],
  ['CERT_UNTRUSTED', 'its authority is not trusted for this use'],
  ['CERT_REJECTED', 'its authority is rejected for this use'],
]);

/** Undefined: the error does not concern the verification of a certificate. */
export const whyRefused = (code: string | undefined): string | undefined => reasons.get(code);
