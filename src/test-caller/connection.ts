import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { VoiceCallTarget } from '../contract/voice-call.js';
import { isLoopback } from '../naming/address-scope.js';
import { StreamFramer } from '../sip/framing.js';
import type { SipMessage } from '../sip/message.js';
import { serialize } from '../sip/serialize.js';
import { formatHostPort } from '../sip/uri.js';

export interface ConnectionEvents {
  readonly message: (message: SipMessage) => void;
  /** Once; also when it could not be opened. */
  readonly closed: (why: string) => void;
}

const connectMilliseconds = 5_000;
const limits = { maximumHeaderBytes: 65_536, maximumMessageBytes: 262_144 };

/** One SIP connection to an edge, for one call. Over TLS the edge's certificate is verified, except on this machine. */
export class Connection {
  private isClosed = false;
  private readonly framer = new StreamFramer(limits);

  private constructor(
    private readonly socket: Socket,
    private readonly target: VoiceCallTarget,
    private readonly events: ConnectionEvents,
  ) {
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', (error) => this.close(error.message));
    socket.on('close', () => this.close('the edge closed the connection'));
  }

  /** Rejects when it cannot be opened. */
  static async open(target: VoiceCallTarget, events: ConnectionEvents): Promise<Connection> {
    const { protocol, host, port } = target;
    const socket: Socket =
      protocol === 'tls'
        ? connectTls({
            host,
            port,
            ALPNProtocols: ['sip/2'],
            ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
            rejectUnauthorized: !isLoopback(host),
          })
        : connectTcp({ host, port });
    socket.setNoDelay(true);
    try {
      await new Promise<void>((resolve, reject) => {
        socket.setTimeout(connectMilliseconds, () => reject(new Error('no answer in time')));
        socket.once('error', reject);
        socket.once(protocol === 'tls' ? 'secureConnect' : 'connect', () => resolve());
      });
    } catch (error) {
      socket.destroy();
      throw error;
    }
    socket.setTimeout(0);
    socket.removeAllListeners('timeout');
    return new Connection(socket, target, events);
  }

  /** Our address on the way to the edge. */
  get localAddress(): string {
    return (this.socket.localAddress ?? '127.0.0.1').replace(/^::ffff:/, '');
  }

  /** `host:port` of our end. */
  get local(): string {
    return formatHostPort(this.localAddress, this.socket.localPort ?? 0);
  }

  get protocol(): VoiceCallTarget['protocol'] {
    return this.target.protocol;
  }

  send(message: SipMessage): void {
    if (!this.isClosed) this.socket.write(Buffer.from(serialize(message), 'latin1'));
  }

  /** Sends what is queued, then closes. */
  end(): void {
    this.isClosed = true;
    this.socket.end();
    this.socket.setTimeout(connectMilliseconds, () => this.socket.destroy());
  }

  private receive(chunk: Buffer): void {
    try {
      for (const item of this.framer.push(chunk)) {
        if (item.kind === 'ping') this.socket.write('\r\n');
        else if (item.kind === 'message') this.events.message(item.message);
      }
    } catch (error) {
      this.close((error as Error).message);
    }
  }

  private close(why: string): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.socket.destroy();
    this.events.closed(why);
  }
}
