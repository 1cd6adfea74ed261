import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { mediaStreamsToBot, pcmToBot } from '../../src/media-stream/formats/message-schemas.js';
import { decode, encode } from '../../src/rtp/g711.js';

/** One stream that a bot has served: all texts of the caller's side in order, and its audio. */
export class BotStream {
  readonly messages: Record<string, unknown>[] = [];
  readonly binary: Buffer[] = [];
  /** μ-law octets, and when each frame came. */
  readonly audio: Buffer[] = [];
  readonly audioAt: number[] = [];
  /** Undefined: it is open. */
  closedWith: number | undefined;

  constructor(
    readonly socket: WebSocket,
    readonly headers: IncomingHttpHeaders,
    readonly path: string,
  ) {
    socket.on('message', (data, isBinary) => {
      if (isBinary) {
        this.binary.push(data as Buffer);
        return;
      }
      const message = JSON.parse(String(data)) as Record<string, unknown>;
      this.check(message);
      if (message.event === 'media') {
        this.audio.push(Buffer.from((message.media as { payload: string }).payload, 'base64'));
        this.audioAt.push(performance.now());
      }
      this.messages.push(message);
    });
    socket.on('close', (code) => {
      this.closedWith = code;
    });
    socket.on('error', () => {});
  }

  /** Messages that the published schema does not have. */
  readonly unpublished: string[] = [];

  private check(message: Record<string, unknown>): void {
    const isStreams = message.event === 'connected' || this.messages[0]?.event === 'connected';
    const read = (isStreams ? mediaStreamsToBot : pcmToBot).safeParse(message);
    if (!read.success) this.unpublished.push(JSON.stringify(message).slice(0, 500));
  }

  get start(): Record<string, unknown> | undefined {
    return this.messages.find(({ event }) => event === 'start');
  }

  get streamSid(): string {
    return String(this.start?.streamSid);
  }

  of(event: string): Record<string, unknown>[] {
    return this.messages.filter((message) => message.event === event);
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  media(octets: Buffer): void {
    this.send({ event: 'media', streamSid: this.streamSid, media: { payload: octets.toString('base64') } });
  }

  /** Sends back what it hears, in `media-streams`. */
  echo(): void {
    this.socket.on('message', (data) => {
      const { event, media } = JSON.parse(String(data)) as { event: string; media?: { payload: string } };
      if (event === 'media')
        this.send({ event, streamSid: this.streamSid, media: { payload: media!.payload } });
    });
  }

  /** A tone, sent in messages of so many milliseconds at their pace; the result stops it. */
  tone(hertz: number, piece = 20): () => void {
    const octets = toneOctets(hertz, 1_000);
    const length = piece * 8;
    let at = 0;
    const start = performance.now();
    let sent = 0;
    const timer = setInterval(() => {
      while ((sent + 1) * piece <= performance.now() - start + piece) {
        const message = Buffer.alloc(length);
        for (let index = 0; index < length; index++) message[index] = octets[(at + index) % octets.length]!;
        at = (at + length) % octets.length;
        this.media(message);
        sent++;
      }
    }, 5);
    this.socket.once('close', () => clearInterval(timer));
    return () => clearInterval(timer);
  }

  /** The last seconds of the caller as samples. */
  samples(seconds: number): Int16Array {
    return decode('PCMU', Buffer.concat(this.audio.slice(-seconds * 50)));
  }
}

/** A tone as μ-law octets; whole periods in a second, so that it can be repeated. */
export function toneOctets(hertz: number, milliseconds: number): Buffer {
  const samples = Int16Array.from({ length: milliseconds * 8 }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hertz * index) / 8_000)),
  );
  return encode('PCMU', samples);
}

export interface BotOptions {
  readonly certificate: { readonly certFile: string; readonly keyFile: string };
  /** What it does with a new stream. */
  readonly serve?: (stream: BotStream) => void;
  /** HTTP status in place of the upgrade. */
  readonly refuse?: () => number | undefined;
}

/** A voice agent as its developers write them: a WebSocket server over TLS on the library that most of them use. */
export class StreamBot {
  readonly streams: BotStream[] = [];
  serve: (stream: BotStream) => void;
  refuse: () => number | undefined;

  private constructor(
    private readonly server: Server,
    { serve, refuse }: BotOptions,
  ) {
    this.serve = serve ?? (() => {});
    this.refuse = refuse ?? (() => undefined);
    const sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request, socket, head) => {
      const status = this.refuse();
      if (status !== undefined) {
        socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\n\r\n`);
        return;
      }
      sockets.handleUpgrade(request, socket, head, (accepted) => {
        const stream = new BotStream(accepted, request.headers, request.url ?? '');
        this.streams.push(stream);
        this.serve(stream);
      });
    });
  }

  static async start(options: BotOptions, port = 0): Promise<StreamBot> {
    const server = createServer({
      cert: readFileSync(options.certificate.certFile),
      key: readFileSync(options.certificate.keyFile),
    });
    const bot = new StreamBot(server, options);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return bot;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/stream'): string {
    return `wss://localhost:${this.port}${path}`;
  }

  async stop(): Promise<void> {
    for (const { socket } of this.streams) socket.terminate();
    await new Promise((resolve) => this.server.close(resolve));
    const unpublished = this.streams.flatMap((stream) => stream.unpublished);
    if (unpublished.length > 0)
      throw new Error(
        `Messages that docs/agent-websocket.schema.json does not have:\n${unpublished.join('\n')}`,
      );
  }
}
