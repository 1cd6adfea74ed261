import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../../base/log.js';
import { ownText } from '../../base/own-text.js';
import { nextTickAfter } from '../../base/ticks.js';
import type { TraceSettings } from '../../config/edge-settings.js';
import type { CallRecord, TraceEntry } from '../../contract/call-record.js';
import { decodeHep, type HepPacket } from '../../hep/decode.js';
import { ipProtocol } from '../../hep/format.js';
import { entryOfPacket, lostEntry, readTraceEntries, TracedEntry } from '../../hep/trace-frame.js';
import { findCallId } from '../../sip/call-id.js';
import { fromText } from '../../sip/message.js';
import {
  beginsMessage,
  type CapturedMessage,
  firstMessageLength,
  isProvisional,
} from './captured-message.js';
import { HepForwarder } from './hep-forwarder.js';
import { HepListener } from './hep-listener.js';
import { KeptMessages } from './kept-messages.js';
import { type Leg, traceEntries } from './trace-entries.js';
import { isWholeLeg } from './whole-leg.js';

export interface Trace {
  readonly entries: TraceEntry[];
  /** True when messages are missing: because of a limit, or because the engine sent none. */
  readonly truncated: boolean;
}

/** Call-ID of each leg; null if there is none. */
export interface LegCallIds {
  readonly trunk: string | null;
  readonly agent: string | null;
}

interface Conversation {
  readonly messages: KeptMessages;
  /** Octets of its messages as captured, with overhead; packing does not change them. */
  bytes: number;
  /** What they take in memory. */
  held: number;
  truncated: boolean;
  /** Monotonic milliseconds of the first message. */
  readonly since: number;
  initiator: 'peer' | 'edge' | undefined;
  /** Calls that have this Call-ID now: a second one is a digest retry, or a forgery. */
  calls: number;
}

/** Messages of longer calls are compressed: few come during a call, and most calls are shorter or much longer. */
const packMilliseconds = 20_000;
const packingMilliseconds = 100;
/** Two milliseconds of work. */
const packedAtOnce = 20;
const sweepMilliseconds = 5_000;
/** Octets of a call's messages that another edge gets. */
const maximumCopy = 16_384;
/** Streams on which the last message was not complete. */
const maximumIncomplete = 1_000;
/** No call lasts longer than a day; older messages were never taken. */
const longestCallMilliseconds = 25 * 3_600_000;
/** Octets. */
const shortestMessage = 12;

/**
 * Receives every SIP message from the engine, on the connection to ours or as HEP3 from a drachtio-server, and keeps it,
 * undecoded, by Call-ID until the call ends. Bounded in bytes, messages and age; messages of unknown calls are dropped first.
 */
export class TraceCollector {
  /** Conversations that belong to calls. */
  private readonly expected = new Map<string, Conversation>();
  /** Others: probes, scanners, calls not announced yet; the oldest first. */
  private readonly unexpected = new Map<string, Conversation>();
  private readonly incomplete = new Map<string, CapturedMessage>();
  private bytes = 0;
  private droppedCount = 0;
  private hasCaptured = false;
  private readonly sweeper: NodeJS.Timeout;
  /** Conversations of calls that are not compressed yet, the oldest first. */
  private readonly unpacked = new Set<Conversation>();
  private packer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly settings: TraceSettings,
    private readonly listener: HepListener,
    private readonly forwarder: HepForwarder | undefined,
    log: Logger,
  ) {
    listener.onPacket = (packet) => this.receive(packet);
    listener.onError = (error) => log.error({ error: error.message }, 'HEP socket failed.');
    this.sweeper = setInterval(() => this.sweep(), sweepMilliseconds);
    this.sweeper.unref();
  }

  /** Binds the sockets; rejects when the port is taken. */
  static async start(settings: TraceSettings, log: Logger): Promise<TraceCollector> {
    const listener = await HepListener.start(settings.host, settings.port);
    const forwarder = settings.forward === undefined ? undefined : new HepForwarder(settings.forward, log);
    return new TraceCollector(settings, listener, forwarder, log);
  }

  /** The port that HEP3 packets are received on, over UDP and TCP. */
  get port(): number {
    return this.listener.port;
  }

  /** Bytes kept now. */
  get size(): number {
    return this.bytes;
  }

  /** Messages dropped unread since the start. */
  get dropped(): number {
    return this.droppedCount;
  }

  /** Packets forwarded to another collector, and packets it did not accept. */
  get forwarded(): { readonly sent: number; readonly dropped: number } {
    return this.forwarder?.counters ?? { sent: 0, dropped: 0 };
  }

  /**
   * Assigns a Call-ID to a call, by the call's own id, and a leg; its messages are then kept until they are taken.
   * `initiator` is who sent the leg's INVITE, by default the peer on the trunk leg and the edge on the agent leg.
   */
  expect(
    call: string,
    id: string,
    leg: 'trunk' | 'agent',
    initiator: 'peer' | 'edge' = defaultInitiator(leg),
  ): void {
    const callId = ownText(fromText(id));
    this.forwarder?.correlate(callId, call);
    const collected = this.unexpected.get(callId);
    const conversation = this.expected.get(callId) ?? collected ?? newConversation();
    conversation.initiator = initiator;
    conversation.calls++;
    this.unexpected.delete(callId);
    this.expected.set(callId, conversation);
    this.packLater(conversation);
  }

  /**
   * Returns the messages of a call's legs in order and drops them; waits briefly for the last ones, longer while some are
   * due. While another call has the same Call-ID the messages stay with it, so a caller cannot obtain a trace by reusing a
   * Call-ID.
   */
  async take(...legs: readonly LegCallIds[]): Promise<Trace> {
    await this.settled(legs.flatMap(({ trunk, agent }) => [trunk, agent]));
    const taken: Conversation[] = [];
    const trace = traceOf(legs, (callId) => {
      const conversation = this.release(callId) ?? newConversation();
      conversation.truncated ||= conversation.messages.length === 0 && this.hasLost(conversation);
      taken.push(conversation);
      return { conversation, otherCalls: conversation.calls };
    });
    for (const { messages } of taken) messages.forgetRead();
    return trace;
  }

  /** The messages so far, in order, without removing them. Omits those that another call also claims. */
  peek(...legs: readonly LegCallIds[]): Trace {
    return traceOf(legs, (callId) => {
      const conversation = this.expected.get(callId);
      return conversation && { conversation, otherCalls: conversation.calls - 1 };
    });
  }

  /** The same as entries for `receiveCopy` at another edge: whole messages up to a bound in octets. */
  copy(legs: readonly LegCallIds[], maximum = maximumCopy): Buffer {
    const entries: Buffer[] = [];
    let octets = 0;
    for (const id of legs.flatMap(({ trunk, agent }) => [trunk, agent])) {
      const callId = id === null ? '' : fromText(id);
      for (const message of this.expected.get(callId)?.messages.list ?? []) {
        const entry = entryOfMessage(message, callId);
        octets += entry.length;
        if (octets > maximum) {
          entries.push(Buffer.from(lostEntry(callId), 'latin1'));
          return Buffer.concat(entries);
        }
        entries.push(entry);
      }
    }
    return Buffer.concat(entries);
  }

  /** Whether a provisional response to the INVITE of that Call-ID and CSeq number was captured. */
  wasAnswered(id: string, sequence: number): boolean {
    const messages = this.expected.get(fromText(id))?.messages.list ?? [];
    return messages.some((message) => isProvisional(message, sequence));
  }

  /** Takes every record, for the collector that messages are forwarded to. */
  recorded(record: CallRecord): void {
    this.forwarder?.record(record);
  }

  /** Drops a call's messages, unless another call has the same Call-ID. */
  forget(callId: string): void {
    this.release(fromText(callId));
  }

  async stop(): Promise<void> {
    clearInterval(this.sweeper);
    clearTimeout(this.packer);
    await this.listener.stop();
    this.forwarder?.stop();
  }

  /** A frame of traces from our own engine, whose entries begin at `start`. */
  receiveFrame(frame: Buffer, start: number): void {
    this.read(frame, start, true);
  }

  /** What `copy` gave at another edge, which has forwarded these messages already. */
  receiveCopy(entries: Buffer): void {
    this.read(entries, 0, false);
  }

  private read(frame: Buffer, start: number, isNew: boolean): void {
    for (const entry of readTraceEntries(frame, start)) {
      if (!(entry instanceof TracedEntry)) {
        this.conversationOf(entry.callId).truncated = true;
        this.droppedCount++;
        continue;
      }
      // Keep-alives are not messages.
      if (entry.octets < shortestMessage) continue;
      this.add(entry.callId, entry);
      if (isNew && this.forwarder !== undefined) this.forward(entry.packet, entry.bytes);
    }
  }

  private async settled(ids: readonly (string | null)[]): Promise<void> {
    const callIds = ids.filter((id) => id !== null).map(fromText);
    const { graceMilliseconds, patienceMilliseconds } = this.settings;
    let wait = graceMilliseconds;
    for (let left = patienceMilliseconds; ; left -= wait) {
      await nextTickAfter(wait);
      // After a stall, timers fire before the sockets are read.
      await nextTurn();
      if (left <= 0 || callIds.every((callId) => this.isSettled(callId))) return;
      wait = Math.min(left, wait * 2);
    }
  }

  private isSettled(callId: string): boolean {
    const conversation = this.expected.get(callId) ?? this.unexpected.get(callId);
    // Without any message the engine captures none; another call with that Call-ID may last long.
    if (conversation === undefined || conversation.truncated || conversation.calls > 1) return true;
    return conversation.messages.length === 0 || isWholeLeg(conversation.messages.list);
  }

  private receive(bytes: Buffer): void {
    const packet = decodeHep(bytes);
    if (packet === undefined) return;
    // The embedded engine names the Call-ID and captures whole messages.
    const isWhole = packet.ipProtocol === ipProtocol.udp || packet.correlationId !== undefined;
    if (!isWhole) this.receiveFromStream(packet);
    else if (this.keep(packet, packet.payload) !== undefined) this.forward(packet, packet.payload);
  }

  /** A captured piece of a stream: the rest of a message, a message, several, or the beginning of one. */
  private receiveFromStream(packet: HepPacket): void {
    let { payload } = packet;
    const stream = `${packet.sourceAddress} ${packet.sourcePort} ${packet.destinationPort}`;
    const begun = this.incomplete.size === 0 ? undefined : this.incomplete.get(stream);
    if (begun !== undefined) {
      this.incomplete.delete(stream);
      if (!beginsMessage(payload)) {
        payload = Buffer.concat([begun.bytes, payload]);
        this.drop(begun);
      }
    }
    while (payload.length > 0) {
      const length = firstMessageLength(payload) ?? Number.POSITIVE_INFINITY;
      const message = this.keep(packet, length < payload.length ? payload.subarray(0, length) : payload);
      if (message !== undefined) {
        if (length > payload.length) this.awaitRest(stream, message);
        else this.forward(packet, message.bytes);
      }
      if (length >= payload.length) return;
      payload = payload.subarray(length);
    }
  }

  private forward(packet: HepPacket, bytes: Buffer): void {
    if (this.forwarder === undefined) return;
    const callId = packet.correlationId ?? findCallId(bytes);
    if (callId !== undefined) this.forwarder.message(callId, packet, bytes);
  }

  private awaitRest(stream: string, message: CapturedMessage): void {
    this.incomplete.set(stream, message);
    if (this.incomplete.size > maximumIncomplete)
      this.incomplete.delete(this.incomplete.keys().next().value!);
  }

  private keep(packet: HepPacket, bytes: Buffer): CapturedMessage | undefined {
    if (bytes.length < shortestMessage) return undefined;
    const callId = packet.correlationId ?? findCallId(bytes);
    const message: CapturedMessage = { packet, bytes };
    if (callId !== undefined) this.add(callId, message);
    return message;
  }

  private add(callId: string, message: CapturedMessage): void {
    const conversation = this.conversationOf(callId);
    const { maximumBytesPerCall, maximumMessagesPerCall } = this.settings;
    const cost = KeptMessages.octetsOf(message);
    if (
      conversation.bytes + cost > maximumBytesPerCall ||
      conversation.messages.length >= maximumMessagesPerCall
    ) {
      conversation.truncated = true;
      this.droppedCount++;
      return;
    }
    this.hasCaptured = true;
    conversation.messages.push(message);
    conversation.bytes += cost;
    conversation.held += cost;
    this.bytes += cost;
    if (this.bytes > this.settings.maximumBytes) this.makeRoom();
  }

  private conversationOf(callId: string): Conversation {
    const existing = this.expected.get(callId) ?? this.unexpected.get(callId);
    if (existing !== undefined) return existing;
    const conversation = newConversation();
    this.unexpected.set(callId, conversation);
    return conversation;
  }

  /** Removes an incomplete message, because it is stored again as a whole. */
  private drop(message: CapturedMessage): void {
    const callId = message.packet.correlationId ?? findCallId(message.bytes);
    const conversation =
      callId === undefined ? undefined : (this.expected.get(callId) ?? this.unexpected.get(callId));
    if (conversation?.messages.remove(message) !== true) return;
    const cost = KeptMessages.octetsOf(message);
    conversation.bytes -= cost;
    conversation.held -= cost;
    this.bytes -= cost;
  }

  /**
   * Whether a leg without messages had some. The peer's INVITE was received; the edge's may never have been sent, as to a server
   * that refuses the connection. A server that sends its captures elsewhere is why there are none at all.
   */
  private hasLost({ initiator = 'peer' }: Conversation): boolean {
    return initiator === 'peer' || !this.hasCaptured;
  }

  /** Removes the conversation with its last call. */
  private release(callId: string): Conversation | undefined {
    const conversation = this.expected.get(callId);
    if (conversation !== undefined && --conversation.calls > 0) return conversation;
    this.forwarder?.ended(callId);
    return this.remove(callId);
  }

  private remove(callId: string): Conversation | undefined {
    const conversation = this.expected.get(callId) ?? this.unexpected.get(callId);
    if (conversation === undefined) return undefined;
    this.expected.delete(callId);
    this.unexpected.delete(callId);
    this.unpacked.delete(conversation);
    this.bytes -= conversation.held;
    return conversation;
  }

  /** Drops messages of unknown calls, the oldest first; then those of the longest calls. */
  private makeRoom(): void {
    for (const [callId, { messages }] of this.unexpected) {
      if (this.bytes <= this.settings.maximumBytes) return;
      this.droppedCount += messages.length;
      this.remove(callId);
    }
    for (const conversation of this.expected.values()) {
      if (this.bytes <= this.settings.maximumBytes) return;
      if (conversation.messages.length === 0) continue;
      this.droppedCount += conversation.messages.length;
      this.bytes -= conversation.held;
      conversation.messages.clear();
      conversation.bytes = 0;
      conversation.held = 0;
      conversation.truncated = true;
    }
  }

  private packLater(conversation: Conversation): void {
    this.unpacked.add(conversation);
    this.packer ??= setTimeout(() => this.pack(), packMilliseconds).unref();
  }

  /** Compresses the messages of the calls that have lasted long enough, a few at a time. */
  private pack(): void {
    this.packer = undefined;
    const due = performance.now() - packMilliseconds;
    let packed = 0;
    for (const conversation of this.unpacked) {
      if (conversation.since > due) {
        this.packer = setTimeout(() => this.pack(), conversation.since - due + packingMilliseconds).unref();
        return;
      }
      if (packed++ >= packedAtOnce) {
        this.packer = setTimeout(() => this.pack(), packingMilliseconds).unref();
        return;
      }
      this.unpacked.delete(conversation);
      conversation.messages.pack();
      const held = conversation.messages.octets;
      this.bytes += held - conversation.held;
      conversation.held = held;
    }
  }

  private sweep(): void {
    const now = performance.now();
    this.forgetBefore(this.unexpected, now - this.settings.maximumAgeMilliseconds);
    this.forgetBefore(this.expected, now - longestCallMilliseconds);
  }

  private forgetBefore(conversations: ReadonlyMap<string, Conversation>, oldest: number): void {
    for (const [callId, { since }] of conversations) {
      if (since > oldest) return;
      this.remove(callId);
    }
  }
}

interface Claimed {
  readonly conversation: Conversation;
  /** Other calls with the same Call-ID. */
  readonly otherCalls: number;
}

function traceOf(all: readonly LegCallIds[], find: (callId: string) => Claimed | undefined): Trace {
  const legs: Leg[] = [];
  let truncated = false;
  for (const { trunk, agent } of all) {
    for (const [name, callId] of [
      ['trunk', trunk],
      ['agent', agent],
    ] as const) {
      if (callId === null || callId === '') continue;
      const claimed = find(fromText(callId));
      if (claimed === undefined) continue;
      const { conversation, otherCalls } = claimed;
      truncated ||= conversation.truncated || otherCalls > 0;
      if (otherCalls > 0) continue;
      const initiator = conversation.initiator ?? defaultInitiator(name);
      legs.push({ name, initiator, messages: conversation.messages.list });
    }
  }
  return { entries: traceEntries(legs), truncated };
}

const entryOfMessage = (message: CapturedMessage, callId: string): Buffer =>
  message instanceof TracedEntry
    ? message.entry
    : Buffer.from(entryOfPacket(message.packet, callId, message.bytes), 'latin1');

const defaultInitiator = (leg: 'trunk' | 'agent'): 'peer' | 'edge' => (leg === 'trunk' ? 'peer' : 'edge');

const newConversation = (): Conversation => ({
  messages: new KeptMessages(),
  bytes: 0,
  held: 0,
  truncated: false,
  since: performance.now(),
  initiator: undefined,
  calls: 0,
});
