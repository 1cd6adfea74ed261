import type { Call } from '../call/call.js';
import { Adoption, type AdoptionDeps } from './adoption.js';
import { HeldCalls, type HeldCallsDeps } from './held-calls.js';
import type { HolderLease } from './holder-lease.js';
import { Recovery } from './recovery.js';

export interface SurvivalDeps extends Omit<AdoptionDeps, 'held' | 'lookMilliseconds'>, HeldCallsDeps {
  readonly settings: {
    readonly survival: { readonly lookMilliseconds: number; readonly graceMilliseconds: number };
  };
  readonly lease: HolderLease;
}

/**
 * Answered calls outlive this process, and the connection to the engine: they are described in Redis, and continued by whoever has
 * their lease. Only with our own engine, and with a key to seal them.
 */
export class Survival {
  private readonly held: HeldCalls;
  private readonly adoption: Adoption;
  private readonly recovery: Recovery;
  private isHandedOver = false;

  /** @param endLost ends calls whose dialogs are gone */
  constructor(
    private readonly deps: SurvivalDeps,
    endLost: (calls: readonly Call[]) => void,
  ) {
    const { survival } = deps.settings;
    this.held = new HeldCalls(deps);
    this.adoption = new Adoption({ ...deps, held: this.held, lookMilliseconds: survival.lookMilliseconds });
    this.recovery = new Recovery({ ...deps, endLost, graceMilliseconds: survival.graceMilliseconds });
  }

  /** Before the engine connects. */
  start(): void {
    const { engine } = this.deps;
    engine.on('up', () => void this.recovery.up());
    engine.on('down', () => {
      if (!this.isHandedOver) this.recovery.down();
    });
    if (engine.owner !== undefined) this.held.start();
    this.adoption.start();
  }

  /** Another edge on the same engine lives, and would take over our calls. */
  async hasSuccessor(): Promise<boolean> {
    const { engine, lease, log } = this.deps;
    if (!engine.keepsDialogs || lease.engine === undefined) return false;
    try {
      return (await lease.others()).some(({ hasLease }) => hasLease);
    } catch (error) {
      log.debug({ error: (error as Error).message }, 'Searching for another edge failed; draining.');
      return false;
    }
  }

  /** New calls go to other edges from now on. */
  async refuseNew(): Promise<void> {
    await this.deps.engine.command('remove_route|invite');
  }

  /**
   * Leaves the calls that are confirmed to another edge: it takes them as soon as the engine has no connection of ours. Nothing
   * here touches them any more.
   */
  async handOver(): Promise<void> {
    await this.adoption.stop();
    await this.held.flush();
    this.held.stop();
    this.recovery.stop();
    await this.deps.lease.leave();
    this.isHandedOver = true;
  }

  async stop(): Promise<void> {
    if (this.isHandedOver) return;
    await this.adoption.stop();
    this.held.stop();
    this.recovery.stop();
    await this.deps.lease.stop();
  }
}
