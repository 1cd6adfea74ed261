import { Worker } from 'node:worker_threads';

/** Runs in a thread of its own, so that it answers while the test's own event loop is busy or idle. */
const program = `
const { parentPort } = require('node:worker_threads');
const socket = require('node:dgram').createSocket('udp4');
socket.on('message', (bytes, from) => {
  const head = bytes.toString('latin1').split('\\r\\n\\r\\n', 1)[0];
  const lines = head.split('\\r\\n');
  if (lines[0].startsWith('SIP/2.0')) return;
  const copied = lines.slice(1).filter((line) => /^(via|from|call-id|cseq):/i.test(line));
  const to = lines.find((line) => /^to:/i.test(line));
  const answer = ['SIP/2.0 200 OK', ...copied, to + ';tag=instant', 'Content-Length: 0', '', ''].join('\\r\\n');
  socket.send(answer, from.port, from.address);
});
socket.bind(0, '127.0.0.1', () => parentPort.postMessage(socket.address().port));
`;

/** A UDP peer that answers every request with 200 within microseconds. */
export class InstantAnswerer {
  private constructor(
    private readonly worker: Worker,
    readonly uri: string,
  ) {}

  static async open(): Promise<InstantAnswerer> {
    const worker = new Worker(program, { eval: true });
    const port = await new Promise<number>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    return new InstantAnswerer(worker, `sip:instant@127.0.0.1:${port}`);
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}
