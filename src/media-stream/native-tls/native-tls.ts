import { DEFAULT_CIPHERS, DEFAULT_MIN_VERSION } from 'node:tls';
import { checked, event, kernel } from '../system-calls/kernel.js';
import type { SystemCalls } from '../system-calls/system-calls.js';
import { TlsConnection, type TlsConnections, type TlsTarget } from './connection.js';
import type { OpenSsl, Pointer } from './open-ssl.js';

/** Of OpenSSL's headers, the same in all 3.x. */
const control = { mode: 33, readAhead: 41, leastVersion: 123 } as const;
/** A write may take a part, from memory that has moved since; buffers are kept only while they are filled. */
const modes = 0x1 | 0x2 | 0x10;
/** The end of TCP ends the connection (WebSockets have their own end); no renegotiation (RFC 5746 §5), no compression. */
const options = 0x80 | 0x4000_0000 | 0x2_0000;
const versions = { 'TLSv1.2': 0x0303, 'TLSv1.3': 0x0304 } as const;
const verifyPeer = 1;
const maximumEvents = 1_024;
/** Without ticks of the cadence connections are read this often. */
const intervalMilliseconds = 5;
/** A record has at most 16 KiB (RFC 8446 §5.1), and one call reads one. */
const recordOctets = 16_384;

/**
 * TLS towards bots' servers by OpenSSL's own functions, on sockets that are read together in each phase of the cadence. In the streams of
 * Node.js each frame enters the event loop, and is copied and completed there, which costs more than encrypting and sending it.
 */
export class NativeTls implements TlsConnections {
  private readonly context: Pointer;
  private readonly poll: number;
  private readonly events = Buffer.alloc(maximumEvents * event.octets);
  private readonly registration = Buffer.alloc(event.octets);
  private readonly connections = new Map<number, TlsConnection>();
  private nextNumber = 1;
  /** Have octets that the kernel does not report. */
  private unread = new Set<TlsConnection>();
  private timer: NodeJS.Timeout | undefined;
  private readAt = 0;
  readonly input = Buffer.allocUnsafeSlow(recordOctets);

  /** @param authorities PEM */
  constructor(
    readonly ssl: OpenSsl,
    readonly calls: SystemCalls,
    authorities: readonly string[],
  ) {
    this.context = newContext(ssl, authorities);
    this.poll = checked(calls, 'epoll_create1', calls.epoll_create1(kernel.EPOLL_CLOEXEC));
  }

  connect(target: TlsTarget): TlsConnection {
    return new TlsConnection(this, target);
  }

  /** Passes on what has arrived, and writes what waits. */
  read(): void {
    const { calls, connections, events, ssl, unread } = this;
    this.readAt = performance.now();
    if (connections.size === 0) return;
    // OpenSSL judges a result by what is in there, also of another function.
    ssl.ERR_clear_error();
    if (unread.size > 0) {
      this.unread = new Set();
      for (const connection of unread) connection.readMore();
    }
    const count = calls.epoll_wait(this.poll, events, maximumEvents, 0);
    for (let at = 0; at < count * event.octets; at += event.octets)
      connections.get(events.readUInt32LE(at + event.data))?.ready(events.readUInt32LE(at));
  }

  // ---- for connections

  newSession(descriptor: number, { host, servername }: TlsTarget): Pointer {
    const { ssl } = this;
    const session = ssl.SSL_new(this.context);
    if (session === 0) throw new Error('SSL_new failed');
    const isNamed = nameServer(ssl, session, host, servername);
    if (isNamed && ssl.SSL_set_fd(session, descriptor) === 1) return session;
    ssl.SSL_free(session);
    throw new Error(`TLS to ${host} cannot be prepared`);
  }

  watch(connection: TlsConnection, descriptor: number, interest: number): number {
    const number = this.nextNumber;
    this.nextNumber = (number + 1) >>> 0;
    checked(this.calls, 'epoll_ctl', this.control(kernel.EPOLL_CTL_ADD, descriptor, number, interest));
    this.connections.set(number, connection);
    this.timer ??= setInterval(() => {
      if (performance.now() - this.readAt >= intervalMilliseconds - 1) this.read();
    }, intervalMilliseconds);
    return number;
  }

  change(descriptor: number, number: number, interest: number): void {
    this.control(kernel.EPOLL_CTL_MOD, descriptor, number, interest);
  }

  forget(connection: TlsConnection, descriptor: number, number: number): void {
    this.connections.delete(number);
    this.unread.delete(connection);
    // A child process may have the socket until it runs its program, and `close` alone would leave it registered.
    this.control(kernel.EPOLL_CTL_DEL, descriptor, number, 0);
    if (this.connections.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  readLater(connection: TlsConnection): void {
    this.unread.add(connection);
  }

  private control(operation: number, descriptor: number, number: number, interest: number): number {
    const { registration } = this;
    registration.fill(0);
    registration.writeUInt32LE(interest, 0);
    registration.writeUInt32LE(number, event.data);
    return this.calls.epoll_ctl(this.poll, operation, descriptor, registration);
  }
}

/** With the versions and ciphers of Node.js. */
function newContext(ssl: OpenSsl, authorities: readonly string[]): Pointer {
  const context = ssl.SSL_CTX_new(ssl.TLS_client_method());
  const isVersion3 = (cipher: string): boolean => cipher.startsWith('TLS_');
  const ciphers = DEFAULT_CIPHERS.split(':');
  const least = DEFAULT_MIN_VERSION === 'TLSv1.3' ? versions['TLSv1.3'] : versions['TLSv1.2'];
  const isReady =
    context !== 0 &&
    ssl.SSL_CTX_ctrl(context, control.leastVersion, least, 0) === 1 &&
    ssl.SSL_CTX_set_cipher_list(context, ciphers.filter((cipher) => !isVersion3(cipher)).join(':')) === 1 &&
    ssl.SSL_CTX_set_ciphersuites(context, ciphers.filter(isVersion3).join(':')) === 1;
  if (!isReady) throw new Error('OpenSSL takes no settings');
  ssl.SSL_CTX_set_options(context, options);
  ssl.SSL_CTX_ctrl(context, control.mode, modes, 0);
  ssl.SSL_CTX_ctrl(context, control.readAhead, 1, 0);
  ssl.SSL_CTX_set_verify(context, verifyPeer, 0);
  const store = ssl.SSL_CTX_get_cert_store(context);
  const trusted = authorities.reduce((sum, pem) => sum + trust(ssl, store, pem), 0);
  if (trusted === 0) throw new Error('OpenSSL has read no certificate of an authority');
  return context;
}

/** Adds all certificates of a PEM text. Returns how many. */
function trust(ssl: OpenSsl, store: Pointer, pem: string): number {
  const octets = Buffer.from(pem);
  const bio = ssl.BIO_new_mem_buf(octets, octets.length);
  let count = 0;
  for (;;) {
    const certificate = ssl.PEM_read_bio_X509(bio, 0, 0, 0);
    if (certificate === 0) break;
    count += ssl.X509_STORE_add_cert(store, certificate);
    ssl.X509_free(certificate);
  }
  ssl.BIO_free(bio);
  // The end of the text is an error, too.
  ssl.ERR_clear_error();
  return count;
}

const setServerName = 55;
/** `*.example.com`, and not `b*.example.com` (RFC 6125 §6.4.3). */
const noPartialWildcards = 0x4;

/** What the certificate must be for, and the name in the ClientHello (RFC 6066 §3). */
function nameServer(ssl: OpenSsl, session: Pointer, host: string, servername: string): boolean {
  if (servername === '') return ssl.X509_VERIFY_PARAM_set1_ip_asc(ssl.SSL_get0_param(session), host) === 1;
  ssl.SSL_set_hostflags(session, noPartialWildcards);
  return (
    ssl.SSL_ctrl(session, setServerName, 0, servername) === 1 && ssl.SSL_set1_host(session, servername) === 1
  );
}
