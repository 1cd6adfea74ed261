import { lookup } from 'node:dns';
import { lookup as lookupAddress } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import { formatHostPort } from '../../sip/uri.js';
import { addressOctets, checked, event, kernel, socketAddress, word } from '../system-calls/kernel.js';
import type { SystemCalls } from '../system-calls/system-calls.js';
import type { DatagramListener, RtpSocket, RtpSocketPair, RtpSockets } from './rtp-sockets.js';

const attempts = 50;
/** Longer datagrams are no RTP of a call, and are dropped. */
const datagramOctets = 2_048;
/** Datagrams of one socket that one system call reads. */
const batch = 8;
/** Per read of a socket: a flood waits, or is dropped, and delays no other call. */
const batches = 4;
const maximumEvents = 1_024;
/** Milliseconds; a larger difference of the wall clock is a step of it. */
const maximumAge = 1_000;

/** Of `struct mmsghdr`, `struct iovec` and a control message with `struct timespec`, in words of 32 bits. */
const header = {
  octets: 64,
  iovec: 4,
  iovecs: 6,
  control: 8,
  controlLength: 10,
  flags: 12,
  length: 14,
} as const;
const iovec = { octets: 16, length: 2 } as const;
const control = { octets: 64, level: 2, type: 3, seconds: 4, nanoseconds: 6 } as const;

/**
 * The memory that the kernel reads datagrams into: a fixed length for each, so that none can write past its own. Laid out once; a
 * receiving call changes lengths and flags alone.
 */
class Inbox {
  readonly headers: Buffer;
  private readonly words: Int32Array;
  private readonly datagrams: Buffer[];
  /** The last ones by place, which are used again for datagrams of the same length. */
  private readonly views: Buffer[];
  private readonly controlWords: number;

  constructor(calls: SystemCalls) {
    const iovecs = batch * header.octets;
    const controls = iovecs + batch * iovec.octets;
    const contents = controls + batch * control.octets;
    const memory = Buffer.from(new ArrayBuffer(contents + batch * datagramOctets));
    const start = calls.addressOf(memory);
    this.headers = memory;
    this.words = new Int32Array(memory.buffer, 0, contents / 4);
    this.controlWords = controls / 4;
    this.datagrams = Array.from({ length: batch }, (_, place) => {
      const at = contents + place * datagramOctets;
      return memory.subarray(at, at + datagramOctets);
    });
    this.views = [...this.datagrams];
    for (let place = 0; place < batch; place++) {
      const first = place * header.octets;
      const vector = iovecs + place * iovec.octets;
      memory.writeBigUInt64LE(start + BigInt(vector), first + header.iovec * 4);
      memory.writeBigUInt64LE(1n, first + header.iovecs * 4);
      memory.writeBigUInt64LE(start + BigInt(controls + place * control.octets), first + header.control * 4);
      memory.writeBigUInt64LE(start + BigInt(contents + place * datagramOctets), vector);
      memory.writeBigUInt64LE(BigInt(datagramOctets), vector + iovec.length * 4);
      this.reset(place);
    }
  }

  /** The datagram that was read there. Undefined: it was longer than its place. */
  datagram(place: number): Buffer | undefined {
    const first = (place * header.octets) / 4;
    const length = this.words[first + header.length]!;
    if ((this.words[first + header.flags]! & kernel.MSG_TRUNC) !== 0 || length < 0 || length > datagramOctets)
      return undefined;
    if (this.views[place]!.length !== length) this.views[place] = this.datagrams[place]!.subarray(0, length);
    return this.views[place];
  }

  /** Milliseconds from when the kernel received it to then, by the wall clock; 0: not known, or that clock was set meanwhile. */
  age(place: number, seconds: number, nanoseconds: number): number {
    const { words } = this;
    if (words[(place * header.octets) / 4 + header.controlLength] === 0) return 0;
    const at = this.controlWords + (place * control.octets) / 4;
    if (words[at + control.level] !== kernel.SOL_SOCKET || words[at + control.type] !== kernel.SO_TIMESTAMPNS)
      return 0;
    const age =
      ((seconds - words[at + control.seconds]!) | 0) * 1_000 +
      (nanoseconds - words[at + control.nanoseconds]!) / 1_000_000;
    return age > 0 && age < maximumAge ? age : 0;
  }

  /** For the next datagram. */
  reset(place: number): void {
    this.words[(place * header.octets) / 4 + header.controlLength] = control.octets;
  }
}

/**
 * RTP by system calls. All sockets are read together, in each phase of the cadence: one call says which of them have datagrams, and only
 * these are read. The kernel's time stamps keep the wait for a phase out of the times of arrival.
 */
export class NativeSockets implements RtpSockets {
  readonly kind = 'native';
  private readonly poll: number;
  private readonly inbox: Inbox;
  /** By the number that the kernel has for each. */
  private readonly sockets: (NativeSocket | undefined)[] = [];
  private readonly freeNumbers: number[] = [];
  private readonly events = Buffer.alloc(maximumEvents * event.octets);
  private readonly eventWords: Int32Array;
  private readonly registration = Buffer.alloc(event.octets);
  private readonly time = Buffer.alloc(16);

  constructor(private readonly calls: SystemCalls) {
    this.inbox = new Inbox(calls);
    this.eventWords = new Int32Array(this.events.buffer, this.events.byteOffset, this.events.length / 4);
    this.poll = checked(calls, 'epoll_create1', calls.epoll_create1(kernel.EPOLL_CLOEXEC));
  }

  async open(host: string, port?: number): Promise<RtpSocketPair> {
    const address = isIP(host) === 0 ? (await lookupAddress(host, { family: 4 })).address : host;
    if (port !== undefined) return this.pairAt(address, port);
    for (let attempt = 0; attempt < attempts; attempt++) {
      const rtp = this.bind(address, 0);
      try {
        if (rtp.port % 2 === 0) return { rtp, rtcp: this.bind(address, rtp.port + 1) };
      } catch {
        // The next port is taken: another pair.
      }
      rtp.close();
    }
    throw new Error(`No free pair of RTP ports on ${address}.`);
  }

  read(): void {
    const { calls, events, eventWords, sockets, time } = this;
    const count = calls.epoll_wait(this.poll, events, maximumEvents, 0);
    if (count <= 0) return;
    calls.clock_gettime(kernel.CLOCK_REALTIME, time);
    const now = performance.now();
    const seconds = time.readInt32LE(0);
    const nanoseconds = time.readInt32LE(8);
    for (let index = 0; index < count; index++)
      sockets[eventWords[(index * event.octets + event.data) / 4]!]?.read(now, seconds, nanoseconds);
  }

  /** Called once by each socket. */
  release(descriptor: number, number: number): void {
    const { calls } = this;
    this.sockets[number] = undefined;
    this.freeNumbers.push(number);
    // A child process may have the socket until it runs its program, and `close` alone would leave it registered.
    calls.epoll_ctl(this.poll, kernel.EPOLL_CTL_DEL, descriptor, this.registration);
    calls.close(descriptor);
  }

  private pairAt(address: string, port: number): RtpSocketPair {
    const rtp = this.bind(address, port);
    try {
      return { rtp, rtcp: this.bind(address, port + 1) };
    } catch (error) {
      rtp.close();
      throw error;
    }
  }

  private bind(address: string, port: number): NativeSocket {
    const { calls, registration } = this;
    const family = isIPv6(address) ? 6 : 4;
    const domain = family === 6 ? kernel.AF_INET6 : kernel.AF_INET;
    const type = kernel.SOCK_DGRAM | kernel.SOCK_NONBLOCK | kernel.SOCK_CLOEXEC;
    const descriptor = checked(calls, 'socket', calls.socket(domain, type, 0));
    const number = this.freeNumbers.pop() ?? this.sockets.length;
    registration.fill(0);
    registration.writeUInt32LE(kernel.EPOLLIN, 0);
    registration.writeUInt32LE(number, event.data);
    try {
      const place = socketAddress(address, port)!;
      checked(calls, 'bind', calls.bind(descriptor, place, place.length), formatHostPort(address, port));
      checked(calls, 'getsockname', calls.getsockname(descriptor, place, word(place.length)));
      // Where the kernel has none, datagrams count from when they are read.
      calls.setsockopt(descriptor, kernel.SOL_SOCKET, kernel.SO_TIMESTAMPNS, word(1), 4);
      checked(calls, 'epoll_ctl', calls.epoll_ctl(this.poll, kernel.EPOLL_CTL_ADD, descriptor, registration));
      const bound = { descriptor, number, family, port: place.readUInt16BE(2) } as const;
      const socket = new NativeSocket(this, bound, { calls, inbox: this.inbox });
      this.sockets[number] = socket;
      return socket;
    } catch (error) {
      this.release(descriptor, number);
      throw error;
    }
  }
}

interface BoundDescriptor {
  readonly descriptor: number;
  readonly number: number;
  readonly family: 4 | 6;
  readonly port: number;
}

interface NativeSocketDeps {
  readonly calls: SystemCalls;
  readonly inbox: Inbox;
}

class NativeSocket implements RtpSocket {
  readonly port: number;
  listener: DatagramListener | undefined;
  private readonly family: 4 | 6;
  private readonly number: number;
  /** -1: closed. The kernel gives the same number to the next file or connection. */
  private descriptor: number;
  private isConnected = false;
  private connects = 0;

  constructor(
    private readonly owner: NativeSockets,
    { descriptor, number, family, port }: BoundDescriptor,
    private readonly deps: NativeSocketDeps,
  ) {
    this.descriptor = descriptor;
    this.number = number;
    this.family = family;
    this.port = port;
  }

  connect(port: number, address: string, connected?: () => void): void {
    if (this.descriptor < 0) return;
    this.isConnected = false;
    const attempt = ++this.connects;
    const connectTo = (found: string): void => {
      if (this.descriptor < 0 || attempt !== this.connects) return;
      const place = socketAddress(found, port);
      if (place?.length !== addressOctets[this.family]) return;
      if (this.deps.calls.connect(this.descriptor, place, place.length) < 0) return;
      this.isConnected = true;
      connected?.();
    };
    if (isIP(address) !== 0) connectTo(address);
    else
      lookup(address, { family: this.family }, (error, found) => {
        if (error === null) connectTo(found);
      });
  }

  send(datagram: Buffer): void {
    if (!this.isConnected) return;
    // What the kernel does not take at once would be late.
    this.deps.calls.send(this.descriptor, datagram, datagram.length, kernel.MSG_DONTWAIT);
  }

  close(): void {
    const { descriptor } = this;
    if (descriptor < 0) return;
    this.descriptor = -1;
    this.isConnected = false;
    this.owner.release(descriptor, this.number);
  }

  /** Passes on its datagrams. The moment: by the monotonic clock, and seconds and nanoseconds of the wall clock. */
  read(now: number, seconds: number, nanoseconds: number): void {
    const { calls, inbox } = this.deps;
    for (let round = 0; round < batches; round++) {
      // The listener may close the socket.
      if (this.descriptor < 0) return;
      const count = calls.recvmmsg(this.descriptor, inbox.headers, batch, kernel.MSG_DONTWAIT, null);
      for (let place = 0; place < count; place++) {
        const datagram = inbox.datagram(place);
        const at = now - inbox.age(place, seconds, nanoseconds);
        inbox.reset(place);
        if (datagram !== undefined && this.descriptor >= 0) this.listener?.(datagram, at);
      }
      if (count < batch) return;
    }
  }
}
