import type { Logger } from '../base/log.js';
import { pause } from '../base/pause.js';
import { within } from '../base/within.js';
import type { Application } from './dialog/application.js';
import { isReliable, type Received } from './transport/flow.js';
import { isInitial, Relay, type RelayMessage } from './transport/relay.js';
import type { TransportLayer } from './transport/transport-layer.js';
import type { WireServer } from './wire/wire-server.js';

/** The engine's layers as its succession needs them. */
export interface SuccessionParts {
  readonly transport: TransportLayer;
  readonly wire: WireServer;
  readonly knows: (received: Received) => boolean;
  readonly takesCalls: () => boolean;
  readonly applications: () => readonly (Application & { end(): void })[];
  readonly isQuiet: (application: Application) => boolean;
  readonly forget: (application: Application) => void;
  /** Transactions and dialogs that are left. */
  readonly open: () => number;
  readonly connections: () => number;
  /** Requests in unknown dialogs wait from now on until that owner has restored them. */
  readonly awaitRestore: (owner: string | undefined) => void;
  /** Handles a message as when it arrived. */
  readonly receive: (received: Received) => void;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

const pollMilliseconds = 20;
/** An application without open requests for so long is between two calls, not between two steps of one. */
const quietMilliseconds = 300;
/** Longer than any call rings. */
const longestRingMilliseconds = 300_000;
/** Peers that use their connection all day reconnect then. */
const longestRelayMilliseconds = 3_600_000;
/** A successor of an earlier release does not answer that it asks no more. */
const leaveMilliseconds = 3_000;

/** The end of the channel between an engine process and its successor. */
export interface SuccessionChannel {
  readonly post: (message: RelayMessage) => void;
  readonly onMessage: (handle: (message: RelayMessage) => void) => void;
  readonly onEnd: (handle: () => void) => void;
}

/**
 * Replaces an engine process by another one without an interruption. Both have the listening sockets. The predecessor completes
 * the transactions that it has, and keeps its connections for the successor, which cannot get them: the keys of TLS are in its
 * memory. Each application is disconnected between two of its calls; it finds the successor, and restores its dialogs there.
 * A successor may be replaced while its predecessor still has connections: then it is between the two.
 */
export class Succession {
  private predecessor: Relay | undefined;
  private successor: Relay | undefined;
  /** The successor takes the calls: applications are disconnected although they live. */
  isReplaced = false;
  private whenUnasked: () => void = () => {};

  constructor(private readonly parts: SuccessionParts) {}

  /** This process is the successor. */
  follow(channel: SuccessionChannel): void {
    const { transport, takesCalls, awaitRestore, receive } = this.parts;
    const relay = new Relay('predecessor', channel.post);
    this.predecessor = relay;
    transport.useRelay(relay);
    channel.onMessage((message) => {
      if (message.type === 'restoring') awaitRestore(message.owner);
      else if (message.type === 'handled') relay.handled(message.question);
      else if (message.type === 'leaving') {
        relay.isLeaving = true;
        relay.post({ type: 'asks no more' });
      } else transport.relayed(relay, message);
    });
    const timer = setInterval(() => {
      if (!takesCalls()) return;
      clearInterval(timer);
      relay.post({ type: 'takes calls' });
    }, pollMilliseconds);
    channel.onEnd(() => {
      clearInterval(timer);
      this.predecessor = undefined;
      transport.relayEnded(relay);
      if (relay.isLeaving) return;
      // It was killed: its applications come here, and over TCP and TLS peers do not repeat what it was asked.
      awaitRestore(undefined);
      for (const received of relay.takeUnanswered()) receive(received);
    });
  }

  /**
   * This process is replaced. Resolves when its work is done, or at once when the successor ends; rejects when that ends before it
   * has taken any call.
   */
  yieldTo(channel: SuccessionChannel): Promise<void> {
    const { transport, wire, log } = this.parts;
    const relay = new Relay('successor', channel.post);
    this.successor = relay;
    transport.useRelay(relay);
    // Applications that connect from now on are the successor's.
    wire.stopAccepting();
    return new Promise((resolve, reject) => {
      channel.onMessage((message) => {
        if (message.type === 'asks no more') {
          this.whenUnasked();
          return;
        }
        if (message.type !== 'takes calls') {
          transport.relayed(relay, message);
          if (message.type === 'message' && message.question !== undefined)
            relay.post({ type: 'handled', question: message.question });
          return;
        }
        log.info('The successor takes new calls.');
        relay.isRetired = true;
        this.isReplaced = true;
        transport.retire();
        void this.dissolve(relay)
          .then(() => this.takeLeave(relay))
          .then(resolve);
      });
      channel.onEnd(() => {
        this.successor = undefined;
        transport.relayEnded(relay);
        if (relay.isRetired) resolve();
        else reject(new Error('the successor ended before it took any call'));
      });
    });
  }

  /**
   * Each message goes to the process that knows its transaction or dialog, and a new one to the newest process, whichever of them has
   * the peer's connection or read the datagram.
   * @returns true: another process has the message now
   */
  passOn(received: Received): boolean {
    const { predecessor, successor } = this;
    if (predecessor === undefined && successor === undefined) return false;
    if (this.parts.knows(received)) return false;
    const { message, flow } = received;
    const isSuccessors = successor !== undefined && (successor.isRetired || message.kind === 'response');
    const isNew =
      isInitial(message) && isReliable(flow.protocol) && (isSuccessors || this.parts.takesCalls());
    if (predecessor !== undefined && !predecessor.isLeaving && !predecessor.isSource && !isNew) {
      predecessor.pass(received);
      return true;
    }
    if (!isSuccessors) return false;
    successor.pass(received);
    return true;
  }

  private async dissolve(relay: Relay): Promise<void> {
    const { applications, isQuiet, forget, open, connections, log } = this.parts;
    const began = performance.now();
    const quietSince = new Map<Application, number>();
    for (;;) {
      const now = performance.now();
      const left = applications();
      for (const application of left) {
        if (!isQuiet(application)) quietSince.delete(application);
        else if (!quietSince.has(application)) quietSince.set(application, now);
        const since = quietSince.get(application);
        const isDue = since !== undefined && now - since > quietMilliseconds;
        if (!isDue && now - began < longestRingMilliseconds) continue;
        const { owner } = application;
        if (owner !== undefined) relay.post({ type: 'restoring', owner });
        forget(application);
        application.end();
        log.info('Handed an application over to the successor.');
      }
      const isDone = left.length === 0 && open() === 0;
      // A predecessor ends with its successor.
      const isUnused = connections() === 0 && this.predecessor === undefined;
      if (isDone && (isUnused || now - began > longestRelayMilliseconds)) return;
      await pause(pollMilliseconds);
    }
  }

  /** What is on its way to or from a process that exits is lost, and a question is a request that has no other copy. */
  private async takeLeave(relay: Relay): Promise<void> {
    const until = performance.now() + leaveMilliseconds;
    // After the first answer there are no further questions; after the second one, the successor has those that came back.
    for (let answers = 0; answers < 2; answers++) {
      const answered = new Promise<void>((resolve) => {
        this.whenUnasked = resolve;
      });
      relay.post({ type: 'leaving' });
      await within(Math.max(0, until - performance.now()), answered);
    }
  }
}
