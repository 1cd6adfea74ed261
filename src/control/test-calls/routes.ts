import { z } from 'zod';
import type { Redis } from '../../base/redis.js';
import { orderedCallOf, type TestCall, testCallLimit, testCallSchema } from '../../contract/test-call.js';
import { DemarcError } from '../../errors.js';
import type { RouteGroup } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { e164 } from '../http/phone-number.js';
import { trunkTags as tags } from '../http/tags.js';
import { phoneNumberSchema } from '../numbers/fields.js';
import { requirePhoneNumber } from '../numbers/number-access.js';
import { TestCallLimitReached, TestCalls } from './test-calls.js';

const viewSchema = testCallSchema
  .omit({ version: true, organization: true, number: true })
  .extend({
    phone_number: z.string(),
    history_call_id: z
      .string()
      .meta({ description: 'For `/v1/sip/calls/{call_id}`, once the call has ended' }),
  })
  .meta({ id: 'TestCall' });

/** `POST /v1/sip/test-call` and `GET /v1/sip/test-call/status`. */
export const testCallRoutes =
  (redis: Redis): RouteGroup =>
  (server, { database }) => {
    const testCalls = new TestCalls(database, redis);

    server.post(
      '/sip/test-call',
      {
        config: { otherScope: 'calls:write' },
        schema: {
          operationId: 'startTestCall',
          errors: [
            'TEST_CALL_LIMIT',
            'NO_EDGE_READY',
            'TOO_MANY_CALLS_WAITING',
            'NUMBER_QUEUE_FULL',
            'CALLS_UNAVAILABLE',
          ],
          tags,
          summary: 'Place a test call',
          description: [
            'Calls the number through its own outbound servers, with the same order, credentials and media as any call from it.',
            'The callee hears a chime for seven seconds, then the call ends. Poll the status for the timeline.',
            `At most ${testCallLimit.calls} per ${testCallLimit.milliseconds / 60_000} minutes (429 with Retry-After).`,
          ].join(' '),
          example: { phone_number: '+14155550100' },
          body: z.strictObject({ phone_number: phoneNumberSchema }),
          response: answers(z.object({ call_id: z.string(), message: z.string() })),
        },
      },
      async (request, reply) => {
        const number = requirePhoneNumber(request.body.phone_number);
        try {
          const id = await testCalls.order(request.caller.organizationId, number, request.operationId);
          return success({ call_id: id, message: `The test call to ${e164(number)} is queued.` });
        } catch (error) {
          if (error instanceof TestCallLimitReached) {
            reply.header('retry-after', String(error.retryAfterSeconds));
          } else if (error instanceof DemarcError && error.definition.http === 503) {
            reply.header('retry-after', '5');
          }
          throw error;
        }
      },
    );

    server.get(
      '/sip/test-call/status',
      {
        schema: {
          operationId: 'getTestCall',
          errors: ['NOT_FOUND', 'LIVE_STATE_UNAVAILABLE'],
          tags,
          summary: 'Get the result of a test call',
          description:
            'Kept for an hour. The SIP messages are in `/v1/sip/calls/{history_call_id}` once the call has ended.',
          querystring: z.strictObject({ call_id: z.string().min(1).max(64) }),
          response: answers(viewSchema),
        },
      },
      async (request) => {
        const found = await testCalls.find(request.caller.organizationId, request.query.call_id);
        if (found === undefined) throw new DemarcError('NOT_FOUND', 'Test call not found');
        return success(view(found));
      },
    );
  };

function view({ version: _, organization: __, number, ...test }: TestCall): z.infer<typeof viewSchema> {
  return { ...test, phone_number: e164(number), history_call_id: orderedCallOf(test.call_id)! };
}
