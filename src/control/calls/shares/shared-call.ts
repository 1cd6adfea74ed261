import { z } from 'zod';
import { type CallRecord, callRecordSchema } from '../../../contract/call-record.js';
import { explainEndReason } from '../../../contract/explanations.js';
import { readMessage } from '../../../sip/read.js';
import { partyOf } from '../history/call-row.js';
import { pcapOf } from '../history/pcap.js';
import { maskTrace, maskUser } from './masked-trace.js';

const moment = z.iso.datetime();
const traceEntry = callRecordSchema.shape.trace.element;

export const sharedCallSchema = z
  .object({
    direction: callRecordSchema.shape.direction,
    from: z.string().meta({ description: 'The last digits of the caller’s number' }),
    to: z.string().meta({ description: 'The last digits of the callee’s number' }),
    sip_call_ids: z.array(z.string()).meta({ description: 'Call-ID headers of the trunk’s leg' }),
    status: z.string().nullable().meta({ description: 'Final status' }),
    end_reason: callRecordSchema.shape.end_reason,
    cause: z.string(),
    started_at: moment,
    answered_at: moment.nullable(),
    ended_at: moment,
    expires_at: moment.meta({ description: 'The link is valid until then' }),
    trace: z.array(traceEntry).meta({
      description: 'SIP messages of the trunk’s leg without bodies; numbers and names are masked',
    }),
    trace_truncated: z.boolean(),
    pcap: z.string().meta({ description: 'The same messages for Wireshark or sngrep, base64' }),
  })
  .meta({ id: 'SharedCall' });
export type SharedCall = z.infer<typeof sharedCallSchema>;

/** Of the trunk's leg; of an outbound call one for each attempt. */
const callIdsOf = (trace: CallRecord['trace'], first: string): string[] => [
  ...new Set([first, ...trace.flatMap(({ message }) => readMessage(message).headers.get('Call-ID') ?? [])]),
];

const statusOf = ({ sip_status, sip_reason }: CallRecord): string | null =>
  sip_status === null ? null : `${sip_status} ${sip_reason ?? ''}`.trim();

/** What people outside the organization see of a call. */
export function sharedCallOf(record: CallRecord, sipCallId: string, expiresAt: Date): SharedCall {
  const trace = maskTrace(record.trace);
  const { direction, end_reason, sip_status, trace_truncated } = record;
  return {
    direction,
    from: maskUser(partyOf(record.from)),
    to: maskUser(partyOf(record.to)),
    sip_call_ids: callIdsOf(trace, sipCallId),
    status: statusOf(record),
    end_reason,
    cause: explainEndReason(end_reason, sip_status).cause,
    started_at: record.started_at,
    answered_at: record.answered_at,
    ended_at: record.ended_at,
    expires_at: expiresAt.toISOString(),
    trace,
    trace_truncated,
    pcap: pcapOf(trace).toString('base64'),
  };
}

/** The text for a ticket at the carrier. */
export function ticketOf(call: SharedCall, link: string): string {
  const addresses = call.trace[0];
  const rows = [
    ['Call-ID', call.sip_call_ids.join(', ')],
    ['Direction', call.direction === 'inbound' ? 'from you to us' : 'from us to you'],
    ['From', call.from],
    ['To', call.to],
    ['Started', call.started_at],
    ['Answered', call.answered_at ?? 'never'],
    ['Ended', call.ended_at],
    ['Status', call.status ?? 'none'],
    ['Cause', call.cause],
    ...(addresses === undefined
      ? []
      : [['Addresses', `${addresses.source} -> ${addresses.destination}, ${addresses.protocol}`] as const]),
    ['SIP messages and pcap', `${link} (until ${call.expires_at})`],
  ] as const;
  return `${rows.map(([name, value]) => `${name}: ${value}`).join('\n')}\n`;
}
