import type { Logger } from '../base/log.js';
import { agentMetadataType } from '../contract/agent-metadata.js';
import { type BotState, type StreamOrder, streamActionHeader } from '../contract/agent-stream.js';
import type { HeldLeg } from '../contract/held-call.js';
import { describeDialog } from '../edge/sip/describe-dialog.js';
import { digitOf } from '../edge/sip/dtmf-info.js';
import type { EngineLink } from '../edge/sip/engine-link.js';
import { type Dialog, failureText, type ReceivedRequest, type ResponseSender } from '../edge/sip/messages.js';
import { reasonTextOf, sipReason } from '../edge/sip/reason.js';
import { requestInDialog } from '../edge/sip/request-in-dialog.js';
import { type AgreedSession, sessionAgreedIn, sessionTimerHeaders } from '../edge/sip/session-timer.js';
import type { Direction } from '../sdp/sdp.js';
import { DigitReader, DigitWriter } from './audio/digits.js';
import { JitterBuffer } from './audio/jitter-buffer.js';
import type { Tick } from './audio/phases.js';
import { type PlayedMark, PlayoutQueue } from './audio/playout-queue.js';
import { type ToneName, toneFrames } from './audio/tones.js';
import { type AgreedAudio, answerOffer, makeOffer, readAnswer } from './audio-description.js';
import { BotLink, type BotLinkDeps, type BotLinkListener } from './bot/bot-link.js';
import type { OpenBotSocket, SocketEnd } from './bot/bot-socket.js';
import { formatOf } from './formats/choose.js';
import type { BotOrder } from './formats/format.js';
import type { OpenedAction, OpenedOrder } from './orders.js';
import { type KnownDialog, referTo } from './refer-to.js';
import { refusalOf } from './refusal.js';
import { RtpLeg, type StreamPosition } from './rtp-leg.js';
import { CallSounds, type SoundOutput } from './sounds/call-sounds.js';
import type { FetchSound } from './sounds/fetch-sound.js';

export interface StreamCallParts {
  readonly engine: EngineLink;
  readonly opened: OpenedOrder;
  /** What the INVITE says of the call beside its order, for the bot's first message. */
  readonly facts: Readonly<Record<string, string>>;
  /** Local address of RTP. */
  readonly address: string;
  readonly open: OpenBotSocket;
  readonly fetchSound: FetchSound;
  readonly openAction: (sealed: string) => OpenedAction;
  /** μ-law that control has left; undefined: it is gone. */
  readonly readSound: (id: string) => Promise<Buffer | undefined>;
  readonly findDialog: (callSid: string) => Promise<KnownDialog | undefined>;
  readonly settings: {
    readonly reconnectMilliseconds: number;
    readonly queueMilliseconds: number;
  };
  readonly version: string;
  readonly log: Logger;
  readonly counters: StreamCounters;
  /** It was answered, or what a successor needs has changed. */
  readonly changed: (call: StreamCall) => void;
  /** Once: it has released everything. */
  readonly ended: (call: StreamCall) => void;
}

/** What the process counts over all calls. */
export interface StreamCounters {
  answered: number;
  refused: number;
  reconnected: number;
  unknownMessages: number;
  droppedToBots: number;
  droppedFromBotsMilliseconds: number;
}

/** What a successor continues an answered call from. Secret: descriptions and orders are. */
export interface StreamCallDocument {
  readonly leg: NonNullable<HeldLeg>;
  readonly answeredAt: number;
  readonly order: StreamOrder;
  /** Absent from documents of releases before it. */
  readonly facts?: Readonly<Record<string, string>>;
  readonly port: number;
  readonly position: StreamPosition;
  /** Unix milliseconds of `position`. */
  readonly at: number;
  readonly agreed: AgreedAudio;
  readonly direction: Direction;
  readonly sessionId: number;
  readonly version: number;
}

const sdpHeaders = { 'Content-Type': 'application/sdp' };
const sessionSeconds = 1_800;
/** Without a packet of the caller the bot's first words are not held back any longer. */
const firstWordsMilliseconds = 400;
const requestMilliseconds = 10_000;
/** A transfer waits until the caller has heard what the bot has said before. */
const announcementMilliseconds = 30_000;
const pollMilliseconds = 50;
const maximumLogLines = 20;
const frameMilliseconds = 20;

/** One call: a UAS towards the edge, RTP towards rtpengine, and the connection to the bot. */
export class StreamCall implements BotLinkListener {
  private dialog: Dialog | undefined;
  private rtp: RtpLeg | undefined;
  private link: BotLink;
  private opened: OpenedOrder;
  private readonly sounds: CallSounds;
  private queue: PlayoutQueue | undefined;
  private jitter: JitterBuffer | undefined;
  private agreed: AgreedAudio | undefined;
  private readonly digitsHeard = new DigitReader();
  private readonly digitsSent = new DigitWriter();
  private readonly frame = new Uint8Array(160);
  private session: AgreedSession | undefined;
  private answeredAt = 0;
  private sessionId = Math.floor(Date.now() / 1_000);
  private version = 1;
  private localSdp = '';
  private remoteSdp: string | undefined;
  private direction: Direction = 'sendrecv';
  private awaitsAnswer = false;
  private phase: 'connecting' | 'answering' | 'talking' | 'over' = 'connecting';
  /** Monotonic; the bot's audio is held back until then, or until the caller is heard. */
  private talksFrom = 0;
  private isCallerHeard = false;
  private hasBotSpoken = false;
  private tone: ToneName | undefined;
  private toneFrame = 0;
  /** True: a transfer is under way, and the bot neither hears nor is heard. */
  private isLeaving = false;
  private logLines = 0;
  private readonly log: Logger;

  constructor(
    private readonly parts: StreamCallParts,
    private readonly invite?: { readonly request: ReceivedRequest; readonly response: ResponseSender },
    isContinued = false,
  ) {
    this.log = parts.log;
    this.opened = parts.opened;
    this.link = this.linkTo(parts.opened, isContinued);
    this.sounds = new CallSounds(parts.fetchSound, () => this.soundOutput());
    invite?.request.on('cancel', () => this.finish('canceled'));
  }

  get id(): string {
    return this.opened.order.call_id;
  }

  /** Undefined: it is not answered. */
  get knownDialog(): KnownDialog | undefined {
    const { dialog } = this;
    if (dialog === undefined) return undefined;
    const { callId, localTag, remoteTag = '' } = dialog.sip;
    return { callId, localTag, remoteTag };
  }

  get isTalking(): boolean {
    return this.phase === 'talking';
  }

  get botState(): BotState {
    return { ...this.link.state, queued_ms: Math.round(this.queuedMilliseconds) };
  }

  get queuedMilliseconds(): number {
    return this.queue?.queuedMilliseconds ?? 0;
  }

  // ---- towards the edge

  /** Rings, and answers once the bot is ready. */
  async begin(): Promise<void> {
    const { invite } = this;
    if (invite === undefined) return;
    const rtp = await RtpLeg.open(this.parts.address, this.rtpListener());
    if (this.phase === 'over') {
      rtp.close();
      return;
    }
    this.rtp = rtp;
    const offer = invite.request.body;
    const sdp = offer === undefined || offer === '' ? this.offer() : this.answer(offer);
    if (sdp === undefined) {
      this.refuse(488, 'PCMU or PCMA over RTP/AVP is needed');
      return;
    }
    if (this.agreed === undefined) this.prepareAudio('PCMU');
    invite.response.send(180, undefined, {});
    this.link.connect();
  }

  /** Continues a call of a process before this one, whose dialog the engine has again. */
  async continue(document: StreamCallDocument): Promise<void> {
    const { leg, agreed, position } = document;
    const passed = Math.max(0, Date.now() - document.at);
    // Beyond all that the process before can have sent: gaps are legal, repetitions are not heard.
    const packets = Math.ceil(passed / frameMilliseconds) + 50;
    this.rtp = await RtpLeg.open(this.parts.address, this.rtpListener(), {
      port: document.port,
      position: {
        source: position.source,
        sequence: (position.sequence + packets) & 0xffff,
        timestamp: (position.timestamp + packets * 160) >>> 0,
      },
    });
    this.answeredAt = document.answeredAt;
    this.sessionId = document.sessionId;
    this.version = document.version;
    this.direction = document.direction;
    this.localSdp = leg.local_description ?? '';
    this.remoteSdp = leg.remote_description ?? undefined;
    this.session =
      leg.session_timer === null
        ? undefined
        : { seconds: leg.session_timer.seconds, isOurs: leg.session_timer.is_ours };
    this.take(agreed);
    this.attach(this.parts.engine.rebuild(leg));
    this.phase = 'talking';
    this.hasBotSpoken = true;
    this.tone = 'hold';
    this.link.connect();
  }

  /** Undefined: it is not answered, and does not outlive its process. */
  describe(): StreamCallDocument | undefined {
    const { dialog, rtp, agreed } = this;
    if (this.phase !== 'talking' || dialog === undefined || rtp === undefined || agreed === undefined)
      return undefined;
    return {
      leg: describeDialog(dialog, {
        owesAck: false,
        session: this.session,
        remoteDescription: this.remoteSdp,
        localDescription: this.localSdp,
        isNewParty: false,
      }),
      answeredAt: this.answeredAt,
      order: this.opened.order,
      facts: this.parts.facts,
      port: rtp.port,
      position: rtp.position,
      at: Date.now(),
      agreed,
      direction: this.direction,
      sessionId: this.sessionId,
      version: this.version,
    };
  }

  /** Ends it from our side: BYE, or a rejection. */
  hangUp(cause: number, text: string): void {
    if (this.phase === 'over') return;
    const { dialog } = this;
    if (dialog === undefined) {
      this.refuse(cause < 400 ? 603 : cause, text);
      return;
    }
    this.finish(text);
    dialog.destroy({ headers: { Reason: sipReason(cause, text) } }, () => {});
  }

  // ---- the cadence

  /** What this call has to do in a tick of its phase. */
  tick({ frames, skipped, now }: Tick): void {
    const { rtp, queue, jitter } = this;
    if (this.phase !== 'talking' || rtp === undefined || queue === undefined || jitter === undefined) return;
    if (skipped > 0) {
      rtp.skip(skipped);
      for (let frame = 0; frame < skipped; frame++) jitter.take(this.frame, now);
    }
    for (let frame = 0; frame < frames; frame++) {
      this.toBot(jitter, now);
      this.toCaller(rtp, queue, now);
    }
    if (jitter.catchesUp()) this.toBot(jitter, now);
  }

  private toBot(jitter: JitterBuffer, now: number): void {
    const heard = jitter.take(this.frame, now);
    if (this.isLeaving && heard !== 'silence') this.frame.fill(this.agreed?.codec === 'PCMA' ? 0xd5 : 0xff);
    this.link.media(this.frame, now);
  }

  private toCaller(rtp: RtpLeg, queue: PlayoutQueue, now: number): void {
    if (this.digitsSent.isBusy) {
      const event = this.digitsSent.next();
      if (event !== undefined) {
        rtp.sendEvent(event.payload, event.isMarked, event.offset);
        return;
      }
    }
    const mayTalk = this.isCallerHeard || now >= this.talksFrom;
    const isAudio = mayTalk && queue.take(rtp.frame, now);
    if (!isAudio) this.fillSilence(rtp.frame);
    rtp.sendFrame(now);
    for (const mark of queue.dueMarks()) this.returnMark(mark);
  }

  private fillSilence(frame: Uint8Array): void {
    const codec = this.agreed?.codec ?? 'PCMU';
    if (this.tone === undefined) {
      frame.fill(codec === 'PCMU' ? 0xff : 0xd5);
      return;
    }
    const frames = toneFrames(this.tone, codec);
    frame.set(frames[this.toneFrame++ % frames.length]!);
  }

  private returnMark(mark: PlayedMark): void {
    const { name, sound, isPlayed, playedMilliseconds } = mark;
    if (sound !== undefined) this.sounds.reached(sound, mark);
    else this.link.mark(name, isPlayed, playedMilliseconds);
  }

  // ---- from the bot

  started(isReconnected: boolean): void {
    const { counters } = this.parts;
    if (isReconnected) {
      counters.reconnected++;
      this.tone = undefined;
      // The new stream knows nothing of what the one before has said.
      this.discard();
      this.log.info('The bot is connected again.');
    }
    if (this.phase === 'connecting' && this.stream.answer_on === 'start') this.accept();
  }

  lost(text: string): void {
    this.log.warn({ cause: text }, 'The connection to the bot is lost; trying again.');
    this.tone = 'hold';
    this.toneFrame = 0;
  }

  over(end: SocketEnd): void {
    this.log.info({ kind: end.kind, cause: end.text }, 'The connection to the bot has ended.');
    if (this.phase === 'connecting' || this.phase === 'answering') {
      const { fallback } = this.stream;
      const { status, text } = refusalOf(end);
      if (fallback !== undefined && status !== 603 && status !== 486) this.redirect(fallback, text);
      else this.refuse(status, text);
    } else if (end.kind === 'clean') this.hangUp(200, 'Bot closed the stream');
    else void this.giveUp(end.text);
  }

  congested(): void {
    this.log.warn('The bot does not take the audio of its call in time; frames are dropped.');
  }

  audio(octets: Uint8Array): void {
    if (this.phase === 'connecting' && this.stream.answer_on === 'first_audio') this.accept();
    if (!this.hasBotSpoken) {
      this.hasBotSpoken = true;
      if (this.tone === 'comfort') this.tone = undefined;
    }
    if (this.isLeaving) return;
    const dropped = this.queue?.push(octets, performance.now()) ?? 0;
    if (dropped === 0) return;
    if (
      this.parts.counters.droppedFromBotsMilliseconds === 0 ||
      this.queue?.droppedMilliseconds === dropped / 8
    )
      this.log.warn(
        { seconds: this.parts.settings.queueMilliseconds / 1_000 },
        'The bot is too far ahead of what is heard; its audio is dropped.',
      );
    this.parts.counters.droppedFromBotsMilliseconds += dropped / 8;
  }

  mark(name: string): void {
    const due = this.queue?.mark(name);
    if (due !== undefined) this.returnMark(due);
  }

  clear(): void {
    const cleared = this.queue?.clear() ?? [];
    this.link.cleared();
    for (const mark of cleared) this.returnMark(mark);
  }

  unknown(why: string): void {
    this.parts.counters.unknownMessages++;
    if (this.logLines++ < maximumLogLines) this.log.info({ why }, 'A message of the bot was ignored.');
  }

  order(order: BotOrder): void {
    switch (order.kind) {
      case 'hangup':
        void this.afterAnnouncement(() => this.hangUp(200, order.reason ?? 'Bot hung up'));
        break;
      case 'transfer':
        void this.afterAnnouncement(() => void this.transfer(order));
        break;
      case 'hold':
        void this.turn(order.isOn ? 'sendonly' : 'sendrecv');
        break;
      case 'dtmf':
        this.digitsSent.write(order.digits, order.milliseconds);
        break;
      case 'log':
        if (this.logLines++ < maximumLogLines) this.log.info({ text: order.text }, 'The bot says.');
        break;
      case 'accept':
        if (this.phase === 'connecting') this.accept();
        break;
      case 'reject':
        if (this.phase === 'connecting') this.refuse(order.status, order.reason ?? 'Bot rejected the call');
        break;
      case 'play':
        void this.sounds.play(order);
        break;
      case 'metadata':
        void this.noteMetadata(order.values);
        break;
    }
  }

  // ---- from the API

  /** Answers an INFO of the edge once what it orders has begun, or has failed. */
  private async act(sealed: string, response: ResponseSender): Promise<void> {
    try {
      const { action, opened } = this.parts.openAction(sealed);
      if (action.call_id !== this.id) throw new Error('the action is for another call');
      if (this.phase !== 'talking' || this.isLeaving) throw new Error('the call is not in progress');
      let milliseconds = 0;
      if (opened !== undefined) await this.moveTo(opened);
      else if (action.action !== 'connect') {
        const sound =
          action.action === 'play'
            ? await this.sounds.fetch(action.url)
            : await this.soundOf(await this.parts.readSound(action.sound));
        milliseconds = Math.round(sound.length / 8);
        const { maximum_milliseconds: maximum } = action;
        if (milliseconds > maximum) throw new Error(`the audio is longer than ${maximum / 1_000} s`);
        this.clear();
        this.sounds.queue(sound);
      }
      const body = JSON.stringify({ milliseconds });
      response.send(200, undefined, { headers: { 'Content-Type': 'application/json' }, body });
    } catch (error) {
      const { message } = error as Error;
      this.log.info({ error: message }, 'An action of the API failed.');
      response.send(503, undefined, { headers: { Reason: sipReason(503, message.slice(0, 120)) } });
    }
  }

  private soundOf(octets: Buffer | undefined): Promise<Buffer> {
    if (octets === undefined) throw new Error('the speech is no longer available');
    return this.sounds.load({ octets, type: 'audio/basic' });
  }

  /** Another bot takes the call. The one that has it keeps it when the other one's server does not accept. */
  private moveTo(opened: OpenedOrder): Promise<void> {
    return new Promise((resolve, reject) => {
      const { link: before } = this;
      const accepted = (): void => {
        if (this.phase !== 'talking' || this.isLeaving || this.link !== before) {
          reject(new Error('the call is not in progress'));
          next.end('too late');
          return;
        }
        before.end('moved');
        this.link = next;
        this.opened = opened;
        this.tone = undefined;
        this.discard();
        this.parts.changed(this);
        resolve();
      };
      const refused = (end: SocketEnd): void => reject(new Error(end.text));
      const next = this.linkTo(opened, false, { accepted, refused });
      next.connect();
    });
  }

  // ---- inside

  private get stream(): StreamOrder['stream'] {
    return this.opened.order.stream;
  }

  private linkTo(
    { order, headers, secrets }: OpenedOrder,
    isContinued: boolean,
    move: Pick<BotLinkDeps, 'accepted' | 'refused'> = {},
  ): BotLink {
    const { open, settings, version, facts } = this.parts;
    return new BotLink(
      {
        order,
        headers,
        secrets,
        open,
        makeFormat: () => formatOf(order.stream, this.agreed?.codec ?? 'PCMU'),
        reconnectMilliseconds: settings.reconnectMilliseconds,
        version,
        facts,
        ...move,
      },
      this,
      isContinued,
    );
  }

  private soundOutput(): SoundOutput | undefined {
    const { queue, agreed } = this;
    if (this.phase !== 'talking' || queue === undefined || agreed === undefined) return undefined;
    return {
      codec: agreed.codec,
      maximumMilliseconds: this.parts.settings.queueMilliseconds,
      queue: (octets, sound) => {
        if (queue.queuedMilliseconds + octets.length / 8 > this.parts.settings.queueMilliseconds)
          return false;
        queue.push(octets, performance.now());
        queue.mark('', sound);
        return true;
      },
      notice: (event, fields) => this.link.notice(event, fields),
    };
  }

  /** Discards what the bot before has queued; its marks are not returned to the next one. */
  private discard(): void {
    for (const mark of this.queue?.clear() ?? [])
      if (mark.sound !== undefined) this.sounds.reached(mark.sound, mark);
  }

  /** Into the record of the call. */
  private async noteMetadata(values: Readonly<Record<string, string>>): Promise<void> {
    const { dialog } = this;
    try {
      if (dialog === undefined) throw new Error('the call is not answered');
      const headers = { 'Content-Type': agentMetadataType };
      const { response } = await requestInDialog(
        dialog,
        { method: 'INFO', headers, body: JSON.stringify(values) },
        requestMilliseconds,
      );
      if (response.status >= 300) throw new Error(reasonTextOf(response) ?? response.reason);
    } catch (error) {
      this.link.notice('metadata_failed', { reason: failureText(error) });
    }
  }

  private rtpListener() {
    return {
      voice: (sequence: number, timestamp: number, source: number, payload: Uint8Array, at: number): void => {
        this.isCallerHeard = true;
        this.jitter?.put(sequence, timestamp, source, payload, at);
      },
      event: (timestamp: number, payload: Buffer): void => {
        const digit = this.digitsHeard.read(payload, timestamp);
        if (digit !== undefined) this.link.digit(digit);
      },
    };
  }

  private accept(): void {
    const { invite } = this;
    if (invite === undefined || this.phase !== 'connecting') return;
    this.phase = 'answering';
    const { request, response } = invite;
    const timer = sessionTimerHeaders(request, sessionSeconds);
    this.session = sessionAgreedIn(timer);
    this.parts.engine.answer(
      request,
      response,
      { headers: { ...sdpHeaders, ...timer }, localSdp: this.localSdp },
      (error, dialog) => {
        if (dialog === undefined) {
          this.log.info({ error: failureText(error) }, 'The call was not answered.');
          this.finish('not answered');
          return;
        }
        if (this.phase === 'over') {
          dialog.destroy({ headers: {} }, () => {});
          return;
        }
        this.attach(dialog);
        this.answeredAt = Date.now();
        this.talksFrom = performance.now() + firstWordsMilliseconds;
        this.phase = 'talking';
        if (this.stream.comfort_tone && !this.hasBotSpoken) this.tone = 'comfort';
        this.parts.counters.answered++;
        this.parts.changed(this);
      },
    );
  }

  private attach(dialog: Dialog): void {
    this.dialog = dialog;
    dialog.on('destroy', () => this.finish('hangup'));
    dialog.on('ack', ({ body }: ReceivedRequest) => this.acknowledged(body));
    dialog.on('modify', (request: ReceivedRequest, response: ResponseSender) =>
      this.modify(request, response),
    );
    dialog.on('update', (request: ReceivedRequest, response: ResponseSender) =>
      this.modify(request, response),
    );
    dialog.on('options', (_request: ReceivedRequest, response: ResponseSender) =>
      response.send(200, undefined, {}),
    );
    dialog.on('info', (request: ReceivedRequest, response: ResponseSender) => this.info(request, response));
    dialog.on('notify', (request: ReceivedRequest, response: ResponseSender) => {
      response.send(200, undefined, {});
      this.transferProgress(request);
    });
    for (const method of ['refer', 'message'])
      dialog.on(method, (_request: ReceivedRequest, response: ResponseSender) =>
        response.send(603, undefined, {}),
      );
  }

  private info(request: ReceivedRequest, response: ResponseSender): void {
    const sealed = request.get(streamActionHeader);
    if (sealed !== undefined) {
      void this.act(sealed, response);
      return;
    }
    const pressed = digitOf(request);
    if (pressed !== undefined) this.link.digit(pressed.digit);
    response.send(pressed === undefined && (request.body ?? '') !== '' ? 415 : 200, undefined, {});
  }

  private acknowledged(body: string | undefined): void {
    if (!this.awaitsAnswer || body === undefined || body === '') return;
    this.awaitsAnswer = false;
    this.remoteSdp = body;
    const agreed = readAnswer(body, this.direction);
    if (agreed !== undefined) this.take(agreed);
    this.parts.changed(this);
  }

  /** A re-INVITE or UPDATE of the edge: hold, resume, media that moved, or a refresh. */
  private modify(request: ReceivedRequest, response: ResponseSender): void {
    const { body } = request;
    const timer = sessionTimerHeaders(request, sessionSeconds);
    const contact = this.dialog?.local.contact;
    const headers = { ...sdpHeaders, ...timer, ...(contact === undefined ? {} : { Contact: contact }) };
    this.session = sessionAgreedIn(timer) ?? this.session;
    if (body !== undefined && body !== '') {
      const sdp = this.answer(body);
      if (sdp === undefined) response.send(488, undefined, {});
      else response.send(200, undefined, { headers, body: sdp });
    } else if (request.method === 'UPDATE') response.send(200, undefined, { headers: timer });
    else response.send(200, undefined, { headers, body: this.offer() });
    this.parts.changed(this);
  }

  private answer(offer: string): string | undefined {
    const answered = answerOffer(offer, this.local(), this.direction);
    if (answered === undefined) return undefined;
    this.remoteSdp = offer;
    this.take(answered.agreed);
    return this.remember(answered.sdp);
  }

  private offer(): string {
    this.awaitsAnswer = true;
    return this.remember(makeOffer(this.local(), this.direction));
  }

  private take(agreed: AgreedAudio): void {
    const isOther = agreed.codec !== this.agreed?.codec;
    this.agreed = agreed;
    if (isOther || this.queue === undefined) this.prepareAudio(agreed.codec);
    if (isOther) this.link.useCodec(agreed.codec);
    this.rtp?.agree(agreed);
  }

  private prepareAudio(codec: AgreedAudio['codec']): void {
    const { queueMilliseconds: maximumMilliseconds } = this.parts.settings;
    this.queue = new PlayoutQueue({ codec, maximumMilliseconds });
    this.jitter = new JitterBuffer(codec);
  }

  /** Increments the version when the description differs from the one in force (RFC 3264 §8). */
  private remember(sdp: string): string {
    if (this.localSdp !== '' && sdp !== this.localSdp) {
      this.version++;
      this.localSdp = sdp.replace(/^(o=- \d+) \d+/m, `$1 ${this.version}`);
    } else this.localSdp = sdp;
    return this.localSdp;
  }

  private local() {
    const { sessionId, version } = this;
    return { address: this.parts.address, port: this.rtp?.port ?? 0, sessionId, version };
  }

  /** Hold or resume, asked for by the bot. */
  private async turn(direction: Direction): Promise<void> {
    const { dialog } = this;
    if (dialog === undefined || this.direction === direction) return;
    this.direction = direction;
    const body = this.offer();
    this.awaitsAnswer = false;
    try {
      const headers = { ...sdpHeaders, Contact: dialog.local.contact };
      const { response } = await requestInDialog(
        dialog,
        { method: 'INVITE', body, headers },
        requestMilliseconds,
      );
      const agreed =
        response.status === 200 && response.body !== undefined
          ? readAnswer(response.body, direction)
          : undefined;
      if (agreed === undefined) this.log.info({ status: response.status }, 'Hold was refused.');
      else {
        this.remoteSdp = response.body;
        this.take(agreed);
      }
      this.parts.changed(this);
    } catch (error) {
      this.log.info({ error: failureText(error) }, 'Hold failed.');
    }
  }

  /** The edge decides by the number's policy, and tells the outcome by NOTIFY (RFC 3515). */
  private async transfer({ target, call }: Extract<BotOrder, { kind: 'transfer' }>): Promise<void> {
    const { dialog } = this;
    if (dialog === undefined || this.isLeaving) return;
    const other = call === undefined ? undefined : await this.parts.findDialog(call).catch(() => undefined);
    if (this.phase !== 'talking' || this.isLeaving) return;
    this.isLeaving = true;
    if (call !== undefined && other === undefined) {
      this.transferFailed(404, `No answered call ${call} at a bot`);
      return;
    }
    this.clear();
    try {
      const { response } = await requestInDialog(
        dialog,
        {
          method: 'REFER',
          headers: {
            'Refer-To': referTo(target ?? other!, dialog.remote.uri),
            Contact: dialog.local.contact,
          },
        },
        requestMilliseconds,
      );
      if (response.status >= 300) this.transferFailed(response.status, response.reason);
    } catch (error) {
      this.transferFailed(500, failureText(error));
    }
  }

  private transferProgress({ body }: ReceivedRequest): void {
    const [, code = '', phrase = ''] = /^SIP\/2\.0 (\d{3}) ?(.*)/.exec(body ?? '') ?? [];
    const status = Number(code);
    if (status >= 300) this.transferFailed(status, phrase.trim());
    // The bot must not hear the new party: its stream ends before the caller is connected.
    else if (status >= 200) this.link.end('transferred');
  }

  private transferFailed(status: number, reason: string): void {
    if (!this.isLeaving) return;
    this.isLeaving = false;
    this.log.info({ status, reason }, 'The transfer asked for by the bot failed.');
    this.link.notice('transfer_failed', { status, reason });
  }

  /** The bot is gone for good: its fallback takes the call, or the call ends. */
  private async giveUp(text: string): Promise<void> {
    const { fallback } = this.stream;
    if (fallback !== undefined && this.dialog !== undefined) {
      this.isLeaving = true;
      try {
        const { response } = await requestInDialog(
          this.dialog,
          {
            method: 'REFER',
            headers: { 'Refer-To': `<${fallback}>`, Contact: this.dialog.local.contact },
          },
          requestMilliseconds,
        );
        if (response.status < 300) return;
        this.log.info({ status: response.status }, 'The fallback agent was refused.');
      } catch (error) {
        this.log.info({ error: failureText(error) }, 'The fallback agent was not reached.');
      }
    }
    this.hangUp(503, `Bot lost: ${text}`);
  }

  private async afterAnnouncement(act: () => void): Promise<void> {
    const { link } = this;
    // A bot that never pauses is not waited for.
    const until = performance.now() + Math.min(announcementMilliseconds, this.queuedMilliseconds);
    while (this.queuedMilliseconds > 0 && performance.now() < until && this.phase === 'talking')
      await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
    // Another bot may have the call by now.
    if (this.phase !== 'over' && this.link === link) act();
  }

  private redirect(fallback: string, text: string): void {
    const { invite } = this;
    if (invite !== undefined && !invite.response.finalResponseSent)
      invite.response.send(302, undefined, {
        headers: { Contact: `<${fallback}>`, Reason: sipReason(503, text) },
      });
    this.parts.counters.refused++;
    this.finish(text);
  }

  private refuse(status: number, text: string): void {
    const { invite } = this;
    if (invite !== undefined && !invite.response.finalResponseSent)
      invite.response.send(status, undefined, { headers: { Reason: sipReason(status, text) } });
    this.parts.counters.refused++;
    this.finish(text);
  }

  private finish(reason: string): void {
    if (this.phase === 'over') return;
    this.phase = 'over';
    this.link.end(reason);
    this.rtp?.close();
    this.parts.counters.droppedToBots += this.link.droppedFrames;
    this.parts.ended(this);
  }
}
