import { createSocket, type Socket } from 'node:dgram';
import type { Logger } from '../../base/log.js';
import { isWildcard } from '../../naming/address.js';
import { isLoopback } from '../../naming/address-scope.js';
import { parseHostPort } from '../../sip/uri.js';
import { EdgePings, type PingAddress } from './edge-pings.js';
import { type EngineState, engineState } from './engine-state.js';
import type { OtherHolder } from './other-holders.js';

/** `gone`: nothing on its machine answers any more. `works`: the edge or its engine does. */
export type MachineState = 'gone' | 'works' | 'unknown';

export interface OtherMachinesDeps {
  readonly holder: string;
  /** Where this edge answers pings; undefined: at the first address of its engine that other machines can reach. */
  readonly pingListen: PingAddress | undefined;
  readonly log: Logger;
}

/** How this machine reaches the others. */
export interface Network {
  readonly createSocket: (type: 'udp4' | 'udp6') => Socket;
  readonly engineState: (listeners: string) => Promise<EngineState>;
}

/** How long what an engine answered holds: from the silence of its edge until that has renewed nothing for long enough. */
const knownMilliseconds = 2_000;

/** Whether the machines of edges elsewhere live. */
export class OtherMachines {
  private readonly pings: EdgePings;
  private readonly engines = new Map<string, { readonly at: number; readonly state: Promise<EngineState> }>();

  /** @param fellSilent called when an edge that has answered pings stops to */
  constructor(
    private readonly deps: OtherMachinesDeps,
    fellSilent: () => void,
    private readonly network: Network = { createSocket, engineState },
  ) {
    this.pings = new EdgePings(deps.holder, fellSilent, deps.log, network.createSocket);
  }

  /**
   * Answers the pings of others. Resolves with the address for them; null: there is none.
   * @param listeners `protocol/host:port` of the engine, as bound
   */
  async listen(listeners: readonly string[]): Promise<PingAddress | null> {
    const address = this.deps.pingListen ?? reachableAddress(listeners);
    if (address === undefined || !(await this.pings.listen(address))) return null;
    return this.pings.address ?? null;
  }

  /** From now on, these are the edges elsewhere. */
  watch(holders: readonly Pick<OtherHolder, 'holder' | 'ping'>[]): void {
    this.pings.watch(
      new Map(holders.flatMap(({ holder, ping }) => (ping === null ? [] : [[holder, ping] as const]))),
    );
  }

  /** Evidence of one kind is none: a firewall may drop pings, Redis refuse renewals, and an edge hang beside a sound engine. */
  async stateOf(
    otherHolder: Pick<OtherHolder, 'holder' | 'listeners' | 'isFree' | 'isLate'>,
  ): Promise<MachineState> {
    const edge = this.edgeState(otherHolder);
    if (edge === 'works') return edge;
    if (edge === 'unknown' && !otherHolder.isFree) {
      // Its silence takes most of a second to show, and is known once the edge is late as well.
      if (this.pings.isNewlySilent(otherHolder.holder)) void this.engineState(otherHolder.listeners);
      return edge;
    }
    const engine = await this.engineState(otherHolder.listeners);
    if (engine === 'accepts') return 'works';
    return edge === 'gone' && engine === 'silent' ? 'gone' : 'unknown';
  }

  get counts(): EdgePings['counts'] {
    return this.pings.counts;
  }

  /** An edge has stopped answering within the last seconds: whether its machine is gone shows soon. */
  get hasNewlySilent(): boolean {
    return this.pings.hasNewlySilent;
  }

  /**
   * The same, where its engine cannot be asked because this machine's has its addresses. An edge that answers pings has its calls, whatever
   * keeps it from renewing its lease.
   */
  edgeState({ holder, isLate }: Pick<OtherHolder, 'holder' | 'isLate'>): MachineState {
    const ping = this.pings.stateOf(holder);
    if (ping === 'answers') return 'works';
    return isLate && ping === 'silent' ? 'gone' : 'unknown';
  }

  stop(): void {
    this.pings.stop();
  }

  private engineState(listeners: string): Promise<EngineState> {
    const cached = this.engines.get(listeners);
    const now = performance.now();
    if (cached !== undefined && now - cached.at < knownMilliseconds) return cached.state;
    for (const [key, { at }] of this.engines) if (now - at >= knownMilliseconds) this.engines.delete(key);
    const state = this.network.engineState(listeners);
    this.engines.set(listeners, { at: now, state });
    return state;
  }
}

/** A free port at the first address that is one of a network. */
function reachableAddress(listeners: readonly string[]): PingAddress | undefined {
  for (const text of listeners) {
    const host = parseHostPort(text.slice(text.indexOf('/') + 1))?.host;
    if (host !== undefined && !isLoopback(host) && !isWildcard(host)) return { host, port: 0 };
  }
  return undefined;
}
