import type { Flow } from './flow.js';

/** Sees every SIP message on the wire, also those that no upper layer sees. Must return at once and never throw. */
export interface WireObserver {
  /** `at`: Unix time, milliseconds with a fraction. */
  sent(flow: Flow, bytes: string | Buffer, at: number): void;
  received(flow: Flow, bytes: Buffer, at: number): void;
}

export const bothObservers = (left: WireObserver, right: WireObserver | undefined): WireObserver =>
  right === undefined
    ? left
    : {
        sent: (flow, bytes, at) => {
          left.sent(flow, bytes, at);
          right.sent(flow, bytes, at);
        },
        received: (flow, bytes, at) => {
          left.received(flow, bytes, at);
          right.received(flow, bytes, at);
        },
      };

/** An event of interest to an operator; sampled, so that an attack does not fill the log. */
export interface TransportNotice {
  readonly kind:
    | 'handshake-failed'
    | 'connection-refused'
    /** A connection that we could not open; the text says what to change. */
    | 'connect-failed'
    | 'connection-closed'
    | 'malformed'
    | 'listener'
    | 'certificate'
    /** A defect in a layer above, caught so that one message cannot end every call. */
    | 'defect'
    /** Number of suppressed notices. */
    | 'suppressed';
  readonly text: string;
  readonly remote?: string;
}

export type ReportNotice = (notice: TransportNotice) => void;

/** Passes on at most `perSecond` notices per second and reports how many it suppressed. */
export function sampled(report: ReportNotice, now: () => number, perSecond = 10): ReportNotice {
  let windowStart = Number.NEGATIVE_INFINITY;
  let passed = 0;
  let dropped = 0;
  return (notice) => {
    if (now() - windowStart >= 1000) {
      const missed = dropped;
      windowStart = now();
      passed = 0;
      dropped = 0;
      if (missed > 0)
        report({ kind: 'suppressed', text: `${missed} more transport notices were not reported` });
    }
    if (passed >= perSecond) dropped++;
    else {
      passed++;
      report(notice);
    }
  };
}
