import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { decode } from '../../src/rtp/g711.js';
import { toneOctets } from './stream-bot.js';

const key = 'key of the stand-in';
/** The model's words are a tone, this long and in pieces of so much. */
const turnMilliseconds = 40_000;
const pieceMilliseconds = 200;
/** A model speaks faster than it is heard. OpenAI's SDK handles no interruption once a turn is complete, so not much faster. */
const pieceEveryMilliseconds = 100;

type Event = Readonly<Record<string, unknown>>;

/**
 * A server of OpenAI's Realtime protocol as its public reference describes it (GA names): μ-law both ways, turns that are a tone, truncation
 * that fails beyond what was produced. It speaks when `response.create` asks it to, and hears speech when the test says so.
 */
export class RealtimeStandIn {
  readonly received: Event[] = [];
  readonly errors: string[] = [];
  private readonly heard: Buffer[] = [];
  private readonly produced = new Map<string, number>();
  private socket: WebSocket | undefined;
  private session: Record<string, unknown> = { type: 'realtime', object: 'realtime.session', id: 'sess_1' };
  private timer: NodeJS.Timeout | undefined;
  private turn: { readonly response: string; readonly item: string } | undefined;

  private constructor(
    private readonly server: Server,
    private readonly toneHertz: number,
  ) {
    const sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request, socket, head) => {
      if (request.headers.authorization !== `Bearer ${key}`) {
        socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
        return;
      }
      sockets.handleUpgrade(request, socket, head, (accepted) => this.serve(accepted));
    });
  }

  static readonly key = key;

  /** @param toneHertz what the model says */
  static async start(toneHertz: number): Promise<RealtimeStandIn> {
    const server = createServer();
    const standIn = new RealtimeStandIn(server, toneHertz);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1/realtime?model=stand-in`;
  }

  get isConnected(): boolean {
    return this.socket?.readyState === 1;
  }

  of(type: string): Event[] {
    return this.received.filter((event) => event.type === type);
  }

  /** The last seconds of the caller as samples. */
  samples(seconds: number): Int16Array {
    return decode('PCMU', Buffer.concat(this.heard).subarray(-seconds * 8_000));
  }

  /** Format of the model's audio, as the session was configured. */
  get outputFormat(): unknown {
    return (this.session.audio as { output?: { format?: unknown } } | undefined)?.output?.format;
  }

  /** The voice activity detection of the server notices the caller. */
  hearSpeech(): void {
    this.send({ type: 'input_audio_buffer.speech_started', audio_start_ms: 0, item_id: 'item_caller' });
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.socket?.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: WebSocket): void {
    this.socket = socket;
    socket.on('error', () => {});
    socket.on('close', () => clearInterval(this.timer));
    socket.on('message', (data) => this.read(JSON.parse(String(data)) as Event));
    this.send({ type: 'session.created', session: this.session });
  }

  private read(event: Event): void {
    if (event.type === 'input_audio_buffer.append') {
      this.heard.push(Buffer.from(String(event.audio), 'base64'));
      return;
    }
    this.received.push(event);
    switch (event.type) {
      case 'session.update':
        this.session = { ...this.session, ...(event.session as object) };
        this.send({ type: 'session.updated', session: this.session });
        break;
      case 'conversation.item.create':
        this.send({ type: 'conversation.item.added', item: this.itemOf(event), previous_item_id: null });
        this.send({ type: 'conversation.item.done', item: this.itemOf(event), previous_item_id: null });
        break;
      case 'response.create':
        this.speak();
        break;
      case 'response.cancel':
        this.endTurn('cancelled');
        break;
      case 'conversation.item.truncate':
        this.truncate(event);
        break;
      case 'conversation.item.retrieve':
        this.send({ type: 'conversation.item.retrieved', item: this.message(String(event.item_id)) });
        break;
      default:
        this.fail(`${String(event.type)} is not a client event`);
    }
  }

  private itemOf({ item }: Event): object {
    return { id: `item_${randomBytes(4).toString('hex')}`, status: 'completed', ...(item as object) };
  }

  private message(id: string): object {
    const content = [{ type: 'output_audio', transcript: 'a tone' }];
    return { id, type: 'message', role: 'assistant', status: 'completed', content };
  }

  private speak(): void {
    const turn = {
      response: `resp_${randomBytes(4).toString('hex')}`,
      item: `item_${randomBytes(4).toString('hex')}`,
    };
    this.turn = turn;
    this.produced.set(turn.item, 0);
    this.send({
      type: 'response.created',
      response: { id: turn.response, status: 'in_progress', output: [] },
    });
    const item = { ...this.message(turn.item), status: 'in_progress', content: [] };
    this.send({ type: 'response.output_item.added', response_id: turn.response, output_index: 0, item });
    this.send({ type: 'conversation.item.added', item, previous_item_id: null });
    const delta = toneOctets(this.toneHertz, pieceMilliseconds).toString('base64');
    this.timer = setInterval(() => {
      const produced = this.produced.get(turn.item)! + pieceMilliseconds;
      this.produced.set(turn.item, produced);
      const place = { response_id: turn.response, item_id: turn.item, output_index: 0, content_index: 0 };
      this.send({ type: 'response.output_audio.delta', ...place, delta });
      if (produced < turnMilliseconds) return;
      this.send({ type: 'response.output_audio.done', ...place });
      this.endTurn('completed');
    }, pieceEveryMilliseconds);
  }

  private endTurn(status: 'completed' | 'cancelled'): void {
    clearInterval(this.timer);
    const { turn } = this;
    if (turn === undefined) return;
    this.turn = undefined;
    const output = [this.message(turn.item)];
    this.send({ type: 'conversation.item.done', item: output[0], previous_item_id: null });
    this.send({ type: 'response.done', response: { id: turn.response, status, output } });
  }

  private truncate({ item_id: id, audio_end_ms: end }: Event): void {
    const produced = this.produced.get(String(id));
    if (produced === undefined) this.fail(`there is no item ${String(id)}`);
    else if (!Number.isInteger(end) || Number(end) > produced)
      this.fail(`audio_end_ms is ${String(end)}, and the item has ${produced} ms`);
    else this.send({ type: 'conversation.item.truncated', item_id: id, content_index: 0, audio_end_ms: end });
  }

  private fail(message: string): void {
    this.errors.push(message);
    this.send({ type: 'error', error: { type: 'invalid_request_error', message } });
  }

  private send(event: object): void {
    if (this.isConnected)
      this.socket!.send(JSON.stringify({ event_id: `event_${randomBytes(6).toString('hex')}`, ...event }));
  }
}
