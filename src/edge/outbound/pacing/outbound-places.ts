import { randomUUID } from 'node:crypto';
import { within } from '../../../base/within.js';
import type { SharedSlot } from '../../../contract/held-call.js';
import { limitedBy, type NumberDocument } from '../../../contract/number.js';
import type { Place } from '../../admission/call-limits.js';
import type { AdmissionChain } from '../../admission/chain.js';
import { refuse } from '../../admission/refusal.js';
import type { OrderLine, Pace } from './order-line.js';

export interface OutboundPlacesParts {
  readonly admission: Pick<AdmissionChain, 'hasRoom' | 'enterPaced' | 'enterOutbound'>;
  readonly line: Pick<OrderLine, 'enter' | 'leave' | 'adopt'>;
  /** Upper bound of a call's wait for Redis. */
  readonly waitMilliseconds: number;
}

/** The limits of calls from the number, whatever begins them. */
export function paceOf(document: NumberDocument): Pace {
  const { limits, outbound_policy: policy } = document;
  const { concurrent_calls: concurrentCalls, calls_per_second: callsPerSecond } = policy?.limits ?? limits;
  return { concurrentCalls, callsPerSecond, key: limitedBy(document) };
}

/**
 * Slots for calls that cannot wait: those that the agent dials, and those of transfers. They share the number's limits with
 * ordered calls across all edges; while Redis is down each edge applies the limits alone.
 */
export class OutboundPlaces {
  constructor(private readonly deps: OutboundPlacesParts) {}

  /** Never rejects. */
  async enter(document: NumberDocument): Promise<Place> {
    const { admission, line } = this.deps;
    const { number } = document;
    const pace = paceOf(document);
    const isUnlimited = pace.concurrentCalls === undefined && pace.callsPerSecond === undefined;
    if (isUnlimited || pace.concurrentCalls === 0 || !(await admission.hasRoom(document)))
      return admission.enterOutbound(document);
    const slot = randomUUID();
    const wait = await this.waitFor(number, slot, pace);
    // Redis is down.
    if (wait === undefined) return admission.enterOutbound(document);
    if (wait > 0) {
      const detail = `${number} is at its limits across all edges (limits).`;
      const retryAfter = Math.max(1, Math.ceil(wait / 1_000));
      return { ok: false, refusal: refuse('number_full', 'refused_limit', { detail, retryAfter }) };
    }
    const place = await admission.enterPaced(document);
    const leave = (): void => {
      line.leave(number, slot, pace.key).catch(() => {});
    };
    if (!place.ok) {
      leave();
      return place;
    }
    let isInside = true;
    return {
      ok: true,
      shared: { number, id: slot, key: pace.key ?? number },
      release: () => {
        place.release();
        if (isInside) leave();
        isInside = false;
      },
    };
  }

  /** The slot of a call that another process has lost; gives it back when called. */
  adopt({ number, id, key }: SharedSlot): () => void {
    const { line } = this.deps;
    // Until Redis is back the call holds no slot; the next renewal restores it.
    const adopted = line.adopt(id, key).catch(() => {});
    return () => void adopted.then(() => line.leave(number, id, key)).catch(() => {});
  }

  private async waitFor(number: string, slot: string, pace: Pace): Promise<number | undefined> {
    const asked = this.deps.line.enter(number, slot, pace).catch(() => undefined);
    const wait = await within(this.deps.waitMilliseconds, asked);
    // A slot that Redis grants too late is returned.
    if (wait === undefined) {
      void asked.then(async (granted) => {
        if (granted === 0) await this.deps.line.leave(number, slot, pace.key).catch(() => {});
      });
    }
    return wait;
  }
}
