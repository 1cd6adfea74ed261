/**
 * Both ends of calls at bots by WebSocket, in one process, so that one clock measures both ways: callers who send RTP to a media-stream
 * process as rtpengine does, and the bot that its sockets go to. Each frame carries its number. `websocket.ts` starts it.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import { type StreamOrder, streamOrderHeader, streamOrderSchema } from '../../src/contract/agent-stream.js';
import { SecretBox } from '../../src/contract/secret.js';
import { chooseSockets } from '../../src/media-stream/rtp-sockets/choose-sockets.js';
import type { RtpSocket, RtpSockets } from '../../src/media-stream/rtp-sockets/rtp-sockets.js';
import { SipPeer } from '../../src/testkit/sip-peer.js';
import { PeerCall, sdp } from '../../test/support/peer-call.js';
import { type StreamFigures, type StreamLoad, streamLoadSchema } from './stream-figures.js';

const frameMilliseconds = 20;
const octets = 160;
const phases = 20;
/** No octet of silence or of a tone of the media-stream process. */
const filler = 0x2a;
const silence = 0xff;
const remembered = 4_096;
const clears = 100;
const clearMilliseconds = 500;

/** Sorted samples; the point of the distribution. */
const point = (sorted: readonly number[], share: number): number =>
  sorted.length === 0 ? Number.NaN : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

const points = (samples: number[]) => {
  samples.sort((a, b) => a - b);
  return {
    p50: point(samples, 0.5),
    p99: point(samples, 0.99),
    p999: point(samples, 0.999),
    longest: samples.at(-1) ?? Number.NaN,
  };
};

/** The last frame that is heard after a `clear` fades: its silence begins within the packet. */
function millisecondsBeforeSilence(packet: Buffer): number {
  let end = packet.length;
  while (end > 12 && packet[end - 1] === silence) end--;
  return (end - 12) / (octets / frameMilliseconds);
}

/** One call: its caller's socket and its bot's. */
class Call {
  socket: WebSocket | undefined;
  streamSid = '';
  /** The socket knows where to send. */
  isConnected = false;
  isTalking = true;
  private readonly packet = Buffer.alloc(12 + octets, filler);
  private readonly frame: Buffer;
  private readonly sentByCaller = new Float64Array(remembered);
  private readonly sentByBot = new Float64Array(remembered);
  private callerFrame = 0;
  private botFrame = 0;
  private firstTimestamp: number | undefined;
  private base = Number.POSITIVE_INFINITY;
  readonly arrivals: number[] = [];
  readonly toBot: number[] = [];
  readonly toCaller: number[] = [];
  /** @param at monotonic milliseconds of the beginning of the silence */
  onSilence: ((at: number) => void) | undefined;

  constructor(
    readonly rtp: RtpSocket,
    private readonly load: StreamLoad,
  ) {
    this.packet[0] = 0x80;
    this.packet.writeUInt32BE(Math.floor(Math.random() * 2 ** 32), 8);
    const perFrame = load.format === 'pcm' ? (load.sampleRate * 2 * frameMilliseconds) / 1_000 : octets;
    this.frame = Buffer.alloc(perFrame, filler);
    rtp.listener = (packet, at) => this.heardByCaller(packet, at);
  }

  /** What is due in a tick of this call's phase. */
  tick(): void {
    if (!this.isConnected) return;
    this.callerFrame++;
    const { packet } = this;
    packet[1] = 0;
    packet.writeUInt16BE(this.callerFrame & 0xffff, 2);
    packet.writeUInt32BE((this.callerFrame * octets) >>> 0, 4);
    packet.writeUInt32BE(this.callerFrame, 12);
    this.sentByCaller[this.callerFrame % remembered] = performance.now();
    this.rtp.send(packet);
    const { socket } = this;
    if (socket === undefined || !this.isTalking) return;
    this.botFrame++;
    this.frame.writeUInt32BE(this.botFrame, 0);
    this.sentByBot[this.botFrame % remembered] = performance.now();
    if (this.load.format === 'pcm') socket.send(Buffer.from(this.frame));
    else
      socket.send(
        `{"event": "media", "streamSid": "${this.streamSid}", "media": {"payload": "${this.frame.toString('base64')}"}}`,
      );
  }

  /** From here on figures count. */
  begin(): void {
    for (const samples of [this.arrivals, this.toBot, this.toCaller]) samples.length = 0;
    this.base = Number.POSITIVE_INFINITY;
    this.firstTimestamp = undefined;
  }

  heardByBot(text: string): void {
    const at = text.indexOf('"payload":"');
    if (at < 0) return;
    const head = Buffer.from(text.slice(at + 11, at + 19), 'base64');
    if (head[4] === filler && head[5] === filler)
      this.toBot.push(performance.now() - this.sentByCaller[head.readUInt32BE(0) % remembered]!);
  }

  /** Milliseconds of each packet after the best one. */
  get lateness(): number[] {
    return this.arrivals.map((offset) => offset - this.base);
  }

  /** @param at when the kernel received it, so that the lateness of this process is not that of the other one */
  private heardByCaller(packet: Buffer, at: number): void {
    const timestamp = packet.readUInt32BE(4);
    this.firstTimestamp ??= timestamp;
    const offset = at - (((timestamp - this.firstTimestamp) >>> 0) / octets) * frameMilliseconds;
    this.arrivals.push(offset);
    this.base = Math.min(this.base, offset);
    if (packet.at(-1) === silence) {
      this.onSilence?.(at + millisecondsBeforeSilence(packet));
      return;
    }
    if (packet[12 + 4] === filler && packet[12 + 5] === filler)
      this.toCaller.push(at - this.sentByBot[packet.readUInt32BE(12) % remembered]!);
  }
}

const load = streamLoadSchema.parse(JSON.parse(process.argv[2] ?? ''));
const calls: Call[] = [];

/** The bot. */
async function startBot(): Promise<string> {
  const { certFile, keyFile } = load.certificate;
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
  new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
    let call: Call | undefined;
    socket.on('error', () => {});
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return;
      const text = data.toString();
      if (call !== undefined) {
        call.heardByBot(text);
        return;
      }
      const index = /"index":\s*"(\d+)"/.exec(text)?.[1];
      if (index === undefined) return;
      call = calls[Number(index)]!;
      call.streamSid = /"streamSid":\s*"(\w+)"/.exec(text)?.[1] ?? '';
      call.socket = socket;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `wss://localhost:${(server.address() as AddressInfo).port}/`;
}

interface Callers {
  readonly peer: SipPeer;
  readonly secrets: SecretBox;
  readonly sockets: RtpSockets;
}

async function begin({ peer, secrets, sockets }: Callers, url: string, index: number): Promise<PeerCall> {
  const { rtp } = await sockets.open('127.0.0.1');
  const call = new Call(rtp, load);
  calls.push(call);
  const dialog = PeerCall.to(peer);
  const order: StreamOrder = streamOrderSchema.parse({
    version: 1,
    call_id: `bench-${process.pid}-${index}`,
    organization: 'bench',
    from: '+14155550100',
    to: '+14155550101',
    direction: 'inbound',
    sip_call_id: dialog.callId,
    stream: { url, format: load.format, sample_rate: load.sampleRate, parameters: { index: String(index) } },
  });
  const body = sdp(String(index), '127.0.0.1', rtp.port);
  await dialog.invite({ body, headers: { [streamOrderHeader]: secrets.seal(JSON.stringify(order)) } });
  const { message } = await dialog.response((status) => status >= 200, 'INVITE', 15_000);
  await dialog.ack(message);
  if (message.status !== 200)
    throw new Error(`Call ${index} was refused: ${message.status} ${message.reason}`);
  const [, host] = /^c=IN IP4 (\S+)/m.exec(message.body)!;
  const [, port] = /^m=audio (\d+)/m.exec(message.body)!;
  await new Promise<void>((resolve) => rtp.connect(Number(port), host!, resolve));
  call.isConnected = true;
  return dialog;
}

/** Every call ticks each 20 ms; each millisecond some of them, in no step with the ticks of the process. */
function tickAll(sockets: RtpSockets): () => void {
  const began = performance.now();
  let tick = 0;
  const every = frameMilliseconds / phases;
  const timer = setInterval(() => {
    sockets.read();
    while (began + tick * every <= performance.now()) {
      for (let index = tick % phases; index < calls.length; index += phases) calls[index]!.tick();
      tick++;
    }
  }, 1);
  return () => clearInterval(timer);
}

/** From `clear` at the bot to the beginning of the silence at the caller. */
async function measureClears(): Promise<number[]> {
  const samples: number[] = [];
  for (let round = 0; round < clears; round++) {
    const call = calls[round % calls.length]!;
    call.isTalking = false;
    const sent = performance.now();
    const silenced = new Promise<number | undefined>((resolve) => {
      call.onSilence = (at) => resolve(at - sent);
      setTimeout(() => resolve(undefined), clearMilliseconds);
    });
    call.socket?.send(
      load.format === 'pcm' ? '{"event":"clear"}' : `{"event":"clear","streamSid":"${call.streamSid}"}`,
    );
    const milliseconds = await silenced;
    if (milliseconds !== undefined) samples.push(milliseconds);
    call.onSilence = undefined;
    call.isTalking = true;
    // Not in step with the ticks of the process.
    await sleep(frameMilliseconds * (2 + Math.random()));
  }
  return samples;
}

async function main(): Promise<void> {
  const secrets = new SecretBox([load.secretKey]);
  const url = await startBot();
  const peer = await SipPeer.open({ protocol: 'tcp', target: load.target, host: '127.0.0.1' });
  process.stdout.write('ready\n');
  const sockets = await chooseSockets('auto', pino(pino.destination(process.stderr.fd)));
  const stop = tickAll(sockets);
  const dialogs: PeerCall[] = [];
  for (let index = 0; index < load.calls; index++) {
    dialogs.push(await begin({ peer, secrets, sockets }, url, index));
    await sleep(1_000 / load.callsPerSecond);
  }
  await sleep(load.settleMilliseconds);
  for (const call of calls) call.begin();
  const cpu = process.cpuUsage();
  process.stdout.write('steady\n');
  await sleep(load.seconds * 1_000);
  process.stdout.write('measured\n');
  const { user, system } = process.cpuUsage(cpu);
  const expected = load.calls * load.seconds * (1_000 / frameMilliseconds);
  const arrivals = calls.reduce((sum, each) => sum + each.arrivals.length, 0);
  const figures: StreamFigures = {
    lateness: points(calls.flatMap((call) => call.lateness)),
    toBot: points(calls.flatMap(({ toBot }) => toBot)),
    toCaller: points(calls.flatMap(({ toCaller }) => toCaller)),
    arrived: arrivals / expected,
    heard: calls.reduce((sum, { toBot }) => sum + toBot.length, 0) / expected,
    generatorCore: (user + system) / 1_000 / (load.seconds * 1_000),
    clear: points(await measureClears()),
  };
  for (const dialog of dialogs) await dialog.send('BYE');
  await sleep(500);
  stop();
  process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit());
}

await main();
