import { z } from 'zod';
import type { CallAction, CallControlReply } from '../../../contract/call-control.js';
import { DemarcError } from '../../../errors.js';
import type { CallControls } from '../../fleet/call-controls.js';
import type { Caller } from '../../http/api-server.js';
import { failureSchema } from '../../http/envelope.js';

/** What every route that acts on an active call may answer. */
export const actionErrors = [
  'NOT_FOUND',
  'CALL_NOT_READY',
  'CALL_ACTION_FAILED',
  'LIVE_CALL_UNAVAILABLE',
  'CALLS_UNAVAILABLE',
] as const;

export const callParams = z.strictObject({ call_id: z.string().min(1).max(300) });
export const acted = z.object({ status: z.literal('success'), message: z.string() });
export const failures = { '4xx': failureSchema, '5xx': failureSchema };

/** Throws `DemarcError` `NOT_FOUND` for a call that is not active, and what `CallControls.ask` throws. */
export async function actOnCall(
  controls: Pick<CallControls, 'ask'>,
  { organizationId }: Pick<Caller, 'organizationId'>,
  callId: string,
  action: CallAction,
): Promise<CallControlReply> {
  const reply = await controls.ask(organizationId, callId, action);
  if (reply === undefined) throw new DemarcError('NOT_FOUND', 'Active call not found');
  return reply;
}
