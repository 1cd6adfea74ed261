import { EventEmitter } from 'node:events';
import type { Logger } from '../../base/log.js';
import type { HeldLeg } from '../../contract/held-call.js';
import { traceEntriesStart, traceRoute } from '../../hep/trace-frame.js';
import type { OwnListener } from '../../naming/egress.js';
import { parseHostPort } from '../../sip/uri.js';
import { refuseEarlyUpdate } from './early-requests.js';
import { type EngineCommandReply, EngineCommands } from './engine-commands.js';
import { type EngineAddress, EngineConnection } from './engine-connection.js';
import { EngineSilence } from './engine-silence.js';
import { Library } from './library-adapter.js';
import { drachtioServerLimits, embeddedEngineLimits, type MessageLimits } from './message-limits.js';
import type {
  Dialog,
  OfferedDialog,
  ReceivedRequest,
  ReceivedResponse,
  ResponseSender,
  SentRequest,
  SipMessage,
} from './messages.js';
import { failureText, transportFailureOf } from './messages.js';
import { rebuildDialog } from './rebuild-dialog.js';
import { UnansweredInvite } from './unanswered-invites.js';
import { type LoadShedder, refusalCommand, unreadInvite } from './unread-invite.js';

/** A request that opens a dialog, or is outside any. */
interface Addressed {
  readonly headers: Record<string, string>;
  /** Trusted certificates in PEM for TLS; absent: those that the engine trusts. A drachtio-server verifies none. */
  readonly tlsCa?: string | undefined;
}

interface InviteOptions extends Addressed {
  /** Absent: late offer. */
  readonly localSdp?: string;
  /** SIP URI of the next hop, where it is not the Request-URI's. */
  readonly proxy?: string;
}

export interface InviteProgress {
  sent(request: SentRequest): void;
  /** 100: the server is alive. Our own engine reports it, a drachtio-server does not. */
  trying?(): void;
  provisional(response: ReceivedResponse): void;
  /** UPDATE before the final response. Absent: an offer in it is refused. */
  update?(update: ReceivedRequest, response: ResponseSender): void;
}

/** A request outside any dialog. */
export interface StandaloneRequest extends Addressed {
  readonly method: string;
  /** SIP URI of the next hop, where it is not the Request-URI's. */
  readonly proxy?: string;
}

/** `tls/192.0.2.1:5061`, as the engine reports a listener. */
function readListener(text: string): OwnListener[] {
  const protocol = text.slice(0, text.indexOf('/'));
  const { host, port } = parseHostPort(text.slice(protocol.length + 1)) ?? {};
  const isKnown = protocol === 'udp' || protocol === 'tcp' || protocol === 'tls';
  return isKnown && host !== undefined && port !== undefined ? [{ protocol, host, port }] : [];
}

interface EngineLinkEvents {
  up: [hostPorts: readonly string[]];
  /** The connection of an accepted REGISTER of the edge was closed. Only Demarc's engine reports it. */
  flowLost: [registerCallId: string, reason: string];
  down: [];
}

/**
 * Further ones of an INVITE are ignored: a ringing phone sends one per minute, and each may carry early media that costs work
 * at rtpengine and the other side.
 */
const maximumProvisionals = 200;

/**
 * The connection to the SIP engine, drachtio-server or our own; reconnects forever. `down` means that every dialog and
 * transaction of the connection is gone.
 */
export class EngineLink extends EventEmitter<EngineLinkEvents> {
  private readonly connection = new EngineConnection();
  private readonly commands = new EngineCommands(this.connection);
  private readonly library = new Library();
  /** Methods of requests that the engine routes to this edge, and extensions of the embedded engine. */
  private readonly routes: string[];
  private hostPorts: readonly string[] = [];
  private boundHostPorts: readonly string[] = [];
  private knownListeners: readonly OwnListener[] = [];
  private version = '';
  private connected = false;
  private closing = false;
  /** Named in the reply to `authenticate`; a drachtio-server names none. */
  private features: ReadonlySet<string> = new Set();
  private isGreeted = false;
  private readonly silence: EngineSilence;
  private readonly unanswered = new Set<UnansweredInvite>();
  /** Undefined: every INVITE is handled. */
  shedder: LoadShedder | undefined;

  /**
   * @param owner name under which the engine keeps our dialogs when the connection ends; undefined: it ends them
   * @param traces takes each frame of traces, which only our own engine sends, and where its entries begin
   */
  constructor(
    private readonly log: Logger,
    private readonly traces?: (frame: Buffer, entriesStart: number) => void,
    readonly owner?: string,
  ) {
    super();
    this.silence = new EngineSilence(() => this.commands.send('alive', undefined, 'unbounded'), log);
    this.routes = [
      'response:100',
      'flow:lost',
      // All listeners are attached before the library reads the next frame.
      'frames:adjacent',
      // The library reads the reply to each INVITE and BYE, and of its headers only these matter.
      'replies:short',
      'register',
      ...(traces === undefined ? [] : [traceRoute]),
      ...(owner === undefined ? [] : [`owner:${owner}`]),
    ];
    this.library.use('register', (request, _response, next) => {
      if (request.source !== 'application') next();
      else this.emit('flowLost', request.get('Call-ID') ?? '', transportFailureOf(request)?.text ?? '');
    });
    this.connection.on('connect', () => {
      this.isGreeted = false;
      this.library.connected((frame) => this.connection.write(frame));
    });
    this.connection.on('frame', (frame, payloadStart) => this.onFrame(frame, payloadStart));
    this.connection.on('close', () => this.onDown());
    this.connection.on('error', (error) => {
      if (this.connected) this.log.warn({ error: error.message }, 'SIP engine connection failed.');
      else this.log.debug({ error: error.message }, 'SIP engine is not reachable yet.');
    });
    this.connection.on('dropped', (octets) =>
      this.log.error({ octets }, 'A message is too long for a drachtio-server, and was not sent.'),
    );
  }

  get isUp(): boolean {
    return this.connected;
  }

  /** False: it is not connected, or has not answered for two seconds, which only our own engine's silence can show. */
  get isResponsive(): boolean {
    return this.connected && !this.silence.isSilent;
  }

  /** False: it is a drachtio-server. */
  get isEmbedded(): boolean {
    return this.version.endsWith('embedded');
  }

  /** Limits of messages that the engine accepts. */
  get messageLimits(): MessageLimits {
    return this.isEmbedded ? embeddedEngineLimits : drachtioServerLimits;
  }

  /** Every listener, at the host that the engine advertises. */
  get ownListeners(): readonly OwnListener[] {
    return this.knownListeners;
  }

  /** `protocol/host:port` of every listener, as the engine advertises it. */
  get advertisedListeners(): readonly string[] {
    return this.hostPorts;
  }

  /** `protocol/host:port` of every listener, at the address that it is bound to. */
  get boundListeners(): readonly string[] {
    return this.boundHostPorts;
  }

  /** `host:port` of every listener, as the engine advertises it. */
  get advertised(): string[] {
    return this.hostPorts.map((each) => each.slice(each.indexOf('/') + 1));
  }

  get dialogCount(): number {
    return this.library.dialogCount;
  }

  hasDialog(name: string): boolean {
    return this.library.findDialogById(name) !== undefined;
  }

  connect(address: EngineAddress): void {
    this.library.begin(address.secret);
    this.connection.connect(address);
  }

  /** Register handlers before `connect`, which announces them to the engine. */
  handle(method: string, handler: (request: ReceivedRequest, response: ResponseSender) => void): void {
    if (!this.routes.includes(method)) this.routes.push(method);
    this.library.use(method, (request, response) => {
      try {
        handler(request, response);
      } catch (error) {
        this.log.error({ error: failureText(error), method }, 'A request handler failed.');
        if (!response.finalResponseSent) response.send(500, undefined, {});
      }
    });
  }

  /** Sends an INVITE; `done` is called once with a dialog, an `OfferedDialog` (no `localSdp`), or an error. */
  invite(
    uri: string,
    options: InviteOptions,
    progress: InviteProgress,
    done: (error: unknown, dialog?: Dialog | OfferedDialog) => void,
  ): void {
    let provisionals = 0;
    let invite: UnansweredInvite | undefined;
    const cbRequest = isolated((error: unknown, request?: SentRequest): void => {
      if (error !== null || request === undefined) return;
      // Before the library's own listener, which takes other 2xx than 200 for refusals.
      request.on('response', takeForOk);
      const update = (received: ReceivedRequest, response: ResponseSender): void => {
        if (progress.update === undefined) refuseEarlyUpdate(received, response, 'ours');
        else progress.update(received, response);
      };
      request.on('update', update);
      // The library is about to add a listener that answers an UPDATE with our offer.
      queueMicrotask(() => request.removeAllListeners('update').on('update', update));
      invite = new UnansweredInvite(request, options.proxy ?? uri);
      this.unanswered.add(invite);
      progress.sent(request);
    });
    const noAck = options.localSdp === undefined;
    try {
      this.library.createUAC(
        uri,
        { ...this.kept(this.addressed(options)), noAck },
        {
          cbRequest,
          cbProvisional: isolated((response: ReceivedResponse) => {
            if (invite !== undefined) invite.response = response;
            if (response.status === 100) {
              progress.trying?.();
              return;
            }
            provisionals += 1;
            if (provisionals <= maximumProvisionals) progress.provisional(response);
          }),
        },
        isolated((error: unknown, dialog?: Dialog | OfferedDialog) => {
          if (invite !== undefined) this.unanswered.delete(invite);
          if (dialog !== undefined && 'sdp' in dialog && !dialog.res.has('Contact')) {
            // Acknowledges it; the library would do so later, and fail then.
            void dialog.destroy();
            done(withoutContact(dialog.res));
          } else done(unusableAnswer(error) ?? error, dialog);
        }),
      );
    } catch (error) {
      done(error);
    }
  }

  /**
   * Sends a request outside any dialog; `done` is called at most once, with the final response or the reason why it was
   * not sent. It is never called if the connection to the engine breaks meanwhile: callers need their own timeout.
   * @param sent called with the request as the engine sent it
   */
  request(
    uri: string,
    options: StandaloneRequest,
    done: (error: unknown, response?: ReceivedResponse) => void,
    sent: (request: SipMessage) => void = () => {},
  ): void {
    try {
      this.library.request(uri, this.addressed(options), (error, request) => {
        if (request === undefined || (error !== null && error !== undefined)) {
          done(error ?? new Error('not sent'));
          return;
        }
        sent(request);
        request.on(
          'response',
          isolated((response: ReceivedResponse) => {
            if (response.status >= 200) done(undefined, response);
          }),
        );
      });
    } catch (error) {
      done(error);
    }
  }

  /** Sends 200 to an INVITE; `done` runs once, with the dialog or the reason it was not sent. */
  answer(
    request: ReceivedRequest,
    response: ResponseSender,
    options: InviteOptions,
    done: (error: unknown, dialog?: Dialog) => void,
  ): void {
    let isDone = false;
    const once = (error: unknown, dialog?: Dialog): void => {
      if (isDone) return;
      isDone = true;
      done(error, dialog);
    };
    try {
      this.library.createUAS(request, response, { ...this.kept(options) }, isolated(once));
    } catch (error) {
      once(error);
    }
  }

  /** True: the engine keeps our dialogs when this process is gone, and can give them to another one. */
  get keepsDialogs(): boolean {
    return this.owner !== undefined && this.features.has('adopt');
  }

  /** True: the engine gives some of an owner's dialogs to one application and keeps the others for the next. */
  get sharesDialogs(): boolean {
    return this.features.has('adopt-some');
  }

  /** True: the engine drops single dialogs without a word to their peers. */
  get forgetsDialogs(): boolean {
    return this.features.has('forget');
  }

  /** True: an engine that was restarted can end legs that the one before has left. */
  get releasesLegs(): boolean {
    return this.features.has('release');
  }

  /** The INVITEs that peers have responded to, but not finally, as `release` takes them. */
  unansweredInvites(): object[] {
    return [...this.unanswered].flatMap(({ document }) => document ?? []);
  }

  /** True: the engine knows the dialogs of all edges, and gives single ones to another edge. */
  get movesDialogs(): boolean {
    return this.features.has('yield');
  }

  /** When this edge is gone, the engine gives a new call's INVITE to another one, but this one from now on. */
  beginOnce({ stackTxnId }: ReceivedRequest): void {
    if (!this.features.has('once') || stackTxnId === undefined) return;
    // Without a connection the INVITE is another edge's by now.
    this.commands.send(`once|${stackTxnId}`).catch(() => {});
  }

  /** True: the engine reports TLS sessions and failed handshakes. */
  get knowsPeers(): boolean {
    return this.features.has('peers');
  }

  /** An extension of our own engine: its reply. Rejects when it refuses, or the connection is lost. */
  command(leader: string, body?: string): Promise<EngineCommandReply> {
    return this.commands.send(leader, body);
  }

  /** A dialog that another process had, or that this one had over an earlier connection. Throws when it is incomplete. */
  rebuild(leg: NonNullable<HeldLeg>): Dialog {
    return rebuildDialog(this.library, leg);
  }

  /** Uses the present connection for a dialog that began on an earlier one. */
  rebind(dialog: Dialog): void {
    this.library.rebind(dialog);
  }

  /** Drops a dialog whose connection is gone; the library keeps it otherwise. */
  forget(dialog: Dialog): void {
    this.library.removeDialog(dialog);
    dialog.removeAllListeners();
  }

  close(): void {
    this.closing = true;
    this.connection.close();
  }

  /** The engine removes the header. */
  private kept<Options extends Addressed>(options: Options): Options {
    if (!this.keepsDialogs) return options;
    return { ...options, headers: { ...options.headers, 'Engine-Keep': 'yes' } };
  }

  /** Our own engine takes the trusted certificates from a header that it removes. */
  private addressed<Options extends Addressed>({ tlsCa, ...options }: Options): Omit<Options, 'tlsCa'> {
    if (tlsCa === undefined || !this.isEmbedded) return options;
    return { ...options, headers: { ...options.headers, 'Engine-TLS-CA': base64Certificates(tlsCa) } };
  }

  private onFrame(frame: Buffer, payloadStart: number): void {
    if (!this.isGreeted) {
      this.isGreeted = true;
      this.library.take(frame, payloadStart);
      this.onGreeting(frame.toString('utf8', payloadStart).split('|'));
      return;
    }
    const payload = frame.subarray(payloadStart);
    const entries = traceEntriesStart(payload);
    if (entries > 0) this.traces?.(payload, entries);
    else if (this.commands.take(frame, payloadStart) || this.shed(frame, payloadStart)) return;
    else if (this.isEmbedded || this.library.canRead(frame, payloadStart))
      this.library.take(frame, payloadStart);
    else this.log.warn({ octets: frame.length }, 'drachtio-srf cannot read a message of the SIP engine.');
  }

  /** True: it was an INVITE that the edge has no time for, and is answered. */
  private shed(frame: Buffer, payloadStart: number): boolean {
    if (this.shedder?.isShedding !== true) return false;
    const invite = unreadInvite(frame, payloadStart);
    const refusal = invite && this.shedder.refusal(invite);
    if (refusal === undefined) return false;
    this.connection.send(refusalCommand(invite!.transactionId, refusal));
    return true;
  }

  /** The first frame of each connection is the reply to `authenticate`. */
  private onGreeting(fields: readonly string[]): void {
    const [, , , verdict, detail = '', version = '', bound = '', features = ''] = fields;
    if (verdict !== 'OK') {
      this.log.error({ error: detail }, 'The SIP engine refused us: is the secret right?');
      return;
    }
    this.version = version;
    this.features = new Set(features.split(','));
    this.connection.adjust(this.isEmbedded);
    this.hostPorts = detail.split(',');
    this.boundHostPorts = bound.split(',');
    this.knownListeners = this.hostPorts.flatMap(readListener);
    const routed = this.routes.map((route) => this.commands.send(`route|${route}`, undefined, 'unbounded'));
    // Before that, the engine would refuse requests that arrive because we said that we are up.
    Promise.all(routed).then(
      () => this.onRouted(),
      (error) => this.log.error({ error: failureText(error) }, 'The SIP engine refused a route.'),
    );
  }

  private onRouted(): void {
    if (!this.connection.isOpen) return;
    this.connected = true;
    this.log.info({ listeners: this.hostPorts }, 'SIP engine is connected.');
    if (this.features.has('alive')) this.silence.begin();
    this.emit('up', this.hostPorts);
  }

  private onDown(): void {
    this.library.disconnected();
    if (!this.connected) return;
    this.connected = false;
    this.silence.end();
    if (!this.closing) this.log.error('SIP engine is lost.');
    this.emit('down');
  }
}

/**
 * What a callback throws goes to the process's handler for faults, with its stack, and the frame is processed to its end; the library
 * would print the message alone.
 */
const isolated =
  <Parameters extends unknown[]>(callback: (...parameters: Parameters) => void) =>
  (...parameters: Parameters): void => {
    try {
      callback(...parameters);
    } catch (error) {
      process.nextTick(() => {
        throw error;
      });
    }
  };

/** PEM as a header's value: base64, separated by commas. */
const base64Certificates = (pem: string): string =>
  [...pem.matchAll(/-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g)]
    .map(([, base64 = '']) => base64.replace(/\s/g, ''))
    .join(',');

/** RFC 3261 §8.1.3.2, §13.2.2.4: every 2xx to an INVITE makes a dialog, a status that we do not know counts as 200. */
function takeForOk(response: ReceivedResponse): void {
  if (response.status > 200 && response.status < 300) (response as { status: number }).status = 200;
}

/** A 2xx without Contact: the library reports 500, as if the peer had refused; the engine ends that dialog. */
function unusableAnswer(error: unknown): object | undefined {
  const { res } = (error ?? {}) as { res?: ReceivedResponse };
  return res === undefined || res.status >= 300 ? undefined : withoutContact(res);
}

const withoutContact = (res: SipMessage): object => ({
  status: 502,
  reason: 'Answered without a Contact',
  res,
});
