import type { Selectable } from 'kysely';
import type { DeliveriesTable } from './tables.js';

export type Delivery = Selectable<DeliveriesTable>;

/** How one attempt went. */
export type Outcome =
  | { readonly kind: 'delivered'; readonly status: number | null }
  | {
      readonly kind: 'failed';
      /** HTTP or SMTP status; null when none came. */
      readonly status: number | null;
      /** For the customer: names nothing of our network, quotes nothing of the answer. */
      readonly error: string;
      /** True: another attempt would fail the same way. */
      readonly isFinal: boolean;
    }
  /** We stopped in the middle of it: it does not count. */
  | { readonly kind: 'interrupted' };

/** Makes one attempt. Rejects only when the reason is ours (the database is away): that is no attempt. */
export interface Sender {
  send(delivery: Delivery, signal: AbortSignal): Promise<Outcome>;
}

/** `isFinal`: another attempt would not change it. */
export const failed = (error: string, status: number | null = null, isFinal = false): Outcome => ({
  kind: 'failed',
  status,
  error,
  isFinal,
});

/** A channel that the service was not given. */
export const unconfigured = (what: string): Sender => ({
  send: async () =>
    failed(`This service cannot send ${what}: the operator has not configured it`, null, true),
});
