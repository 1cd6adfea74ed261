import { FairSemaphore } from './fair-semaphore.js';

/** Slots of which each group may hold a part; groups that wait take turns. */
export class GroupSlots {
  private readonly all: FairSemaphore;
  private readonly groups = new Map<string, { readonly slots: FairSemaphore; users: number }>();

  constructor(
    slots: number,
    private readonly slotsOfGroup: number,
  ) {
    this.all = new FairSemaphore(slots);
  }

  /** @returns what gives the slot back; undefined: none came free within `limitMilliseconds` */
  async enter(group: string, limitMilliseconds: number): Promise<(() => void) | undefined> {
    const { groups } = this;
    const own = groups.get(group) ?? { slots: new FairSemaphore(this.slotsOfGroup), users: 0 };
    groups.set(group, own);
    own.users++;
    const forget = (): void => {
      if (--own.users === 0) groups.delete(group);
    };
    if (!(await own.slots.enter(limitMilliseconds))) {
      forget();
      return undefined;
    }
    if (!(await this.all.enter(limitMilliseconds, { group }))) {
      own.slots.leave();
      forget();
      return undefined;
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
