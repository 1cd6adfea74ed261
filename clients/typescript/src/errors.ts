import type { ErrorCode } from './generated.js';

/** One problem with a request. */
export interface Fault {
  readonly error: ErrorCode;
  readonly message: string;
  /** The field, such as `directions.0.options.port`. */
  readonly path?: string | undefined;
}

/** `NO_ANSWER`: the service was unreachable; `TIMEOUT`: it did not respond in time; `UNREADABLE`: the response is not from the API. */
export type FailureCode = ErrorCode | 'NO_ANSWER' | 'TIMEOUT' | 'UNREADABLE';

export interface FailureFacts {
  /** HTTP status; 0: no response. */
  readonly status: number;
  readonly code: FailureCode;
  readonly faults?: readonly Fault[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** A failed request. The subclasses name the kinds of failures: `error instanceof RateLimitError`. */
export class DemarcError extends Error {
  /** HTTP status; 0: no response. */
  readonly status: number;
  readonly code: FailureCode;
  readonly faults: readonly Fault[];
  readonly retryAfterSeconds: number | undefined;
  /** Identifies the request in the service's log. */
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

  /** The problem with that field; undefined: the API named none. */
  at(path: string): string | undefined {
    return this.faults.find((fault) => fault.path === path)?.message;
  }
}

/** No response: the connection failed or timed out. */
export class ConnectionError extends DemarcError {}
/** 400: the request is invalid; `faults` and `at('field')` say where. */
export class InvalidRequestError extends DemarcError {}
/** 401: the API key is missing or wrong. */
export class AuthenticationError extends DemarcError {}
/** 403: the key may not do this. */
export class PermissionError extends DemarcError {}
/** 404: the organization has no such object. */
export class NotFoundError extends DemarcError {}
/** 409 and 412: the state of the object does not allow the request, or the object has changed. */
export class ConflictError extends DemarcError {}
/** 429: too many requests; `retryAfterSeconds` says when to send the next one. */
export class RateLimitError extends DemarcError {}
/** 5xx: the service, or a component that it needs, failed. */
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

/** Returns the error of the class for the status. */
export function failure(message: string, facts: FailureFacts): DemarcError {
  const kind = classes[facts.status] ?? (facts.status >= 500 ? ServiceError : DemarcError);
  return new kind(message, facts);
}
