import { z } from 'zod';
import type { Redis } from '../../../base/redis.js';
import type { CallAction } from '../../../contract/call-control.js';
import { DemarcError } from '../../../errors.js';
import type { CallControls } from '../../fleet/call-controls.js';
import type { Caller, RouteGroup } from '../../http/api-server.js';
import { failureSchema } from '../../http/envelope.js';
import { orderTransfer, transferBodySchema } from './transfer.js';

const params = z.strictObject({ call_id: z.string().min(1).max(300) });
const response = {
  200: z.object({ status: z.literal('success'), message: z.string() }),
  '4xx': failureSchema,
  '5xx': failureSchema,
};
const decisionErrors = [
  'NOT_FOUND',
  'CALL_NOT_READY',
  'CALL_ACTION_FAILED',
  'LIVE_CALL_UNAVAILABLE',
  'CALLS_UNAVAILABLE',
] as const;

/** Transfers after a consultation: `POST /calls/{call_id}/warm-transfer`, and its `/complete` and `/cancel`. */
export const warmTransferRoutes =
  (redis: Redis, controls: Pick<CallControls, 'act'>): RouteGroup =>
  (server) => {
    /** Throws `DemarcError` `NOT_FOUND` for a call that is not active, and what `CallControls.act` throws. */
    const decide = async (callId: string, caller: Caller, action: CallAction): Promise<void> => {
      if (!(await controls.act(caller.organizationId, callId, action)))
        throw new DemarcError('NOT_FOUND', 'Active call not found');
    };

    server.post(
      '/calls/:call_id/warm-transfer',
      {
        schema: {
          operationId: 'startWarmTransfer',
          errors: ['NOT_FOUND', 'TRANSFER_NOT_POSSIBLE', 'TRANSFER_FORBIDDEN', 'CALLS_UNAVAILABLE'],
          tags: ['Calls'],
          summary: 'Start a warm transfer',
          description:
            'Puts the caller or callee on hold with music and calls the target, which then talks to the agent of the call. Works for any answered call, under the same rules for targets and limits as a bridged transfer. Returns once the target is being called; `consultation` of the active call has the stage. If the target does not answer, the caller returns to the agent, and `transfer` of the call has the reason.',
          params,
          example: { target: '+14155550199' },
          body: transferBodySchema.omit({ mode: true }),
          response,
        },
      },
      async ({ params, caller, body }) => {
        const { target } = body;
        await orderTransfer(redis, caller.organizationId, params.call_id, { target, consults: true });
        return { status: 'success' as const, message: 'The target is being called.' };
      },
    );

    server.post(
      '/calls/:call_id/warm-transfer/complete',
      {
        schema: {
          operationId: 'completeWarmTransfer',
          errors: decisionErrors,
          tags: ['Calls'],
          summary: 'Complete a warm transfer',
          description:
            'Connects the caller or callee with the target, and ends the agent’s leg. Returns when they are connected. 409 while the target has not answered, and after a transfer that failed, with the reason. 502 if one of them refuses; the caller then returns to the agent.',
          params,
          response,
        },
      },
      async ({ params, caller }) => {
        await decide(params.call_id, caller, { action: 'complete_transfer' });
        return { status: 'success' as const, message: 'The transfer is complete.' };
      },
    );

    server.post(
      '/calls/:call_id/warm-transfer/cancel',
      {
        schema: {
          operationId: 'cancelWarmTransfer',
          errors: decisionErrors,
          tags: ['Calls'],
          summary: 'Cancel a warm transfer',
          description:
            'Hangs up on the target, or stops calling it, and connects the caller or callee with the agent again. 409 if no warm transfer is in progress.',
          params,
          response,
        },
      },
      async ({ params, caller }) => {
        await decide(params.call_id, caller, { action: 'cancel_transfer' });
        return { status: 'success' as const, message: 'The transfer is cancelled.' };
      },
    );
  };
