import { DutyCycle } from '../../base/duty-cycle.js';
import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import { Subscriber } from '../../base/subscriber.js';
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
import { failureText } from '../sip/messages.js';
import { snapshotOf, statisticsSoFar } from './call-snapshot.js';

interface CallLooksParts {
  /** As in `LivePublisher`. */
  readonly holder: string;
  readonly redis: Redis;
  readonly table: Pick<CallTable, 'findUnrecorded' | 'isJustRecorded'>;
  readonly log: Logger;
}

/** Looks answered at once; a call of a thousand messages takes some fifteen milliseconds. */
const maximumSnapshots = 8;
/** Of the process's time for those who look: calls go first. */
const share = 0.2;

/** Answers those who look at calls that have no record yet: one reply for each look, whether it has the call or not. */
export class CallLooks {
  private readonly subscriber: Subscriber;
  private readonly share = new DutyCycle(share);
  private snapshots = 0;

  constructor(private readonly parts: CallLooksParts) {
    const { redis, log } = parts;
    const hear = (message: string): void => {
      this.heard(message).catch((error: unknown) => {
        log.warn({ error: failureText(error) }, 'Answering a trace request failed.');
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
    const reply = await this.answer(look);
    const key = callLookReplyKey(look.look_id);
    await this.parts.redis.multi().rpush(key, reply).pexpire(key, callLookReplyMilliseconds).exec();
  }

  /** JSON of a `CallLookReply`. */
  private async answer({ call_id: id, organization }: CallLook): Promise<string> {
    const { table, holder: owner } = this.parts;
    const replied = (reply: Omit<CallLookReply, 'owner'>): string =>
      JSON.stringify({ owner, ...reply } satisfies CallLookReply);
    const toldWithoutCall = (): string =>
      replied({ found: table.isJustRecorded(id, organization) ? 'recorded' : 'nothing' });
    const call = table.findUnrecorded(id);
    if (call?.state.organization !== organization) return toldWithoutCall();
    call.deps.quality.looked(call);
    call.deps.turns.looked(call);
    if (this.snapshots >= maximumSnapshots) return replied({ found: 'busy' });
    this.snapshots++;
    try {
      const statistics = await statisticsSoFar(call);
      return await this.share.do(() =>
        // Its trace was moved to the record, if it already has one.
        table.findUnrecorded(id) === call
          ? replied({ found: 'call', call: snapshotOf(call, statistics) })
          : toldWithoutCall(),
      );
    } finally {
      this.snapshots--;
    }
  }
}
