import type { RecordSettings } from '../../config/edge-settings.js';
import type { CallRecord } from '../../contract/call-record.js';
import type { Logger } from '../log.js';
import type { Redis } from '../redis.js';

export interface CallStreamParts {
  readonly settings: RecordSettings;
  readonly redis: Redis;
  readonly log: Logger;
}

export class CallStream {
  constructor(private readonly parts: CallStreamParts) {}

  /** Takes records that an earlier process left in the spill file. */
  async start(): Promise<void> {}

  /** Queues a record; never blocks and never throws. */
  publish(_record: CallRecord): void {
    this.parts.log.debug('not yet');
  }

  /** Writes everything that waits, to Redis or else to the spill file; at shutdown. */
  async flush(): Promise<void> {}

  async stop(): Promise<void> {}

  /** Records not in Redis yet. */
  get waiting(): number {
    return 0;
  }
}
