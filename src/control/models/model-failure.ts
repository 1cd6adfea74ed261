import type { ChatUsage } from './chat-usage.js';

/** Why a model gave no usable answer. The message is for customers and holds neither key nor URL. */
export abstract class ModelFailure extends Error {
  constructor(
    message: string,
    /** For the operator: what to do, with the names of settings. */
    readonly remedy: string,
  ) {
    super(message);
  }
}

/** The endpoint is down, slow or asks to wait: the same request may succeed later. */
export class ModelUnavailable extends ModelFailure {
  constructor(
    message: string,
    remedy: string,
    /** What the endpoint asked to wait; undefined: it did not say. */
    readonly retryAfterMilliseconds?: number,
  ) {
    super(message, remedy);
    this.name = 'ModelUnavailable';
  }
}

/** The endpoint refuses the request: the same one would be refused again. */
export class ModelRefusal extends ModelFailure {
  constructor(
    message: string,
    remedy: string,
    /** HTTP status of the answer. */
    readonly status: number,
  ) {
    super(message, remedy);
    this.name = 'ModelRefusal';
  }
}

/** The answer is not what the interface or the requested schema says. Another attempt may get a better one. */
export class ModelNonsense extends ModelFailure {
  constructor(
    message: string,
    remedy: string,
    /** What the answer cost all the same; undefined: not known. */
    readonly usage?: ChatUsage,
  ) {
    super(message, remedy);
    this.name = 'ModelNonsense';
  }
}
