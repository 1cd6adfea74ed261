import { z } from 'zod';
import { healthSchema } from '../health/index.js';
import type { RouteGroup } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { pageLimit, wholeNumber } from '../http/query.js';
import { trunkTags as tags } from '../http/tags.js';
import { directionName, phoneNumberSchema } from '../numbers/fields.js';
import { entityTagOf, isMatch, requirePhoneNumber } from '../numbers/number-access.js';
import { generatePassword, passwordLength } from './passwords.js';
import { listNumbers, readNumber } from './reading.js';
import { firewallInformation, outboundSetup } from './setup.js';
import { readSipAuthority, sipAuthoritySchema } from './sip-authority.js';
import { attachedDirectionSchema } from './views.js';

/** `GET /v1/sip|sip/numbers|sip/firewall-ips|sip/outbound-setup|sip/generate-password`. */
export const readingRoutes: RouteGroup = (server, deps) => {
  const oneNumber = z.strictObject({ phone_number: phoneNumberSchema });
  const authority = readSipAuthority(deps.settings.sipAuthorityFile);

  server.get(
    '/sip',
    {
      schema: {
        operationId: 'getNumber',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a number’s configurations',
        description:
          'Passwords read `[redacted]`. Send the `ETag` as `If-Match` with a change to get 412 if the number has changed since.',
        querystring: oneNumber,
        response: answers(
          z.object({
            inbound: attachedDirectionSchema.nullable(),
            outbound: attachedDirectionSchema.nullable(),
            configurations: z.array(attachedDirectionSchema),
            trunk_id: z.string().nullable().meta({
              description: 'Shared trunk that the number uses, which is changed instead; null: none',
            }),
          }),
        ),
      },
    },
    async (request, reply) => {
      const { phone_number: phoneNumber } = request.query;
      // Before the configuration is: a tag that is too old is refused later, one that is too new would not be.
      const entityTag = await entityTagOf(deps.database, requirePhoneNumber(phoneNumber));
      const found = await readNumber(deps, request.caller.organizationId, phoneNumber);
      reply.header('etag', entityTag);
      const entityTags = request.headers['if-none-match'];
      if (entityTags !== undefined && isMatch(entityTags.replaceAll('W/', ''), entityTag)) {
        return reply.code(304 as 200).send(undefined as never);
      }
      return success(found);
    },
  );

  server.get(
    '/sip/numbers',
    {
      schema: {
        operationId: 'listNumbers',
        tags,
        summary: 'List attached numbers',
        description: 'In numerical order.',
        querystring: z.strictObject({
          limit: pageLimit(10_000, 10_000),
          after: phoneNumberSchema.optional().meta({ description: '`next` of the previous page' }),
        }),
        response: listAnswers(
          z.object({
            numbers: z.array(
              z.object({
                phone_number: z.string(),
                directions: z.array(directionName),
                sip_endpoint: z.string().nullable(),
                health_status: healthSchema,
              }),
            ),
            next: z.string().nullable(),
          }),
        ),
      },
    },
    async (request) => {
      const { limit, after } = request.query;
      const page = await listNumbers(deps, request.caller.organizationId, {
        after: after === undefined ? '' : requirePhoneNumber(after, 'after'),
        limit,
      });
      return listed(page, page.next);
    },
  );

  server.get(
    '/sip/firewall-ips',
    {
      schema: {
        operationId: 'getFirewall',
        tags,
        summary: 'Get Demarc’s addresses and ports for your firewall',
        description: "For your organization's region; `regions` has all regions.",
        querystring: z.strictObject({}),
        response: answers(
          z.object({
            region: z.string(),
            ip_addresses: z.array(z.string()),
            regions: z
              .array(
                z.object({ region: z.string(), sip_server: z.string(), ip_addresses: z.array(z.string()) }),
              )
              .meta({ description: 'All regions; calls may come from any of them. Demarc extension' }),
            ports: z.object({ sip: z.string(), rtp: z.string() }),
          }),
        ),
      },
    },
    async (request) => success(firewallInformation(deps.settings, request.caller)),
  );

  server.get(
    '/sip/outbound-setup',
    {
      schema: {
        operationId: 'getOutboundSetup',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get the settings for your PBX',
        description:
          'What a PBX needs to send calls. With `phone_number`, `credentials` has the number’s credentials.',
        querystring: z.strictObject({ phone_number: phoneNumberSchema.optional() }),
        response: answers(
          z.object({
            sip_server: z.string(),
            port: z.int(),
            transport: z.literal('tls'),
            instructions: z.string(),
            certificate_authority: sipAuthoritySchema.nullable().meta({
              description:
                'CA that the PBX must trust; null: the certificate is from a well-known authority. Demarc extension',
            }),
            credentials: z.object({ username: z.string(), password: z.string() }).optional(),
          }),
        ),
      },
    },
    async (request) =>
      success(await outboundSetup(deps, authority, request.caller, request.query.phone_number)),
  );

  server.get(
    '/sip/generate-password',
    {
      schema: {
        operationId: 'generatePassword',
        tags,
        summary: 'Generate a password for register_auth',
        description: 'The password is random and not stored.',
        querystring: z.strictObject({
          length: wholeNumber(0, 999_999).optional().meta({
            description: 'Characters, clamped to 8–256; overrides `strength`.',
          }),
          strength: z.enum(['standard', 'long']).optional(),
        }),
        response: answers(z.object({ password: z.string(), length: z.int() })),
      },
    },
    async (request) => {
      const { length, strength } = request.query;
      const password = generatePassword(length ?? passwordLength[strength ?? 'standard']);
      return success({ password, length: password.length });
    },
  );
};
