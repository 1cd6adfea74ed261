import { type Carrier, CarrierRefusal, type Submission } from './carriers/carrier.js';
import type { PortRequest } from './port-rows.js';

/**
 * Cancels a request at its carrier: by its reference, or by one that is found there, since an answer may have been lost. Rejects with
 * `CarrierUnavailable`.
 * @returns the reference, null where the carrier never had the request; `problem`: why the carrier did not cancel it
 */
export async function cancelAtCarrier(
  carrier: Pick<Carrier, 'find' | 'cancel'>,
  request: Pick<PortRequest, 'carrier_reference' | 'submission_begun_at'>,
  {
    submission,
    signal,
  }: { readonly submission: () => Promise<Submission>; readonly signal: () => AbortSignal },
): Promise<{ readonly reference: string | null; readonly problem: string | null }> {
  let { carrier_reference: reference } = request;
  if (reference === null && request.submission_begun_at !== null)
    reference = (await carrier.find(await submission(), signal())) ?? null;
  if (reference === null) return { reference, problem: null };
  try {
    await carrier.cancel(reference, signal());
    return { reference, problem: null };
  } catch (error) {
    if (!(error instanceof CarrierRefusal)) throw error;
    return { reference, problem: `The carrier did not cancel it: ${error.message}` };
  }
}
