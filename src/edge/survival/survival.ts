import { setTimeout as sleep } from 'node:timers/promises';
import { interfaceAddresses } from '../../base/interface-addresses.js';
import { canonicalAddress } from '../../naming/address.js';
import { parseHostPort } from '../../sip/uri.js';
import type { Call } from '../call/call.js';
import type { OtherEdges } from '../transfer/transfer-deps.js';
import { Adoption, type AdoptionDeps } from './adoption.js';
import { CallMoves } from './call-moves.js';
import type { PingAddress } from './edge-pings.js';
import { HeldCalls, type HeldCallsDeps } from './held-calls.js';
import type { HolderLease } from './holder-lease.js';
import { OtherMachines } from './other-machines.js';
import { Recovery } from './recovery.js';

export interface SurvivalDeps
  extends Omit<AdoptionDeps, 'held' | 'lookMilliseconds' | 'endLost' | 'machines' | 'hasEngine'>,
    HeldCallsDeps {
  readonly transfers: { otherEdges: OtherEdges };
  readonly settings: {
    readonly survival: {
      readonly lookMilliseconds: number;
      readonly graceMilliseconds: number;
      readonly isRehoming: boolean;
      readonly pingListen: PingAddress | undefined;
    };
  };
  readonly lease: HolderLease;
  /** Ends this process, whose calls continue at another machine. */
  readonly leaveAddress: () => void;
}

const settlePollMilliseconds = 20;

/**
 * Answered calls outlive this process, and the connection to the engine: Redis has their descriptions, and the edge with
 * their lease continues them. Only with our own engine, and with a key to seal them.
 */
export class Survival {
  private readonly held: HeldCalls;
  private readonly adoption: Adoption;
  private readonly machines: OtherMachines;
  private readonly recovery: Recovery;
  private readonly moves: CallMoves;
  private isHandedOver = false;
  /** Those of the engine's listeners that are of this machine. */
  private ownHosts: readonly string[] = [];

  /** @param endLost ends calls whose dialogs are gone */
  constructor(
    private readonly deps: SurvivalDeps,
    endLost: (calls: readonly Call[]) => void,
  ) {
    const { survival } = deps.settings;
    this.held = new HeldCalls(deps);
    const { lookMilliseconds } = survival;
    this.machines = new OtherMachines({ ...deps, ...survival }, () => this.adoption.lookNow());
    const { machines } = this;
    const hasEngine = (): boolean => deps.engine.isUp && this.recovery.isSettled;
    this.adoption = new Adoption({
      ...deps,
      held: this.held,
      endLost,
      lookMilliseconds,
      machines,
      hasEngine,
    });
    this.moves = new CallMoves({ ...deps, held: this.held, adoption: this.adoption });
    deps.transfers.otherEdges = this.moves;
    this.recovery = new Recovery({
      ...deps,
      endLost,
      graceMilliseconds: survival.graceMilliseconds,
      adoption: this.adoption,
      adoptLost: async () => {
        // Before it, which waits for edges that live: until an edge answers pings, one that cannot reach Redis counts as gone.
        await this.answerPings();
        await this.adoption.adoptLost();
      },
    });
  }

  /** On other machines, by what came of the pings to them. */
  get otherEdges(): OtherMachines['counts'] {
    return this.machines.counts;
  }

  /** Before the engine connects. */
  start(): void {
    const { engine } = this.deps;
    engine.on('up', () => void this.up());
    engine.on('down', () => {
      if (this.isHandedOver) return;
      if (this.hasLostAddress()) void this.followAddress();
      else {
        // First, so that none of the calls that it takes over counts as lost.
        this.adoption.engineLost();
        this.recovery.down();
      }
    });
    if (engine.owner !== undefined) this.held.start();
    this.adoption.start();
    this.moves.start();
  }

  /** An address of the engine was this machine's, and has moved to another one with the engine's work. */
  private hasLostAddress(): boolean {
    const present = interfaceAddresses();
    return this.ownHosts.some((host) => !present.includes(host));
  }

  /** Leaves the calls to the edge at the address: this process can reach none of their peers. */
  private async followAddress(): Promise<void> {
    const { lease, leaveAddress } = this.deps;
    this.isHandedOver = true;
    this.held.stop();
    // Otherwise the others wait until the lease has expired.
    await lease.leaveToNext().catch(() => false);
    leaveAddress();
  }

  private async up(): Promise<void> {
    const { engine } = this.deps;
    const present = interfaceAddresses();
    this.ownHosts = hostsOf(engine.boundListeners).filter((host) => present.includes(host));
    await this.recovery.up();
  }

  private async answerPings(): Promise<void> {
    const { engine, lease, settings } = this.deps;
    if (!settings.survival.isRehoming) return;
    lease.pingAt(await this.machines.listen(engine.boundListeners));
  }

  /**
   * This process is stopping: it takes no more calls over, and no edge leaves calls to it. True: another edge on the same engine
   * lives, stays, and would take over ours.
   * @param until monotonic milliseconds: so long it waits for an engine that was just replaced to have our calls
   */
  async announceLeaving(until: number): Promise<boolean> {
    const { lease, log } = this.deps;
    // Before that, no edge is known to be on the same engine.
    while (!this.recovery.isSettled && performance.now() < until) await sleep(settlePollMilliseconds);
    if (!this.mayHaveSuccessor) return false;
    try {
      await lease.announceLeaving();
      await this.adoption.takeLeft();
      return (await this.adoption.successors()).length > 0;
    } catch (error) {
      log.debug({ error: (error as Error).message }, 'Searching for another edge failed; draining.');
      return false;
    }
  }

  /** Another edge on the same engine would take over our calls. */
  async hasSuccessor(): Promise<boolean> {
    if (!this.deps.engine.isUp || !this.mayHaveSuccessor) return false;
    return this.adoption.successors().then(
      (found) => found.length > 0,
      () => false,
    );
  }

  /** New calls go to other edges from now on. Never rejects: this edge refuses those that come all the same. */
  async refuseNew(): Promise<void> {
    await this.deps.engine.command('remove_route|invite').catch(() => {});
  }

  /**
   * Leaves the calls that are confirmed to another edge: it takes them as soon as the engine has no connection of this edge. Nothing
   * here touches them any more. False: there is none any more, for instance because it is stopping as well.
   */
  handOver(): Promise<boolean> {
    return this.give(async () => {
      const successors = await this.adoption.successors();
      return () => this.deps.lease.leave(successors);
    });
  }

  /** False: no other edge could ever continue the calls, because the engine keeps none. */
  get mayHaveSuccessor(): boolean {
    const { engine, lease } = this.deps;
    return engine.keepsDialogs && lease.engine !== undefined;
  }

  /** True: the engine runs, and keeps the calls of an edge that is gone. */
  get mayLeave(): boolean {
    return this.deps.engine.isResponsive && this.mayHaveSuccessor;
  }

  /** The same, to an edge that is not there yet. False: Redis does not take them. */
  leave(): Promise<boolean> {
    return this.give(async () => () => this.deps.lease.leaveToNext());
  }

  /** @param prepare what precedes the last documents; its result is the step that gives the calls away */
  private async give(prepare: () => Promise<() => Promise<boolean>>): Promise<boolean> {
    try {
      const leave = await prepare();
      await this.held.flush();
      this.held.stop();
      this.isHandedOver = await leave();
    } catch (error) {
      this.deps.log.debug({ error: (error as Error).message }, 'Handing calls over failed.');
    }
    if (this.isHandedOver) {
      this.machines.stop();
      this.recovery.stop();
      this.moves.stop();
    } else {
      this.held.start();
      await this.held.flush().catch(() => {});
    }
    return this.isHandedOver;
  }

  async stop(): Promise<void> {
    if (this.isHandedOver) return;
    this.moves.stop();
    this.machines.stop();
    await this.adoption.stop();
    this.held.stop();
    this.recovery.stop();
    await this.deps.lease.stop();
  }
}

/** @param listeners `protocol/host:port` */
const hostsOf = (listeners: readonly string[]): string[] =>
  listeners.flatMap((text) => {
    const host = parseHostPort(text.slice(text.indexOf('/') + 1))?.host;
    return host === undefined ? [] : canonicalAddress(host);
  });
