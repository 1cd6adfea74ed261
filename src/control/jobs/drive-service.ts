import { randomUUID } from 'node:crypto';
import type { Recurrence } from '../../base/recurring-task.js';
import { SweepService } from './sweep-service.js';

/** A driver that lost its row writes nothing more. */
export class LeaseLost extends Error {
  constructor() {
    super('It has ended, or another process drives it.');
  }
}

interface DriveSettings {
  readonly recurrence: Recurrence;
  /** Rows that this process drives at a time. */
  readonly atOnce: number;
  /** After so long without a renewal another process continues. */
  readonly leaseMilliseconds: number;
}

/** Drives rows of a table until they have ended. Processes share them by leases; those of a killed process continue in another one. */
export abstract class DriveService<Row extends { readonly id: string }> extends SweepService {
  protected readonly owner = randomUUID();
  private readonly driving = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();

  /** @param detail as `SweepService` */
  protected constructor(
    name: string,
    detail: string,
    private readonly settings: DriveSettings,
  ) {
    super(name, detail, settings.recurrence);
  }

  /** Takes rows that no driver has. @param driven by this process: a drive that lost its lease must end before the next one begins */
  protected abstract claim(limit: number, driven: readonly string[]): Promise<readonly Row[]>;

  /** @returns false: the row has ended, or another driver has it */
  protected abstract renew(row: Row): Promise<boolean>;

  /** Never rejects. @param signal aborts with `LeaseLost`, or when the process stops */
  protected abstract drive(row: Row, signal: AbortSignal): Promise<void>;

  protected get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Begins new rows at once. */
  wake(): void {
    void this.task.next();
  }

  override async stop(): Promise<void> {
    await super.stop();
    this.stopping.abort();
    await Promise.all(this.driving.values());
  }

  async sweep(): Promise<void> {
    const limit = this.settings.atOnce - this.driving.size;
    if (limit <= 0) return;
    for (const row of await this.claim(limit, [...this.driving.keys()])) {
      const drive = this.driveLeased(row).finally(() => this.driving.delete(row.id));
      this.driving.set(row.id, drive);
    }
  }

  private async driveLeased(row: Row): Promise<void> {
    const lost = new AbortController();
    const renewal = setInterval(() => {
      this.renew(row)
        .then((isHeld) => {
          if (!isHeld) lost.abort(new LeaseLost());
        })
        // The next renewal may succeed; if none does, another process takes the row.
        .catch(() => {});
    }, this.settings.leaseMilliseconds / 10);
    try {
      await this.drive(row, AbortSignal.any([this.stopping.signal, lost.signal]));
    } finally {
      clearInterval(renewal);
    }
  }
}
