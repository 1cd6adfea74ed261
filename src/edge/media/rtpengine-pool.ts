import { randomUUID } from 'node:crypto';
import { FairSemaphore, type Turn } from '../../base/fair-semaphore.js';
import type { Logger } from '../../base/log.js';
import { nextTickAfter } from '../../base/ticks.js';
import { within } from '../../base/within.js';
import type { HostPort } from '../../config/environment.js';
import type { SrtpSuite } from '../../sdp/srtp-key.js';
import { exchangeCost } from './exchange-cost.js';
import type { MediaEgress } from './media-egress.js';
import { NgClient, type NgCommand, type NgReply, NgTimeout, type ReplyReader } from './ng-client.js';
import { readTotals } from './ng-counters.js';
import { oneChannel, twoChannels } from './opus-channels.js';
import { withoutRefused } from './refused-packets.js';
import type { MediaSide } from './rtp-statistics.js';
import { abilitiesOf, type RtpengineVersion, versionIn, versionQuestion } from './rtpengine-version.js';
import type { SrtpPolicy } from './trunk-offer.js';

/** No rtpengine took the call; the caller should try again, here or elsewhere. */
export class MediaUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MediaUnavailable';
  }
}

export interface PoolSettings {
  readonly nodes: readonly (HostPort & { readonly weight?: number })[];
  /** The longest that setting up a call may wait for rtpengine, over all nodes tried. */
  readonly timeoutMilliseconds: number;
  /** An endpoint that has sent nothing gets media for this long. */
  readonly unprovenMilliseconds?: number;
  /** A node's health is asked for this often: the media of its calls moves as soon as it is found to be down. */
  readonly pingMilliseconds?: number;
  /** The media of calls leaves a node that is silent, not closed, after this time. */
  readonly silenceMilliseconds?: number;
  /** Where agents that may do so send from, beside the described address. */
  readonly agentSources?: { contains(address: string): boolean };
  /** Sides of plain RTP that may send from another address than the described one, unless their number decides; absent: none. */
  readonly symmetric?: Readonly<Record<MediaSide, boolean>>;
  /** SRTP suites that trunks may use; absent: AES_CM_128_HMAC_SHA1_80. */
  readonly srtpSuites?: readonly SrtpSuite[] | undefined;
  /** True: trunks may also offer SRTP as RTP/AVP with a key (RFC 8643). */
  readonly takesOptimisticSrtp?: boolean | undefined;
  /** Sessions of this time are deleted together. */
  readonly deletionMilliseconds?: number;
}

export interface PoolParts {
  readonly settings: PoolSettings;
  readonly log: Logger;
  /** Where descriptions from outside may send the nodes; absent: anywhere. */
  readonly egress?: MediaEgress;
  readonly observe?: (command: string, result: 'ok' | 'error' | 'timeout', seconds: number) => void;
}

/** Whose call it is: organizations take turns at a node, and the sources of an organization among themselves. */
export type ExchangeTurn = Pick<Turn, 'group' | 'member'>;

const tooMuchWork = 'too many offers and answers are waiting for it';

interface Node {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly weight: number;
  client: NgClient | undefined;
  /** `unknown` until the first reply: such a node is tried, but after the ones that are up. */
  state: 'unknown' | 'up' | 'down';
  /** Commands in a row without a reply; the node is then tried after others. */
  timeouts: number;
  /** How often it was found down: a session from before may be lost. */
  losses: number;
  /** Asked again whenever it comes up; undefined: unknown. */
  version: RtpengineVersion | undefined;
  isVersionAsked: boolean;
  /** Of the last answered ping, in milliseconds. */
  roundTrip: number | undefined;
  /** Smooth weighted round robin. */
  turn: number;
  /** Call-IDs to delete once the node answers again. */
  readonly owed: Set<string>;
  asking: boolean;
  /** Offers and answers under way, by their cost. */
  readonly work: FairSemaphore;
  /** Calls refused since the last log line, and the time of that line. */
  refusals: number;
  refusalsLoggedAt: number;
}

/** State of a node. */
export interface NodeState {
  readonly name: string;
  readonly state: Node['state'];
  /** Pending deletions. */
  readonly owed: number;
  /** Its release; null: unknown. */
  readonly version: string | null;
  /** Of the last ping; null while it does not answer. */
  readonly roundTripMilliseconds: number | null;
}

/** Handle of the node a call stays on. */
export interface MediaNode {
  readonly name: string;
  readonly state: Node['state'];
  readonly losses: number;
  readonly version?: RtpengineVersion | undefined;
}

/** Fifty packets of most codecs. */
const defaultUnprovenMilliseconds = 1_000;
const defaultPingMilliseconds = 500;
/** The pings of this time find an overloaded node up again. */
const defaultSilenceMilliseconds = 1_500;
/**
 * No peer waits for a deletion, and the record is gathered longer. Together they wake rtpengine, and its replies this process, once
 * instead of once each.
 */
const defaultDeletionMilliseconds = 50;
/** Nodes tried for one call; a third would not fit in the bound. */
const attempts = 2;
/** Commands in a row without a reply after which a node is down, though no ping has failed yet. */
const maximumTimeouts = 3;
/** Sessions remembered for deletion on a node that is down; older ones end by rtpengine's own timeout. */
const maximumOwed = 50_000;
/**
 * Limit of concurrent new calls per node. libuv reads 32 datagrams a turn while a turn may bring twice as many INVITEs:
 * under overload replies would wait behind them, and calls would fail that rtpengine has long accepted.
 */
const newCallsPerNode = 64;
/**
 * Offers and answers under way at a node, in parts of `exchangeCost`, each some 0.7 ms: a node answers pings and deletions in order
 * with them, and none may wait for 100 ms. Two edges may have as many each.
 */
const workPerNode = 64;
const refusalLogMilliseconds = 5_000;
/** Deletions repeated at once when a node is back. */
const owedAtOnce = 50;

/** The rtpengines of this edge: health, choice for a new call, commands, and deletions that outlast an outage. */
export class RtpenginePool {
  private readonly nodes: readonly Node[];
  private readonly newCalls: FairSemaphore;
  private timer: NodeJS.Timeout | undefined;
  /** Resolves when the gathered deletions are sent. */
  private deletion: Promise<void> | undefined;
  private sendDeletions: () => void = () => {};
  private isStopping = false;
  /** Those that wait for it, or for their reply. */
  private readonly deletions = new Set<Promise<unknown>>();
  private stopped = false;
  private wentDown: (node: MediaNode) => void = () => {};

  constructor(private readonly parts: PoolParts) {
    this.nodes = parts.settings.nodes.map(({ host, port, weight }) => ({
      name: host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`,
      host,
      port,
      weight: weight ?? 1,
      client: undefined,
      state: 'unknown',
      timeouts: 0,
      losses: 0,
      version: undefined,
      isVersionAsked: false,
      roundTrip: undefined,
      turn: 0,
      owed: new Set(),
      asking: false,
      work: new FairSemaphore(workPerNode),
      refusals: 0,
      refusalsLoggedAt: Number.NEGATIVE_INFINITY,
    }));
    this.newCalls = new FairSemaphore(newCallsPerNode * this.nodes.length);
  }

  /** Pings every node now and periodically. Resolves after the first round, whatever its result. */
  async start(): Promise<void> {
    await Promise.all(this.nodes.map((node) => this.ping(node)));
    if (this.stopped) return;
    this.timer = setInterval(() => {
      for (const node of this.nodes) void this.ping(node);
    }, this.parts.settings.pingMilliseconds ?? defaultPingMilliseconds);
    this.timer.unref();
  }

  /** Sends the deletions that wait for their turn: no other process knows these sessions. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.sendDeletions();
    clearInterval(this.timer);
    await within(this.parts.settings.timeoutMilliseconds, Promise.all(this.deletions));
    this.stopped = true;
    for (const node of this.nodes) node.client?.close();
  }

  get egress(): MediaEgress {
    return this.parts.egress;
  }

  /** Whether packets of an agent may come from an address that it does not describe. */
  isAgentSource(address: string): boolean {
    return this.parts.settings.agentSources?.contains(address) === true;
  }

  /** Whether a side of plain RTP may send from another address than the described one, where its number does not decide. */
  isSymmetric(side: MediaSide): boolean {
    return this.parts.settings.symmetric?.[side] === true;
  }

  /** False: a node would send the other side's voice to any sender, so no source may be learned. */
  get learnsSources(): boolean {
    return this.nodes.every(({ state, version }) => state === 'down' || abilitiesOf(version).learnsOnce);
  }

  get srtp(): SrtpPolicy {
    const { srtpSuites: suites, takesOptimisticSrtp: takesOptimistic } = this.parts.settings;
    return { suites, takesOptimistic };
  }

  get unprovenMilliseconds(): number {
    return this.parts.settings.unprovenMilliseconds ?? defaultUnprovenMilliseconds;
  }

  /** Handle of the node of that name, for a call that another process began there. Undefined: it is not configured. */
  nodeNamed(name: string): MediaNode | undefined {
    return this.nodes.find((node) => node.name === name);
  }

  /** The address of this process that the node can reach; undefined: there is no connection to the node. */
  addressTowards(node: MediaNode): string | undefined {
    return (node as Node).client?.localAddress;
  }

  /** Calls `wentDown`, from now on alone, with each node that is found to be down: at once when its port is closed. */
  onDown(wentDown: (node: MediaNode) => void): void {
    this.wentDown = wentDown;
  }

  /** False when no node answers: calls are refused then. */
  get isUsable(): boolean {
    return this.nodes.some((node) => node.state !== 'down');
  }

  /** Sessions still to be deleted on a node. */
  get owedDeletions(): number {
    return this.nodes.reduce((sum, node) => sum + node.owed.size, 0);
  }

  states(): NodeState[] {
    return this.nodes.map(({ name, state, owed, version, roundTrip }) => ({
      name,
      state,
      version: version?.text ?? null,
      owed: owed.size,
      roundTripMilliseconds: state === 'up' ? (roundTrip ?? null) : null,
    }));
  }

  /**
   * Offers a new call: tries the next node when one is silent or full. Throws `MediaUnavailable` within the pool's bound, or
   * three times that when too many calls begin at once. A session that a silent node may have made is deleted there later.
   * `isWanted` is called when the call's turn comes.
   */
  async open(
    callId: string,
    parameters: object,
    { isWanted = () => true, turn = {} }: { isWanted?: () => boolean; turn?: ExchangeTurn } = {},
  ): Promise<{ node: MediaNode; reply: NgReply }> {
    const entered = this.newCalls.enter(this.parts.settings.timeoutMilliseconds, turn);
    if (entered !== true && !(await entered))
      throw new MediaUnavailable('Too many calls are starting at once.');
    try {
      if (!isWanted()) throw new MediaUnavailable('The call has ended.');
      return await this.offerNew(callId, parameters, turn, isWanted);
    } finally {
      this.newCalls.leave();
    }
  }

  private async offerNew(
    callId: string,
    parameters: object,
    turn: ExchangeTurn,
    isWanted: () => boolean,
  ): Promise<{ node: MediaNode; reply: NgReply }> {
    const tried = new Set<Node>();
    const limit = this.parts.settings.timeoutMilliseconds / Math.min(attempts, this.nodes.length);
    let reason = 'no rtpengine is up';
    while (tried.size < attempts) {
      const node = this.choose(tried);
      if (node === undefined) break;
      tried.add(node);
      const weight = exchangeCost(parameters);
      const entered = node.work.enter(limit, { ...turn, weight });
      if (entered !== true && !(await entered)) {
        reason = `rtpengine ${node.name}: ${tooMuchWork}`;
        continue;
      }
      try {
        if (!isWanted()) throw new MediaUnavailable('The call has ended.');
        const reply = await this.send(node, 'offer', { 'call-id': callId, ...parameters }, limit);
        if (reply.result === 'ok') return { node, reply };
        reason = `rtpengine ${node.name}: ${reply['error-reason'] ?? reply.result}`;
        // Without free ports it still keeps the partial call.
        this.owe(node, callId);
        this.refused(node, reason);
      } catch (error) {
        if (!(error instanceof NgTimeout)) throw error;
        reason = error.message;
        this.owe(node, callId);
      } finally {
        node.work.leave(weight);
      }
    }
    throw new MediaUnavailable(reason);
  }

  /** An offer or answer of a call on its node, in its turn. Throws `MediaUnavailable` as `command`, or when its turn does not come. */
  async exchange(
    node: MediaNode,
    command: 'offer' | 'answer',
    callId: string,
    parameters: object,
    turn: ExchangeTurn = {},
  ): Promise<NgReply> {
    const { work, name } = node as Node;
    const weight = exchangeCost(parameters);
    const entered = work.enter(this.parts.settings.timeoutMilliseconds, { ...turn, weight });
    if (entered !== true && !(await entered)) throw new MediaUnavailable(`rtpengine ${name}: ${tooMuchWork}`);
    try {
      return await this.command(node, command, callId, parameters);
    } finally {
      work.leave(weight);
    }
  }

  /** A command about a call on its node. Throws `MediaUnavailable` when the node is silent; an error reply is returned. */
  async command(
    node: MediaNode,
    command: NgCommand,
    callId: string,
    parameters: object,
    blob?: Buffer,
    read?: ReplyReader,
  ): Promise<NgReply> {
    try {
      return await this.send(
        node as Node,
        command,
        { 'call-id': callId, ...parameters },
        this.parts.settings.timeoutMilliseconds,
        blob,
        read,
      );
    } catch (error) {
      if (error instanceof NgTimeout) throw new MediaUnavailable(error.message, { cause: error });
      throw error;
    }
  }

  /** Ends the session of a call of another process, on whichever node it is. Never rejects. */
  async deleteEverywhere(callId: string): Promise<void> {
    const { timeoutMilliseconds } = this.parts.settings;
    for (const node of this.nodes) {
      if (node.state === 'down') this.owe(node, callId);
      else
        await this.send(node, 'delete', { 'call-id': callId, 'delete-delay': 0 }, timeoutMilliseconds).catch(
          () => this.owe(node, callId),
        );
    }
  }

  /**
   * Ends a call's session; the totals when the node answers at once, else undefined, and the deletion is repeated later.
   * `fromTag` must be known to the node: a deletion without a tag returns no totals, one with an unknown tag deletes
   * nothing.
   */
  async delete(node: MediaNode, callId: string, fromTag: string): Promise<NgReply | undefined> {
    const deletion = this.deleteInTurn(node as Node, callId, fromTag);
    this.deletions.add(deletion);
    try {
      return await deletion;
    } finally {
      this.deletions.delete(deletion);
    }
  }

  private async deleteInTurn(on: Node, callId: string, fromTag: string): Promise<NgReply | undefined> {
    if (!this.isStopping) {
      this.deletion ??= this.nextDeletion();
      await this.deletion;
    }
    if (on.state === 'down') {
      this.owe(on, callId);
      return undefined;
    }
    try {
      return await this.send(
        on,
        'delete',
        { 'call-id': callId, 'from-tag': fromTag, 'delete-delay': 0 },
        this.parts.settings.timeoutMilliseconds,
        undefined,
        readTotals,
      );
    } catch {
      this.owe(on, callId);
      return undefined;
    }
  }

  private nextDeletion(): Promise<void> {
    const { deletionMilliseconds = defaultDeletionMilliseconds } = this.parts.settings;
    return new Promise((resolve) => {
      this.sendDeletions = () => {
        this.deletion = undefined;
        resolve();
      };
      void nextTickAfter(deletionMilliseconds).then(this.sendDeletions);
    });
  }

  private refused(node: Node, reason: string): void {
    node.refusals++;
    if (performance.now() - node.refusalsLoggedAt < refusalLogMilliseconds) return;
    node.refusalsLoggedAt = performance.now();
    this.parts.log.warn({ node: node.name, reason, calls: node.refusals }, 'An rtpengine is refusing calls.');
    node.refusals = 0;
  }

  private choose(tried: ReadonlySet<Node>): Node | undefined {
    const rank = (node: Node): number => (node.state === 'up' && node.timeouts === 0 ? 0 : 1);
    const open = this.nodes.filter((node) => node.state !== 'down' && !tried.has(node));
    const best = Math.min(...open.map(rank));
    const candidates = open.filter((node) => rank(node) === best);
    let chosen: Node | undefined;
    let total = 0;
    for (const node of candidates) {
      node.turn += node.weight;
      total += node.weight;
      if (chosen === undefined || node.turn > chosen.turn) chosen = node;
    }
    if (chosen !== undefined) chosen.turn -= total;
    return chosen;
  }

  private async send(
    node: Node,
    command: NgCommand,
    parameters: object,
    limit: number,
    blob?: Buffer,
    read?: ReplyReader,
  ): Promise<NgReply> {
    // Mostly without a pause, so that the caller can work while rtpengine does.
    const client = node.client ?? (await this.clientOf(node, command));
    const start = performance.now();
    try {
      const { encodesStereo, countsRefused } = abilitiesOf(node.version);
      const sent = encodesStereo ? oneChannel(parameters) : parameters;
      const answered = await client.command(command, sent, limit, blob, read);
      const described = encodesStereo ? twoChannels(answered) : answered;
      const reply = countsRefused ? withoutRefused(described) : described;
      const isGood = reply.result === 'ok' || reply.result === 'pong';
      const milliseconds = performance.now() - start;
      if (command === 'ping') node.roundTrip = Math.round(milliseconds * 100) / 100;
      this.parts.observe?.(command, isGood ? 'ok' : 'error', milliseconds / 1_000);
      this.isUp(node);
      return reply;
    } catch (error) {
      this.parts.observe?.(command, 'timeout', (performance.now() - start) / 1_000);
      this.isSilent(node, command, client, { start, error });
      throw error;
    }
  }

  /** The socket is made on first use: the route to the node may not exist yet when the edge starts. */
  private async clientOf(node: Node, command: NgCommand): Promise<NgClient> {
    if (node.client !== undefined) return node.client;
    try {
      const opened = await NgClient.open(node.host, node.port);
      if (node.client === undefined && !this.stopped) node.client = opened;
      else opened.close();
      return node.client ?? opened;
    } catch (error) {
      this.isDown(node, error);
      throw new NgTimeout({ node: node.name, command }, { cause: error });
    }
  }

  private async ping(node: Node): Promise<void> {
    if (node.asking || this.stopped) return;
    node.asking = true;
    try {
      await this.send(node, 'ping', {}, Math.min(1_000, this.parts.settings.timeoutMilliseconds));
      await this.askVersion(node);
      await this.payOwed(node);
    } catch {
      // `send` has noted that the node is down.
    } finally {
      node.asking = false;
    }
  }

  /** A node that is new, or was down, may be of another release than before. */
  private async askVersion(node: Node): Promise<void> {
    if (node.isVersionAsked) return;
    const callId = `version-${randomUUID()}`;
    // No call waits for it.
    const limit = Math.max(1_000, this.parts.settings.timeoutMilliseconds);
    const reply = await this.send(node, 'publish', versionQuestion(callId), limit);
    node.version = versionIn(reply);
    node.isVersionAsked = true;
    if (reply.result !== 'ok') return;
    await this.send(node, 'delete', { 'call-id': callId, 'delete-delay': 0 }, limit);
    const facts = { node: node.name, version: node.version?.text };
    this.parts.log.info(facts, 'Learned the release of an rtpengine.');
    const isLearning = this.isSymmetric('trunk') || this.isSymmetric('agent');
    if (isLearning && !abilitiesOf(node.version).learnsOnce)
      this.parts.log.error(
        facts,
        'DEMARC_SYMMETRIC_RTP has no effect: this rtpengine would send the caller’s voice to any sender; 26 or later is required.',
      );
  }

  private async payOwed(node: Node): Promise<void> {
    while (node.owed.size > 0 && !this.stopped) {
      const some = [...node.owed].slice(0, owedAtOnce);
      await Promise.all(
        some.map(async (callId) => {
          const parameters = { 'call-id': callId, 'delete-delay': 0 };
          await this.send(node, 'delete', parameters, this.parts.settings.timeoutMilliseconds);
          node.owed.delete(callId);
        }),
      );
    }
  }

  private owe(node: Node, callId: string): void {
    if (this.stopped) return;
    if (node.owed.size >= maximumOwed) {
      const [oldest] = node.owed;
      if (oldest !== undefined) node.owed.delete(oldest);
      this.parts.log.error(
        { node: node.name },
        'Too many pending deletions at rtpengine; dropped the oldest.',
      );
    }
    node.owed.add(callId);
  }

  /** One silence may be loss or load: a ping that fails as well, or more silence, shows that the node is down. */
  private isSilent(
    node: Node,
    command: NgCommand,
    client: NgClient,
    { start, error }: { readonly start: number; readonly error: unknown },
  ): void {
    // Errors of a closed socket say nothing about its successor.
    if (node.client !== client) return;
    node.timeouts++;
    const isRefused = error instanceof NgTimeout && error.isRefused;
    // It has replied to others meanwhile: this process, or the node, has more work than time.
    if (!isRefused && client.heardAt > start) return;
    const isCertain = isRefused || command === 'ping';
    if (isCertain || node.timeouts >= maximumTimeouts) this.isDown(node, error);
    else void this.ping(node);
  }

  private isUp(node: Node): void {
    node.timeouts = 0;
    if (node.state === 'up') return;
    if (node.state === 'down') this.parts.log.info({ node: node.name }, 'rtpengine is up again.');
    node.state = 'up';
  }

  private isDown(node: Node, error: unknown): void {
    if (this.stopped) return;
    // A new socket looks the name up again: a container that comes back may have another address.
    const { client } = node;
    node.client = undefined;
    client?.close();
    if (node.state === 'down') return;
    node.state = 'down';
    node.version = undefined;
    node.isVersionAsked = false;
    node.losses++;
    const reason = error instanceof Error ? error.message : String(error);
    this.parts.log.error({ node: node.name, reason }, 'rtpengine is down.');
    if (error instanceof NgTimeout && error.isRefused) this.wentDown(node);
    else this.wentSilent(node);
  }

  /** Moving the media of all its calls would be the last thing that an overloaded node needs. */
  private wentSilent(node: Node): void {
    const { losses } = node;
    setTimeout(() => {
      if (!this.stopped && node.state === 'down' && node.losses === losses) this.wentDown(node);
    }, this.parts.settings.silenceMilliseconds ?? defaultSilenceMilliseconds).unref();
  }
}
