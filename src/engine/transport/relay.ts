import { tagOf } from '../../sip/address.js';
import type { SipMessage } from '../../sip/message.js';
import { serialize } from '../../sip/serialize.js';
import type { PooledConnection } from './connection-table.js';
import { type Flow, type Listener, type Protocol, type Received, TransportError } from './flow.js';

/** What the other engine needs to know of a flow. */
export interface FlowFacts {
  readonly id: string;
  readonly protocol: Protocol;
  readonly listener: { readonly address: string; readonly port: number };
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  readonly direction?: 'incoming' | 'outgoing' | undefined;
  readonly serverName?: string | undefined;
  readonly trustId?: string | undefined;
}

/** Between an engine process and its successor. Octets are byte strings. */
export type RelayMessage =
  | { readonly type: 'open'; readonly flow: FlowFacts }
  | { readonly type: 'closed'; readonly flow: string }
  /** `ask`: it comes back as `final` if it is unknown there as well. */
  | {
      readonly type: 'message';
      readonly flow: FlowFacts;
      readonly bytes: string;
      readonly mode: 'ask' | 'final';
      /** Of a question: it has an answer once it is handled, whatever came of it. */
      readonly question?: number;
    }
  /** The message is handled, or has come back. Engines of earlier releases neither number their questions nor answer so. */
  | { readonly type: 'handled'; readonly question: number }
  | { readonly type: 'send'; readonly flow: string; readonly bytes: string }
  /** The successor has applications: it takes the new calls. */
  | { readonly type: 'takes calls' }
  /** Dialogs of an application will be restored by it in a moment. Engines of earlier releases do not name the owner. */
  | { readonly type: 'restoring'; readonly owner?: string }
  /** The predecessor has nothing left: it is to be asked no more. Engines of earlier releases neither send nor answer it. */
  | { readonly type: 'leaving' }
  /** The answer: the predecessor has every question, and the successor what was sent before `leaving`. */
  | { readonly type: 'asks no more' };

/** A process handles a question in milliseconds; one of an earlier release does not say so. */
const questionMilliseconds = 2_000;

/**
 * One engine process' end of the channel to the process that it replaces (`predecessor`), or that replaces it (`successor`). A process that
 * is replaced while it still serves its predecessor's connections has both.
 */
export class Relay {
  /** The successor takes the new calls. */
  isRetired = false;
  /** The predecessor is about to exit. */
  isLeaving = false;
  private isDelivering = false;
  /** Questions that are not answered, by number. */
  private readonly questions = new Map<number, { readonly received: Received; readonly at: number }>();
  private asked = 0;

  constructor(
    readonly peer: 'predecessor' | 'successor',
    readonly post: (message: RelayMessage) => void,
  ) {}

  /** True while a message of the other process is handled. */
  get isSource(): boolean {
    return this.isDelivering;
  }

  /** Runs `deliver` for a message that the other process passed on. */
  withSource(deliver: () => void): void {
    this.isDelivering = true;
    try {
      deliver();
    } finally {
      this.isDelivering = false;
    }
  }

  /** The predecessor returns what it does not know; what a successor gets is its own. */
  pass(received: Received): void {
    const { message, flow } = received;
    const passed = { type: 'message', flow: this.factsOf(flow), bytes: serialize(message) } as const;
    if (this.peer === 'successor') this.post({ ...passed, mode: 'final' });
    else this.post({ ...passed, mode: 'ask', question: this.noteQuestion(received) });
  }

  /** The other process has dealt with that question. */
  handled(question: number): void {
    this.questions.delete(question);
  }

  /** The other process has ended, and these questions, which have no other copy, with it. */
  takeUnanswered(): Received[] {
    this.forgetOld();
    const unanswered = [...this.questions.values()].map(({ received }) => received);
    this.questions.clear();
    return unanswered;
  }

  private noteQuestion(received: Received): number {
    this.forgetOld();
    this.questions.set(++this.asked, { received, at: performance.now() });
    return this.asked;
  }

  private forgetOld(): void {
    const oldest = performance.now() - questionMilliseconds;
    for (const [question, { at }] of this.questions) {
      if (at >= oldest) return;
      this.questions.delete(question);
    }
  }

  closed({ id }: Flow): void {
    this.post({ type: 'closed', flow: id });
  }

  /** What the other process needs to know of a flow to send on it. */
  factsOf(flow: Flow): FlowFacts {
    const facts = factsOf(flow);
    const isTheirs = flow instanceof RelayedConnection && flow.relay === this;
    return isTheirs ? { ...facts, id: `${returned}${flow.idThere}` } : facts;
  }
}

/** Begins the id of a flow that the receiver of its facts has. */
export const returned = 'relayed-';

/** It begins a call, or belongs to no dialog. */
export const isInitial = (message: SipMessage): boolean =>
  message.kind === 'request' &&
  message.method !== 'ACK' &&
  message.method !== 'CANCEL' &&
  tagOf(message.headers.get('To') ?? '') === undefined;

function factsOf(flow: Flow): FlowFacts {
  const { id, protocol, listener, remoteAddress, remotePort, localAddress, localPort } = flow;
  const { direction, serverName, trustId } = flow as Partial<PooledConnection>;
  return {
    id,
    protocol,
    remoteAddress,
    remotePort,
    localAddress,
    localPort,
    direction,
    serverName,
    trustId,
    listener: { address: listener.address, port: listener.port },
  };
}

/** A connection that the other engine process has. */
export class RelayedConnection implements PooledConnection {
  readonly id: string;
  readonly protocol: 'tcp' | 'tls';
  readonly direction: 'incoming' | 'outgoing';
  readonly serverName: string | undefined;
  readonly trustId: string | undefined;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  /** The other process alone has the certificate, and reuses the connection for it. */
  readonly verifiedCertificate = undefined;
  isOpen = true;

  /** The other process' name for it. */
  readonly idThere: string;

  /** @param closed takes it out of the table of connections */
  constructor(
    facts: FlowFacts,
    readonly listener: Listener,
    readonly relay: Relay,
    private readonly closed: (connection: RelayedConnection) => void,
  ) {
    this.idThere = facts.id;
    this.id = RelayedConnection.idOf(relay, facts.id);
    this.protocol = facts.protocol === 'tls' ? 'tls' : 'tcp';
    this.direction = facts.direction ?? 'incoming';
    this.serverName = facts.serverName;
    this.trustId = facts.trustId;
    this.remoteAddress = facts.remoteAddress;
    this.remotePort = facts.remotePort;
    this.localAddress = facts.localAddress;
    this.localPort = facts.localPort;
  }

  static idOf({ peer }: Relay, idThere: string): string {
    return `${peer}-${idThere}`;
  }

  get takesRequests(): boolean {
    return this.isOpen;
  }

  write(bytes: string, failed?: (error: TransportError) => void): void {
    if (this.isOpen) this.relay.post({ type: 'send', flow: this.idThere, bytes });
    else if (failed !== undefined)
      process.nextTick(failed, new TransportError('closed', 'the connection is closed'));
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.closed(this);
  }

  destroy(): void {
    this.close();
  }

  /** The other process watches over it. */
  check(): void {}
}
