import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { Client } from 'rtpengine-client';
import BaseClient from 'rtpengine-client/lib/BaseClient.js';

export type NgCommand = 'ping' | 'offer' | 'answer' | 'delete' | 'query';

/** rtpengine's answer; `result` is `ok`, `pong`, `error` or `load limit`. */
export interface NgReply {
  readonly result: string;
  readonly 'error-reason'?: string;
  readonly warning?: string;
  readonly sdp?: string;
  readonly tags?: unknown;
  readonly SSRC?: unknown;
  readonly totals?: unknown;
}

/** No reply within the limit, or the datagram could not be sent. */
export class NgTimeout extends Error {
  constructor(node: string, command: NgCommand) {
    super(`rtpengine ${node} did not answer ${command}`);
    this.name = 'NgTimeout';
  }
}

interface Waiting {
  readonly settle: (reply: NgReply) => void;
  timer: NodeJS.Timeout;
}

/** rtpengine answers in a millisecond; a lost datagram is repeated after this long, then after twice as long. */
const firstRepeatMilliseconds = 150;

/** The local address the system would use towards `host`, so that no socket needs to be open on all addresses. */
export function sourceAddressTowards(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const probe = createSocket('udp4');
    probe.once('error', (error) => {
      probe.close();
      reject(error);
    });
    probe.connect(port, host, () => {
      const { address } = probe.address();
      probe.close();
      resolve(address);
    });
  });
}

/**
 * NG commands to one rtpengine over UDP. `rtpengine-client` gives codec and socket; its own `offer()` and so on are passed
 * over because they neither repeat a lost datagram nor keep quiet about a late reply: the library prints such a reply,
 * SDES keys included, on stdout. rtpengine answers a repeated cookie with the reply it gave before, so repeats are safe.
 */
export class NgClient extends Client {
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    private readonly host: string,
    private readonly port: number,
    localAddress: string,
  ) {
    super({ localAddress });
    // An unreachable port comes back as a socket error; the command's own limit reports it.
    this.on('error', () => {});
  }

  get pending(): number {
    return this.waiting.size;
  }

  /** Resolves with whatever rtpengine says; rejects with `NgTimeout` after `limitMilliseconds`. */
  command(command: NgCommand, parameters: object, limitMilliseconds: number): Promise<NgReply> {
    const cookie = randomUUID();
    const datagram = BaseClient.encodeMessage(cookie, { ...parameters, command });
    return new Promise((resolve, reject) => {
      const end = performance.now() + limitMilliseconds;
      let wait = firstRepeatMilliseconds;
      const send = (): void => {
        this.socket.send(datagram, this.port, this.host, () => {});
        const left = end - performance.now();
        const isLast = left <= wait;
        waiting.timer = setTimeout(isLast ? give : send, isLast ? left : wait);
        wait *= 2;
      };
      const give = (): void => {
        this.waiting.delete(cookie);
        reject(new NgTimeout(`${this.host}:${this.port}`, command));
      };
      const waiting: Waiting = { settle: resolve, timer: setTimeout(() => {}, 0) };
      this.waiting.set(cookie, waiting);
      clearTimeout(waiting.timer);
      send();
    });
  }

  override close(): void {
    for (const { timer } of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
    super.close();
  }

  protected override _onParsedMessage(reply: { id: string; data: Record<string, unknown> }): void {
    const waiting = this.waiting.get(reply.id);
    if (waiting === undefined) return;
    this.waiting.delete(reply.id);
    clearTimeout(waiting.timer);
    waiting.settle(reply.data as unknown as NgReply);
  }
}
