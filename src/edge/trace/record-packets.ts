import type { CallRecord, RtpSide, TraceEntry } from '../../contract/call-record.js';
import type { HepContent } from '../../hep/encoder.js';
import { ipProtocol, payloadType } from '../../hep/format.js';
import { fromText } from '../../sip/message.js';

type LegName = 'trunk' | 'agent';

interface Ends {
  readonly sourceAddress: string;
  readonly sourcePort: number;
  readonly destinationAddress: string;
  readonly destinationPort: number;
}

const nowhere: Ends = {
  sourceAddress: '127.0.0.1',
  sourcePort: 0,
  destinationAddress: '127.0.0.1',
  destinationPort: 0,
};

/**
 * A call's record as Homer shows it beside the signaling: for each leg one log entry (the record without its trace), and one
 * report of the RTP that we received from it. Homer finds both by the Call-ID of the leg, which is why that is the
 * correlation id here; the call's own id is in the JSON.
 */
export function recordPackets(record: CallRecord): HepContent[] {
  const { trace, trace_truncated: _, ...recordAlone } = record;
  const at = Date.parse(record.ended_at) * 1_000;
  const log = Buffer.from(JSON.stringify({ type: 'call_record', ...recordAlone }));
  return (['trunk', 'agent'] as const).flatMap((leg) => {
    const sipCallId = record.sip_call_ids[leg];
    if (sipCallId === null || sipCallId === '') return [];
    const common = {
      ipProtocol: ipProtocol.udp,
      ...endsOf(trace, leg),
      at,
      correlationId: fromText(sipCallId),
    };
    const packets: HepContent[] = [{ ...common, payloadType: payloadType.log, payload: log }];
    const side = record.media?.[leg];
    if (side !== null && side !== undefined) {
      const report = Buffer.from(JSON.stringify(rtpReport(record, leg, sipCallId, side, common)));
      packets.push({ ...common, payloadType: payloadType.rtpReport, payload: report });
    }
    return packets;
  });
}

/** The remote and local addresses of the leg's signaling. */
function endsOf(trace: readonly TraceEntry[], leg: LegName): Ends {
  const entry = trace.find((each) => each.leg === leg);
  if (entry === undefined) return nowhere;
  const [far, near] =
    entry.direction === 'received' ? [entry.source, entry.destination] : [entry.destination, entry.source];
  const [source, destination] = [partsOf(far), partsOf(near)];
  if (source === undefined || destination === undefined) return nowhere;
  return {
    sourceAddress: source.address,
    sourcePort: source.port,
    destinationAddress: destination.address,
    destinationPort: destination.port,
  };
}

function partsOf(text: string): { readonly address: string; readonly port: number } | undefined {
  const match = /^\[?([^\]]*?)\]?:(\d+)$/.exec(text);
  return match === null ? undefined : { address: match[1]!, port: Number(match[2]) };
}

/** The names are those of RTPAgent's reports, which Homer's QoS page knows; unknown values are omitted. */
function rtpReport(
  record: CallRecord,
  leg: LegName,
  sipCallId: string,
  side: RtpSide,
  ends: Ends,
): Record<string, unknown> {
  const lost = side.packets_lost ?? 0;
  const jitter = side.jitter_milliseconds;
  const codec = leg === 'trunk' ? record.media?.trunk_codec : record.media?.agent_codec;
  return {
    CORRELATION_ID: sipCallId,
    RTP_SIP_CALL_ID: sipCallId,
    REPORT_TS: Date.parse(record.ended_at) / 1_000,
    REPORT_NAME: `${leg} ${ends.sourceAddress}`,
    TYPE: 'HANGUP',
    TL_BYTE: side.octets_received,
    TOTAL_PK: side.packets_received,
    EXPECTED_PK: side.packets_received + lost,
    PACKET_LOSS: lost,
    ...(jitter === undefined ? {} : { JITTER: jitter, MEAN_JITTER: jitter }),
    ...(side.mos === undefined ? {} : { MOS: side.mos, MEAN_MOS: side.mos }),
    ...(codec == null ? {} : { CODEC_NAME: codec }),
    SRC_IP: ends.sourceAddress,
    DST_IP: ends.destinationAddress,
    DIR: 0,
    PARTY: leg === 'trunk' ? 0 : 1,
  };
}
