import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import BaseClient from 'rtpengine-client/lib/BaseClient.js';
import { FrameIds } from '../../base/frame-ids.js';
import { formatHostPort } from '../../sip/uri.js';
import { bencoded } from './bencode.js';

export type NgCommand =
  | 'ping'
  | 'offer'
  | 'answer'
  | 'delete'
  | 'query'
  | 'publish'
  | 'play DTMF'
  | 'silence media'
  | 'unsilence media'
  | 'block media'
  | 'unblock media'
  | 'play media'
  | 'stop media'
  | 'subscribe request'
  | 'subscribe answer'
  | 'unsubscribe';

/** rtpengine's answer; `result` is `ok`, `pong`, `error` or `load limit`. */
export interface NgReply {
  readonly result: string;
  readonly 'error-reason'?: string;
  readonly warning?: string;
  readonly sdp?: string;
  /** Of the played file, in milliseconds. */
  readonly duration?: number;
  readonly tags?: unknown;
  readonly SSRC?: unknown;
  readonly totals?: unknown;
}

/** No reply within the limit, or the port is closed. */
export class NgTimeout extends Error {
  /** The system reported a closed port: certain, whereas silence may be loss. */
  readonly isRefused: boolean;

  constructor(
    asked: { readonly node: string; readonly command: NgCommand },
    facts: { readonly isRefused?: boolean; readonly cause?: unknown } = {},
  ) {
    super(`rtpengine ${asked.node} did not answer ${asked.command}`, facts);
    this.name = 'NgTimeout';
    this.isRefused = facts.isRefused ?? false;
  }
}

/** Reads the dictionary of a reply. */
export type ReplyReader = (reply: Buffer) => NgReply;

interface Waiting {
  readonly read: ReplyReader | undefined;
  readonly settle: (reply: NgReply) => void;
  readonly giveUp: () => void;
  timer: NodeJS.Timeout | undefined;
}

/**
 * rtpengine answers in a millisecond; a command is repeated this often until it does. Within a limit of a second nine
 * datagrams go out: where a quarter is lost each way, fewer than one command in a thousand stays without a reply.
 */
const repeatMilliseconds = 120;
/** A timer later than this shows that this process stalled, and the node may have stalled with the machine. */
const lateMilliseconds = 50;
const graceMilliseconds = 100;
/** libuv reads 32 datagrams of a socket in a turn of the event loop, and a socket's buffer holds some 300. */
const turnsToRead = 10;

/** Octets are inserted into the encoded text, before the dictionary's final `e`. */
const withBlob = (message: Buffer, blob: Buffer): Buffer =>
  Buffer.concat([message.subarray(0, -1), Buffer.from(`4:blob${blob.length}:`), blob, Buffer.from('e')]);

/** A socket that exchanges datagrams with that address alone; rejects when there is no route to it. */
function connected(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    const fail = (error: Error): void => {
      socket.close();
      reject(error);
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      resolve(socket);
    });
    // Without a callback, which would be called for a failure as well.
    socket.connect(port, host);
  });
}

/**
 * NG commands to one rtpengine over UDP. Of `rtpengine-client` this takes the codec alone: its clients know IPv4 only, repeat no lost
 * datagram, and print a late reply, SDES keys included, on stdout. rtpengine answers a repeated cookie with the reply it gave before, so
 * repeats are safe.
 */
export class NgClient {
  /** Of this process, towards the node. */
  readonly localAddress: string;
  private readonly waiting = new Map<string, Waiting>();
  private readonly cookies = new FrameIds();
  private replies = 0;
  private repliedAt = Number.NEGATIVE_INFINITY;

  private constructor(
    private readonly name: string,
    private readonly socket: Socket,
  ) {
    this.localAddress = socket.address().address;
    // The system reports a closed port: no need to wait for the limit.
    socket.on('error', () => this.giveAllUp());
    socket.on('message', (datagram) => this.take(datagram));
  }

  /** Rejects when there is no route to it. */
  static async open(host: string, port: number): Promise<NgClient> {
    return new NgClient(formatHostPort(host, port), await connected(host, port));
  }

  get pending(): number {
    return this.waiting.size;
  }

  /** When the node last replied to any command; `performance.now()`. */
  get heardAt(): number {
    return this.repliedAt;
  }

  /**
   * Resolves with rtpengine's reply; rejects with `NgTimeout` after `limitMilliseconds`.
   * @param blob octets to send along; with the rest at most 65,507
   * @param read where only a part of the reply is wanted
   */
  command(
    command: NgCommand,
    parameters: object,
    limitMilliseconds: number,
    blob?: Buffer,
    read?: ReplyReader,
  ): Promise<NgReply> {
    const cookie = this.cookies.next();
    const message = Buffer.from(`${cookie} ${bencoded({ ...parameters, command })}`);
    const datagram = blob === undefined ? message : withBlob(message, blob);
    return new Promise((resolve, reject) => {
      const end = performance.now() + limitMilliseconds;
      const send = (): void => {
        try {
          this.socket.send(datagram, () => {});
        } catch {
          // The socket was closed in the same turn: the node has just been found to be down.
          give(true);
          return;
        }
        const left = end - performance.now();
        const isLast = left <= repeatMilliseconds;
        waiting.timer = isLast
          ? setTimeout(expire, Math.max(0, left))
          : setTimeout(unlessRead, repeatMilliseconds, send);
      };
      const unlessRead = (then: () => void): void =>
        this.whenRead(() => {
          if (this.waiting.has(cookie)) then();
        });
      const expire = (): void => {
        if (performance.now() - end > lateMilliseconds)
          waiting.timer = setTimeout(unlessRead, graceMilliseconds, give);
        else unlessRead(give);
      };
      const give = (isRefused = false): void => {
        clearTimeout(waiting.timer);
        this.waiting.delete(cookie);
        reject(new NgTimeout({ node: this.name, command }, { isRefused }));
      };
      const waiting: Waiting = { read, settle: resolve, giveUp: () => give(true), timer: undefined };
      this.waiting.set(cookie, waiting);
      send();
    });
  }

  /** Pending commands fail as if the port were closed. */
  close(): void {
    this.giveAllUp();
    this.socket.close();
  }

  /**
   * Calls `then` when the replies that have come are read. Timers run before sockets are read, and a process that carries many calls reads
   * late: a repeat then adds to its work, and a command fails that the node has long answered.
   */
  private whenRead(then: () => void, turns = turnsToRead): void {
    const { replies } = this;
    setImmediate(() => {
      if (this.replies === replies || turns === 1) then();
      else this.whenRead(then, turns - 1);
    });
  }

  private giveAllUp(): void {
    for (const { giveUp } of [...this.waiting.values()]) giveUp();
  }

  private take(datagram: Buffer): void {
    this.replies++;
    this.repliedAt = performance.now();
    const blank = datagram.indexOf(0x20);
    const cookie = datagram.toString('latin1', 0, Math.max(0, blank));
    const waiting = this.waiting.get(cookie);
    if (waiting === undefined) return;
    let reply: NgReply;
    try {
      reply =
        waiting.read === undefined
          ? (BaseClient.decodeMessage(datagram).data as unknown as NgReply)
          : waiting.read(datagram.subarray(blank + 1));
    } catch {
      // Unreadable: the command is repeated, and fails at its limit.
      return;
    }
    this.waiting.delete(cookie);
    clearTimeout(waiting.timer);
    waiting.settle(reply);
  }
}
