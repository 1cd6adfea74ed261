import { EventEmitter } from 'node:events';
import type { EngineLink, InviteProgress } from '../../src/edge/sip/engine-link.js';
import { embeddedEngineLimits } from '../../src/edge/sip/message-limits.js';
import type {
  Dialog,
  ReceivedRequest,
  ReceivedResponse,
  ResponseSender,
  SentRequest,
} from '../../src/edge/sip/messages.js';
import { headerFields } from './header-fields.js';

type Done = (error: unknown, dialog?: Dialog) => void;
type InviteArguments = Parameters<EngineLink['invite']>;

const responseDouble = (status: number, headers: Readonly<Record<string, string>>): ReceivedResponse =>
  ({
    status,
    source_address: '192.0.2.2',
    source_port: 5_060,
    ...headerFields(headers),
  }) as unknown as ReceivedResponse;

/** An INVITE handed to the link; the test is the server that responds to it. */
export class SentInvite {
  /** Headers of the CANCELs. */
  readonly cancels: Readonly<Record<string, string>>[] = [];

  constructor(
    readonly uri: string,
    readonly options: InviteArguments[1],
    private readonly progress: InviteProgress,
    private readonly done: InviteArguments[3],
  ) {}

  /** As once the engine has put it on the wire, with the headers that the engine adds. */
  send(added: Readonly<Record<string, string>> = {}): void {
    const headers = { ...this.options.headers, ...added };
    const request = Object.assign(new EventEmitter(), headerFields(headers), {
      cancel: (options: { headers: Record<string, string> }) => this.cancels.push(options.headers),
    });
    this.progress.sent(request as unknown as SentRequest);
  }

  respond(status: number, headers: Readonly<Record<string, string>> = {}): void {
    const response = responseDouble(status, headers);
    if (status === 100) this.progress.trying?.();
    else if (status < 200) this.progress.provisional(response);
    else this.done(Object.assign(new Error(`SIP ${status}`), { status, res: response }));
  }

  /** No response came: the engine answers in place of the server. */
  expire(status: number): void {
    const response = Object.assign(responseDouble(status, {}), { source_address: '' });
    this.done(Object.assign(new Error(`SIP ${status}`), { status, res: response }));
  }

  /** The engine could not send it, or got no response: no message says why. */
  fail(error: Error): void {
    this.done(error);
  }

  accept(dialog: Dialog): void {
    this.done(null, dialog);
  }
}

type Used = 'isUp' | 'isEmbedded' | 'messageLimits' | 'handle' | 'invite' | 'request' | 'answer' | 'forget';

/** The engine link where nothing is on the wire: keeps what it was handed, and passes on what the test makes up. */
export class EngineLinkDouble implements Pick<EngineLink, Used> {
  isUp = true;
  isEmbedded = true;
  readonly messageLimits = embeddedEngineLimits;
  /** INVITEs, oldest first. */
  readonly invites: SentInvite[] = [];
  /** Requests outside dialogs, oldest first, with the callback for their final response. */
  readonly requests: {
    readonly uri: string;
    readonly options: Parameters<EngineLink['request']>[1];
    readonly done: Parameters<EngineLink['request']>[2];
  }[] = [];
  /** Callbacks of our 200s, oldest first: the engine has not sent them yet. */
  readonly sending: Done[] = [];
  readonly forgotten: Dialog[] = [];
  private readonly handlers = new Map<string, Parameters<EngineLink['handle']>[1]>();

  handle(method: string, handler: Parameters<EngineLink['handle']>[1]): void {
    this.handlers.set(method.toUpperCase(), handler);
  }

  /** A request from the network. */
  receive(request: ReceivedRequest, response: ResponseSender): void {
    const handler = this.handlers.get(request.method);
    if (handler === undefined) throw new Error(`Nothing handles ${request.method}`);
    handler(request, response);
  }

  invite(...[uri, options, progress, done]: InviteArguments): void {
    this.invites.push(new SentInvite(uri, options, progress, done));
  }

  request(...[uri, options, done]: Parameters<EngineLink['request']>): void {
    this.requests.push({ uri, options, done });
  }

  answer(...[, , , done]: Parameters<EngineLink['answer']>): void {
    this.sending.push(done);
  }

  forget(dialog: Dialog): void {
    this.forgotten.push(dialog);
  }
}
