import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { MediaType } from '../documents/document-inspection.js';
import type { NumberType } from '../number-plan.js';
import type { LosingCarrierInformation } from '../port-order.js';

/** What a carrier says of a number that a customer may want to port. */
export interface NumberCheck {
  /** E.164 digits without plus. */
  readonly number: string;
  readonly portable: boolean;
  readonly numberType: NumberType;
  /** The losing carrier asks for a PIN. */
  readonly pinRequired: boolean;
  /** Why it is not portable, for people; null: it is. */
  readonly reason: string | null;
  /** Who says so: the carrier, or the numbering plan alone. */
  readonly source: 'carrier' | 'numbering_plan';
}

export interface SubmittedDocument {
  readonly name: string;
  readonly mediaType: MediaType;
  readonly octets: number;
  open(): Promise<Readable>;
}

/** A signed request on its way to the carrier. */
export interface Submission {
  readonly requestId: string;
  /** E.164 digits without plus. */
  readonly numbers: readonly string[];
  readonly information: LosingCarrierInformation;
  readonly notificationEmails: readonly string[];
  /** `2026-11-29`. */
  readonly targetDay: string;
  readonly documents: readonly SubmittedDocument[];
  /** When it was first sent to the carrier; null: it was not. */
  readonly begunAt: Date | null;
}

/** The state of one number at the carrier. */
export interface CarrierNumber {
  readonly number: string;
  readonly status: 'submitted' | 'in_progress' | 'completed' | 'failed' | 'canceled';
  /** For people; null: there is nothing to say. */
  readonly reason: string | null;
}

export interface CarrierReport {
  readonly numbers: readonly CarrierNumber[];
  /** What the carrier waits for, for people; null: nothing. */
  readonly note: string | null;
}

/** A webhook as it arrived. */
export interface CarrierWebhook {
  /** As the carrier called it, with query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Thrown when the carrier refuses for good: the same request would be refused again. The message is for customers. */
export class CarrierRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CarrierRefusal';
  }
}

/** Thrown when the carrier did not answer, or with a failure that passes. The message is for operators and customers. */
export class CarrierUnavailable extends Error {
  /** What the carrier asked to wait; undefined: it did not say. */
  readonly retryAfterMilliseconds: number | undefined;

  constructor(
    message: string,
    facts: { readonly retryAfterMilliseconds?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, facts);
    this.name = 'CarrierUnavailable';
    this.retryAfterMilliseconds = facts.retryAfterMilliseconds;
  }
}

/**
 * The carrier that numbers are ported to. Every method rejects with `CarrierRefusal` or `CarrierUnavailable`, and ends soon
 * after the signal fires.
 */
export interface Carrier {
  readonly name: 'manual' | 'twilio';
  /** One answer for each number, in their order. */
  check(numbers: readonly string[], signal: AbortSignal): Promise<readonly NumberCheck[]>;
  /** The carrier's id of a request that was sent before and whose answer was lost; undefined: it has none. */
  find(submission: Submission, signal: AbortSignal): Promise<string | undefined>;
  /** The carrier's id of the request. */
  submit(submission: Submission, signal: AbortSignal): Promise<string>;
  /** Undefined: the carrier does not tell; an operator does. */
  status(reference: string, signal: AbortSignal): Promise<CarrierReport | undefined>;
  cancel(reference: string, signal: AbortSignal): Promise<void>;
  /** The carrier's id of the request that a webhook is about; undefined: of none. Throws `ForgedWebhook`. */
  readWebhook(webhook: CarrierWebhook): string | undefined;
}

/** Thrown for a webhook that the carrier has not signed. */
export class ForgedWebhook extends Error {
  constructor() {
    super('The signature is not the carrier’s.');
    this.name = 'ForgedWebhook';
  }
}
