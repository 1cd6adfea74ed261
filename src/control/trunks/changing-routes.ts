import { z } from 'zod';
import type { RouteGroup } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { advancedSchema, changeAdvanced } from './advanced.js';
import { attachNumbers } from './attach.js';
import { formatDestination, parseDestination } from './destination.js';
import { detachNumber, detachSchema } from './detach.js';
import { directionSchema, numberToAttachSchema } from './direction-schema.js';
import { e164 } from './phone-number.js';
import { updateDirection, updateSchema } from './update.js';
import {
  advancedViewSchema,
  configurationSchema,
  configurationView,
  directionName,
  trunkTags as tags,
  warningSchema,
} from './views.js';

const attachSchema = z
  .strictObject({
    phone_number: numberToAttachSchema.optional(),
    phone_numbers: z.array(numberToAttachSchema).min(1).max(100).optional(),
    directions: z.array(directionSchema).min(1).max(20),
    service: z.literal('sip'),
  })
  .superRefine(({ phone_number, phone_numbers }, context) => {
    if ((phone_number === undefined) !== (phone_numbers === undefined)) return;
    const message = 'Give either phone_numbers or phone_number';
    context.addIssue({ code: 'custom', path: ['phone_numbers'], message });
  });

/** `POST /v1/sip/attach|update|detach|parse-destination`, `PATCH /v1/sip/config`. */
export const changingRoutes: RouteGroup = (server, parts) => {
  server.post(
    '/sip/attach',
    {
      schema: {
        tags,
        summary: 'Attach SIP configurations to numbers',
        description:
          'Repeating a request changes nothing. A configuration for the same server (outbound) or the same callers (inbound) is replaced, another one is added, at most 10 a number.',
        body: attachSchema,
        response: answers(
          z.object({
            configured: z.array(z.string()),
            failed: z.array(z.object({ phone_number: z.string(), error: z.string(), message: z.string() })),
            warnings: z.array(warningSchema),
            register_password_for_pbx: z
              .string()
              .nullable()
              .meta({ description: 'Shown once, when a registration was attached that was not before' }),
          }),
        ),
      },
    },
    async (request) => {
      const { phone_number, phone_numbers, directions } = request.body;
      const phoneNumbers = phone_numbers ?? [phone_number!];
      return success(await attachNumbers(parts, request.caller.organizationId, { phoneNumbers, directions }));
    },
  );

  server.post(
    '/sip/update',
    {
      schema: {
        tags,
        summary: 'Change a direction of a number',
        body: updateSchema,
        response: answers(
          z.object({
            configuration: configurationSchema,
            register_password_for_pbx: z.string().nullable(),
            warnings: z.array(warningSchema),
          }),
        ),
      },
    },
    async (request) => {
      const { organizationId } = request.caller;
      const updated = await updateDirection(parts, organizationId, request.body);
      return success({
        configuration: configurationView(updated.configuration, organizationId),
        register_password_for_pbx: updated.newPassword,
        warnings: updated.warnings,
      });
    },
  );

  server.post(
    '/sip/detach',
    {
      schema: {
        tags,
        summary: 'Remove directions of a number',
        body: detachSchema,
        response: answers(
          z.object({
            phone_number: z.string(),
            detached: z.array(directionName),
            remaining: z.array(directionName),
          }),
        ),
      },
    },
    async (request) => success(await detachNumber(parts, request.caller.organizationId, request.body)),
  );

  server.patch(
    '/sip/config',
    {
      schema: {
        tags,
        summary: 'Change failover, codecs, alerts, limits or transfers of a direction',
        description: 'A section that is named replaces the present one; null takes it away.',
        body: advancedSchema,
        response: answers(advancedViewSchema.extend({ phone_number: z.string(), direction: directionName })),
      },
    },
    async (request) => {
      const { organizationId } = request.caller;
      const { number, direction, advanced } = await changeAdvanced(parts, organizationId, request.body);
      return success({ phone_number: e164(number), direction, ...advanced });
    },
  );

  server.post(
    '/sip/parse-destination',
    {
      schema: {
        tags,
        summary: 'Read a destination as people write it',
        body: z.strictObject({ input: z.string().max(4_096) }),
        response: answers(
          z.object({
            valid: z.boolean(),
            parsed: z
              .object({
                host: z.string(),
                port: z.int().optional(),
                user: z.string().optional(),
                transport: z.enum(['udp', 'tcp', 'tls']).optional(),
                is_private_ip: z.boolean(),
                normalized: z.string(),
              })
              .nullable(),
            reason: z.string().nullable(),
          }),
        ),
      },
    },
    async (request) => {
      const parsed = parseDestination(request.body.input);
      if (!parsed.ok) return success({ valid: false, parsed: null, reason: parsed.reason });
      const { isPrivate, ...destination } = parsed.destination;
      const normalized = formatDestination(destination);
      return success({
        valid: true,
        parsed: { ...destination, is_private_ip: isPrivate, normalized },
        reason: null,
      });
    },
  );
};
