import { randomUUID } from 'node:crypto';
import type { StreamOrder } from '../contract/agent-stream.js';
import { accountSidOf, callSidOf } from '../contract/stream-ids.js';
import { PlayoutQueue } from '../media-stream/audio/playout-queue.js';
import { BotLink, type BotLinkListener } from '../media-stream/bot/bot-link.js';
import type { OpenBotSocket, SocketEnd } from '../media-stream/bot/bot-socket.js';
import { formatOf } from '../media-stream/formats/choose.js';
import type { BotOrder } from '../media-stream/formats/format.js';
import { encode } from '../rtp/g711.js';
import type { AudioSeen } from './findings.js';

const frameMilliseconds = 20;
const silence = 0xff;
const maximumQueue = 120_000;
/** Of no customer. */
const organization = 'bot-check';

/** A voice-like signal: bots' detectors do not take a steady tone for speech. */
function speechFrame(index: number): Uint8Array {
  const samples = Int16Array.from({ length: 160 }, (_, at) => {
    const t = (index * 160 + at) / 8_000;
    const pitch = 120 + 30 * Math.sin(2 * Math.PI * 2.3 * t);
    const envelope = 0.55 + 0.45 * Math.sin(2 * Math.PI * 4 * t);
    let sum = 0;
    for (const [harmonic, level] of [
      [1, 0.5],
      [2, 0.35],
      [3, 0.3],
      [5, 0.2],
      [8, 0.12],
      [12, 0.08],
    ] as const)
      sum += level * Math.sin(2 * Math.PI * pitch * harmonic * t);
    return Math.round(9_000 * envelope * sum);
  });
  return encode('PCMU', samples);
}

export interface SessionOptions {
  /** Of an earlier connection for the same call; absent: a new call. */
  readonly callId?: string;
  readonly stream: StreamOrder['stream'];
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly open: OpenBotSocket;
  readonly version: string;
}

/** Our side of one call at a bot: the cadence, the queue and its marks, without SIP. */
export class BotSession implements BotLinkListener {
  readonly callId: string;
  private readonly link: BotLink;
  private readonly queue = new PlayoutQueue({ codec: 'PCMU', maximumMilliseconds: maximumQueue });
  private readonly heard = new Uint8Array(160);
  private readonly quiet = new Uint8Array(160).fill(silence);
  private timer: NodeJS.Timeout | undefined;
  private origin = 0;
  private frames = 0;
  private spoken = 0;
  private speaking = false;
  private startedAt = 0;
  private firstAt: number | undefined;
  private audioOctets = 0;
  private smallest = Number.POSITIVE_INFINITY;
  private messages = 0;
  private longest = 0;
  starts = 0;
  clearAt: number | undefined;
  marks = 0;
  readonly orders: BotOrder[] = [];
  readonly ignored = new Map<string, number>();
  end: SocketEnd | undefined;

  constructor({ callId, stream, headers, secrets, open, version }: SessionOptions) {
    this.callId = callId ?? randomUUID();
    const order: StreamOrder = {
      version: 1,
      call_id: this.callId,
      organization,
      from: '+12025550142',
      to: '+12025550100',
      direction: 'inbound',
      sip_call_id: `check-${this.callId}`,
      stream,
    };
    this.link = new BotLink(
      {
        order,
        headers,
        secrets,
        open,
        makeFormat: () => formatOf(stream, 'PCMU'),
        reconnectMilliseconds: 0,
        version,
        facts: {},
      },
      this,
      callId !== undefined,
    );
  }

  begin(): void {
    this.link.connect();
  }

  /** What the bot knows the call by. */
  get sids(): { readonly accountSid: string; readonly callSid: string } {
    return { accountSid: accountSidOf(organization), callSid: callSidOf(this.callId) };
  }

  get isOpen(): boolean {
    return this.link.isConnected;
  }

  get queuedMilliseconds(): number {
    return this.queue.queuedMilliseconds;
  }

  get seen(): AudioSeen {
    return {
      firstMilliseconds: this.firstAt === undefined ? undefined : this.firstAt - this.startedAt,
      audioMilliseconds: this.audioOctets / 8,
      longestQueueMilliseconds: this.longest,
      smallestOctets: this.smallest,
      messages: this.messages,
    };
  }

  speak(isOn: boolean): void {
    this.speaking = isOn;
  }

  /** Why the stream is over; undefined: it is not. */
  get endText(): string | undefined {
    return this.end?.text;
  }

  press(digit: string): void {
    this.link.digit(digit);
  }

  hangUp(): void {
    clearInterval(this.timer);
    this.link.end('hangup');
  }

  started(): void {
    this.starts++;
    this.startedAt = performance.now();
    this.origin = this.startedAt;
    this.timer ??= setInterval(() => this.tick(), frameMilliseconds / 2);
  }

  lost(): void {}

  over(end: SocketEnd): void {
    clearInterval(this.timer);
    this.end = end;
  }

  congested(): void {
    this.unknown('audio of the caller is not read in time');
  }

  audio(octets: Uint8Array): void {
    const now = performance.now();
    if (this.firstAt === undefined && Buffer.from(octets.subarray(0, 4)).toString('latin1') === 'RIFF')
      this.unknown('audio begins with the header of a WAV file: send the samples alone');
    this.firstAt ??= now;
    this.messages++;
    this.audioOctets += octets.length;
    this.smallest = Math.min(this.smallest, octets.length);
    if (this.queue.push(octets, now) > 0) this.unknown(`more than ${maximumQueue / 1_000} s of audio ahead`);
    this.longest = Math.max(this.longest, this.queue.queuedMilliseconds);
  }

  mark(name: string): void {
    this.marks++;
    const due = this.queue.mark(name);
    if (due !== undefined) this.link.mark(due.name, due.isPlayed, due.playedMilliseconds);
  }

  clear(): void {
    this.clearAt = performance.now();
    for (const { name, isPlayed, playedMilliseconds } of this.queue.clear())
      this.link.mark(name, isPlayed, playedMilliseconds);
    this.link.cleared();
  }

  order(order: BotOrder): void {
    this.orders.push(order);
  }

  unknown(why: string): void {
    this.ignored.set(why, (this.ignored.get(why) ?? 0) + 1);
  }

  private tick(): void {
    const now = performance.now();
    while (this.origin + this.frames * frameMilliseconds <= now) {
      this.frames++;
      this.link.media(this.speaking ? speechFrame(this.spoken++) : this.quiet, now);
      this.queue.take(this.heard, now);
      for (const { name, isPlayed, playedMilliseconds } of this.queue.dueMarks())
        this.link.mark(name, isPlayed, playedMilliseconds);
    }
  }
}
