import { Server, Socket } from 'node:net';
import Srf from 'drachtio-srf';
import { ownText } from '../../base/own-text.js';
import { reasonPhrase, registeredPhrases } from '../../sip/status.js';
import type { Dialog, PublicSrf, ResponseSender, SendOptions } from './messages.js';

/**
 * Unmodified drachtio-srf on our connection. The library is in its listening mode (`srf.listen({ server })`), and is handed a
 * socket that it takes for a connection from a server: what it writes goes to `EngineConnection`, and gets from there what is for it. So
 * frames that it does not know (traces, replies to our commands) can pass beside it, and nothing of it is replaced. See
 * `docs/decisions/drachtio-srf.md`.
 */

const { SipMessage } = Srf as unknown as { readonly SipMessage: new (text: string) => object };

/** The connection to the engine as the library sees it: a socket without a file descriptor. */
class LibrarySocket extends Socket {
  constructor(private readonly out: (frame: string) => void) {
    super();
  }

  /** The library's callback only makes a text for `DEBUG`, and would keep the frame until then. */
  override write(frame: unknown): boolean {
    this.out(withRealStatus(frame as string));
    return true;
  }

  /** The library ends a connection on which one of its callbacks has thrown; the frames behind that one are still good. */
  override end(): this {
    process.nextTick(() => {
      throw new Error('drachtio-srf failed to process a frame; its message is on the standard error output');
    });
    return this;
  }
}

export class Library extends (Srf as unknown as new () => PublicSrf) {
  private readonly server = new Server();
  private readonly names = new Set<string>();
  private socket: LibrarySocket | undefined;

  get dialogCount(): number {
    return this.names.size;
  }

  /** Registers what answers requests that no handler takes: the library would answer 404, and then end the connection. */
  begin(secret: string): void {
    this.use((request, response) => {
      if (request.method !== 'ACK') response.send(request.method === 'PRACK' ? 200 : 481, undefined, {});
    });
    this.listen({ server: this.server, secret, enablePing: true });
  }

  /** A new connection to the engine: the library authenticates itself on it. */
  connected(out: (frame: string) => void): void {
    this.socket = new LibrarySocket(out);
    this.server.emit('connection', this.socket);
  }

  /** From now on, dialogs and requests of that connection fail with `ESOCKETDESTROYED`. */
  disconnected(): void {
    this.socket?.destroy();
    this.socket = undefined;
  }

  /** A frame of the engine, of a type that the library knows. */
  take(frame: Buffer, payloadStart: number): void {
    this.socket?.emit('data', isUpdate(frame, payloadStart) ? this.forDialog(frame, payloadStart) : frame);
  }

  /** False: the library cannot read the frame's message, and would print all of it, with its keys and digest answers. */
  canRead(frame: Buffer, payloadStart: number): boolean {
    const at = frame.indexOf('\r\n', payloadStart);
    try {
      return at < 0 || new SipMessage(frame.toString('utf8', at + 2)) !== undefined;
    } catch {
      return false;
    }
  }

  override addDialog(dialog: Dialog): void {
    // The id is a part of the frame's text, which the library would keep with its table.
    const { res } = dialog as unknown as { res: { stackDialogId: string } };
    res.stackDialogId = ownText(res.stackDialogId);
    this.names.add(dialog.id);
    super.addDialog(dialog);
  }

  override removeDialog(dialog: Dialog): void {
    this.names.delete(dialog.id);
    super.removeDialog(dialog);
  }

  /** The library keeps using the connection on which a dialog began. */
  rebind(dialog: Dialog): void {
    for (const message of [dialog.req, dialog.res]) (message as { socket?: unknown }).socket = this.socket;
  }

  /** What the library's messages need to be sent from a dialog. Throws without a connection. */
  get sender(): { readonly agent: unknown; readonly socket: Socket } {
    if (this.socket === undefined) throw new Error('The SIP engine is not connected.');
    return { agent: this.app.client, socket: this.socket };
  }

  /**
   * The library gives an UPDATE to whatever request of the same Call-ID has no final response, also to our own OPTIONS or INFO,
   * where nothing answers it. Without a Call-ID it goes to its dialog, which the frame names; engines write the Call-ID of the
   * response themselves.
   */
  private forDialog(frame: Buffer, payloadStart: number): Buffer {
    const text = frame.toString('utf8', payloadStart);
    const id = text.slice(0, text.indexOf('\r\n')).split('|')[9] ?? '';
    if (this.findDialogById(id) === undefined) return frame;
    const payload = text.replace(/\r\n(?:Call-ID|i)[ \t]*:[^\r\n]*(?=\r\n)/i, '');
    return Buffer.from(`${Buffer.byteLength(payload)}#${payload}`);
  }
}

function isUpdate(frame: Buffer, payloadStart: number): boolean {
  const at = frame.indexOf('\r\n', payloadStart) + 2;
  return at > 1 && frame.toString('latin1', at, at + 7) === 'UPDATE ';
}

/** Sends a final response, also of a status that the library's table lacks, for which its `send` throws. */
export function sendStatus(
  response: ResponseSender,
  status: number,
  reason: string | undefined,
  options: SendOptions,
): number {
  try {
    response.send(status, reason, options);
    return status;
  } catch {
    const generic = Math.floor(status / 100) * 100;
    // An unregistered status counts as the x00 of its class (RFC 3261 §8.1.3.2).
    const isRegistered = status in registeredPhrases;
    const phrase = isRegistered ? `=${status} ${reason ?? reasonPhrase(status)}` : reason;
    response.send(generic, phrase, options);
    return isRegistered ? status : generic;
  }
}

/** The frame with the status that `sendStatus` has put in front of the reason phrase. */
function withRealStatus(frame: string): string {
  const at = frame.indexOf('\r\n') + 2;
  if (frame[at + 12] !== '=' || !frame.startsWith('SIP/2.0 ', at)) return frame;
  const payload = frame.slice(frame.indexOf('#') + 1).replace(/\r\nSIP\/2\.0 \d{3} =/, '\r\nSIP/2.0 ');
  return `${Buffer.byteLength(payload)}#${payload}`;
}
