import { createServer, type Server, type Socket } from 'node:net';
import { hearTone } from '../../dev/softphone/tone.js';
import type { Sound } from '../../dev/softphone/wav.js';
import { until } from '../../src/testkit/waiting.js';

/** Asterisk's AudioSocket: one octet of kind, two of length, then the payload. */
const kinds = { end: 0x00, id: 0x01, digit: 0x03, sound: 0x10 } as const;
const headerOctets = 3;
const rate = 8_000;
const frameMilliseconds = 20;
const frameSamples = (rate * frameMilliseconds) / 1_000;
/** What a player gathers before it begins. */
const playerSamples = (40 * rate) / 1_000;
const largestPlayerSamples = 3 * playerSamples;
/** After a stop of this process it does not make up for more than this. */
const mostFramesAtOnce = 25;

/** One channel of an Asterisk whose audio comes here and goes from here, as signed 16-bit samples at 8 kHz. */
export class AudioLine {
  private readonly frames: Float32Array[] = [];
  /** When each of them came. */
  private readonly cameAt: number[] = [];
  private buffered = Buffer.alloc(0);
  private readonly began = performance.now();
  private framesSaid = 0;
  private phase = 0;
  private hertz = 0;
  private words: Int16Array = new Int16Array();
  private readonly pacer: NodeJS.Timeout;
  extension = '';
  /** DTMF that was heard. */
  digits = '';
  isOver = false;

  constructor(
    private readonly socket: Socket,
    identified: (line: AudioLine) => void,
  ) {
    socket.on('data', (chunk) => {
      this.buffered = Buffer.concat([this.buffered, chunk]);
      this.read(identified);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => this.finish());
    this.pacer = setInterval(() => this.pace(), frameMilliseconds);
  }

  /** Says a sine from now on, instead of silence or the one before. */
  say(hertz: number): void {
    this.hertz = hertz;
  }

  /** Says these samples once, and silence after them. */
  speak(samples: Int16Array): void {
    this.hertz = 0;
    this.words = samples;
  }

  /** Forgets what was heard so far. */
  forget(): void {
    this.frames.length = 0;
    this.cameAt.length = 0;
  }

  /** All that was heard, without the pauses between the frames. */
  get sound(): Sound {
    let at = 0;
    return this.placed(({ length }) => {
      at += length;
      return at - length;
    });
  }

  /**
   * What a loudspeaker plays of it: it begins with a small buffer, is silent when that is empty, and skips what would make it large.
   * Asterisk passes a lost packet on as nothing, or as more than was lost, so that without a clock the sound would change its length.
   */
  get played(): Sound {
    const began = this.cameAt[0] ?? 0;
    let end = playerSamples;
    return this.placed(({ length }, frame) => {
      const cameAt = Math.round(((this.cameAt[frame]! - began) * rate) / 1_000);
      if (end >= cameAt + largestPlayerSamples) return undefined;
      const at = Math.max(end, cameAt);
      end = at + length;
      return at;
    });
  }

  /** @param placeOf where a frame begins; undefined: it is left out */
  private placed(placeOf: (frame: Float32Array, index: number) => number | undefined): Sound {
    const places = this.frames.map(placeOf);
    const ends = this.frames.map(({ length }, index) => (places[index] ?? 0) + length);
    const samples = new Float32Array(Math.max(0, ...ends));
    for (const [index, frame] of this.frames.entries()) {
      const at = places[index];
      if (at !== undefined) samples.set(frame, at);
    }
    return { samples, rate };
  }

  /** Seconds for which that tone was heard. */
  secondsHeard(hertz: number): number {
    return hearTone(this.sound, hertz).seconds;
  }

  async waitForTone(hertz: number, seconds = 0.4): Promise<void> {
    await until(
      () => this.secondsHeard(hertz) >= seconds,
      15_000,
      () =>
        `extension ${this.extension} hears ${hertz} Hz for ${seconds} s; heard ${this.secondsHeard(hertz)} s of ` +
        `${((this.frames.length * frameMilliseconds) / 1_000).toFixed(1)} s`,
    );
  }

  async waitForDigits(digits: string): Promise<void> {
    await until(
      () => this.digits === digits,
      15_000,
      () => `extension ${this.extension} gets the digits ${digits}; got ${this.digits}`,
    );
  }

  async waitForEnd(): Promise<void> {
    await until(() => this.isOver, 15_000, `extension ${this.extension} is hung up on`);
  }

  hangUp(): void {
    if (!this.isOver) this.socket.end(Buffer.from([kinds.end, 0, 0]));
  }

  private read(identified: (line: AudioLine) => void): void {
    while (this.buffered.length >= headerOctets) {
      const end = headerOctets + this.buffered.readUInt16BE(1);
      if (this.buffered.length < end) return;
      const kind = this.buffered[0];
      const payload = this.buffered.subarray(headerOctets, end);
      this.buffered = this.buffered.subarray(end);
      if (kind === kinds.sound) {
        this.frames.push(samplesOf(payload));
        this.cameAt.push(performance.now());
      } else if (kind === kinds.digit) this.digits += payload.toString('latin1');
      else if (kind === kinds.id) {
        // The dialplan puts the extension in the last twelve digits of the UUID.
        this.extension = payload.subarray(10).toString('hex').replace(/^0+/, '');
        identified(this);
      }
    }
  }

  private pace(): void {
    const due = Math.floor((performance.now() - this.began) / frameMilliseconds) - this.framesSaid;
    this.framesSaid += due;
    for (let frame = 0; frame < Math.min(due, mostFramesAtOnce); frame += 1) {
      if (this.socket.writable) this.socket.write(this.nextFrame());
    }
  }

  private nextFrame(): Buffer {
    const frame = Buffer.alloc(headerOctets + 2 * frameSamples);
    frame[0] = kinds.sound;
    frame.writeUInt16BE(2 * frameSamples, 1);
    for (let sample = 0; sample < frameSamples; sample += 1) {
      this.phase += (2 * Math.PI * this.hertz) / rate;
      const tone = this.hertz === 0 ? 0 : Math.round(8_000 * Math.sin(this.phase));
      frame.writeInt16LE(this.words[sample] ?? tone, headerOctets + 2 * sample);
    }
    this.words = this.words.subarray(frameSamples);
    return frame;
  }

  private finish(): void {
    clearInterval(this.pacer);
    this.isOver = true;
  }
}

/** Where the channels of an Asterisk connect to. */
export class AudioSocketServer {
  private readonly lines: AudioLine[] = [];

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(port: number): Promise<AudioSocketServer> {
    const server = createServer();
    const made = new AudioSocketServer(server, port);
    server.on('connection', (socket) => {
      new AudioLine(socket, (line) => made.lines.push(line));
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return made;
  }

  /** The next channel at that extension that has not been returned yet. */
  async line(extension: string): Promise<AudioLine> {
    let found: AudioLine | undefined;
    await until(
      () => {
        const at = this.lines.findIndex((line) => line.extension === extension);
        if (at >= 0) [found] = this.lines.splice(at, 1);
        return found !== undefined;
      },
      15_000,
      () => `extension ${extension} talks; others: ${this.lines.map((line) => line.extension).join(', ')}`,
    );
    return found!;
  }

  stop(): void {
    this.server.close();
  }
}

function samplesOf(payload: Buffer): Float32Array {
  const samples = new Float32Array(payload.length >> 1);
  for (let at = 0; at < samples.length; at += 1) samples[at] = payload.readInt16LE(2 * at) / 32_768;
  return samples;
}
