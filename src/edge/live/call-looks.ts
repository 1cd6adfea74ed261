import {
  type CallLook,
  type CallLookReply,
  callLookChannel,
  callLookReplyKey,
  callLookReplyMilliseconds,
  callLookSchema,
} from '../../contract/call-look.js';
import { readJson } from '../../contract/read-json.js';
import type { CallTable } from '../call/call-table.js';
import { failureText } from '../call/engine-link.js';
import type { Logger } from '../log.js';
import type { Redis } from '../redis.js';
import { Subscriber } from '../subscriber.js';
import { snapshotOf } from './call-snapshot.js';

interface CallLooksParts {
  /** As in `LivePublisher`. */
  readonly holder: string;
  readonly redis: Redis;
  readonly table: Pick<CallTable, 'findUnrecorded' | 'isJustRecorded'>;
  readonly log: Logger;
}

/** Snapshots made at once: people look at calls, but calls go first. */
const maximumSnapshots = 8;

/** Answers those who look at calls that have no record yet: one reply for each look, whether it has the call or not. */
export class CallLooks {
  private readonly subscriber: Subscriber;
  private snapshots = 0;

  constructor(private readonly parts: CallLooksParts) {
    const { redis, log } = parts;
    const hear = (message: string): void => {
      this.heard(message).catch((error: unknown) => {
        log.warn({ error: failureText(error) }, 'A look at a call could not be answered.');
      });
    };
    this.subscriber = new Subscriber({
      redis,
      name: 'demarc-edge-looks',
      channels: { [callLookChannel]: hear },
    });
  }

  start(): void {
    this.subscriber.start();
  }

  stop(): void {
    this.subscriber.stop();
  }

  private async heard(message: string): Promise<void> {
    const look = readJson(callLookSchema, message);
    if (look === undefined) return;
    const { redis, holder } = this.parts;
    const reply: CallLookReply = { owner: holder, ...(await this.answer(look)) };
    const key = callLookReplyKey(look.look_id);
    await redis.multi().rpush(key, JSON.stringify(reply)).pexpire(key, callLookReplyMilliseconds).exec();
  }

  private async answer({ call_id: id, organization }: CallLook): Promise<Omit<CallLookReply, 'owner'>> {
    const { table } = this.parts;
    const call = table.findUnrecorded(id);
    if (call === undefined) return { found: table.isJustRecorded(id, organization) ? 'recorded' : 'nothing' };
    if (call.state.organization !== organization) return { found: 'nothing' };
    if (this.snapshots >= maximumSnapshots) return { found: 'busy' };
    this.snapshots++;
    try {
      return { found: 'call', call: await snapshotOf(call) };
    } finally {
      this.snapshots--;
    }
  }
}
