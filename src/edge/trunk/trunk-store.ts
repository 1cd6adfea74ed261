import type { TrunkSettings } from '../../config/edge-settings.js';
import type { NumberDocument } from '../../contract/number.js';
import type { Logger } from '../log.js';
import type { Redis } from '../redis.js';

export interface TrunkStoreParts {
  readonly settings: TrunkSettings;
  /** For reading; a second connection for the invalidation channel is made from it. */
  readonly redis: Redis;
  readonly log: Logger;
}

/** A document that could not be used; the last good one stays in force. */
export interface TrunkProblem {
  readonly number: string;
  readonly message: string;
  /** ISO 8601. */
  readonly since: string;
}

export class TrunkStore {
  constructor(private readonly parts: TrunkStoreParts) {}

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  /**
   * The document of a called user; undefined when there is none.
   * Throws `DemarcError` `configuration_unavailable` when Redis does not answer in time and no copy is held.
   */
  async find(_user: string): Promise<NumberDocument | undefined> {
    throw new Error(`not yet: ${this.parts.settings.maximumCached}`);
  }

  /** Documents now ignored because they do not match the schema. */
  problems(): readonly TrunkProblem[] {
    return [];
  }
}
