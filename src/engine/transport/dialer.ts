import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import { whyRefused } from '../../base/certificate-verification.js';
import { isWildcard } from '../../naming/address.js';
import type { Clock } from '../clock.js';
import { checkServerName } from './certificates.js';
import { type Listener, type Target, TransportError } from './flow.js';
import type { UnverifiedHost } from './settings.js';
import { tcpKeepAliveMilliseconds } from './stream-listener.js';

export interface DialOptions {
  readonly clock: Clock;
  readonly milliseconds: number;
  /** For `tls`. */
  readonly secureContext?: SecureContext;
  readonly unverifiedHosts: readonly UnverifiedHost[];
  readonly signal: AbortSignal;
}

/**
 * Opens a TCP or TLS connection from the listener's address (so what listens on loopback stays there), ready to send:
 * the TLS handshake is done and the certificate verified. `use` takes over the socket in the same turn, so that it misses no
 * event. Rejects with TransportError.
 */
export function dial<T>(
  target: Target,
  listener: Listener,
  options: DialOptions,
  use: (socket: Socket) => T,
): Promise<T> {
  const name = `${target.protocol} from ${listener.address} to ${target.address} port ${target.port}`;
  return new Promise((resolve, reject) => {
    const socket = connectTcp({
      host: target.address,
      port: target.port,
      ...(!isWildcard(listener.address) && { localAddress: listener.address }),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: tcpKeepAliveMilliseconds,
    });
    let secured: TLSSocket | undefined;
    let connected = false;
    let settled = false;

    const settle = (error: TransportError | undefined): void => {
      if (settled) return;
      settled = true;
      timer.cancel();
      options.signal.removeEventListener('abort', aborted);
      if (error === undefined) {
        resolve(use(secured ?? socket));
        return;
      }
      secured?.destroy();
      socket.destroy();
      reject(error);
    };
    const aborted = (): void => settle(new TransportError('closed', `${name}: we are stopping`));
    const failed = (error: NodeJS.ErrnoException): void =>
      settle(
        connected ? tlsFailure(error, target, hasPeerCertificate(secured)) : connectFailure(error, name),
      );
    const timer = options.clock.after(options.milliseconds, () => {
      const what = connected ? 'no TLS handshake' : 'no connection';
      settle(new TransportError('timeout', `${name}: ${what} within ${options.milliseconds} ms`));
    });
    options.signal.addEventListener('abort', aborted);
    if (options.signal.aborted) aborted();

    socket.on('error', failed);
    socket.once('close', () => settle(new TransportError('closed', `${name}: closed by the far side`)));
    socket.once('connect', () => {
      connected = true;
      if (target.protocol === 'tcp') settle(undefined);
      else if (!settled) {
        secured = secure(socket, target, options);
        secured.on('error', failed);
        secured.once('secureConnect', () => settle(undefined));
      }
    });
  });
}

function secure(socket: Socket, target: Target, options: DialOptions): TLSSocket {
  const isName = isIP(target.serverName) === 0;
  return connectTls({
    socket,
    ...(options.secureContext && { secureContext: options.secureContext }),
    // RFC 6066 §3 allows names only.
    servername: isName ? target.serverName : '',
    rejectUnauthorized:
      target.trust !== undefined || !isUnverified(target.serverName, options.unverifiedHosts),
    checkServerIdentity: (_host, certificate) =>
      target.trust?.isPinned(certificate.raw) === true
        ? undefined
        : checkServerName(target.serverName, certificate),
  });
}

function isUnverified(serverName: string, hosts: readonly UnverifiedHost[]): boolean {
  const lowerName = serverName.toLowerCase();
  return hosts.some(({ host }) => host === '*' || host.toLowerCase() === lowerName);
}

function connectFailure(error: NodeJS.ErrnoException, name: string): TransportError {
  const text = `${name}: ${error.code ?? error.message}`;
  switch (error.code) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
      return new TransportError('refused', text);
    case 'ETIMEDOUT':
      return new TransportError('timeout', text);
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOBUFS':
    case 'EADDRNOTAVAIL':
      return new TransportError('overloaded', text);
    default:
      return new TransportError('unreachable', text);
  }
}

/** True once the peer's certificate was received: later failures do not concern versions and ciphers. */
const hasPeerCertificate = (socket: TLSSocket | undefined): boolean =>
  socket !== undefined && Object.keys(socket.getPeerCertificate() ?? {}).length > 0;

/** Alerts of the peer about our own certificate (RFC 8446 §6.2), as the codes of OpenSSL end. */
const clientCertificateAlerts = [
  'ALERT_CERTIFICATE_REQUIRED',
  'ALERT_BAD_CERTIFICATE',
  'ALERT_UNSUPPORTED_CERTIFICATE',
  'ALERT_CERTIFICATE_REVOKED',
  'ALERT_CERTIFICATE_EXPIRED',
  'ALERT_CERTIFICATE_UNKNOWN',
  'ALERT_UNKNOWN_CA',
  'ALERT_ACCESS_DENIED',
];

/** The peer's TLS refuses the certificate that we present, or its absence; undefined: another reason. */
export function clientCertificateFailure(
  { code, message }: NodeJS.ErrnoException,
  peer: string,
  hadPeerCertificate: boolean,
): TransportError | undefined {
  const isAlert = clientCertificateAlerts.some((alert) => code?.endsWith(alert));
  // Before TLS 1.3 a server that misses our certificate sends a plain handshake_failure, but only after its own certificate.
  const isMissing = hadPeerCertificate && code?.endsWith('ALERT_HANDSHAKE_FAILURE') === true;
  if (!isAlert && !isMissing) return undefined;
  return new TransportError(
    'tls',
    `${peer}: it requires a client certificate that it trusts: ${message}`,
    'client-certificate',
  );
}

function tlsFailure(
  error: NodeJS.ErrnoException,
  target: Target,
  hadPeerCertificate: boolean,
): TransportError {
  const peer = `tls to ${target.serverName} (${target.address} port ${target.port})`;
  if (error.code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const why = `the certificate does not carry that name: ${error.message}`;
    return new TransportError('tls', `${peer}: ${why}`, 'certificate');
  }
  const why = whyRefused(error.code);
  if (why !== undefined) {
    return new TransportError('tls', `${peer}: the certificate is refused: ${why}`, 'certificate');
  }
  return (
    clientCertificateFailure(error, peer, hadPeerCertificate) ??
    new TransportError('tls', `${peer}: handshake failed: ${error.message}`)
  );
}
