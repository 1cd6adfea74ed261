import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** It runs in another thread, so that it does not slow what measures. */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const { createServer } = require('node:https');
const { WebSocketServer } = require(workerData.ws);
const counts = new BigInt64Array(workerData.counts);
const server = createServer({ cert: workerData.cert, key: workerData.key });
const audio = JSON.stringify({ event: 'media', media: { payload: Buffer.alloc(150000, 1).toString('base64') } });
const garbage = Buffer.alloc(300, 0x7b).toString();
const mark = JSON.stringify({ event: 'mark', mark: { name: 'x'.repeat(400) } });
new WebSocketServer({ server }).on('connection', (socket, request) => {
  const kind = request.url.slice(1);
  socket.on('error', () => {});
  if (kind === 'quiet') return;
  if (kind === 'stalls') {
    socket.pause();
    return;
  }
  const send = (message) => {
    counts[0] += BigInt(message.length);
    socket.send(message);
  };
  const turn = () => {
    if (socket.readyState !== 1) return;
    if (socket.bufferedAmount < 8e6) {
      if (kind === 'audio') for (let i = 0; i < 8; i++) send(audio);
      else if (kind === 'marks') for (let i = 0; i < 500; i++) send(mark);
      else if (kind === 'garbage') for (let i = 0; i < 1000; i++) send(garbage);
      else send(Buffer.alloc(64e6));
    }
    setTimeout(turn, 2);
  };
  socket.once('message', turn);
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/**
 * A bot that sends as much as its connection takes: `audio`, `marks`, `garbage`, one message after another of 64 MB, or nothing
 * (`quiet`). One that `stalls` reads nothing, either.
 */
export class FloodingBot {
  private readonly counts = new BigInt64Array(new SharedArrayBuffer(8));
  private readonly worker: Worker;
  private port = 0;

  private constructor({ certFile, keyFile }: { readonly certFile: string; readonly keyFile: string }) {
    this.worker = new Worker(program, {
      eval: true,
      workerData: {
        ws: createRequire(import.meta.url).resolve('ws'),
        counts: this.counts.buffer,
        cert: readFileSync(certFile, 'utf8'),
        key: readFileSync(keyFile, 'utf8'),
      },
    });
  }

  static async start(certificate: {
    readonly certFile: string;
    readonly keyFile: string;
  }): Promise<FloodingBot> {
    const bot = new FloodingBot(certificate);
    [bot.port] = (await once(bot.worker, 'message')) as [number];
    return bot;
  }

  url(kind: string): string {
    return `wss://localhost:${this.port}/${kind}`;
  }

  /** What it has given to its connections. */
  get sentOctets(): number {
    return Number(this.counts[0]);
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}
