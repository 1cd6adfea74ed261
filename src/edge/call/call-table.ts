import type { MediaSide, MediaStatistics } from '../media/rtp-statistics.js';
import { ChallengedCalls } from '../record/challenged-calls.js';
import { RecordedCalls } from '../record/recorded-calls.js';
import type { Call, CallObserver } from './call.js';
import type { EndOptions } from './call-events.js';
import { callRecord } from './call-record.js';
import { legsOf, takeTrace } from './call-trace.js';
import { endingOnThrow } from './fail.js';
import { tearDown } from './tear-down.js';

const sweepMilliseconds = 1_000;

/** The calls of this process: active ones, and ended ones whose legs are being released and whose record is not written yet. */
export class CallTable {
  /** Called when a call ends. */
  onEnd: (call: Call) => void = () => {};
  /** Called for a call that another edge has now. */
  onLeft: (call: Call) => void = () => {};
  /** Called for each admitted call, and for each admitted call that leaves no record. */
  onAdmitted: (call: Call) => void = () => {};
  onUnrecorded: (call: Call) => void = () => {};
  /** Called when what a successor needs of a confirmed call has changed. */
  onChanged: (call: Call, isUrgent: boolean) => void = () => {};
  private readonly calls = new Map<string, Call>();
  /** By the name of the dialog that their INVITE forms. */
  private readonly invited = new Map<string, Call>();
  private readonly settling = new Map<string, Call>();
  private readonly views: Set<Call>[] = [];
  private readonly recorded = new RecordedCalls();
  private readonly challenged = new ChallengedCalls();
  /** Of all calls: thousands of them are held. */
  private readonly observer: CallObserver = {
    admitted: (call) => this.onAdmitted(call),
    changed: (call, isUrgent) => this.onChanged(call, isUrgent),
    ended: (call, options) => this.settle(call, options),
    left: (call) => this.remove(call),
  };
  private timer: NodeJS.Timeout | undefined;
  private whenEmpty: (() => void)[] = [];

  /** Calls that have not ended. */
  get size(): number {
    return this.calls.size;
  }

  /** Ended calls without a record yet. */
  get ending(): number {
    return this.settling.size;
  }

  add(call: Call): void {
    this.calls.set(call.state.id, call);
    if (call.dialogName !== undefined) this.invited.set(call.dialogName, call);
    call.observer = this.observer;
    for (const view of this.views) view.add(call);
    this.challenged.invited(call.incomingSipCallId);
    this.timer ??= setInterval(() => this.sweep(), sweepMilliseconds).unref();
  }

  /**
   * A set of calls for one who looks at them again and again: new calls come in, ended ones leave it, and the owner removes those
   * that it need not see again. Most calls are answered and change no more.
   */
  newcomers(): Set<Call> {
    const view = new Set(this.calls.values());
    this.views.push(view);
    return view;
  }

  /** A call that has not ended. */
  find(callId: string): Call | undefined {
    return this.calls.get(callId);
  }

  /** Whether an INVITE that forms a dialog of that name began a call that has not ended. */
  hasDialogName(name: string): boolean {
    return this.invited.has(name);
  }

  /** A call that has no record yet, though it may have ended. */
  findUnrecorded(callId: string): Call | undefined {
    return this.calls.get(callId) ?? this.settling.get(callId);
  }

  /** Whether a call, of that organization or of any, was recorded a moment ago. */
  isJustRecorded(callId: string, organization?: string): boolean {
    return this.recorded.has(callId, organization);
  }

  /** The call, and its side, whose 200 of that Call-ID waits for our ACK. */
  unacknowledged(sipCallId: string): { call: Call; side: MediaSide } | undefined {
    for (const call of this.calls.values()) {
      const side = call.legs.unacknowledgedSide(sipCallId, call.state);
      if (side !== undefined) return { call, side };
    }
    return undefined;
  }

  forEach(visit: (call: Call) => void): void {
    for (const call of this.calls.values()) visit(call);
  }

  /** Another edge has it now, with its messages. */
  private remove(call: Call): void {
    this.calls.delete(call.state.id);
    for (const view of this.views) view.delete(call);
    this.onLeft(call);
    for (const sipCallId of legsOf(call).flatMap(({ trunk, agent }) => [trunk, agent]))
      if (sipCallId !== null) call.deps.traces.forget(sipCallId);
    this.checkEmpty();
  }

  /** Writes the record once the legs are down; of a challenged call, unless it comes again. */
  private settle(call: Call, options: EndOptions): void {
    const tornDown = tearDown(call, options);
    this.calls.delete(call.state.id);
    if (call.dialogName !== undefined) this.invited.delete(call.dialogName);
    for (const view of this.views) view.delete(call);
    this.onEnd(call);
    const { isUnrecorded, isAdmitted, isChallenged } = call.state;
    if (isUnrecorded) {
      if (isAdmitted) this.onUnrecorded(call);
      call.deps.traces.forget(call.state.trunkSipCallId);
      call.close();
      this.checkEmpty();
      return;
    }
    if (!isChallenged) {
      this.write(call, tornDown);
      return;
    }
    void this.challenged.cameBack(call.incomingSipCallId).then((cameBack) => {
      if (!cameBack) {
        this.write(call, tornDown);
        return;
      }
      // The challenge's messages belong to the call that answers it.
      call.deps.traces.forget(call.incomingSipCallId);
      call.close();
    });
    this.checkEmpty();
  }

  private write(call: Call, tornDown: Promise<MediaStatistics | undefined>): void {
    const { id } = call.state;
    this.settling.set(id, call);
    void this.publish(call, tornDown)
      .catch((error: unknown) => {
        call.log.error({ error: String(error) }, 'Creating the call record failed.');
      })
      .then(() => {
        this.settling.delete(id);
        call.close();
        this.checkEmpty();
      });
  }

  /** Resolves when there is no call and no record to write. */
  async drained(): Promise<void> {
    this.challenged.giveUp();
    // Records of challenged calls begin in this turn; the table must not look empty before that.
    await null;
    return new Promise((resolve) => {
      this.whenEmpty.push(resolve);
      this.checkEmpty();
    });
  }

  private async publish(call: Call, tornDown: Promise<MediaStatistics | undefined>): Promise<void> {
    const { deps, state } = call;
    const statistics = await tornDown;
    const trace = await takeTrace(call);
    const { edgeId, call: settings } = deps.settings;
    const media = call.media?.summary ?? null;
    const silentCall = settings.silentCallSeconds * 1_000;
    const record = callRecord(edgeId, state, media, statistics, trace, silentCall, call.measurements);
    deps.stream.publish(record);
    this.recorded.note(state.id, state.organization);
    deps.traces.recorded(record);
    deps.metrics.callEnded(record);
  }

  private sweep(): void {
    const now = performance.now();
    for (const call of this.calls.values()) endingOnThrow(call, () => call.checkDeadline(now))();
    if (this.calls.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private checkEmpty(): void {
    if (this.calls.size > 0 || this.settling.size > 0) return;
    for (const resolve of this.whenEmpty.splice(0)) resolve();
  }
}
