import { EventEmitter } from 'node:events';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { formatHostPort } from '../../sip/uri.js';
import { kernel, socketAddress, systemError, word } from '../system-calls/kernel.js';
import type { SystemCalls } from '../system-calls/system-calls.js';
import type { OpenSsl, Pointer } from './open-ssl.js';

/** Results of `SSL_get_error`. */
const result = { wantsRead: 2, wantsWrite: 3, systemCall: 5, ended: 6 } as const;
/** Records of one connection that are read at once: a flood has its turn after the others. */
const mostRecords = 4;
/** As in Node.js: the next address of the server is tried when one has not answered within it. */
const attemptMilliseconds = 250;

export interface TlsTarget {
  readonly host: string;
  readonly port: number;
  /** '' where the host is an address. */
  readonly servername: string;
  readonly lookup: LookupFunction;
  /** @param octets valid until the call returns */
  readonly received: (octets: Buffer) => void;
}

/** All connections of a process, which are read together. */
export interface TlsConnections {
  readonly ssl: OpenSsl;
  readonly calls: SystemCalls;
  /** What it has is used before the next connection is read. */
  readonly input: Buffer;
  /** TLS that verifies the server's certificate and its name. */
  newSession(descriptor: number, target: TlsTarget): Pointer;
  /** Has the connection notified. Returns its number. */
  watch(connection: TlsConnection, descriptor: number, interest: number): number;
  change(descriptor: number, number: number, interest: number): void;
  /** Called once for each number. */
  forget(connection: TlsConnection, descriptor: number, number: number): void;
  /** It may have octets that the kernel does not report. */
  readLater(connection: TlsConnection): void;
}

interface Address {
  readonly address: string;
}

/**
 * One connection. As a socket of Node.js it emits `timeout`, `end`, `error` and `close`, never within a call of its methods; what it
 * receives it passes on at once.
 */
export class TlsConnection extends EventEmitter {
  /** 0: not connected, or destroyed. The pointers and descriptors are used nowhere else. */
  private session: Pointer = 0;
  private descriptor = -1;
  private number = 0;
  private interest = 0;
  private stage: 'connecting' | 'shaking hands' | 'open' | 'closed' = 'connecting';
  private addresses: Address[] = [];
  private attempted = '';
  private attemptTimer: NodeJS.Timeout | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private queue: Buffer[] = [];
  private ended: (() => void) | undefined;
  private isPaused = false;
  /** Octets that the kernel has not taken. */
  writableLength = 0;
  /** The server has ended the connection. */
  readableEnded = false;

  constructor(
    private readonly owner: TlsConnections,
    private readonly target: TlsTarget,
  ) {
    super();
    const { host, lookup } = target;
    if (isIP(host) !== 0) this.found([{ address: host }]);
    else
      lookup(host, { all: true }, (error, found) => {
        if (error !== null) this.fail(error);
        else this.found(found as unknown as Address[]);
      });
  }

  setTimeout(milliseconds: number): void {
    clearTimeout(this.idleTimer);
    if (milliseconds > 0 && this.stage !== 'closed')
      this.idleTimer = setTimeout(() => this.emit('timeout'), milliseconds);
  }

  /** Small segments are never held back. */
  setNoDelay(): void {}

  pause(): void {
    if (this.isPaused) return;
    this.isPaused = true;
    this.show();
  }

  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.show();
    if (this.stage === 'open') this.owner.readLater(this);
  }

  /** @param octets remain as they are while they wait */
  write(octets: Buffer): void {
    if (this.stage === 'closed' || this.ended !== undefined || octets.length === 0) return;
    let rest = octets;
    if (this.stage === 'open' && this.queue.length === 0) {
      const { ssl } = this.owner;
      const taken = ssl.SSL_write(this.session, octets, octets.length);
      if (taken === octets.length) return;
      // Whether it was an error shows when it is tried again.
      if (taken <= 0) ssl.ERR_clear_error();
      else rest = octets.subarray(taken);
    }
    this.queue.push(rest);
    this.writableLength += rest.length;
    if (this.stage === 'open') this.show();
  }

  /** Ends its own direction when all has been written. */
  end(ended: () => void): void {
    if (this.stage === 'closed') process.nextTick(ended);
    if (this.stage === 'closed' || this.ended !== undefined) return;
    this.ended = ended;
    if (this.stage !== 'open') this.destroy();
    else if (this.queue.length === 0) this.sayEnd();
  }

  destroy(): void {
    if (this.stage === 'closed') return;
    this.stage = 'closed';
    clearTimeout(this.idleTimer);
    this.release();
    this.queue = [];
    this.writableLength = 0;
    process.nextTick(() => {
      this.ended?.();
      this.emit('close');
    });
  }

  /** @param events of the descriptor */
  ready(events: number): void {
    if (this.stage === 'connecting') this.connected();
    else if (this.stage === 'shaking hands') this.shakeHands();
    else {
      if ((events & kernel.EPOLLOUT) !== 0) this.flush();
      if (!this.isPaused) this.readMore();
    }
  }

  readMore(): void {
    const { owner, target } = this;
    const { input, ssl } = owner;
    for (let record = 0; record < mostRecords; record++) {
      if (this.stage !== 'open' || this.isPaused || this.readableEnded) return;
      const count = ssl.SSL_read(this.session, input, input.length);
      if (count <= 0) {
        this.judge('read', count);
        return;
      }
      target.received(input.subarray(0, count));
      if (this.session === 0 || ssl.SSL_has_pending(this.session) === 0) return;
    }
    if (this.stage === 'open') owner.readLater(this);
  }

  // ---- until it is open

  private found(addresses: readonly Address[]): void {
    if (this.stage === 'closed') return;
    this.addresses = [...addresses];
    this.attempt(new Error(`no address for ${this.target.host}`));
  }

  /** Tries the next address. @param error if there is none */
  private attempt(error: Error): void {
    this.release();
    const next = this.addresses.shift();
    if (next === undefined) {
      this.fail(error);
      return;
    }
    const { owner, target } = this;
    const { calls } = owner;
    const { address } = next;
    this.attempted = formatHostPort(address, target.port);
    const place = socketAddress(address, target.port)!;
    const type = kernel.SOCK_STREAM | kernel.SOCK_NONBLOCK | kernel.SOCK_CLOEXEC;
    const descriptor = calls.socket(isIPv6(address) ? kernel.AF_INET6 : kernel.AF_INET, type, 0);
    if (descriptor < 0) {
      this.attempt(systemError('socket', calls.errno()));
      return;
    }
    this.descriptor = descriptor;
    calls.setsockopt(descriptor, kernel.IPPROTO_TCP, kernel.TCP_NODELAY, word(1), 4);
    const errno = calls.connect(descriptor, place, place.length) < 0 ? calls.errno() : 0;
    if (errno !== 0 && errno !== kernel.EINPROGRESS) {
      this.attempt(systemError('connect', errno, this.attempted));
      return;
    }
    this.interest = kernel.EPOLLOUT;
    try {
      this.number = owner.watch(this, descriptor, this.interest);
    } catch (problem) {
      this.attempt(problem as Error);
      return;
    }
    if (this.addresses.length > 0)
      this.attemptTimer = setTimeout(() => {
        this.attempt(Object.assign(new Error(`connect ETIMEDOUT ${this.attempted}`), { code: 'ETIMEDOUT' }));
      }, attemptMilliseconds);
  }

  private connected(): void {
    const { owner, descriptor } = this;
    const { calls } = owner;
    const error = word(0);
    if (calls.getsockopt(descriptor, kernel.SOL_SOCKET, kernel.SO_ERROR, error, word(4)) < 0)
      error.writeInt32LE(calls.errno());
    const errno = error.readInt32LE(0);
    if (errno !== 0) {
      this.attempt(systemError('connect', errno, this.attempted));
      return;
    }
    clearTimeout(this.attemptTimer);
    this.addresses = [];
    try {
      this.session = owner.newSession(descriptor, this.target);
    } catch (problem) {
      this.fail(problem as Error);
      return;
    }
    this.stage = 'shaking hands';
    this.shakeHands();
  }

  private shakeHands(): void {
    const { owner } = this;
    const returned = owner.ssl.SSL_connect(this.session);
    if (returned !== 1) {
      this.judge('handshake', returned);
      return;
    }
    this.stage = 'open';
    this.flush();
    // What follows the handshake may have been read with it.
    if (this.stage === 'open') owner.readLater(this);
  }

  // ---- writing

  private flush(): void {
    const { ssl } = this.owner;
    while (this.stage === 'open' && this.queue.length > 0) {
      const [octets] = this.queue as [Buffer];
      const taken = ssl.SSL_write(this.session, octets, octets.length);
      if (taken <= 0) {
        this.judge('write', taken);
        return;
      }
      this.writableLength -= taken;
      if (taken === octets.length) this.queue.shift();
      else this.queue[0] = octets.subarray(taken);
    }
    if (this.stage !== 'open') return;
    this.show();
    if (this.ended !== undefined) this.sayEnd();
  }

  private sayEnd(): void {
    const { calls, ssl } = this.owner;
    ssl.SSL_shutdown(this.session);
    ssl.ERR_clear_error();
    calls.shutdown(this.descriptor, kernel.SHUT_WR);
    process.nextTick(this.ended!);
    this.ended = () => {};
  }

  // ---- ends

  /** What is to be done after a function of OpenSSL that has not returned octets. */
  private judge(call: 'handshake' | 'read' | 'write', returned: number): void {
    const { calls, ssl } = this.owner;
    const errno = calls.errno();
    const reason = ssl.SSL_get_error(this.session, returned);
    if (reason === result.wantsRead || reason === result.wantsWrite) {
      ssl.ERR_clear_error();
      if (call === 'handshake') this.want(reason === result.wantsRead ? kernel.EPOLLIN : kernel.EPOLLOUT);
      else this.show();
    } else if (reason === result.ended && call === 'read') this.finish();
    else if (reason === result.systemCall && errno > 0) this.fail(systemError(call, errno));
    else this.fail(this.problem(call));
  }

  private problem(call: string): Error {
    const { ssl } = this.owner;
    const { host } = this.target;
    const code = ssl.ERR_get_error();
    const verified = ssl.SSL_get_verify_result(this.session);
    if (verified !== 0) {
      const text = ssl.X509_verify_cert_error_string(verified);
      return new Error(`the certificate of ${host} is not accepted: ${text}`);
    }
    const text = code === 0 ? null : ssl.ERR_reason_error_string(code);
    return new Error(text === null ? `the server ended the ${call} of TLS` : `TLS: ${text}`);
  }

  /** The server has ended the connection: its last octets may have to be answered in this turn. */
  private finish(): void {
    this.readableEnded = true;
    this.want(0);
    this.emit('end');
    setImmediate(() => this.destroy());
  }

  private fail(error: Error): void {
    if (this.stage === 'closed') return;
    this.owner.ssl.ERR_clear_error();
    process.nextTick(() => this.emit('error', error));
    this.destroy();
  }

  private release(): void {
    const { owner, descriptor, number, session } = this;
    clearTimeout(this.attemptTimer);
    if (number !== 0) owner.forget(this, descriptor, number);
    if (session !== 0) owner.ssl.SSL_free(session);
    if (descriptor >= 0) owner.calls.close(descriptor);
    this.number = 0;
    this.session = 0;
    this.descriptor = -1;
  }

  /** What of the descriptor is reported while it is open. */
  private show(): void {
    if (this.stage !== 'open' || this.readableEnded) return;
    this.want((this.isPaused ? 0 : kernel.EPOLLIN) | (this.queue.length > 0 ? kernel.EPOLLOUT : 0));
  }

  private want(interest: number): void {
    if (interest === this.interest) return;
    this.interest = interest;
    this.owner.change(this.descriptor, this.number, interest);
  }
}
