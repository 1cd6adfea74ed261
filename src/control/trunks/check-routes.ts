import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { z } from 'zod';
import type { RouteGroup } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { e164 } from '../http/phone-number.js';
import { trunkTags as tags } from '../http/tags.js';
import { phoneNumberSchema } from '../numbers/fields.js';
import { requirePhoneNumber } from '../numbers/number-access.js';
import { numberStates, stateOfNumber } from './number-state.js';
import { maximumCharacters, readCertificates } from './trusted-certificates.js';

const certificateSchema = z
  .object({
    subject: z.string().meta({ description: 'Distinguished name of the holder' }),
    issuer: z.string().meta({ description: 'Distinguished name of the authority that signed it' }),
    valid_from: z.iso.datetime().meta({ description: 'Start of its validity, ISO 8601 in UTC' }),
    valid_to: z.iso.datetime().meta({ description: 'Expiry, ISO 8601 in UTC' }),
    fingerprint_sha256: z
      .string()
      .meta({ description: 'SHA-256 of the certificate, as `openssl x509 -fingerprint -sha256` prints it' }),
    is_ca: z.boolean().meta({ description: 'Whether it may sign other certificates' }),
  })
  .meta({ id: 'TrustedCertificate' });

/** `GET /v1/sip/numbers/check`, `POST /v1/sip/parse-certificates`: what a form asks before it sends its changes. */
export const checkRoutes: RouteGroup = (server, { database, settings }) => {
  server.get(
    '/sip/numbers/check',
    {
      schema: {
        operationId: 'checkNumber',
        tags,
        summary: 'Check whether a number can be attached',
        description:
          'Changes nothing. While the service requires proof of ownership, an unconfirmed number is `proof_required`, whether or not another organization has it.',
        querystring: z.strictObject({ phone_number: phoneNumberSchema }),
        response: answers(
          z.object({
            phone_number: z.string(),
            country: z
              .string()
              .nullable()
              .meta({ description: 'ISO 3166 code of the country; null: none, such as +800' }),
            state: z.enum(numberStates).meta({
              description:
                '`available`: it can be attached; `attached`: your organization has it; `taken`: another organization has it; `proof_required`: an operator must confirm your ownership first',
            }),
          }),
        ),
      },
    },
    async ({ query, caller }) => {
      const number = requirePhoneNumber(query.phone_number);
      const proof = settings.numberProof === 'required';
      return success({
        phone_number: e164(number),
        country: parsePhoneNumberFromString(e164(number))?.country ?? null,
        state: await stateOfNumber(database, caller.organizationId, number, proof),
      });
    },
  );

  server.post(
    '/sip/parse-certificates',
    {
      config: { access: 'read' },
      schema: {
        operationId: 'parseCertificates',
        tags,
        summary: 'Parse certificates for `tls_ca`',
        description: 'A text that `tls_ca` would refuse returns `valid: false` with the reason.',
        example: { pem: '-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----\n' },
        body: z.strictObject({
          pem: z.string().max(maximumCharacters).meta({ description: 'One or more certificates in PEM' }),
        }),
        response: answers(
          z.object({
            valid: z.boolean().meta({ description: 'Whether `tls_ca` takes the text' }),
            reason: z.string().nullable().meta({ description: 'Why it is not valid; null: it is' }),
            certificates: z
              .array(certificateSchema)
              .meta({ description: 'The certificates in order; empty if the text is not valid' }),
          }),
        ),
      },
    },
    async ({ body }) => {
      const read = readCertificates(body.pem);
      if (!read.ok) return success({ valid: false, reason: read.reason, certificates: [] });
      const certificates = read.certificates.map((certificate) => ({
        subject: oneLine(certificate.subject),
        issuer: oneLine(certificate.issuer),
        valid_from: new Date(certificate.validFrom).toISOString(),
        valid_to: new Date(certificate.validTo).toISOString(),
        fingerprint_sha256: certificate.fingerprint256,
        is_ca: certificate.ca,
      }));
      return success({ valid: true, reason: null, certificates });
    },
  );
};

/** Node.js writes each attribute of a distinguished name on a line. */
const oneLine = (name: string): string => name.split('\n').join(', ');
