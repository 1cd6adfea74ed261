import { Worker } from 'node:worker_threads';
import type { Address } from '../../src/testkit/sip-peer.js';

/** Runs in a separate thread, so that it answers independently of the test's event loop. */
const answering = `
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

/** Each 200 to an INVITE is followed by ACK and BYE without a pause. */
const hangingUp = `
const { parentPort, workerData } = require('node:worker_threads');
const socket = require('node:dgram').createSocket('udp4');
const { host, port, calls } = workerData;
let mine = 0;
const request = (method, call, number, to, body) => [
  method + ' sip:bob@' + host + ':' + port + ' SIP/2.0',
  'Via: SIP/2.0/UDP 127.0.0.1:' + mine + ';rport;branch=z9hG4bK' + method + call,
  'Max-Forwards: 70', 'From: <sip:hasty@example.com>;tag=h' + call, 'To: ' + to,
  'Call-ID: hasty-' + mine + '-' + call, 'CSeq: ' + number + ' ' + method,
  'Contact: <sip:hasty@127.0.0.1:' + mine + '>',
  ...(body ? ['Content-Type: application/sdp'] : []),
  'Content-Length: ' + body.length, '', body].join('\\r\\n');
const send = (text) => socket.send(text, port, host);
const done = new Set();
socket.on('message', (bytes) => {
  const text = bytes.toString('latin1');
  const value = (name) => new RegExp('^' + name + ': *(.*)$', 'im').exec(text)?.[1].trim() ?? '';
  const call = Number(value('Call-ID').split('-').pop());
  if (!text.startsWith('SIP/2.0 200')) return;
  if (value('CSeq').endsWith('INVITE')) {
    send(request('ACK', call, 1, value('To'), ''));
    send(request('BYE', call, 2, value('To'), ''));
  } else {
    done.add(call);
    if (done.size === calls) parentPort.postMessage('done');
  }
});
socket.bind(0, '127.0.0.1', () => {
  mine = socket.address().port;
  const body = 'v=0\\r\\no=h 1 1 IN IP4 127.0.0.1\\r\\ns=-\\r\\nc=IN IP4 127.0.0.1\\r\\nt=0 0\\r\\nm=audio 4000 RTP/AVP 0\\r\\n';
  for (let call = 0; call < calls; call++) {
    setTimeout(() => send(request('INVITE', call, 1, '<sip:bob@example.com>', body)), call * 15);
  }
});
`;

/** A UDP peer that answers every request with 200 within microseconds. */
export class InstantAnswerer {
  private constructor(
    private readonly worker: Worker,
    readonly uri: string,
  ) {}

  static async open(): Promise<InstantAnswerer> {
    const worker = new Worker(answering, { eval: true });
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

/** Makes that many calls over UDP, hangs each up the moment it is answered, and resolves when every BYE was answered. */
export async function callHastily(target: Address, calls: number): Promise<void> {
  const worker = new Worker(hangingUp, { eval: true, workerData: { ...target, calls } });
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${calls} hasty calls: not through in 10 s.`)), 10_000);
      worker.once('message', () => {
        clearTimeout(timer);
        resolve();
      });
      worker.once('error', reject);
    });
  } finally {
    await worker.terminate();
  }
}
