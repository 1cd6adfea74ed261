import type { CallSnapshot } from '../../../contract/call-look.js';
import type { CallRecord, TranscodingCause } from '../../../contract/call-record.js';
import { escapeHidden } from '../../../contract/hidden-characters.js';
import { labelOf, ladderOf, type Step } from '../../../contract/ladder.js';
import type { QualitySource } from '../../../contract/quality.js';
import type { TransferRecord } from '../../../contract/transfer.js';

const columnWidth = 38;

/**
 * A readable view of a call: the events, the ladder, and every message in full. What a peer could hide in a terminal, such as controls of
 * the writing direction and lone carriage returns, is escaped.
 */
export function textOf(record: CallRecord | CallSnapshot): string {
  const messages = record.trace.map(
    (entry, index) =>
      `--- ${index + 1}  ${entry.at}  ${entry.source} -> ${entry.destination}  ${entry.protocol}  (${entry.leg})\n${entry.message.replaceAll('\r\n', '\n').trimEnd()}\n`,
  );
  return escapeHidden([summaryOf(record), drawLadder(record), ...messages].join('\n')).replaceAll(
    '\r',
    '\\r',
  );
}

function summaryOf(record: CallRecord | CallSnapshot): string {
  const { media } = record;
  const status = record.sip_status === null ? '-' : `${record.sip_status} ${record.sip_reason ?? ''}`.trim();
  const rows: (readonly [name: string, value: string])[] = [
    ['Call', record.call_id],
    ['Number', `${record.number ?? 'unknown'} (${record.direction})`],
    ['From', record.from],
    ['To', record.to],
    ['Source', sourceText(record.source)],
    ['Started', record.started_at],
    ['Answered', record.answered_at ?? (record.ended_at === null ? 'not yet' : 'never')],
    ['Ended', endText(record)],
    ['Duration', `${(record.duration_milliseconds / 1_000).toFixed(3)} s`],
    ['SIP status', status],
    ...(record.detail === null ? [] : [['Detail', record.detail] as const]),
    ...(record.transfers ?? []).map((transfer) => ['Transfer', transferText(transfer)] as const),
    ...(record.adoptions ?? []).map(({ at, edge_id }) => ['Taken over', `from ${edge_id} at ${at}`] as const),
    ...(record.media_moves ?? []).map(
      ({ at, from, to }) => ['Media moved', `from ${from ?? 'unknown'} to ${to} at ${at}`] as const,
    ),
    ...openTransferRows(record),
  ];
  if (media !== null) {
    const converted =
      media.transcoded_because === undefined ? '' : ` (${conversionTexts[media.transcoded_because]})`;
    rows.push(['Codecs', `trunk ${media.trunk_codec ?? '-'}, agent ${media.agent_codec ?? '-'}${converted}`]);
    rows.push(['SRTP', media.srtp_suite ?? '-']);
    for (const side of ['trunk', 'agent'] as const) {
      const counts = media[side];
      if (counts === null) continue;
      const more = [
        counts.packets_lost === undefined ? [] : [`${counts.packets_lost} lost`],
        counts.jitter_milliseconds === undefined ? [] : [`jitter ${counts.jitter_milliseconds} ms`],
        counts.round_trip_milliseconds === undefined
          ? []
          : [`round trip ${counts.round_trip_milliseconds} ms`],
        counts.mos === undefined ? [] : [`MOS ${counts.mos}${sourceTexts[counts.quality_source ?? 'rtcp']}`],
      ].flat();
      const packets = `${counts.packets_received} packets received, ${counts.packets_sent} sent`;
      rows.push([`RTP ${side}`, [packets, ...more].join(', ')]);
    }
  }
  return `${rows.map(([name, value]) => `${name.padEnd(11)} ${value}`).join('\n')}\n`;
}

const conversionTexts: Readonly<Record<TranscodingCause, string>> = {
  no_common_codec: 'converted: none of the offered codecs is enabled for the number',
  agent_chose: 'converted: the agent answered another codec than the trunk’s',
  trunk_chose: 'converted: the trunk answered another codec than the agent’s',
};

const sourceTexts: Readonly<Record<QualitySource, string>> = {
  rtcp: '',
  sequence: ' from missed sequence numbers',
  estimate: ' estimated from packets and time',
};

/** Absent for an outbound call that was never sent. */
const sourceText = ({ address, port, protocol }: CallRecord['source']): string =>
  address === '' ? '-' : `${address} port ${port} ${protocol}`;

function endText(call: CallRecord | CallSnapshot): string {
  if (call.ended_at !== null) return `${call.ended_at} by ${call.ended_by}: ${call.end_reason}`;
  return 'state' in call ? `not yet: ${call.state} at ${call.at}` : '';
}

function transferText({
  requested_by,
  mode,
  target,
  status,
  reason,
  sip_status,
  sip_reason,
}: TransferRecord): string {
  const answer = sip_status === null ? '' : `, ${sip_status} ${sip_reason ?? ''}`.trimEnd();
  return `by ${requested_by} (${mode}) to ${target}: ${status} (${reason})${answer}`;
}

function openTransferRows(call: CallRecord | CallSnapshot): (readonly [name: string, value: string])[] {
  const open = 'open_transfer' in call ? call.open_transfer : null;
  if (open === null) return [];
  return [['Transfer', `by ${open.requested_by} (${open.mode}) to ${open.target}: in progress`]];
}

/** One arrow per message, from its sender's column to its receiver's; times in seconds from the first one. */
export function drawLadder({
  direction,
  trace,
  trace_truncated,
}: Pick<CallRecord, 'direction' | 'trace' | 'trace_truncated'>): string {
  if (trace.length === 0) return 'No SIP messages recorded.\n';
  const { lanes, steps } = ladderOf(trace, direction);
  const indent = ' '.repeat(11);
  const head = `${indent}${lanes.map(({ name }) => name.padEnd(columnWidth)).join('')}`.trimEnd();
  const rows = steps.map((step) => {
    const seconds = (step.sinceStart / 1_000).toFixed(3).padStart(7);
    return `${String(step.ordinal).padStart(3)}${seconds} ${arrowOf(step, lanes.length)}`.trimEnd();
  });
  const cut = trace_truncated ? ['', 'The trace is incomplete: some messages are missing.'] : [];
  return `${[head, ...rows, ...cut].join('\n')}\n`;
}

function arrowOf(step: Step, columns: number): string {
  const { from, to } = step;
  const left = Math.min(from, to);
  const span = Math.abs(to - from);
  const label = ` ${labelOf(step)} `.slice(0, columnWidth - 5);
  const room = columnWidth * span - 2 - label.length;
  const before = '-'.repeat(Math.floor(room / 2));
  const after = '-'.repeat(room - before.length);
  const shaft = `${before}${label}${after}`;
  const bar = `|${' '.repeat(columnWidth - 1)}`;
  return `${bar.repeat(left)}${from < to ? `|${shaft}>` : `|<${shaft}`}${bar.repeat(columns - 1 - left - span)}|`;
}
