import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import type { Logger } from '../../base/log.js';
import { familyOf } from '../../naming/address.js';

export interface PingAddress {
  readonly host: string;
  readonly port: number;
}

/** `refuses`: its machine is there, and the edge is not. `unknown`: it has never answered, so that its silence proves nothing. */
export type PingState = 'answers' | 'refuses' | 'silent' | 'unknown';

export const noOtherEdges: Readonly<Record<PingState, number>> = {
  answers: 0,
  refuses: 0,
  silent: 0,
  unknown: 0,
};

const everyMilliseconds = 250;
/** A second: more than a network or a busy machine loses at once. */
const missedByOneThatIsGone = 4;
/** Three seconds later it is decided what became of its calls. */
const missedByOneThatIsGoneForLong = 16;
const [ping, pong] = ['demarc-ping', 'demarc-pong'];
const separator = '\n';

interface Target {
  readonly socket: Socket;
  readonly address: PingAddress;
  /** Of the last ping. */
  token: string;
  /** Pings since the last answer, counted instead of timed, so that a stall of this process proves nothing. */
  missed: number;
  hasAnswered: boolean;
  isRefused: boolean;
}

/**
 * Edges ping each other over UDP, so that the death of a machine shows within a second. An edge answers only to those that know its
 * holder's name, which is in Redis alone, and with less than it got.
 */
export class EdgePings {
  private listener: Socket | undefined;
  private bound: PingAddress | undefined;
  private readonly targets = new Map<string, Target>();
  private timer: NodeJS.Timeout | undefined;

  /** @param fellSilent called when an edge that has answered stops to */
  constructor(
    private readonly holder: string,
    private readonly fellSilent: () => void,
    private readonly log: Logger,
    private readonly openSocket: (type: 'udp4' | 'udp6') => Socket = createSocket,
  ) {}

  /** Where this edge answers; undefined: nowhere. */
  get address(): PingAddress | undefined {
    return this.bound;
  }

  /** Answers there from now on. Resolves to false when it cannot. */
  async listen({ host, port }: PingAddress): Promise<boolean> {
    if (this.bound?.host === host) return true;
    this.listener?.close();
    this.bound = undefined;
    const socket = this.openSocket(familyOf(host) === 6 ? 'udp6' : 'udp4');
    this.listener = socket;
    socket.unref();
    socket.on('message', (packet, from) => {
      const [kind, holder, token = ''] = packet.toString('latin1').split(separator);
      if (kind === ping && holder === this.holder)
        socket.send([pong, token].join(separator), from.port, from.address, () => {});
    });
    const failure = await new Promise<Error | undefined>((resolve) => {
      socket.once('error', resolve);
      socket.bind(port, host, () => resolve(undefined));
    });
    // What happens to single answers is of no concern.
    socket.on('error', () => {});
    if (failure === undefined) this.bound = { host, port: socket.address().port };
    else {
      this.listener = undefined;
      socket.close();
      this.log.warn({ host, port, error: failure.message }, 'Pings of other machines are not answered.');
    }
    return failure === undefined;
  }

  /** Pings these edges, by holder, and no others. */
  watch(addresses: ReadonlyMap<string, PingAddress>): void {
    for (const [holder, target] of this.targets) {
      const wanted = addresses.get(holder);
      if (wanted?.host === target.address.host && wanted.port === target.address.port) continue;
      target.socket.close();
      this.targets.delete(holder);
    }
    for (const [holder, address] of addresses) if (!this.targets.has(holder)) this.add(holder, address);
    if (this.targets.size > 0) this.timer ??= setInterval(() => this.pingAll(), everyMilliseconds).unref();
    else this.stopTimer();
  }

  stateOf(holder: string): PingState {
    const target = this.targets.get(holder);
    if (target?.isRefused === true) return 'refuses';
    if (target?.hasAnswered !== true) return 'unknown';
    return target.missed >= missedByOneThatIsGone ? 'silent' : 'answers';
  }

  /** It has stopped answering within the last seconds. */
  isNewlySilent(holder: string): boolean {
    const { missed = 0 } = this.targets.get(holder) ?? {};
    return this.stateOf(holder) === 'silent' && missed < missedByOneThatIsGoneForLong;
  }

  /** The same, of any edge. */
  get hasNewlySilent(): boolean {
    return [...this.targets.keys()].some((holder) => this.isNewlySilent(holder));
  }

  /** How many are in each state. */
  get counts(): Readonly<Record<PingState, number>> {
    const counts = { ...noOtherEdges };
    for (const holder of this.targets.keys()) counts[this.stateOf(holder)]++;
    return counts;
  }

  stop(): void {
    this.watch(new Map());
    this.listener?.close();
    this.listener = undefined;
    this.bound = undefined;
  }

  private add(holder: string, address: PingAddress): void {
    const socket = this.openSocket(familyOf(address.host) === 6 ? 'udp6' : 'udp4');
    socket.unref();
    const target: Target = { socket, address, token: '', missed: 0, hasAnswered: false, isRefused: false };
    this.targets.set(holder, target);
    socket.on('message', (packet) => {
      const [kind, token] = packet.toString('latin1').split(separator);
      if (kind !== pong || token !== target.token) return;
      Object.assign(target, { missed: 0, hasAnswered: true, isRefused: false });
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') target.isRefused = true;
    });
    // Only a connected socket learns of refusals.
    socket.connect(address.port, address.host, () => this.ping(holder, target));
  }

  private pingAll(): void {
    let hasFallenSilent = false;
    for (const [holder, target] of this.targets) {
      target.missed++;
      if (target.hasAnswered && target.missed === missedByOneThatIsGone) hasFallenSilent = true;
      this.ping(holder, target);
    }
    if (hasFallenSilent) this.fellSilent();
  }

  private ping(holder: string, target: Target): void {
    target.token = randomBytes(6).toString('hex');
    try {
      target.socket.send([ping, holder, target.token].join(separator), () => {});
    } catch {
      // Not connected yet, or its network is down: a missed ping.
    }
  }

  private stopTimer(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
