import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';

/** What the first messages say of a call. */
export interface CallFacts {
  readonly format: 'media-streams' | 'pcm';
  readonly encoding: 'mulaw' | 'pcm_s16le';
  /** In hertz. */
  readonly sampleRate: number;
  /** `CA` and 32 digits: the same in each connection of the call, in the record, and in requests to the API. */
  readonly callId: string;
  readonly accountId: string;
  readonly streamId: string;
  /** E.164 where it is a number. */
  readonly from: string;
  readonly to: string;
  readonly direction: 'inbound' | 'outbound';
  /** Of the number or the order, and what Demarc says of the agent: `persona_id`, `pathway_id`, `token` and others. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The caller's `X-` headers and mapped variables, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** True: a connection of this call was lost, and this one continues it. */
  readonly isReconnected: boolean;
}

/** A mark that the caller has reached, or that `clear` returned. */
export interface PlayedMark {
  readonly name: string;
  /** False: `clear` returned it. Undefined: the format does not say it. */
  readonly isPlayed: boolean | undefined;
  /** Audio that the caller has been sent since the answer. Undefined: the format does not say it. */
  readonly playedMilliseconds: number | undefined;
}

/** A file of `play` that the caller has heard, or that `clear` dropped. */
export interface PlayedSound {
  readonly url: string;
  /** Undefined: `play` had none. */
  readonly id: string | undefined;
  /** False: `clear` dropped it, or its rest. */
  readonly isPlayed: boolean;
  /** Audio that the caller has been sent since the answer. */
  readonly playedMilliseconds: number;
}

export interface BotCallEvents {
  /** 20 ms of the caller, in the encoding of the call. */
  audio: [frame: Buffer];
  /** The caller has pressed a key: `0` to `9`, `*`, `#`, `A` to `D`. */
  digit: [digit: string];
  mark: [mark: PlayedMark];
  /**
   * Whom the bot hears and speaks to from now on: the target of a warm transfer, or the caller again.
   * @param address of the target, as the transfer was ordered
   */
  hears: [party: 'caller' | 'target', address: string | undefined];
  /** The call continues with the bot. */
  transferFailed: [status: number, reason: string];
  played: [sound: PlayedSound];
  /** Nothing of the file is heard. */
  playFailed: [sound: Pick<PlayedSound, 'url' | 'id'>, reason: string];
  /** Nothing of the values is in the record. */
  metadataFailed: [reason: string];
  /** The connection is closed. @param code of the close frame; 1000: the call has ended */
  end: [code: number];
}

/** One call at a bot. What is sent after its end has no effect. */
export class BotCall extends EventEmitter<BotCallEvents> {
  constructor(
    private readonly socket: WebSocket,
    readonly facts: CallFacts,
  ) {
    super();
    socket.on('close', (code) => this.emit('end', code));
  }

  /** Queues audio of any length, in the encoding of the call. */
  send(audio: Uint8Array): void {
    const octets = Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength);
    if (this.facts.format === 'pcm') {
      if (this.isOpen) this.socket.send(octets);
      return;
    }
    this.order({ event: 'media', media: { payload: octets.toString('base64') } });
  }

  /** Comes back as `mark` once everything that was queued before it is played, or when `clear` drops it. */
  mark(name: string): void {
    if (this.facts.format === 'pcm') this.order({ event: 'mark', name });
    else this.order({ event: 'mark', mark: { name } });
  }

  /** Drops what is queued: the caller hears silence with the next frame. */
  clear(): void {
    this.order({ event: 'clear' });
  }

  /** Ends the call, after the queued audio. */
  hangUp(reason?: string): void {
    this.order({ event: 'hangup', ...(reason === undefined ? {} : { reason }) });
  }

  /** Transfers the caller, after the queued audio, as far as the policy of the number allows it. @param to number or SIP URI */
  transfer(to: string): void {
    this.order({ event: 'transfer', to });
  }

  /** Hands the caller to the other party of another answered call of the account at a bot; both bots leave. @param callId of its facts */
  transferToCall(callId: string): void {
    this.order({ event: 'transfer', call: callId });
  }

  /** Queues a file, WAV or μ-law, once it is loaded: `played` or `playFailed` follows. @param id comes back with those */
  play(url: string, id?: string): void {
    this.order({ event: 'play', url, ...(id === undefined ? {} : { id }) });
  }

  /** Adds values to the call's record; a later value of a name replaces the one before. */
  setMetadata(values: Readonly<Record<string, string>>): void {
    this.order({ event: 'metadata', values });
  }

  /** @param isOn false: resumes the call */
  hold(isOn: boolean): void {
    this.order({ event: 'hold', on: isOn });
  }

  /** @param digits `0` to `9`, `*`, `#`; `w` waits a second */
  sendDigits(digits: string): void {
    this.order({ event: 'send_dtmf', digits });
  }

  /** Answers a call whose number answers with the first audio. */
  accept(): void {
    this.order({ event: 'accept' });
  }

  /** Refuses a call that is not answered yet. */
  reject(status: number, reason?: string): void {
    this.order({ event: 'reject', status, ...(reason === undefined ? {} : { reason }) });
  }

  /** Writes a line to the log of Demarc's process. */
  log(text: string): void {
    this.order({ event: 'log', text });
  }

  /** Ends the call at once. */
  close(): void {
    this.socket.close(1_000);
  }

  private get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  private order(message: Readonly<Record<string, unknown>>): void {
    const { format, streamId } = this.facts;
    const named = format === 'pcm' ? message : { ...message, streamSid: streamId };
    if (this.isOpen) this.socket.send(JSON.stringify(named));
  }
}
