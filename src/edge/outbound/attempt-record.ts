import type { AttemptRecord } from '../../contract/call-record.js';
import { type AttemptFailure, type TrunkServer, triggerOf } from '../routing/targets.js';
import { cleanPhrase } from '../sip/reason.js';
import type { OutboundCall } from './outbound-call.js';

const longestReason = 200;

/** With a redirection's addresses. */
function reasonOf({ reason, contact }: AttemptFailure): string | null {
  const text = contact === undefined ? reason : `${reason}: ${cleanPhrase(contact) ?? 'no address'}`;
  return text === '' ? null : text.slice(0, longestReason);
}

/** One attempt in the call's record; without `end` the call ended first. */
export class AttemptNote {
  private readonly startedAt = Date.now();
  private readonly index: number;

  constructor(
    private readonly call: OutboundCall,
    private readonly server: TrunkServer,
    private readonly sipCallId: string,
  ) {
    this.index = call.noteAttempt(
      this.record({ sip_status: null, sip_reason: null, is_local: false, trigger: null }),
    );
  }

  end(failure: AttemptFailure | undefined): void {
    const record = this.record(
      failure === undefined
        ? { sip_status: 200, sip_reason: 'OK', is_local: false, trigger: null }
        : {
            sip_status: failure.status,
            sip_reason: reasonOf(failure),
            is_local: failure.isOurs,
            trigger: triggerOf(failure) ?? null,
          },
    );
    this.call.noteAttempt(record, this.index);
  }

  private record(
    outcome: Pick<AttemptRecord, 'sip_status' | 'sip_reason' | 'is_local' | 'trigger'>,
  ): AttemptRecord {
    return {
      server: this.server.name,
      sip_call_id: this.sipCallId,
      started_at: new Date(this.startedAt).toISOString(),
      duration_milliseconds: Math.max(0, Date.now() - this.startedAt),
      ...outcome,
    };
  }
}
