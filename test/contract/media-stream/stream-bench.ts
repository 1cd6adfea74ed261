import { randomBytes, randomUUID } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import {
  type StreamOrder,
  streamOrderHeader,
  streamOrderSchema,
} from '../../../src/contract/agent-stream.js';
import { SecretBox } from '../../../src/contract/secret.js';
import { decode } from '../../../src/rtp/g711.js';
import { type RtpPacket, readPacket, writePacket } from '../../../src/rtp/packet.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { TestAuthority } from '../../support/certificates.js';
import { demarcCommand } from '../../support/engine-under-test.js';
import { freePort } from '../../support/free-ports.js';
import { type MessageOptions, PeerCall, sdp } from '../../support/peer-call.js';
import { TestProcess } from '../../support/processes.js';
import { type BotStream, StreamBot, toneOctets } from '../../support/stream-bot.js';
import { PrivateRedis } from '../redis/private-redis.js';

const frameMilliseconds = 20;
const octets = 160;

/** One packet at the caller. */
export interface HeardPacket extends RtpPacket {
  /** Monotonic milliseconds of its arrival. */
  readonly at: number;
}

/** What a line does with a packet of the caller: undefined: it is lost; else how many milliseconds late it is. */
export type Line = () => number | undefined;

/** The edge and rtpengine of one call, at a real media-stream process: a dialog, a socket for RTP, and what came there. */
export class StreamedCall {
  readonly heard: HeardPacket[] = [];
  private timer: NodeJS.Timeout | undefined;
  private sequence = 0;

  constructor(
    readonly dialog: PeerCall,
    readonly callId: string,
    readonly stream: BotStream,
    private readonly rtp: Socket,
  ) {
    rtp.on('message', (octetsOfPacket) => {
      const packet = readPacket(octetsOfPacket);
      if (packet !== undefined) this.heard.push({ ...packet, at: performance.now() });
    });
    rtp.on('error', () => {});
  }

  /** Sends a tone until the end of the call, through a line. */
  talk(hertz: number, line: Line = () => 0): void {
    const tone = toneOctets(hertz, 1_000);
    const began = performance.now();
    this.timer = setInterval(() => {
      while (this.sequence * frameMilliseconds <= performance.now() - began) {
        const start = (this.sequence * octets) % tone.length;
        const packet = writePacket({
          payloadType: 0,
          isMarked: this.sequence === 0,
          sequence: this.sequence & 0xffff,
          timestamp: this.sequence * octets,
          source: 1,
          payload: tone.subarray(start, start + octets),
        });
        this.sequence++;
        const late = line();
        if (late === 0) this.rtp.send(packet);
        else if (late !== undefined) setTimeout(() => this.send(packet), late);
      }
    }, 5);
  }

  /** What the caller has heard from that packet on, in the order of RTP, with what is missing as silence. */
  samples(from = 0): Int16Array {
    const packets = this.heard.slice(from).filter(({ payloadType }) => payloadType === 0);
    const [first] = packets;
    if (first === undefined) return new Int16Array();
    const place = ({ timestamp }: HeardPacket): number => (timestamp - first.timestamp) >>> 0;
    const last = packets.reduce((most, packet) => Math.max(most, place(packet)), 0);
    const samples = new Int16Array(last + octets);
    for (const packet of packets) samples.set(decode('PCMU', packet.payload), place(packet));
    return samples;
  }

  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.dialog.hangUp();
    this.close();
  }

  close(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.rtp.close();
  }

  private send(packet: Buffer): void {
    if (this.timer !== undefined) this.rtp.send(packet);
  }
}

export interface Called {
  readonly stream?: Partial<StreamOrder['stream']>;
  readonly headers?: MessageOptions['headers'];
}

/** A media-stream process with its Redis, a bot over TLS, and a peer that is its edge. */
export class StreamBench {
  private constructor(
    readonly redis: PrivateRedis,
    readonly authority: TestAuthority,
    private current: TestProcess,
    private readonly launch: () => Promise<TestProcess>,
    readonly bot: StreamBot,
    readonly peer: SipPeer,
    readonly secrets: SecretBox,
  ) {}

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<StreamBench> {
    const key = randomBytes(32).toString('hex');
    const [redis, authority] = await Promise.all([PrivateRedis.start(), TestAuthority.create()]);
    const port = await freePort();
    const [command, argv] = demarcCommand('media-stream', []);
    const env = {
      ...process.env,
      DEMARC_STREAM_ID: 'bench',
      DEMARC_REDIS_URL: redis.url,
      DEMARC_SECRET_KEY: key,
      DEMARC_STREAM_LISTEN: `127.0.0.1:${port}`,
      DEMARC_STREAM_HTTP: '127.0.0.1:0',
      DEMARC_STREAM_CA: authority.caFile,
      DEMARC_STREAM_ALLOW_PRIVATE: 'true',
      DEMARC_DRAIN_SECONDS: '0',
      ...environment,
    };
    const isReady = (message: unknown) => (message as { type?: string }).type === 'ready' || undefined;
    const launch = async (): Promise<TestProcess> => {
      const child = new TestProcess(command, argv, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env });
      await child.message(isReady, 30_000, 'media stream');
      return child;
    };
    const child = await launch();
    const bot = await StreamBot.start({ certificate: await authority.issue('bot', ['localhost']) });
    const peer = await SipPeer.open({
      protocol: 'tcp',
      target: { host: '127.0.0.1', port },
      host: '127.0.0.1',
    });
    return new StreamBench(redis, authority, child, launch, bot, peer, new SecretBox([key]));
  }

  get process(): TestProcess {
    return this.current;
  }

  /** Ends the process. The next one has the same id, and continues its calls. */
  async replaceProcess(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.current.signal(signal);
    await this.current.exit(5_000);
    this.current = await this.launch();
  }

  seal(value: object): string {
    return this.secrets.seal(JSON.stringify(value));
  }

  /** A call that is answered by the bot. */
  async call(called: Called = {}): Promise<StreamedCall> {
    const rtp = createSocket('udp4');
    rtp.bind(0, '127.0.0.1');
    await once(rtp, 'listening');
    const before = this.bot.streams.length;
    const { dialog, callId, message } = await this.invite(rtp.address().port, called);
    if (message.status !== 200) throw new Error(`The call was refused: ${message.status}`);
    await dialog.ack(message);
    const [, port] = /^m=audio (\d+)/m.exec(message.body)!;
    rtp.connect(Number(port), '127.0.0.1');
    await once(rtp, 'connect');
    const [reached] = this.bot.streams.slice(before);
    if (reached !== undefined) await until(() => reached.start !== undefined, 5_000, 'the start');
    return new StreamedCall(dialog, callId, reached!, rtp);
  }

  /** Status and Reason with which a call is refused. */
  async refusal(called: Called = {}): Promise<{ readonly status: number; readonly reason: string }> {
    const { dialog, message } = await this.invite(40_000, called);
    await dialog.ack(message);
    return { status: message.status, reason: message.headers.get('Reason') ?? '' };
  }

  private async invite(rtpPort: number, { stream, headers = {} }: Called) {
    const dialog = PeerCall.to(this.peer);
    const callId = randomUUID();
    const order = streamOrderSchema.parse({
      version: 1,
      call_id: callId,
      organization: 'acme',
      from: '+14155550100',
      to: '+14155550101',
      direction: 'inbound',
      sip_call_id: dialog.callId,
      stream: { url: this.bot.url(), ...stream },
    });
    await dialog.invite({
      body: sdp('1', '127.0.0.1', rtpPort),
      headers: { ...headers, [streamOrderHeader]: this.seal(order) },
    });
    const { message } = await dialog.response((status) => status >= 200, 'INVITE', 15_000);
    return { dialog, callId, message };
  }

  async stop(): Promise<void> {
    await this.bot.stop();
    await this.peer.close();
    await this.process.stop();
    await this.redis.stop();
    this.authority.remove();
  }
}
