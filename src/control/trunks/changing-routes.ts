import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { RouteGroup } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { e164 } from '../http/phone-number.js';
import { trunkTags as tags } from '../http/tags.js';
import { formatDestination, parseDestination } from '../numbers/destination.js';
import { directionName } from '../numbers/fields.js';
import type { NumberVersion } from '../numbers/number-access.js';
import { warningsSchema } from '../numbers/warnings.js';
import { advancedSchema, changeAdvanced } from './advanced.js';
import { attachNumbers } from './attach.js';
import { updateSchema } from './changed-columns.js';
import { detachNumber, detachSchema } from './detach.js';
import { directionSchema, numberToAttachSchema } from './direction-schema.js';
import { attachToTrunk } from './shared/trunk-storage.js';
import { updateDirection } from './update.js';
import { advancedViewSchema, attachedSchema, configurationSchema, configurationView } from './views.js';

const attachSchema = z
  .strictObject({
    phone_number: numberToAttachSchema.optional(),
    phone_numbers: z.array(numberToAttachSchema).min(1).max(100).optional(),
    directions: z.array(directionSchema).min(1).max(20).optional(),
    trunk_id: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'Shared trunk for the numbers, instead of directions' }),
    service: z.literal('sip'),
  })
  .superRefine(({ phone_number, phone_numbers, directions, trunk_id }, context) => {
    if ((directions === undefined) === (trunk_id === undefined)) {
      const message = 'Set either directions or trunk_id';
      context.addIssue({ code: 'custom', path: ['directions'], message });
    }
    if ((phone_number === undefined) !== (phone_numbers === undefined)) return;
    const message = 'Set either phone_numbers or phone_number';
    context.addIssue({ code: 'custom', path: ['phone_numbers'], message });
  });

/** `POST /v1/sip/attach|update|detach|parse-destination`, `PATCH /v1/sip/config`. */
export const changingRoutes: RouteGroup = (server, deps) => {
  server.post(
    '/sip/attach',
    {
      schema: {
        operationId: 'attachNumbers',
        errors: ['SECRET_KEY_MISSING', 'NOT_FOUND'],
        tags,
        summary: 'Attach numbers',
        description:
          'Gives numbers their SIP configurations. A configuration for the same server (outbound) or the same callers (inbound) is replaced, any other is added, at most 10 per number. Repeating a request changes nothing.',
        example: {
          phone_numbers: ['+14155550100'],
          directions: [
            { type: 'inbound', allowed_ips: ['203.0.113.0/24'] },
            { type: 'outbound', sip_endpoint: 'sip:pbx.example.com:5061;transport=tls' },
          ],
          service: 'sip',
        },
        body: attachSchema,
        response: answers(attachedSchema),
      },
    },
    async (request) => {
      const { phone_number, phone_numbers, directions = [], trunk_id: trunkId } = request.body;
      const { organizationId } = request.caller;
      const phoneNumbers = phone_numbers ?? [phone_number!];
      return success(
        trunkId === undefined
          ? await attachNumbers(deps, organizationId, { phoneNumbers, directions })
          : await attachToTrunk(deps, organizationId, trunkId, phoneNumbers),
      );
    },
  );

  server.post(
    '/sip/update',
    {
      schema: {
        operationId: 'updateDirection',
        errors: [
          'NUMBER_USES_TRUNK',
          ...(['NOT_FOUND', 'AMBIGUOUS_CONFIGURATION', 'DUPLICATE_CONFIGURATION'] as const),
          ...(['SECRET_KEY_MISSING', 'PRECONDITION_FAILED'] as const),
        ],
        tags,
        summary: 'Change a direction of a number',
        description:
          'Omitted fields keep their value; null clears a field. If the number has several configurations of the direction, pass `id`.',
        example: { phone_number: '+14155550100', updates: { type: 'inbound', allowed_ips: ['203.0.113.7'] } },
        body: updateSchema,
        response: answers(
          z.object({
            configuration: configurationSchema,
            register_password_for_pbx: z.string().nullable(),
            warnings: warningsSchema,
          }),
        ),
      },
    },
    async (request, reply) => {
      const { organizationId } = request.caller;
      const updated = await updateDirection(deps, organizationId, request.body, versionOf(request, reply));
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
        operationId: 'detachNumber',
        errors: ['NUMBER_USES_TRUNK', 'NOT_FOUND', 'PRECONDITION_FAILED'],
        tags,
        summary: 'Remove directions of a number',
        description:
          'Removing the last configuration frees the number. Directions without a configuration are skipped.',
        example: { phone_number: '+14155550100', directions: [{ type: 'inbound' }], service: 'sip' },
        body: detachSchema,
        response: answers(
          z.object({
            phone_number: z.string(),
            detached: z.array(directionName),
            remaining: z.array(directionName),
            warnings: warningsSchema,
          }),
        ),
      },
    },
    async (request, reply) => {
      const version = versionOf(request, reply);
      const detached = await detachNumber(deps, request.caller.organizationId, request.body, version);
      return success({ ...detached, warnings: [] });
    },
  );

  server.patch(
    '/sip/config',
    {
      schema: {
        operationId: 'configureDirection',
        errors: ['NUMBER_USES_TRUNK', 'NOT_FOUND', 'PRECONDITION_FAILED'],
        tags,
        summary: 'Change failover, codecs, alerts, limits or transfers of a direction',
        description:
          'Applies to all configurations of the direction. Sections you include replace the current value; null removes a section.',
        example: {
          phone_number: '+14155550100',
          direction: 'outbound',
          failover_config: {
            endpoints: [{ host: 'backup.example.com', port: 5061, transport: 'tls', priority: 1 }],
            triggers: ['unreachable', 'timeout'],
            failback: 'auto',
          },
          codec_config: { codecs: ['PCMU', 'PCMA', 'Opus'], transcode: true },
        },
        body: advancedSchema,
        response: answers(
          advancedViewSchema.extend({
            phone_number: z.string(),
            direction: directionName,
            warnings: warningsSchema,
          }),
        ),
      },
    },
    async (request, reply) => {
      const { organizationId } = request.caller;
      const { number, direction, advanced, warnings } = await changeAdvanced(
        deps,
        organizationId,
        request.body,
        versionOf(request, reply),
      );
      return success({ phone_number: e164(number), direction, ...advanced, warnings });
    },
  );

  server.post(
    '/sip/parse-destination',
    {
      config: { access: 'read' },
      schema: {
        operationId: 'parseDestination',
        tags,
        summary: 'Parse a destination',
        description:
          'Accepts host names, addresses, SIP URIs and shorthands such as `tls://203.0.113.5`. Invalid destinations return `valid: false` with the reason.',
        example: { input: 'tls://pbx.example.com:5061' },
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

/** `If-Match` of the request, and the `ETag` of its answer. */
const versionOf = (request: FastifyRequest, reply: FastifyReply): NumberVersion => ({
  ifMatch: request.headers['if-match'],
  sendEntityTag: (entityTag) => reply.header('etag', entityTag),
});
