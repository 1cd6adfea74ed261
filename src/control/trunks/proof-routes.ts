import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import type { RouteGroup } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { e164 } from '../http/phone-number.js';
import { trunkTags as tags } from '../http/tags.js';
import { phoneNumberSchema } from '../numbers/fields.js';
import { requirePhoneNumber } from '../numbers/number-access.js';
import { noteProof } from './proof.js';

/** `POST /v1/sip/numbers/prove`: an operator's word that an organization holds numbers. */
export const proofRoutes: RouteGroup = (server, { database }) => {
  server.post(
    '/sip/numbers/prove',
    {
      schema: {
        operationId: 'proveNumbers',
        errors: ['OPERATOR_ONLY', 'NOT_FOUND'],
        tags,
        summary: 'Confirm ownership of numbers',
        description:
          'Operator key required. If the service requires proof (`DEMARC_NUMBER_PROOF`), organizations can attach only numbers confirmed for them. Numbers that are already attached stay attached.',
        example: { organization_id: 'org_0123456789abcdef01234567', phone_numbers: ['+14155550100'] },
        body: z.strictObject({
          organization_id: z
            .string()
            .min(1)
            .max(64)
            .meta({ description: 'Organization that owns the numbers.' }),
          phone_numbers: z
            .array(phoneNumberSchema)
            .min(1)
            .max(100)
            .meta({ description: 'Numbers, E.164 with +. At most 100.' }),
        }),
        response: answers(
          z.object({
            proven: z.array(z.string()).meta({ description: 'The confirmed numbers.' }),
          }),
        ),
      },
    },
    async ({ body, caller }) => {
      if (!caller.isOperator) throw new DemarcError('OPERATOR_ONLY');
      const numbers = body.phone_numbers.map((text, place) =>
        requirePhoneNumber(text, `phone_numbers.${place}`),
      );
      await noteProof(database, body.organization_id, [...new Set(numbers)], caller.keyId);
      return success({ proven: [...new Set(numbers)].map(e164) });
    },
  );
};
