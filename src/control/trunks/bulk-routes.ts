import { z } from 'zod';
import type { RouteGroup } from '../http/api-server.js';
import { answers, errorCodeSchema, success } from '../http/envelope.js';
import { trunkTags as tags } from '../http/tags.js';
import { directionName } from '../numbers/fields.js';
import { warningsSchema } from '../numbers/warnings.js';
import { updateSchema } from './changed-columns.js';
import { type Detached, detachNumber, detachSchema } from './detach.js';
import { numberToAttachSchema } from './direction-schema.js';
import { eachNumber } from './each-number.js';
import { type Updated, updateDirection } from './update.js';

const phoneNumbers = z
  .array(numberToAttachSchema)
  .min(1)
  .max(100)
  .meta({ description: 'Your numbers, E.164 with +. At most 100.' });

const failedSchema = z
  .array(z.object({ phone_number: z.string(), error: errorCodeSchema, message: z.string() }))
  .meta({ description: 'The numbers that were not changed, each with the reason.' });

/** `POST /v1/sip/numbers/update|detach`: one change of many numbers, each in a separate transaction. */
export const bulkRoutes: RouteGroup = (server, deps) => {
  server.post(
    '/sip/numbers/update',
    {
      schema: {
        operationId: 'updateNumbers',
        errors: ['SECRET_KEY_MISSING'],
        tags,
        summary: 'Change a direction of many numbers',
        description:
          'Like `/v1/sip/update`, for up to 100 numbers. Each succeeds or fails on its own; `failed` lists the failures.',
        example: {
          phone_numbers: ['+14155550100'],
          updates: { type: 'inbound', allowed_ips: ['203.0.113.7'] },
        },
        body: updateSchema.omit({ phone_number: true }).extend({ phone_numbers: phoneNumbers }),
        response: answers(
          z.object({
            updated: z.array(z.string()).meta({ description: 'The changed numbers.' }),
            failed: failedSchema,
            warnings: warningsSchema,
            register_password_for_pbx: z.string().nullable(),
          }),
        ),
      },
    },
    async ({ body, caller: { organizationId } }) => {
      const { done, failed } = await eachNumber<Updated>(body.phone_numbers, (phoneNumber) =>
        updateDirection(deps, organizationId, { phone_number: phoneNumber, updates: body.updates }),
      );
      return success({
        updated: [...done.keys()],
        failed,
        warnings: [...done.values()].flatMap(({ warnings }) => warnings),
        // Derived of the credentials, so that it is the same for all.
        register_password_for_pbx:
          [...done.values()].find(({ newPassword }) => newPassword)?.newPassword ?? null,
      });
    },
  );

  server.post(
    '/sip/numbers/detach',
    {
      schema: {
        operationId: 'detachNumbers',
        tags,
        summary: 'Remove directions of many numbers',
        description:
          'Like `/v1/sip/detach`, for up to 100 numbers. Removing its last configuration frees a number.',
        example: { phone_numbers: ['+14155550100'], directions: [{ type: 'inbound' }], service: 'sip' },
        body: detachSchema.omit({ phone_number: true }).extend({ phone_numbers: phoneNumbers }),
        response: answers(
          z.object({
            detached: z
              .array(
                z.object({
                  phone_number: z.string(),
                  detached: z.array(directionName),
                  remaining: z.array(directionName),
                }),
              )
              .meta({ description: 'The numbers with the removed directions.' }),
            failed: failedSchema,
            warnings: warningsSchema,
          }),
        ),
      },
    },
    async ({ body, caller: { organizationId } }) => {
      const { phone_numbers: numbers, ...wanted } = body;
      const { done, failed } = await eachNumber<Detached>(numbers, (phoneNumber) =>
        detachNumber(deps, organizationId, { ...wanted, phone_number: phoneNumber }),
      );
      return success({ detached: [...done.values()], failed, warnings: [] });
    },
  );
};
