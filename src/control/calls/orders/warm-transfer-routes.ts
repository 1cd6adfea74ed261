import type { Redis } from '../../../base/redis.js';
import type { CallControls } from '../../fleet/call-controls.js';
import type { RouteGroup } from '../../http/api-server.js';
import { acted, actionErrors, actOnCall, callParams, failures } from './act-on-call.js';
import { orderTransfer, transferBodySchema } from './transfer.js';

const response = { 200: acted, ...failures };

/** Transfers after a consultation: `POST /calls/{call_id}/warm-transfer`, and its `/complete` and `/cancel`. */
export const warmTransferRoutes =
  (redis: Redis, controls: Pick<CallControls, 'ask'>): RouteGroup =>
  (server) => {
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
          params: callParams,
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
          errors: actionErrors,
          tags: ['Calls'],
          summary: 'Complete a warm transfer',
          description:
            'Connects the caller or callee with the target, and ends the agent’s leg. Returns when they are connected. 409 while the target has not answered, and after a transfer that failed, with the reason. 502 if one of them refuses; the caller then returns to the agent.',
          params: callParams,
          response,
        },
      },
      async ({ params, caller }) => {
        await actOnCall(controls, caller, params.call_id, { action: 'complete_transfer' });
        return { status: 'success' as const, message: 'The transfer is complete.' };
      },
    );

    server.post(
      '/calls/:call_id/warm-transfer/cancel',
      {
        schema: {
          operationId: 'cancelWarmTransfer',
          errors: actionErrors,
          tags: ['Calls'],
          summary: 'Cancel a warm transfer',
          description:
            'Hangs up on the target, or stops calling it, and connects the caller or callee with the agent again. 409 if no warm transfer is in progress.',
          params: callParams,
          response,
        },
      },
      async ({ params, caller }) => {
        await actOnCall(controls, caller, params.call_id, { action: 'cancel_transfer' });
        return { status: 'success' as const, message: 'The transfer is cancelled.' };
      },
    );
  };
