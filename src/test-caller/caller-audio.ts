import { randomBytes } from 'node:crypto';
import type { SpokenLine, VoicePackets } from '../contract/voice-call.js';
import { afterArrived } from '../rtp/after-arrived.js';
import { DigitWriter } from '../rtp/digits.js';
import { encode, packetMilliseconds, samplesPerPacket } from '../rtp/g711.js';
import { HeardAudio, type HeardTurn, stallMilliseconds } from '../rtp/heard-audio.js';
import { firstSequence, type RtpPacket, readPacket, writePacket } from '../rtp/packet.js';
import { RtcpSession } from '../rtp/rtcp-session.js';
import type { SocketPair } from '../rtp/socket-pair.js';
import { masterLength, SrtpContext } from '../rtp/srtp.js';
import { CallRecording } from './call-recording.js';
import type { AgreedAudio } from './description.js';
import type { CallerLine } from './line-conditions.js';
import { SpokenAudio } from './spoken-audio.js';

export interface CallerAudioEvents {
  readonly began: (at: number) => void;
  readonly turn: (turn: HeardTurn) => void;
  readonly said: (line: SpokenLine) => void;
  /** A part of the recording; absent: the call is not recorded. */
  readonly recorded?: ((octets: Uint8Array) => void) | undefined;
}

/** Milliseconds. A longer stall of the process is skipped: no receiver plays hundreds of packets that come at once. */
const longestCatchUp = 500;

/** The caller's SRTP: it sends a frame every 20 ms, silence included, as telephones do, and listens. */
export class CallerAudio {
  readonly master = randomBytes(masterLength);
  private readonly outgoing = new SrtpContext(this.master);
  private incoming: SrtpContext | undefined;
  private agreed: AgreedAudio | undefined;
  private heard: HeardAudio | undefined;
  private readonly spoken: SpokenAudio;
  private readonly digits = new DigitWriter();
  private pressing: { readonly line: number; readonly from: number; to: number } | undefined;
  private readonly recording: CallRecording | undefined;
  private readonly reports: RtcpSession;
  private readonly source = randomBytes(4).readUInt32BE(0);
  private sequence = firstSequence();
  private timestamp = randomBytes(4).readUInt32BE(0);
  private sent = 0;
  private datagrams = 0;
  private longestStall = 0;
  private answeredAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly sockets: SocketPair,
    private readonly endOfTurnMilliseconds: number,
    private readonly events: CallerAudioEvents,
    /** Undefined: the audio goes as it was spoken. */
    private readonly line?: CallerLine | undefined,
  ) {
    this.spoken = new SpokenAudio(events.said);
    this.recording = events.recorded && new CallRecording(events.recorded);
    this.reports = new RtcpSession({ source: this.source, send: (compound) => this.sendReport(compound) });
    sockets.rtp.on('message', (packet) => this.receive(packet));
    sockets.rtcp.on('message', (packet) => {
      const compound = this.incoming?.unprotectReport(packet);
      if (compound !== undefined) this.reports.receivedReport(compound);
    });
    for (const socket of [sockets.rtp, sockets.rtcp]) socket.on('error', () => {});
  }

  get port(): number {
    return this.sockets.rtp.address().port;
  }

  get lines(): readonly SpokenLine[] {
    return this.spoken.lines;
  }

  get speech() {
    return this.heard?.speech ?? [];
  }

  get turns() {
    return this.heard?.turns ?? [];
  }

  /** Of the agent in the recording. */
  get delays() {
    return this.heard?.delays ?? [];
  }

  get packets(): VoicePackets {
    const { received = 0, lost = 0, late = 0, jitterMilliseconds = 0 } = this.heard?.packets ?? {};
    const stalled = Math.round(this.longestStall);
    return { received, lost, late, sent: this.sent, jitter_ms: jitterMilliseconds, stalled_ms: stalled };
  }

  /** Applies the peer's description; audio before the answer is heard as well. */
  agree(agreed: AgreedAudio): void {
    this.agreed = agreed;
    this.incoming ??= new SrtpContext(agreed.master);
  }

  /** The call is answered: time begins. */
  answered(): void {
    this.answeredAt = performance.now();
    this.heard = new HeardAudio(
      this.agreed!.codec,
      0,
      { endOfTurnMilliseconds: this.endOfTurnMilliseconds, stallMilliseconds },
      {
        began: (at) => {
          this.spoken.agentBegan(at);
          this.events.began(at);
        },
        turn: this.events.turn,
        frame: (samples) => this.recording?.heard(samples),
      },
    );
    this.reports.start();
    this.tick(0, this.answeredAt);
  }

  /** @returns false: the audio is silent */
  say(line: number, samples: Int16Array, bargeInMilliseconds: number | null): boolean {
    return this.spoken.say(line, samples, bargeInMilliseconds);
  }

  /** Sends keys, in place of audio; they are reported as said. @returns false: the peer takes none */
  press(line: number, digits: string): boolean {
    if (this.agreed?.eventPayloadType === undefined) return false;
    this.digits.write(digits);
    this.pressing = { line, from: this.now, to: this.now };
    return true;
  }

  get isSpeaking(): boolean {
    return this.spoken.isSpeaking;
  }

  /** Milliseconds since the answer; 0 before it. */
  get now(): number {
    return this.answeredAt === undefined ? 0 : performance.now() - this.answeredAt;
  }

  /** Ends the audio; lines and speech are complete then. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.timer);
    const { now } = this;
    this.spoken.finish(now);
    this.heard?.finish(now);
    this.recording?.finish();
    this.sockets.rtp.close();
    this.reports.leave();
    // A datagram is sent only after this turn of the event loop.
    setImmediate(() => this.sockets.rtcp.close());
  }

  /**
   * Judges what was heard, sends all frames that are due, then schedules itself again: a plain interval would drift. After a stall of the
   * process, packets that arrived meanwhile are read first: without them the agent would have been silent.
   */
  private tick(next: number, readUntil: number): void {
    if (this.isClosed) return;
    const { now } = this;
    this.heard?.advance(readUntil - this.answeredAt!);
    const late = now - next * packetMilliseconds;
    if (this.isSpeaking && late > packetMilliseconds) this.longestStall = Math.max(this.longestStall, late);
    let frame = late > longestCatchUp ? Math.floor(now / packetMilliseconds) : next;
    this.timestamp = (this.timestamp + (frame - next) * samplesPerPacket) >>> 0;
    for (; frame * packetMilliseconds <= now; frame++) {
      const spoken = this.spoken.frame(frame * packetMilliseconds);
      const samples = this.line?.sound(spoken) ?? spoken;
      this.recording?.said(frame, samples);
      if (!this.sendKey(frame)) this.send(samples);
    }
    const wait = frame * packetMilliseconds - this.now;
    this.timer = setTimeout(
      () =>
        afterArrived(
          () => this.datagrams,
          (readUntil) => this.tick(frame, readUntil),
        ),
      wait,
    );
  }

  /** The packet of a key that is being pressed. False: none is. */
  private sendKey(frame: number): boolean {
    const { digits, agreed, pressing } = this;
    if (pressing === undefined) return false;
    const event = digits.next();
    if (event === undefined || agreed?.eventPayloadType === undefined) {
      if (digits.isBusy) return false;
      this.pressing = undefined;
      this.spoken.pressed(pressing.line, pressing.from, pressing.to);
      return false;
    }
    pressing.to = (frame + 1) * packetMilliseconds;
    const { eventPayloadType: payloadType } = agreed;
    const { isMarked, offset } = event;
    this.sendPacket(() => ({ payloadType, isMarked, offset, payload: Buffer.from(event.payload) }));
    return true;
  }

  private send(samples: Int16Array): void {
    this.sendPacket(({ payloadType, codec }) => ({
      payloadType,
      isMarked: this.sent === 0,
      offset: 0,
      payload: encode(codec, samples),
    }));
  }

  /**
   * Counts the packet of this frame, and sends it if the peer takes any.
   * @param contentOf `offset`: samples since the time that the packet carries, the start of an event (RFC 4733 §2.3.3)
   */
  private sendPacket(
    contentOf: (
      agreed: AgreedAudio,
    ) => Pick<RtpPacket, 'payloadType' | 'isMarked' | 'payload'> & { readonly offset: number },
  ): void {
    const { agreed } = this;
    this.sequence = (this.sequence + 1) & 0xffff;
    this.timestamp = (this.timestamp + samplesPerPacket) >>> 0;
    if (agreed === undefined || !agreed.maySend) return;
    const { offset, ...content } = contentOf(agreed);
    const packet = writePacket({
      ...content,
      sequence: this.sequence,
      timestamp: (this.timestamp - offset) >>> 0,
      source: this.source,
    });
    this.sent++;
    this.reports.sent(packet);
    this.leave(this.outgoing.protect(packet), agreed);
  }

  /** Puts a packet on the line, which may lose or delay it. */
  private leave(packet: Buffer, { port, address }: AgreedAudio): void {
    const delay = this.line === undefined ? 0 : this.line.delay();
    if (delay === undefined) return;
    const send = (): void => {
      if (!this.isClosed) this.sockets.rtp.send(packet, port, address);
    };
    if (delay === 0) send();
    else setTimeout(send, delay).unref();
  }

  private receive(packet: Buffer): void {
    this.datagrams++;
    const arrival = this.now;
    const plain = this.incoming?.unprotect(packet);
    const read = plain === undefined ? undefined : readPacket(plain);
    if (plain === undefined || read === undefined) return;
    this.reports.received(plain);
    if (read.payloadType === this.agreed?.payloadType) this.heard?.packet(read, arrival);
  }

  private sendReport(compound: Buffer): void {
    const { agreed } = this;
    if (agreed === undefined) return;
    this.sockets.rtcp.send(this.outgoing.protectReport(compound), agreed.rtcpPort, agreed.address);
  }
}
