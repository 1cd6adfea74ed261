import { z } from 'zod';
import { endReasonSchema } from './call-record.js';

/**
 * What an edge received from a customer's PBX, and what it answered, for people who set one up. Sightings are sampled, may be lost
 * and decide nothing; call records describe all calls.
 */

/** The TLS session of a connection, as the engine reports it. */
export const tlsSessionSchema = z.object({
  /** `TLSv1.3` */
  version: z.string().max(32),
  cipher: z.string().max(64),
  /** What the peer presented; null: nothing, as engines request no certificate by default. */
  certificate: z
    .object({
      subject: z.string().max(256),
      issuer: z.string().max(256),
      not_after: z.string().max(64),
      sha256: z.string().max(128),
    })
    .nullable(),
});
export type TlsSession = z.infer<typeof tlsSessionSchema>;

/** A TLS handshake that failed, as the engine reports it. */
export const failedHandshakeSchema = z.object({
  at: z.iso.datetime(),
  address: z.string().max(64),
  /** The TLS library's text. */
  text: z.string().max(300),
});
export type FailedHandshake = z.infer<typeof failedHandshakeSchema>;

export const sightingSchema = z.object({
  /** ISO 8601. */
  at: z.iso.datetime(),
  edge_id: z.string(),
  kind: z.enum(['request', 'handshake']),
  source: z.object({
    address: z.string(),
    /** Null: a handshake that failed. */
    port: z.int().nullable(),
    protocol: z.string(),
  }),
  tls: tlsSessionSchema.nullable(),
  /** Null: a handshake. */
  method: z.string().nullable(),
  user_agent: z.string().nullable(),
  /** User part of the Request-URI, cut. */
  called: z.string().nullable(),
  /** E.164 digits of the number that it names, and its organization; null: none is configured. */
  number: z.string().nullable(),
  organization: z.string().nullable(),
  call_id: z.string().nullable(),
  /** What was answered; null: an admitted INVITE, or a failed handshake. */
  status: z.int().nullable(),
  end_reason: endReasonSchema.nullable(),
  /** Why, and what to configure. */
  detail: z.string().nullable(),
});
export type Sighting = z.infer<typeof sightingSchema>;

/** Stream: JSON in the field `sighting`; for pages that are opened afterwards. */
export const sightingStream = 'demarc:sightings';
/** Of all organizations and edges. */
export const maximumSightings = 1_000;

/** Pub/sub: the same JSON. */
export const sightingChannel = 'demarc:live:sightings';
export const maximumSightingLength = 4_096;

/** What a failed handshake means, and what to do. OpenSSL's texts name the peer's alert. */
export function explainHandshake(text: string): { readonly cause: string; readonly advice: string } {
  const found = handshakes.find(([pattern]) => pattern.test(text));
  if (found !== undefined) return { cause: found[1], advice: found[2] };
  return {
    cause: 'The TLS handshake failed.',
    advice: 'Compare TLS version (1.2 or later), certificates and port on both sides.',
  };
}

const handshakes: readonly (readonly [pattern: RegExp, cause: string, advice: string])[] = [
  [
    /alert (unknown ca|bad certificate|certificate unknown|unsupported certificate)|alert number (42|46|48)\b/i,
    'The PBX does not trust Demarc’s certificate.',
    'Install the CA on the PBX (first step), and call Demarc by a name that is in the certificate.',
  ],
  [
    /alert certificate expired|alert number 45\b/i,
    'The PBX takes Demarc’s certificate for expired.',
    'Check the clock of the PBX; the operator checks the certificate.',
  ],
  [
    /wrong version number|http request|unexpected message|packet length too long/i,
    'The PBX sent no TLS on the TLS port.',
    'Set the transport of the trunk to TLS.',
  ],
  [
    /unsupported protocol|alert protocol version|version too low|alert number 70\b/i,
    'The PBX offers only TLS versions that Demarc does not accept.',
    'Enable TLS 1.2 or 1.3 on the PBX.',
  ],
  [
    /no shared cipher|no suitable signature|alert handshake failure|alert number 40\b/i,
    'The two sides share no cipher.',
    'Enable TLS 1.2 with ECDHE and AES-GCM on the PBX. If it accepts RSA certificates only, the operator needs one.',
  ],
  [
    /client certificate refused|peer did not return a certificate/i,
    'The certificate of the PBX was refused.',
    'Give the PBX a certificate that the operator’s CA has issued, or present none.',
  ],
  [
    /socket hang up|econnreset|eof|before secure TLS connection/i,
    'The PBX closed the connection during the TLS handshake.',
    'Many PBXs do so without a word when they do not trust the certificate: install the CA (first step).',
  ],
];
