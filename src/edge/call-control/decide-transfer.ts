import { within } from '../../base/within.js';
import type { TransferRecord } from '../../contract/transfer.js';
import type { Call } from '../call/call.js';
import { WarmTransfer } from '../transfer/warm-transfer.js';
import { conflict, done, type Outcome } from './outcome.js';

/** A re-INVITE to the caller and the target; the API waits a second longer. */
const boundMilliseconds = 8_000;

/** Completes or cancels the warm transfer of a call. Resolves once the call has its two parties. */
export async function decideTransfer(
  call: Call,
  action: 'complete_transfer' | 'cancel_transfer',
): Promise<Outcome> {
  const { transfer } = call;
  if (!(transfer instanceof WarmTransfer)) return conflict(whyNone(call.state.transfers.at(-1)));
  const isComplete = action === 'complete_transfer';
  const refusal = isComplete ? transfer.complete() : transfer.cancel();
  if (refusal !== null) return conflict(refusal);
  const settled = await within(
    boundMilliseconds,
    transfer.settled.then(() => true),
  );
  if (!isComplete) return done;
  if (settled !== true)
    return { result: 'failed', detail: 'The caller or the target has not answered the re-INVITE yet' };
  return transfer.failureDetail === null ? done : { result: 'failed', detail: transfer.failureDetail };
}

function whyNone(last: TransferRecord | undefined): string {
  if (last?.requested_by !== 'api' || last.mode !== 'attended') return 'No warm transfer is in progress';
  if (last.status === 'completed') return 'The warm transfer has been completed';
  const answer = last.sip_status === null ? '' : ` ${last.sip_status} ${last.sip_reason ?? ''}`.trimEnd();
  return `The warm transfer has failed (${last.reason}${answer}${last.detail === null ? '' : `: ${last.detail}`}); the caller is back at the agent`;
}
