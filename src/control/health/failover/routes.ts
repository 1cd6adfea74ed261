import { z } from 'zod';
import type { Redis } from '../../../base/redis.js';
import type { RouteGroup } from '../../http/api-server.js';
import { answers, success } from '../../http/envelope.js';
import { e164 } from '../../http/phone-number.js';
import { trunkTags as tags } from '../../http/tags.js';
import { phoneNumberSchema } from '../../numbers/fields.js';
import { readConfigurations, requirePhoneNumber, unknownNumber } from '../../numbers/number-access.js';
import { composeNumberDocuments } from '../../numbers/number-documents.js';
import { failBack, failoverStateSchema } from './failover-state.js';

/** `POST /v1/sip/failback`. */
export const failoverRoutes =
  (redis: Redis): RouteGroup =>
  (server, { database }) => {
    server.post(
      '/sip/failback',
      {
        schema: {
          operationId: 'failBack',
          errors: ['NOT_FOUND', 'NO_BACKUP_SERVER', 'FAILOVER_UNAVAILABLE'],
          tags,
          summary: 'Fail back to a number’s preferred server',
          description:
            'For `failback: manual`, or to skip the probes of `auto`. Active calls stay on their server. Repeating the request changes nothing.',
          example: { phone_number: '+14155550100' },
          body: z.strictObject({ phone_number: phoneNumberSchema }),
          response: answers(z.object({ phone_number: z.string(), failover: failoverStateSchema })),
        },
      },
      async (request) => {
        const number = requirePhoneNumber(request.body.phone_number);
        await readConfigurations(database, request.caller.organizationId, number);
        const document = (await composeNumberDocuments(database, [number])).get(number);
        if (document === undefined) throw unknownNumber(number);
        return success({ phone_number: e164(number), failover: await failBack(redis, document) });
      },
    );
  };
