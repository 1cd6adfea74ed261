import type { CallRecord, TraceEntry } from '../../../../src/contract/call-record.js';

const trunk = '198.51.100.9:49152';
const agent = '127.0.0.1:5080';

const sip = (startLine: string, cseq: string, body = ''): string =>
  [
    startLine,
    'Via: SIP/2.0/TLS 198.51.100.9:49152;branch=z9hG4bK776asdhds',
    'From: "Zoë" <sip:+14155550199@carrier.example>;tag=1928301774',
    'To: <sip:+12025550100@demarc.test>',
    'Call-ID: a84b4c76e66710@carrier.example',
    `CSeq: ${cseq}`,
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
    // The length before the key was taken out.
    `Content-Length: ${body === '' ? 0 : Buffer.byteLength(body) + 40}`,
    '',
    body,
  ].join('\r\n');

const description =
  'v=0\r\no=- 1 1 IN IP4 198.51.100.9\r\ns=-\r\nc=IN IP4 198.51.100.9\r\nt=0 0\r\nm=audio 40000 RTP/SAVP 0\r\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:[redacted]\r\n';

function entry(
  index: number,
  leg: 'trunk' | 'agent',
  direction: 'received' | 'sent',
  summary: string,
  message: string,
): TraceEntry {
  const far = leg === 'trunk' ? trunk : agent;
  const near = leg === 'trunk' ? '192.0.2.1:5061' : '127.0.0.1:5090';
  const [source, destination] = direction === 'sent' ? [near, far] : [far, near];
  const at = `2026-11-20T15:00:00.${String(index * 1_234).padStart(6, '0')}Z`;
  return {
    at,
    leg,
    direction,
    protocol: leg === 'trunk' ? 'tls' : 'tcp',
    source,
    destination,
    summary,
    message,
  };
}

const trace: TraceEntry[] = [
  entry(
    0,
    'trunk',
    'received',
    'INVITE',
    sip('INVITE sip:+12025550100@demarc.test SIP/2.0', '1 INVITE', description),
  ),
  entry(1, 'trunk', 'sent', '100 Trying', sip('SIP/2.0 100 Trying', '1 INVITE')),
  entry(
    2,
    'agent',
    'sent',
    'INVITE',
    sip('INVITE sip:agent@127.0.0.1:5080 SIP/2.0', '1 INVITE', description),
  ),
  entry(3, 'agent', 'received', '200 OK', sip('SIP/2.0 200 OK', '1 INVITE', description)),
  entry(4, 'trunk', 'sent', '200 OK', sip('SIP/2.0 200 OK', '1 INVITE', description)),
  entry(5, 'trunk', 'received', 'ACK', sip('ACK sip:192.0.2.1:5061 SIP/2.0', '1 ACK')),
  entry(6, 'trunk', 'received', 'BYE', sip('BYE sip:192.0.2.1:5061 SIP/2.0', '2 BYE')),
  entry(7, 'trunk', 'sent', '200 OK', sip('SIP/2.0 200 OK', '2 BYE')),
];

/** A record as an edge writes it, of an answered call unless the fields say otherwise. */
export function sampleRecord(callId: string, changes: Partial<CallRecord> = {}): CallRecord {
  const side = {
    packets_received: 100,
    packets_sent: 99,
    octets_received: 16_000,
    octets_sent: 15_840,
    errors: 0,
  };
  return {
    version: 1,
    call_id: callId,
    edge_id: 'edge-1',
    organization: 'org-1',
    number: '12025550100',
    direction: 'inbound',
    from: '"Zoë" <sip:+14155550199@carrier.example>;tag=1928301774',
    to: '<sip:+12025550100@demarc.test>',
    source: { address: '198.51.100.9', port: 49_152, protocol: 'tls' },
    started_at: '2026-11-20T15:00:00.000Z',
    ringing_at: null,
    answered_at: '2026-11-20T15:00:00.500Z',
    ended_at: '2026-11-20T15:00:12.750Z',
    duration_milliseconds: 12_250,
    outcome: 'completed',
    sip_status: 200,
    sip_reason: 'OK',
    ended_by: 'caller',
    end_reason: 'caller_hung_up',
    detail: null,
    media: {
      node: '127.0.0.1:22222',
      trunk_codec: 'PCMU',
      agent_codec: 'PCMU',
      srtp_suite: 'AES_CM_128_HMAC_SHA1_80',
      trunk: { ...side, packets_lost: 1, jitter_milliseconds: 2.5, mos: 4.3 },
      agent: side,
    },
    attempts: [],
    sip_call_ids: { trunk: 'a84b4c76e66710@carrier.example', agent: callId },
    trace,
    trace_truncated: false,
    ...changes,
  };
}
