import type { ApiRequest } from './request.js';

/** What can be done to an active call, and a call placed from a number: `POST /v1/calls`. */

/** These answers have no `data`: they are what the API says about the result. */
const said = <Answer extends { readonly message: string }>(answer: Promise<Answer>) =>
  answer.then((data) => ({ data }));

export const hangUp =
  (call_id: string): ApiRequest<{ readonly message: string }> =>
  (client) =>
    said(client.stopCall({ call_id }));

export const hold =
  (call_id: string): ApiRequest<{ readonly message: string }> =>
  (client) =>
    said(client.holdCall({ call_id }, { music: true }));

export const resume =
  (call_id: string): ApiRequest<{ readonly message: string }> =>
  (client) =>
    said(client.resumeCall({ call_id }));

export const sendDigits =
  (call_id: string, digits: string): ApiRequest<{ readonly message: string }> =>
  (client) =>
    said(client.sendDigits({ call_id }, { digits }));

/** Plays a file in place of what the bot says. */
export const play =
  (call_id: string, url: string): ApiRequest<{ readonly message: string }> =>
  (client) =>
    said(client.playToCall({ call_id }, { url }));

export type TransferMode = 'refer' | 'bridge';

export const transfer =
  (
    call_id: string,
    target: string,
    mode: TransferMode | undefined,
  ): ApiRequest<{ readonly message: string }> =>
  (client) =>
    said(client.transferCall({ call_id }, { target, mode }));

export const startWarmTransfer =
  (call_id: string, target: string): ApiRequest<{ readonly message: string }> =>
  (client) =>
    said(client.startWarmTransfer({ call_id }, { target }));

export const completeWarmTransfer =
  (call_id: string): ApiRequest<{ readonly message: string }> =>
  (client) =>
    said(client.completeWarmTransfer({ call_id }));

export const cancelWarmTransfer =
  (call_id: string): ApiRequest<{ readonly message: string }> =>
  (client) =>
    said(client.cancelWarmTransfer({ call_id }));

/** What differs from the number and its persona in a placed call. */
export interface PlacedConversation {
  readonly agent?: string | undefined;
  readonly pathway_id?: string | undefined;
  readonly pathway_version?: number | undefined;
  readonly voice?: string | undefined;
}

export const placeCall =
  (
    from: string,
    phone_number: string,
    task: string,
    conversation: PlacedConversation = {},
  ): ApiRequest<{ readonly call_id: string }> =>
  (client) =>
    client.createCall({ from, phone_number, task, ...conversation }).then((data) => ({ data }));
