import { GroupSlots } from '../../../base/group-slots.js';
import { RunFailure } from '../conversation/channel.js';

/** Bounds the test calls of this process, and those of each organization; organizations take turns. */
export class CallSlots {
  private readonly slots: GroupSlots;

  constructor(
    limits: { readonly concurrency: number; readonly concurrencyOfOrganization: number },
    /** A run that waits longer fails. */
    private readonly waitMilliseconds = 600_000,
  ) {
    this.slots = new GroupSlots(limits.concurrency, limits.concurrencyOfOrganization);
  }

  /** Resolves with what gives the slot back. Rejects with `RunFailure` after the longest wait. */
  async enter(organizationId: string): Promise<() => void> {
    const leave = await this.slots.enter(organizationId, this.waitMilliseconds);
    if (leave !== undefined) return leave;
    throw new RunFailure(
      'The run waited too long for its call: too many test calls at once (DEMARC_TEST_CALLS, DEMARC_TEST_CALLS_PER_ORGANIZATION).',
    );
  }
}
