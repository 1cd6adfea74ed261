import { millisecondsSince, momentNow } from '../base/elapsed-time.js';
import type { Logger } from '../base/log.js';
import { idlePause, pause } from '../base/pause.js';
import { agentMetadataType } from '../contract/agent-metadata.js';
import {
  type BotState,
  processRefusal,
  type StreamOrder,
  streamActionHeader,
} from '../contract/agent-stream.js';
import { transferTargetHeader } from '../contract/transfer.js';
import { describeDialog } from '../edge/sip/describe-dialog.js';
import { digitOf } from '../edge/sip/dtmf-info.js';
import { type Dialog, failureText, type ReceivedRequest, type ResponseSender } from '../edge/sip/messages.js';
import { reasonTextOf, sipReason } from '../edge/sip/reason.js';
import { requestInDialog } from '../edge/sip/request-in-dialog.js';
import { DigitReader } from '../rtp/digits.js';
import { ApiActions } from './api-actions.js';
import { frameMilliseconds, type Tick } from './audio/phases.js';
import type { PlayedMark } from './audio/playout-queue.js';
import type { AgreedAudio } from './audio-description.js';
import { BotLink, type BotLinkDeps, type BotLinkListener } from './bot/bot-link.js';
import type { SocketEnd } from './bot/bot-socket.js';
import { CallAudio, firstWordsMilliseconds } from './call-audio.js';
import { formatOf } from './formats/choose.js';
import type { BotOrder } from './formats/format.js';
import { HeardParty } from './heard-party.js';
import { Leaving } from './leaving.js';
import { Negotiation, sdpHeaders } from './negotiation.js';
import type { OpenedOrder } from './orders.js';
import type { KnownDialog } from './refer-to.js';
import { refusalOf } from './refusal.js';
import { RtpLeg } from './rtp-leg.js';
import { CallSounds, type SoundOutput } from './sounds/call-sounds.js';
import type { StreamCallDocument, StreamCallParts } from './stream-call-parts.js';

const requestMilliseconds = 10_000;
/** So many times the edge is asked for a continued call until it responds. */
const confirmations = 6;
/** A transfer waits until the caller has heard what the bot has said before. */
const announcementMilliseconds = 30_000;
const pollMilliseconds = 50;
const maximumLogLines = 20;
const samplesPerFrame = 160;
/** Within it the edge has played its announcement and ends a call whose bot is lost. */
const farewellMilliseconds = 20_000;

/** One call: a UAS towards the edge, RTP towards rtpengine, and the connection to the bot. */
export class StreamCall implements BotLinkListener {
  private dialog: Dialog | undefined;
  private rtp: RtpLeg | undefined;
  private link: BotLink;
  private opened: OpenedOrder;
  private readonly audioPath: CallAudio;
  private readonly negotiation: Negotiation;
  private readonly leaving: Leaving;
  private readonly sounds: CallSounds;
  private readonly actions: ApiActions;
  private readonly digitsHeard = new DigitReader();
  private readonly heardParty = new HeardParty((event, fields) => this.link.notice(event, fields));
  private answeredAt = 0;
  private phase: 'connecting' | 'answering' | 'talking' | 'over' = 'connecting';
  private hasBotSpoken = false;
  private logLines = 0;
  private readonly log: Logger;

  constructor(
    private readonly parts: StreamCallParts<StreamCall>,
    private readonly invite?: { readonly request: ReceivedRequest; readonly response: ResponseSender },
    isContinued = false,
  ) {
    const { log, address, findDialog, sealFallback, openAction, readSound } = parts;
    this.log = log;
    this.opened = parts.opened;
    this.audioPath = new CallAudio({
      queueMilliseconds: parts.settings.queueMilliseconds,
      toBot: (frame, now) => this.link.media(frame, now),
      reached: (mark) => this.returnMark(mark),
    });
    this.negotiation = new Negotiation({
      address,
      port: () => this.rtp?.port ?? 0,
      take: (agreed) => this.take(agreed),
      log,
    });
    this.leaving = new Leaving({
      dialog: () => (this.phase === 'talking' ? this.dialog : undefined),
      findDialog,
      sealFallback,
      begun: () => {
        this.audioPath.isMuted = true;
        this.clear();
      },
      failed: (status, reason) => {
        this.audioPath.isMuted = false;
        this.link.notice('transfer_failed', { status, reason });
      },
      left: () => this.link.end('transferred'),
      log,
    });
    this.link = this.linkTo(parts.opened, isContinued);
    this.sounds = new CallSounds(parts.fetchSound, () => this.soundOutput());
    this.actions = new ApiActions({
      callId: this.id,
      openAction,
      readSound,
      sounds: this.sounds,
      isInProgress: () => this.isInProgress,
      moveTo: (opened) => this.moveTo(opened),
      clear: () => this.clear(),
      log,
    });
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

  get botState(): BotState {
    return { ...this.link.state, queued_ms: Math.round(this.queuedMilliseconds) };
  }

  get queuedMilliseconds(): number {
    return this.audioPath.queuedMilliseconds;
  }

  // ---- towards the edge

  /** Rings, and answers once the bot is ready. */
  async begin(): Promise<void> {
    const { invite } = this;
    if (invite === undefined) return;
    const rtp = await RtpLeg.open(this.parts.sockets, this.parts.address, this.rtpListener());
    if (this.phase === 'over') {
      rtp.close();
      return;
    }
    this.rtp = rtp;
    if (this.negotiation.begin(invite.request.body) === undefined) {
      this.refuse(488, 'PCMU or PCMA over RTP/AVP is needed');
      return;
    }
    invite.response.send(180, undefined, {});
    this.link.connect();
  }

  /** Continues a call of a process before this one, whose dialog the engine has again. */
  async continue(document: StreamCallDocument): Promise<void> {
    const { leg, position } = document;
    const { moment = { wall: document.at, monotonic: 0, boot: '' } } = document;
    const passed = millisecondsSince(moment);
    // Beyond all that the process before can have sent: gaps are legal, repetitions are not heard.
    const packets = Math.ceil(passed / frameMilliseconds) + 50;
    // First: a call that cannot be continued ends in its dialog.
    this.attach(this.parts.engine.rebuild(leg));
    const rtp = await RtpLeg.open(this.parts.sockets, this.parts.address, this.rtpListener(), {
      port: document.port,
      position: {
        source: position.source,
        sequence: (position.sequence + packets) & 0xffff,
        timestamp: (position.timestamp + packets * samplesPerFrame) >>> 0,
      },
    });
    if (this.phase === 'over') {
      rtp.close();
      return;
    }
    this.rtp = rtp;
    this.answeredAt = document.answeredAt;
    this.negotiation.continue(document, leg);
    this.heardParty.continue(document.transferTarget);
    this.phase = 'talking';
    this.hasBotSpoken = true;
    this.audioPath.tone = 'hold';
    this.link.connect();
    void this.confirm();
  }

  /** Undefined: it is not answered, and does not outlive its process. */
  describe(): StreamCallDocument | undefined {
    const { dialog, rtp, negotiation } = this;
    const negotiated = negotiation.describe();
    if (this.phase !== 'talking' || dialog === undefined || rtp === undefined || negotiated === undefined)
      return undefined;
    const moment = momentNow();
    return {
      leg: describeDialog(dialog, {
        owesAck: false,
        session: negotiation.session,
        remoteDescription: negotiation.remoteDescription,
        localDescription: negotiation.localDescription,
        isNewParty: false,
      }),
      answeredAt: this.answeredAt,
      order: this.opened.order,
      facts: this.parts.facts,
      traceparent: this.parts.traceparent,
      transferTarget: this.heardParty.target,
      port: rtp.port,
      position: rtp.position,
      at: moment.wall,
      moment,
      ...negotiated,
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

  /** The process ends. A call that is not answered yet goes to another one, or to the next. */
  leave(): void {
    if (this.phase === 'connecting') this.refuse(503, `${processRefusal}it is stopping`);
  }

  /** True: its 200 waits for the ACK, and the next process could not continue it. */
  get isAnswering(): boolean {
    return this.phase === 'answering';
  }

  /** What the caller hears in a tick of the call's phase. */
  speak(tick: Tick): void {
    if (this.phase === 'talking' && this.rtp !== undefined) this.audioPath.speak(this.rtp, tick);
  }

  /** What the bot hears in it. */
  hear(tick: Tick): void {
    if (this.phase === 'talking') this.audioPath.hear(tick);
  }

  // ---- from the bot

  started(isReconnected: boolean): void {
    const { counters } = this.parts;
    if (isReconnected) {
      counters.reconnected++;
      this.audioPath.tone = undefined;
      // The new stream knows nothing of what the one before has said.
      this.discard();
      this.log.info('The bot is connected again.');
    }
    this.heardParty.begun();
    if (this.phase === 'connecting' && this.stream.answer_on === 'start') this.accept();
  }

  lost(text: string): void {
    this.log.warn({ cause: text }, 'The connection to the bot is lost; trying again.');
    this.audioPath.tone = 'hold';
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
    const { audioPath } = this;
    if (!this.hasBotSpoken) {
      this.hasBotSpoken = true;
      if (audioPath.tone === 'comfort') audioPath.tone = undefined;
    }
    if (audioPath.isMuted) return;
    const { dropped, isFirst } = audioPath.push(octets, performance.now());
    if (isFirst)
      this.log.warn(
        { seconds: this.parts.settings.queueMilliseconds / 1_000 },
        'The bot is too far ahead of what is heard; its audio is dropped.',
      );
    this.parts.counters.droppedFromBotsMilliseconds += dropped;
  }

  mark(name: string): void {
    this.audioPath.mark(name);
  }

  clear(): void {
    const cleared = this.audioPath.clear();
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
        void this.afterAnnouncement(() => void this.leaving.transfer(order));
        break;
      case 'hold':
        void this.turn(order.isOn);
        break;
      case 'dtmf':
        this.audioPath.press(order.digits, order.milliseconds);
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

  // ---- inside

  /** The edge may have ended the call while no process was there for its BYE (RFC 3261 section 12.2.1.2). */
  private async confirm(): Promise<void> {
    for (let attempt = 0; attempt < confirmations && this.phase === 'talking'; attempt++) {
      const asked = performance.now();
      const status = await this.askEdge();
      if (status === 481) this.hangUp(200, 'The call ended while its media-stream process was down');
      if (status !== undefined) return;
      // The edge or its machine is being replaced, too.
      const left = asked + requestMilliseconds - performance.now();
      await idlePause(left);
    }
  }

  /** Status of an OPTIONS in the dialog. Undefined: there is none. */
  private async askEdge(): Promise<number | undefined> {
    const { dialog } = this;
    if (dialog === undefined) return undefined;
    try {
      const { response } = await requestInDialog(dialog, { method: 'OPTIONS' }, requestMilliseconds);
      return response.status === 408 || response.status >= 500 ? undefined : response.status;
    } catch (error) {
      this.log.info({ error: failureText(error) }, 'The edge was not reached for a continued call.');
      return undefined;
    }
  }

  private get stream(): StreamOrder['stream'] {
    return this.opened.order.stream;
  }

  private get isInProgress(): boolean {
    return this.phase === 'talking' && !this.leaving.isUnderWay;
  }

  /** Another bot takes the call. The one that has it keeps it when the other one's server does not accept. */
  private moveTo(opened: OpenedOrder): Promise<void> {
    return new Promise((resolve, reject) => {
      const { link: before } = this;
      const accepted = (): void => {
        if (!this.isInProgress || this.link !== before) {
          reject(new Error('the call is not in progress'));
          next.end('too late');
          return;
        }
        before.end('moved');
        this.link = next;
        this.opened = opened;
        this.audioPath.tone = undefined;
        this.discard();
        this.parts.changed(this);
        resolve();
      };
      const refused = (end: SocketEnd): void => reject(new Error(end.text));
      const next = this.linkTo(opened, false, { accepted, refused });
      next.connect();
    });
  }

  private linkTo(
    { order, headers, secrets }: OpenedOrder,
    isContinued: boolean,
    move: Pick<BotLinkDeps, 'accepted' | 'refused'> = {},
  ): BotLink {
    const { open, settings, version, facts, traceparent } = this.parts;
    return new BotLink(
      {
        order,
        headers: traceparent === undefined ? headers : { ...headers, traceparent },
        secrets,
        open,
        makeFormat: () => formatOf(order.stream, this.audioPath.codec),
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
    const { audioPath } = this;
    if (this.phase !== 'talking') return undefined;
    return {
      codec: audioPath.codec,
      maximumMilliseconds: this.parts.settings.queueMilliseconds,
      queue: (octets, sound) => audioPath.playSound(octets, sound),
      notice: (event, fields) => this.link.notice(event, fields),
    };
  }

  private returnMark(mark: PlayedMark): void {
    const { name, sound, isPlayed, playedMilliseconds } = mark;
    if (sound !== undefined) this.sounds.reached(sound, mark);
    else this.link.mark(name, isPlayed, playedMilliseconds);
  }

  /** Discards what the bot before has queued; its marks are not returned to the next one. */
  private discard(): void {
    for (const mark of this.audioPath.clear())
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
    const { audioPath } = this;
    return {
      voice: (sequence: number, timestamp: number, source: number, payload: Uint8Array, at: number): void =>
        audioPath.voice(sequence, timestamp, source, payload, at),
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
    const timer = this.negotiation.timerFor(request);
    this.parts.engine.answer(
      request,
      response,
      { headers: { ...sdpHeaders, ...timer }, localSdp: this.negotiation.localDescription },
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
        this.audioPath.answered(performance.now());
        this.phase = 'talking';
        if (this.stream.comfort_tone && !this.hasBotSpoken) this.audioPath.tone = 'comfort';
        this.parts.counters.answered++;
        this.parts.changed(this);
      },
    );
  }

  private attach(dialog: Dialog): void {
    this.dialog = dialog;
    dialog.on('destroy', () => this.finish('hangup'));
    dialog.on('ack', ({ body }: ReceivedRequest) => {
      if (this.negotiation.acknowledged(body)) this.parts.changed(this);
    });
    for (const method of ['modify', 'update'])
      dialog.on(method, (request: ReceivedRequest, response: ResponseSender) => {
        this.modified(request, response, dialog.local.contact);
        this.parts.changed(this);
      });
    dialog.on('options', (_request: ReceivedRequest, response: ResponseSender) =>
      response.send(200, undefined, {}),
    );
    dialog.on('info', (request: ReceivedRequest, response: ResponseSender) => this.info(request, response));
    dialog.on('notify', (request: ReceivedRequest, response: ResponseSender) => {
      response.send(200, undefined, {});
      this.leaving.progress(request);
    });
    for (const method of ['refer', 'message'])
      dialog.on(method, (_request: ReceivedRequest, response: ResponseSender) =>
        response.send(603, undefined, {}),
      );
  }

  private modified(request: ReceivedRequest, response: ResponseSender, contact: string): void {
    const { negotiation } = this;
    const before = negotiation.remoteDescription;
    negotiation.modify(request, response, contact);
    // Refreshes of the session repeat the description.
    if (negotiation.remoteDescription !== before)
      this.heardParty.described(request.get(transferTargetHeader));
  }

  private info(request: ReceivedRequest, response: ResponseSender): void {
    const sealed = request.get(streamActionHeader);
    if (sealed !== undefined) {
      void this.actions.act(sealed, response);
      return;
    }
    const pressed = digitOf(request);
    if (pressed !== undefined) this.link.digit(pressed.digit);
    response.send(pressed === undefined && (request.body ?? '') !== '' ? 415 : 200, undefined, {});
  }

  private take(agreed: AgreedAudio): void {
    const isOther = agreed.codec !== this.audioPath.codec;
    this.audioPath.useCodec(agreed.codec);
    if (isOther) this.link.useCodec(agreed.codec);
    this.rtp?.agree(agreed);
  }

  /** Hold or resume, asked for by the bot. */
  private async turn(isHeld: boolean): Promise<void> {
    const { dialog } = this;
    if (dialog === undefined) return;
    if (await this.negotiation.turn(dialog, isHeld ? 'sendonly' : 'sendrecv')) this.parts.changed(this);
  }

  /** The bot is gone for good: its fallback takes the call, or the edge plays its announcement and ends it. */
  private async giveUp(text: string): Promise<void> {
    const { fallback } = this.stream;
    if (fallback !== undefined && (await this.leaving.toFallback(fallback))) return;
    const detail = `Bot lost: ${text}`;
    if (await this.leaving.report(detail)) {
      this.audioPath.isQuiet = true;
      await idlePause(farewellMilliseconds);
    }
    this.hangUp(503, detail);
  }

  private async afterAnnouncement(act: () => void): Promise<void> {
    const { link } = this;
    // Nothing is heard before the ACK, which ends this phase.
    while (this.phase === 'answering') await pause(pollMilliseconds);
    // A bot that never pauses is not waited for.
    const queued = this.queuedMilliseconds + firstWordsMilliseconds;
    const until = performance.now() + Math.min(announcementMilliseconds, queued);
    while (this.queuedMilliseconds > 0 && performance.now() < until && this.phase === 'talking')
      await pause(pollMilliseconds);
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
