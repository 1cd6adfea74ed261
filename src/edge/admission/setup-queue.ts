import { foreignLoad } from './foreign-load.js';

export interface LoadSettings {
  /** Target for the time that a setup spends inside of Demarc. 0: setups never wait for each other. */
  readonly setupDelayMilliseconds: number;
}

/** Ends a setup's turn; harmless when called again. */
export type EndTurn = () => void;

interface Waiter {
  /** When the caller's INVITE reached the SIP server, monotonic milliseconds. */
  readonly arrivedAt: number;
  readonly settle: (turn: EndTurn | undefined) => void;
}

/** A source's waiters in order of arrival. */
type Line = Waiter[];

/** Setups at a time while the edge is busy, stretched as the target is: fewer would leave it idle while it waits for rtpengine. */
const leastTurns = 3;
/** In overload a call waits for this share of the target, and so do the setups under way for each other. */
const shareOfTarget = 0.2;
/** The quickest setup is that of the last one or two such periods: it is what rtpengine and the DNS need, without our own queue. */
const quickestMilliseconds = 5_000;
/** A burst may wait this many times the target; a queue that stays non-empty for that long is overload. */
const burst = 2.5;
/** Overload ends this long after the last refused call. */
const calmMilliseconds = 1_000;
const rateSeconds = 1;
/** How often waiting calls are looked through. */
const tickMilliseconds = 10;
/** Share of its time that the event loop spends outside of its poll; above it, work waits for work. */
const busyUtilization = 0.3;
const sampleMilliseconds = 20;

/**
 * Sheds load before it becomes delay. While the event loop is busy, setups enter in turns: as many at a time as the edge completes in
 * the time of its quickest setup and a fifth of the target (at least 3). The others wait, up to 2.5 times the target in a burst.
 * Once the queue has not been empty for that long, or would take that long at its present pace, the edge is overloaded: a call that has
 * waited for a fifth of the target is refused, so the admitted ones stay quick (controlled delay, as CoDel does for packets, RFC 8289).
 * Organizations take turns, and the sources of one organization among themselves: a flood delays a neighbor by one turn.
 *
 * While the event loop has time to spare every setup enters at once, even if many wait for rtpengine or the DNS: refusing
 * some would not speed up the others. While other programs use the processors, setups take longer for a reason that refusing calls does
 * not remove, so the target is stretched.
 */
export class SetupQueue {
  /** Organization → source → line; whose turn is next comes first. */
  private readonly lines = new Map<string, Map<string, Line>>();
  private underWay = 0;
  private waitingCount = 0;
  private busySince: number | undefined;
  private completedSinceBusy = 0;
  /** Setups that `refuseAtOnce` let pass and that have not entered, by organization and source; forgotten soon. */
  private readonly announced = new Map<string, number>();
  private refusedAt = Number.NEGATIVE_INFINITY;
  private isStanding = false;
  private shedCount = 0;
  private completed = { count: 0, at: 0 };
  private quickest = { since: 0, before: Number.POSITIVE_INFINITY, now: Number.POSITIVE_INFINITY };
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly settings: LoadSettings,
    /** Monotonic milliseconds. */
    private readonly now: () => number,
    private readonly isBusy: () => boolean = eventLoopIsBusy(),
    /** How many times as long setups may take because other programs use the processors. */
    private readonly stretch: () => number = foreignLoad(now),
  ) {}

  /** Calls that wait for their turn. */
  get waiting(): number {
    return this.waitingCount;
  }

  /** Calls refused for load since the start. */
  get shed(): number {
    return this.shedCount;
  }

  /** True while calls are refused for load: a call that can wait should. */
  get isOverloaded(): boolean {
    this.calmDown();
    return this.isStanding;
  }

  /**
   * Requests a turn for a setup.
   * @param waited milliseconds since the INVITE reached the SIP server
   * @returns a function that ends the turn; undefined when the turn did not come in time
   */
  enter(organization: string, source: string, waited: number): EndTurn | Promise<EndTurn | undefined> {
    if (this.settings.setupDelayMilliseconds === 0) return () => {};
    const key = `${organization} ${source}`;
    const announced = this.announced.get(key) ?? 0;
    if (announced > 0) this.announced.set(key, announced - 1);
    this.tick();
    if (this.waitingCount === 0 && this.hasTurn()) return this.begin();
    return new Promise((settle) => {
      const sources = this.lines.get(organization) ?? new Map<string, Line>();
      this.lines.set(organization, sources);
      const line = sources.get(source) ?? [];
      sources.set(source, line);
      line.push({ arrivedAt: this.now() - waited, settle });
      this.waitingCount++;
      if (this.busySince === undefined) this.becomeBusy();
      this.timer ??= setInterval(() => this.onTimer(), tickMilliseconds).unref();
    });
  }

  /**
   * True: a setup that came now would be refused, as the edge is overloaded and the turns until the setup's own come too late. It counts as
   * refused. A source without waiting setups always gets a turn.
   * @param waited milliseconds since the INVITE reached the SIP server
   */
  refuseAtOnce(organization: string, source: string, waited: number): boolean {
    this.calmDown();
    if (!this.isStanding || this.waitingCount === 0) return false;
    const sources = this.lines.get(organization);
    const inLine = sources?.get(source)?.length ?? 0;
    const key = `${organization} ${source}`;
    const announced = this.announced.get(key) ?? 0;
    const patience = this.target() * shareOfTarget;
    const ahead = (inLine + announced) * this.lines.size * (sources?.size ?? 1);
    const inTime = Math.max(leastTurns, (this.rate() * patience) / 1_000);
    if (ahead < inTime && (inLine === 0 || waited <= patience)) {
      this.announced.set(key, announced + 1);
      return false;
    }
    this.refusedAt = this.now();
    this.shedCount++;
    return true;
  }

  /** Refuses who has waited for too long, and gives free turns away. */
  tick(): void {
    if (this.waitingCount === 0) return;
    const now = this.now();
    this.calmDown();
    const target = this.target();
    const busyFor = now - this.busySince!;
    // At the pace of the time since it was last empty, the queue takes this long.
    const needed = (this.waitingCount * busyFor) / this.completedSinceBusy;
    if (busyFor > target * burst || (busyFor > target && needed > target * burst)) this.isStanding = true;
    this.refuseBefore(now - target * (this.isStanding ? shareOfTarget : burst));
    while (this.waitingCount > 0 && this.hasTurn()) this.shiftNext().settle(this.begin());
    if (this.waitingCount > 0) return;
    this.busySince = undefined;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private becomeBusy(): void {
    this.busySince = this.now();
    this.completedSinceBusy = 0;
  }

  private onTimer(): void {
    this.announced.clear();
    this.tick();
  }

  private target(): number {
    return this.settings.setupDelayMilliseconds * this.stretch();
  }

  private calmDown(): void {
    if (this.isStanding && this.now() - this.refusedAt > calmMilliseconds) {
      this.isStanding = false;
      if (this.busySince !== undefined) this.becomeBusy();
    }
  }

  private refuseBefore(arrived: number): void {
    for (const [organization, sources] of this.lines) {
      for (const [source, line] of sources) {
        let late = 0;
        while (late < line.length && line[late]!.arrivedAt < arrived) late++;
        if (late === 0) continue;
        this.refusedAt = this.now();
        this.waitingCount -= late;
        this.shedCount += late;
        const refused = line.splice(0, late);
        if (line.length === 0) sources.delete(source);
        for (const { settle } of refused) settle(undefined);
      }
      if (sources.size === 0) this.lines.delete(organization);
    }
  }

  /** Who has waited longest of the next source of the next organization. */
  private shiftNext(): Waiter {
    const [[organization, sources]] = this.lines as unknown as [[string, Map<string, Line>]];
    const [[source, line]] = sources as unknown as [[string, Line]];
    const next = line.shift()!;
    this.waitingCount--;
    sources.delete(source);
    if (line.length > 0) sources.set(source, line);
    this.lines.delete(organization);
    if (sources.size > 0) this.lines.set(organization, sources);
    return next;
  }

  private hasTurn(): boolean {
    const target = this.target();
    const milliseconds = target * shareOfTarget + Math.min(this.quickest.before, this.quickest.now, target);
    const least = Math.ceil(leastTurns * this.stretch());
    const turns = Math.max(least, Math.ceil((this.rate() * milliseconds) / 1_000));
    return this.underWay < turns || !this.isBusy();
  }

  private begin(): EndTurn {
    this.underWay++;
    const began = this.now();
    let isUnderWay = true;
    return () => {
      if (!isUnderWay) return;
      isUnderWay = false;
      this.underWay--;
      this.measure(this.now() - began);
      this.completedSinceBusy++;
      this.completed = { count: this.rate() * rateSeconds + 1, at: this.now() };
      this.tick();
    };
  }

  private measure(milliseconds: number): void {
    const { since, now } = this.quickest;
    const isOver = this.now() - since > quickestMilliseconds;
    if (isOver) this.quickest = { since: this.now(), before: now, now: milliseconds };
    else this.quickest.now = Math.min(now, milliseconds);
  }

  /** Setups a second that ended lately: an average whose weights fade with their age. */
  private rate(): number {
    const { count, at } = this.completed;
    return (count * Math.exp((at - this.now()) / 1_000 / rateSeconds)) / rateSeconds;
  }
}

/** Samples the event loop every 20 ms at most, when asked. */
function eventLoopIsBusy(): () => boolean {
  let last = performance.eventLoopUtilization();
  let sampledAt = performance.now();
  let isBusy = false;
  return () => {
    const now = performance.now();
    if (now - sampledAt < sampleMilliseconds) return isBusy;
    const current = performance.eventLoopUtilization();
    isBusy = performance.eventLoopUtilization(current, last).utilization > busyUtilization;
    last = current;
    sampledAt = now;
    return isBusy;
  };
}
