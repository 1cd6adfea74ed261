import type { ChatUsage } from './chat-usage.js';

interface FailureFacts {
  /** For the operator: what to do, with the names of settings. */
  readonly remedy: string;
  readonly cause?: unknown;
}

/** Why a model gave no usable answer. The message is for customers and holds neither key nor URL. */
export abstract class ModelFailure extends Error {
  readonly remedy: string;

  constructor(message: string, { remedy, cause }: FailureFacts) {
    super(message, { cause });
    this.remedy = remedy;
  }
}

/** The endpoint is down, slow or asks to wait: the same request may succeed later. */
export class ModelUnavailable extends ModelFailure {
  /** What the endpoint asked to wait; undefined: it did not say. */
  readonly retryAfterMilliseconds: number | undefined;

  constructor(
    message: string,
    facts: FailureFacts & { readonly retryAfterMilliseconds?: number | undefined },
  ) {
    super(message, facts);
    this.name = 'ModelUnavailable';
    this.retryAfterMilliseconds = facts.retryAfterMilliseconds;
  }
}

/** The endpoint refuses the request: the same one would be refused again. */
export class ModelRefusal extends ModelFailure {
  /** HTTP status of the answer; 0: the request was not sent. */
  readonly status: number;

  constructor(message: string, facts: FailureFacts & { readonly status: number }) {
    super(message, facts);
    this.name = 'ModelRefusal';
    this.status = facts.status;
  }
}

/** The answer is not what the interface or the requested schema says. Another attempt may get a better one. */
export class ModelNonsense extends ModelFailure {
  /** What the answer cost all the same; undefined: not known. */
  readonly usage: ChatUsage | undefined;

  constructor(message: string, facts: FailureFacts & { readonly usage?: ChatUsage | undefined }) {
    super(message, facts);
    this.name = 'ModelNonsense';
    this.usage = facts.usage;
  }
}
