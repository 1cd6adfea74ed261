import { FairSemaphore } from '../../../base/fair-semaphore.js';
import { RunFailure } from '../conversation/channel.js';

/** Bounds the test calls of this process, and those of each organization; organizations take turns. */
export class CallSlots {
  private readonly all: FairSemaphore;
  private readonly organizations = new Map<string, { readonly slots: FairSemaphore; users: number }>();

  constructor(
    private readonly limits: { readonly concurrency: number; readonly concurrencyOfOrganization: number },
    /** A run that waits longer fails. */
    private readonly waitMilliseconds = 600_000,
  ) {
    this.all = new FairSemaphore(limits.concurrency);
  }

  /** Resolves with what gives the slot back. Rejects with `RunFailure` after the longest wait. */
  async enter(organizationId: string): Promise<() => void> {
    const { organizations } = this;
    const own = organizations.get(organizationId) ?? {
      slots: new FairSemaphore(this.limits.concurrencyOfOrganization),
      users: 0,
    };
    organizations.set(organizationId, own);
    own.users++;
    const forget = (): void => {
      if (--own.users === 0) organizations.delete(organizationId);
    };
    if (!(await own.slots.enter(this.waitMilliseconds))) {
      forget();
      throw tooLong();
    }
    if (!(await this.all.enter(this.waitMilliseconds, organizationId))) {
      own.slots.leave();
      forget();
      throw tooLong();
    }
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.all.leave();
      own.slots.leave();
      forget();
    };
  }
}

const tooLong = (): RunFailure =>
  new RunFailure(
    'The run waited too long for its call: too many test calls at once (DEMARC_TEST_CALLS, DEMARC_TEST_CALLS_PER_ORGANIZATION).',
  );
