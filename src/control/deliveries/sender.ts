import type { Selectable } from 'kysely';
import type { DeliveriesTable } from './tables.js';
import type { Exchange } from './webhook/exchange.js';

export type Delivery = Selectable<DeliveriesTable>;

/** The outcome of one attempt. */
export type Outcome =
  | { readonly kind: 'delivered'; readonly status: number | null; readonly exchange?: Exchange }
  | {
      readonly kind: 'failed';
      /** HTTP or SMTP status; null: no response. */
      readonly status: number | null;
      /** Shown to the customer: names no internal host and quotes nothing from the response. */
      readonly error: string;
      /** True: another attempt would fail the same way. */
      readonly isFinal: boolean;
      /** True: the receiver did not respond within the time limit. */
      readonly isSilent?: boolean;
      /** Webhooks that were sent. */
      readonly exchange?: Exchange;
    }
  /** Interrupted by shutdown: does not count as an attempt. */
  | { readonly kind: 'interrupted' };

/** Makes one attempt. Rejects only for internal failures (database down), which do not count as attempts. */
export interface Sender {
  send(delivery: Delivery, signal: AbortSignal): Promise<Outcome>;
}

/** `isFinal`: a retry would fail the same way. */
export const failed = (
  error: string,
  status: number | null = null,
  isFinal = false,
): Extract<Outcome, { kind: 'failed' }> => ({
  kind: 'failed',
  status,
  error,
  isFinal,
});

/** A channel that is not configured. */
export const unconfigured = (what: string): Sender => ({
  send: async () =>
    failed(`This service cannot send ${what}: the operator has not configured it`, null, true),
});
