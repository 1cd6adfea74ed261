import type { Logger } from '../base/log.js';
import type { ResponseSender } from '../edge/sip/messages.js';
import { sipReason } from '../edge/sip/reason.js';
import type { OpenedAction, OpenedOrder } from './orders.js';
import type { CallSounds } from './sounds/call-sounds.js';

export interface ApiActionsParts {
  readonly callId: string;
  readonly openAction: (sealed: string) => OpenedAction;
  /** μ-law that control has left; undefined: it is gone. */
  readonly readSound: (id: string) => Promise<Buffer | undefined>;
  readonly sounds: CallSounds;
  /** False: nothing can be done with the call. */
  readonly isInProgress: () => boolean;
  /** Rejects when the next bot's server does not accept the call. */
  readonly moveTo: (opened: OpenedOrder) => Promise<void>;
  /** Drops what the bot has queued. */
  readonly clear: () => void;
  readonly log: Logger;
}

const maximumReason = 120;

/** What the API has a bot's call do, by an INFO of the edge. */
export class ApiActions {
  constructor(private readonly parts: ApiActionsParts) {}

  /** Answers once what is ordered has begun, or has failed. */
  async act(sealed: string, response: ResponseSender): Promise<void> {
    try {
      const body = JSON.stringify({ milliseconds: await this.carryOut(sealed) });
      response.send(200, undefined, { headers: { 'Content-Type': 'application/json' }, body });
    } catch (error) {
      const { message } = error as Error;
      this.parts.log.info({ error: message }, 'An action of the API failed.');
      response.send(503, undefined, { headers: { Reason: sipReason(503, message.slice(0, maximumReason)) } });
    }
  }

  /** Returns how long what is played takes. */
  private async carryOut(sealed: string): Promise<number> {
    const { callId, openAction, isInProgress, moveTo, clear, sounds, readSound } = this.parts;
    const { action, opened } = openAction(sealed);
    if (action.call_id !== callId) throw new Error('the action is for another call');
    if (!isInProgress()) throw new Error('the call is not in progress');
    if (opened !== undefined) {
      await moveTo(opened);
      return 0;
    }
    if (action.action === 'connect') return 0;
    const sound =
      action.action === 'play'
        ? await sounds.fetch(action.url)
        : await this.load(await readSound(action.sound));
    const milliseconds = Math.round(sound.length / 8);
    const { maximum_milliseconds: maximum } = action;
    if (milliseconds > maximum) throw new Error(`the audio is longer than ${maximum / 1_000} s`);
    clear();
    sounds.queue(sound);
    return milliseconds;
  }

  private load(octets: Buffer | undefined): Promise<Buffer> {
    if (octets === undefined) throw new Error('the speech is no longer available');
    return this.parts.sounds.load({ octets, type: 'audio/basic' });
  }
}
