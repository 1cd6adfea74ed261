import type { ErrorCode } from './generated.js';

/** One thing that was wrong with a request. */
export interface Fault {
  readonly error: ErrorCode;
  readonly message: string;
  /** The field, as `directions.0.options.port`. */
  readonly path?: string | undefined;
}

/** `NO_ANSWER`: the service could not be reached; `TIMEOUT`: it did not answer in time; `UNREADABLE`: the answer is not the API's. */
export type FailureCode = ErrorCode | 'NO_ANSWER' | 'TIMEOUT' | 'UNREADABLE';

export interface FailureFacts {
  /** HTTP status; 0: no answer. */
  readonly status: number;
  readonly code: FailureCode;
  readonly faults?: readonly Fault[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** A request that did not succeed. Its classes name the kinds of failures: `error instanceof RateLimitError`. */
export class DemarcError extends Error {
  /** HTTP status; 0: no answer. */
  readonly status: number;
  readonly code: FailureCode;
  readonly faults: readonly Fault[];
  readonly retryAfterSeconds: number | undefined;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;

  constructor(message: string, facts: FailureFacts) {
    super(message, { cause: facts.cause });
    this.name = new.target.name;
    this.status = facts.status;
    this.code = facts.code;
    this.faults = facts.faults ?? [];
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.requestId = facts.requestId;
  }

  /** What is wrong with that field, where the API says it. */
  at(path: string): string | undefined {
    return this.faults.find((fault) => fault.path === path)?.message;
  }
}

/** No answer: the connection failed, or the time was over. */
export class ConnectionError extends DemarcError {}
/** 400: the request is wrong; `faults` and `at('field')` say where. */
export class InvalidRequestError extends DemarcError {}
/** 401: the API key is missing or wrong. */
export class AuthenticationError extends DemarcError {}
/** 403: the key may not do this. */
export class PermissionError extends DemarcError {}
/** 404: there is no such object in the organization. */
export class NotFoundError extends DemarcError {}
/** 409 and 412: the object is not in a state for this, or has changed. */
export class ConflictError extends DemarcError {}
/** 429: too many requests; `retryAfterSeconds` says when to send the next one. */
export class RateLimitError extends DemarcError {}
/** 5xx: the service failed, or something that it needs is down. */
export class ServiceError extends DemarcError {}

const classes: Readonly<Record<number, typeof DemarcError>> = {
  0: ConnectionError,
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  429: RateLimitError,
};

/** The error of the class that belongs to the status. */
export function failure(message: string, facts: FailureFacts): DemarcError {
  const kind = classes[facts.status] ?? (facts.status >= 500 ? ServiceError : DemarcError);
  return new kind(message, facts);
}
