import { engineDefaults } from '../../../../src/config/engine-settings.js';
import { type SipTimers, standardTimers } from '../../../../src/engine/clock.js';
import type {
  Application,
  DeliveredRequest,
  DeliveredResponse,
  Reply,
  SentMessage,
} from '../../../../src/engine/dialog/application.js';
import type { Identifiers } from '../../../../src/engine/dialog/identifiers.js';
import { UserAgentCore } from '../../../../src/engine/dialog/user-agent-core.js';
import { TransactionLayer } from '../../../../src/engine/transaction/transaction-layer.js';
import type { Flow, NextHop, Protocol, Target } from '../../../../src/engine/transport/flow.js';
import { readApplicationMessage } from '../../../../src/engine/wire/header-policy.js';
import type { SipMessage, SipRequest, SipResponse } from '../../../../src/sip/message.js';
import { ManualClock } from '../../../../src/testkit/manual-clock.js';
import { MemoryTransport, received, type Sent } from '../../../../src/testkit/memory-transport.js';

export const ourAddress = '192.0.2.10';
export const peerAddress = '198.51.100.20';
export const sdp = 'v=0\r\no=a 1 1 IN IP4 192.0.2.1\r\ns=-\r\nt=0 0\r\n';

/** A name that starts with `pending` resolves when the test says so. */
class LateNamesTransport extends MemoryTransport {
  resolveLater: ((targets: readonly Target[]) => void) | undefined;

  override resolve(hop: NextHop): readonly Target[] | Promise<readonly Target[]> {
    if (!hop.host.startsWith('pending')) return super.resolve(hop);
    return new Promise((resolve) => {
      this.resolveLater = resolve;
    });
  }
}

class RecordingReply implements Reply {
  sent: SentMessage | undefined;
  refusal: string | undefined;

  requestSent(sent: SentMessage): void {
    this.sent = sent;
  }

  responseSent(sent: SentMessage): void {
    this.sent = sent;
  }

  refused(text: string): void {
    this.refusal = text;
  }

  get transactionId(): string {
    return this.sent?.transactionId ?? '';
  }

  get message(): SipMessage {
    if (this.sent === undefined) throw new Error(`Refused: ${this.refusal}`);
    return this.sent.message;
  }
}

export class RecordingApplication implements Application {
  isOpen = true;
  isSilent = false;
  owner: string | undefined;
  wantsTrying = false;
  wantsLostFlows = false;
  readonly lostFlows: { register: SipRequest; flow: Flow }[] = [];
  readonly requests: DeliveredRequest[] = [];
  readonly responses: DeliveredResponse[] = [];
  onRequest: (delivered: DeliveredRequest) => void = () => {};
  onResponse: (delivered: DeliveredResponse) => void = () => {};
  readonly unsolicitedByes: { bye: SipRequest; dialogId: string }[] = [];

  request(delivered: DeliveredRequest): void {
    this.requests.push(delivered);
    this.onRequest(delivered);
  }

  response(delivered: DeliveredResponse): void {
    this.responses.push(delivered);
    this.onResponse(delivered);
  }

  flowLost(register: SipRequest, flow: Flow): void {
    this.lostFlows.push({ register, flow });
  }

  unsolicited(bye: SipRequest, _flow: Flow | undefined, dialogId: string): void {
    this.unsolicitedByes.push({ bye, dialogId });
  }

  get lastRequest(): DeliveredRequest {
    return this.requests.at(-1)!;
  }

  get methods(): string[] {
    return this.requests.map(({ received: { message } }) => message.method);
  }

  get statuses(): number[] {
    return this.responses.map(({ response }) => response.status);
  }
}

class CountedIdentifiers implements Identifiers {
  private count = 0;

  constructor(private readonly seed: string) {}

  transactionId = (): string => `app-${++this.count}`;
  tag = (): string => `tag${++this.count}-${this.seed}`;
  callId = (): string => `call${++this.count}-${this.seed}`;
  sequence = (): number => 100;
  fraction = (): number => 0.5;
}

/** The user agent on a real transaction layer, with a hand-driven clock and a network that only records. */
export class Fixture {
  readonly transport: LateNamesTransport;
  application = new RecordingApplication();
  readonly core: UserAgentCore;
  readonly layer: TransactionLayer;
  private branches = 0;
  private ids = 0;

  constructor(
    verbs: readonly string[] = ['invite', 'options', 'register', 'subscribe'],
    timers: SipTimers = standardTimers,
    readonly clock = new ManualClock(),
    address = ourAddress,
  ) {
    this.transport = new LateNamesTransport(address);
    this.core = new UserAgentCore(
      {
        transport: this.transport,
        clock: this.clock,
        timers,
        identifiers: new CountedIdentifiers(address),
        applications: {
          choose: (verb, preferred) =>
            verbs.includes(verb) ? (preferred?.isOpen ? preferred : this.application) : undefined,
          hasTaker: (verb) => verbs.includes(verb),
          owners: () => (this.application.owner === undefined ? [] : [this.application]),
        },
        settings: {
          applicationTimeout: 30_000,
          inviteTimeout: 64_000,
          ringingTimeout: 300_000,
          minimumSessionExpires: 90,
          keepDialogs: 30_000,
          screening: { ...engineDefaults.screening, answeredOptions: ['pinger'] },
          retryAfter: 5,
        },
      },
      () => this.layer,
    );
    this.layer = new TransactionLayer({
      transport: this.transport,
      clock: this.clock,
      timers,
      user: this.core,
      newId: () => `txn-${++this.ids}`,
    });
  }

  /** The application disconnects; another one takes its place for what the test sends from now on. */
  replaceApplication(): RecordingApplication {
    const gone = this.application;
    gone.isOpen = false;
    this.application = new RecordingApplication();
    this.core.applicationGone(gone);
    return this.application;
  }

  flow(protocol: Protocol = 'udp', port = 5060, address = peerAddress) {
    return this.transport.flow(protocol, address, port);
  }

  /** A message from the peer. */
  deliver(text: string, flow: Flow = this.flow()): void {
    this.layer.receive(received(text, flow));
  }

  newBranch(): string {
    return `z9hG4bKpeer${++this.branches}`;
  }

  /** What was sent since the last look. */
  take(): Sent[] {
    return this.transport.take();
  }

  /** Methods and status codes sent since the last look, without 100. */
  wire(): string[] {
    return this.take()
      .map(({ message }) => (message.kind === 'request' ? message.method : `${message.status}`))
      .filter((each) => each !== '100');
  }

  /** The first message sent since the last look that is a request of that method. */
  sentRequest(method: string): SipRequest {
    const found = this.take().find(({ message }) => message.kind === 'request' && message.method === method);
    if (found === undefined) throw new Error(`No ${method} was sent.`);
    return found.message as SipRequest;
  }

  sentResponse(status: number): SipResponse {
    const found = this.take().find(({ message }) => message.kind === 'response' && message.status === status);
    if (found === undefined) throw new Error(`No ${status} was sent.`);
    return found.message as SipResponse;
  }

  /** The application answers a request that was delivered to it. */
  respond(delivered: DeliveredRequest, head: string, body = ''): RecordingReply {
    const reply = new RecordingReply();
    const text = `SIP/2.0 ${head}\r\n\r\n${body}`;
    this.core.respond(this.application, delivered.transactionId, readApplicationMessage(text), reply);
    return reply;
  }

  /** The application sends a request outside any dialog. */
  request(head: string, body = '', routeUrl = ''): RecordingReply {
    const reply = new RecordingReply();
    this.core.sendRequest(
      this.application,
      readApplicationMessage(`${head}\r\n\r\n${body}`),
      routeUrl,
      reply,
    );
    return reply;
  }

  /** The application sends a request within a dialog. */
  within(dialogId: string, method: string, headers = '', body = ''): RecordingReply {
    const reply = new RecordingReply();
    const text = `${method} sip:placeholder SIP/2.0\r\n${headers}${headers === '' ? '' : '\r\n'}\r\n${body}`;
    this.core.sendWithinDialog(this.application, dialogId, readApplicationMessage(text), reply);
    return reply;
  }

  cancel(transactionId: string, headers = ''): RecordingReply {
    const reply = new RecordingReply();
    const text = `CANCEL sip:x@y SIP/2.0\r\n${headers}${headers === '' ? '' : '\r\n'}\r\n`;
    this.core.cancelRequest(this.application, transactionId, readApplicationMessage(text), reply);
    return reply;
  }
}

export interface RequestParts {
  readonly branch?: string;
  readonly cseq?: number;
  readonly toTag?: string;
  readonly fromTag?: string;
  readonly callId?: string;
  readonly headers?: string;
  readonly body?: string;
  readonly uri?: string;
  readonly contact?: string;
}

/** A request of the peer at 198.51.100.20. */
export function peerRequest(
  fixture: Pick<Fixture, 'newBranch'>,
  method: string,
  parts: RequestParts = {},
): string {
  const body = parts.body ?? '';
  const contact = parts.contact ?? `<sip:alice@${peerAddress}:5060>`;
  return [
    `${method} ${parts.uri ?? `sip:bob@${ourAddress}`} SIP/2.0`,
    `Via: SIP/2.0/UDP ${peerAddress}:5060;branch=${parts.branch ?? fixture.newBranch()}`,
    'Max-Forwards: 70',
    `From: <sip:alice@example.net>;tag=${parts.fromTag ?? 'at1'}`,
    `To: <sip:bob@${ourAddress}>${parts.toTag === undefined ? '' : `;tag=${parts.toTag}`}`,
    `Call-ID: ${parts.callId ?? 'call-1'}`,
    `CSeq: ${parts.cseq ?? 1} ${method}`,
    ...(contact === '' ? [] : [`Contact: ${contact}`]),
    ...(parts.headers === undefined ? [] : [parts.headers]),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

/** The peer's response to a request of the engine. */
export function peerResponse(
  request: SipRequest,
  status: string,
  options: { tag?: string; headers?: string; body?: string } = {},
): string {
  const body = options.body ?? '';
  const to = request.headers.get('To')!;
  const tag = options.tag === undefined || to.includes(';tag=') ? '' : `;tag=${options.tag}`;
  return [
    `SIP/2.0 ${status}`,
    `Via: ${request.headers.get('Via')}`,
    `From: ${request.headers.get('From')}`,
    `To: ${to}${tag}`,
    `Call-ID: ${request.headers.get('Call-ID')}`,
    `CSeq: ${request.headers.get('CSeq')}`,
    ...(options.headers === undefined ? [] : [options.headers]),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

/** An inbound call that is up; the peer's next CSeq is 2. */
export function inboundCall(fixture: Fixture, parts: RequestParts = {}, answer = '200 OK') {
  fixture.deliver(peerRequest(fixture, 'INVITE', parts));
  const invite = fixture.application.lastRequest;
  const reply = fixture.respond(invite, answer, sdp);
  const localTag = /tag=([^;]+)/.exec(reply.message.headers.get('To')!)![1]!;
  fixture.deliver(peerRequest(fixture, 'ACK', { ...parts, toTag: localTag, headers: 'X: 1', body: '' }));
  fixture.take();
  return { invite, localTag, dialogId: reply.sent!.dialogId };
}

/** An outbound call that is up. */
export function outboundCall(
  fixture: Fixture,
  response: { headers?: string } = {},
  uri = `sip:bob@${peerAddress}`,
  header?: string,
) {
  const reply = fixture.request(`INVITE ${uri} SIP/2.0${header === undefined ? '' : `\r\n${header}`}`, sdp);
  const invite = fixture.sentRequest('INVITE');
  const contact = `Contact: <sip:bob@${peerAddress}:5060>`;
  fixture.deliver(
    peerResponse(invite, '200 OK', { tag: 'bt1', headers: response.headers ?? contact, body: sdp }),
  );
  const dialogId = fixture.application.responses.at(-1)!.dialogId;
  fixture.within(dialogId, 'ACK');
  fixture.take();
  const localTag = /tag=([^;]+)/.exec(invite.headers.get('From')!)![1]!;
  return { reply, invite, dialogId, localTag, callId: invite.headers.get('Call-ID')! };
}

/** Fails unless nothing is left of any call. */
export async function expectNothingLeft(fixture: Fixture): Promise<void> {
  await fixture.clock.advance(80_000);
  const { confirmedInbound, confirmedOutbound, ownerlessDialogs, registeredFlows, ...counts } =
    fixture.core.counts;
  const left = { ...counts, timers: fixture.clock.pendingTimers };
  const transactions = fixture.layer.counts;
  const all = { ...left, ...transactions };
  const alive = Object.entries(all).filter(([, count]) => count !== 0);
  if (alive.length > 0) throw new Error(`Left: ${JSON.stringify(Object.fromEntries(alive))}`);
}
