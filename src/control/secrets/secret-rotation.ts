import type { Logger } from '../../base/log.js';

/** What one pass over an area's secrets did. */
export interface Resealed {
  /** Rows whose secrets are sealed with the current key now. */
  readonly resealed: number;
  /** Rows with a secret that none of the keys opens: it has to be set again. */
  readonly unreadable: number;
}

export interface SecretRotationDeps {
  readonly hasKey: boolean;
  /** One for each area that stores secrets; each may run in several processes at once. */
  readonly reseals: readonly (() => Promise<Resealed>)[];
  readonly log: Logger;
}

const retryMilliseconds = 5_000;

/** Seals with the current key what earlier keys sealed: once after the start, and again after a failure. */
export class SecretRotation {
  readonly name = 'passwords';
  private done: Promise<void> = Promise.resolve();
  private detail = 'not checked yet';
  private isStopping = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: SecretRotationDeps) {}

  async start(): Promise<void> {
    if (this.deps.hasKey) this.done = this.run();
    else this.detail = 'no key is set';
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.done;
  }

  /** Always ready: the earlier key opens what is not done yet. */
  state(): { readonly ready: boolean; readonly detail: string } {
    return { ready: true, detail: this.detail };
  }

  private async run(): Promise<void> {
    const { reseals, log } = this.deps;
    let resealed = 0;
    let unreadable = 0;
    try {
      for (const reseal of reseals) {
        const done = await reseal();
        resealed += done.resealed;
        unreadable += done.unreadable;
      }
      this.detail = `${resealed} re-encrypted, ${unreadable} not decryptable`;
      if (resealed > 0) log.info({ resealed }, 'Passwords are encrypted with the current key.');
    } catch (error) {
      this.detail = 'waiting for the database';
      log.warn({ error: (error as Error).message }, 'Checking the stored passwords failed; retrying.');
      if (this.isStopping) return;
      this.timer = setTimeout(() => {
        this.done = this.run();
      }, retryMilliseconds);
      this.timer.unref();
    }
  }
}
