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
    engine.on('down', () => this.recovery.down());
    if (engine.owner !== undefined) this.held.start();
    this.adoption.start();
  }

  async stop(): Promise<void> {
    await this.adoption.stop();
    this.held.stop();
    this.recovery.stop();
    await this.deps.lease.stop();
  }
}
