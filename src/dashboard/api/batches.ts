import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

/** Calls that were ordered together. */
export type CallBatch = api.CallBatch;
export type OrderedCall = api.OrderedCall;
export type OrderedState = OrderedCall['state'];

export interface Paged<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** Newest first. */
export const readCallBatches = async (
  after: string | undefined,
  signal?: AbortSignal,
): Promise<Paged<CallBatch>> => {
  const { batches, next } = await ask(demarc.listBatches({ limit: 20, after }, { signal }));
  return { items: batches, next };
};

export const readCallBatch = (batch_id: string, signal?: AbortSignal): Promise<CallBatch> =>
  ask(demarc.getBatch({ batch_id }, { signal }));

/** In the order of the batch. */
export const readCallsOfBatch = async (
  batch_id: string,
  state: OrderedState | undefined,
  after: string | undefined,
  signal?: AbortSignal,
): Promise<Paged<OrderedCall>> => {
  // The answer of this operation has no `data`.
  const listed = demarc.listCalls({ batch_id, state, after, limit: 100, ascending: true }, { signal });
  const { calls, next } = await ask(listed.then((data) => ({ data })));
  return { items: calls, next };
};

/** Answers with the batch, of which no call has begun. */
export const batchOf =
  (order: api.CreateBatchBody): ApiRequest<{ readonly batch_id: string }> =>
  (client) =>
    client.createBatch(order);

export const stopOf =
  (batch_id: string, end_calls: boolean): ApiRequest<CallBatch> =>
  (client) =>
    client.stopBatch({ batch_id }, { end_calls });
