import type { TortureCase } from './torture-case.js';
import { message } from './torture-case.js';

const register = (uri: string): string[] => [
  `REGISTER ${uri} SIP/2.0`,
  'To: sip:user@example.com',
  'From: sip:user@example.com;tag=81x2',
  'Via: SIP/2.0/UDP [2001:db8::9:1];branch=z9hG4bKas3-111',
  'Call-ID: SSG9559905523997077@hlau_4100',
  'Max-Forwards: 70',
  'Contact: "Caller" <sip:caller@[2001:db8::1]>',
  'CSeq: 98176 REGISTER',
  'Content-Length: 0',
];

const options = (host: string): string[] => [
  `OPTIONS sip:user@${host} SIP/2.0`,
  `To: sip:user@${host}`,
  'From: sip:user@example.com;tag=810x2',
  'Via: SIP/2.0/UDP lab1.east.example.com;branch=z9hG4bKas3-111',
  'Call-ID: G9559905523997077@hlau_4100',
  'CSeq: 689 OPTIONS',
  'Max-Forwards: 70',
  'Content-Length: 0',
];

/** A message whose Content-Length is its body's true length. */
function withBody(head: string[], body: string[]): string {
  const length = body.reduce((sum, line) => sum + line.length + 2, 0);
  return message([...head, 'Content-Type: application/sdp', `Content-Length: ${length}`], body);
}

/** RFC 5118 §4: IPv6. */
export const ipv6Messages: TortureCase[] = [
  { name: 'ipv6-good', section: '4.1', answer: 'fine', message: message(register('sip:[2001:db8::10]')) },
  { name: 'ipv6-bad', section: '4.2', answer: 400, message: message(register('sip:2001:db8::10')) },
  {
    name: 'port-ambiguous',
    section: '4.3',
    answer: 'fine',
    note: 'Well-formed: 5070 is part of the address.',
    message: message(register('sip:[2001:db8::10:5070]')),
  },
  {
    name: 'port-unambiguous',
    section: '4.4',
    answer: 'fine',
    message: message(register('sip:[2001:db8::10]:5070')),
  },
  {
    name: 'via-received-param-with-delim',
    section: '4.5',
    answer: 'fine',
    message: message([
      'BYE sip:[2001:db8::10] SIP/2.0',
      'To: sip:user@example.com;tag=bd76ya',
      'From: sip:user@example.com;tag=81x2',
      'Via: SIP/2.0/UDP [2001:db8::9:1];received=[2001:db8::9:255];branch=z9hG4bKas3-111',
      'Call-ID: SSG9559905523997077@hlau_4100',
      'Max-Forwards: 70',
      'CSeq: 321 BYE',
      'Content-Length: 0',
    ]),
  },
  {
    name: 'via-received-param-no-delim',
    section: '4.5',
    answer: 'fine',
    message: message([
      'OPTIONS sip:[2001:db8::10] SIP/2.0',
      'To: sip:user@example.com',
      'From: sip:user@example.com;tag=81x2',
      'Via: SIP/2.0/UDP [2001:db8::9:1];received=2001:db8::9:255;branch=z9hG4bKas3',
      'Call-ID: SSG95523997077@hlau_4100',
      'Max-Forwards: 70',
      'Contact: "Caller" <sip:caller@[2001:db8::9:1]>',
      'CSeq: 921 OPTIONS',
      'Content-Length: 0',
    ]),
  },
  {
    name: 'ipv6-in-sdp',
    section: '4.6',
    answer: 'fine',
    message: withBody(
      [
        'INVITE sip:user@[2001:db8::10] SIP/2.0',
        'To: sip:user@[2001:db8::10]',
        'From: sip:user@example.com;tag=81x2',
        'Via: SIP/2.0/UDP [2001:db8::20];branch=z9hG4bKas3-111',
        'Call-ID: SSG9559905523997077@hlau_4100',
        'Contact: "Caller" <sip:caller@[2001:db8::20]>',
        'CSeq: 8612 INVITE',
        'Max-Forwards: 70',
      ],
      [
        'v=0',
        'o=assistant 971731711378798081 0 IN IP6 2001:db8::20',
        "s=Live video feed for today's meeting",
        'c=IN IP6 2001:db8::20',
        't=3338481189 3370017201',
        'm=audio 6000 RTP/AVP 2',
        'a=rtpmap:2 G726-32/8000',
        'm=video 6024 RTP/AVP 107',
        'a=rtpmap:107 H263-1998/90000',
      ],
    ),
  },
  {
    name: 'mult-ip-in-header',
    section: '4.7',
    answer: 'fine',
    message: message([
      'BYE sip:user@host.example.net SIP/2.0',
      'Via: SIP/2.0/UDP [2001:db8::9:1]:6050;branch=z9hG4bKas3-111',
      'Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKjhja8781hjuaij65144',
      'Via: SIP/2.0/TCP [2001:db8::9:255];branch=z9hG4bK451jj;received=192.0.2.200',
      'Call-ID: 997077@lau_4100',
      'Max-Forwards: 70',
      'CSeq: 89187 BYE',
      'To: sip:user@example.net;tag=9817--94',
      'From: sip:user@example.com;tag=81x2',
      'Content-Length: 0',
    ]),
  },
  {
    name: 'mult-ip-in-sdp',
    section: '4.8',
    answer: 'fine',
    message: withBody(
      [
        'INVITE sip:user@[2001:db8::10] SIP/2.0',
        'To: sip:user@[2001:db8::10]',
        'From: sip:user@example.com;tag=81x2',
        'Via: SIP/2.0/UDP [2001:db8::9:1];branch=z9hG4bKas3-111',
        'Call-ID: SSG9559905523997077@hlau_4100',
        'Contact: "Caller" <sip:caller@[2001:db8::9:1]>',
        'Max-Forwards: 70',
        'CSeq: 8912 INVITE',
      ],
      [
        'v=0',
        'o=bob 280744730 28977631 IN IP4 host.example.com',
        's=-',
        't=0 0',
        'm=audio 22334 RTP/AVP 0',
        'c=IN IP4 192.0.2.1',
        'm=video 6024 RTP/AVP 107',
        'c=IN IP6 2001:db8::1',
        'a=rtpmap:107 H263-1998/90000',
      ],
    ),
  },
  {
    name: 'ipv4-mapped-ipv6',
    section: '4.9',
    answer: 'fine',
    message: withBody(
      [
        'INVITE sip:user@example.com SIP/2.0',
        'To: sip:user@example.com',
        'From: sip:user@east.example.com;tag=81x2',
        'Via: SIP/2.0/UDP [::ffff:192.0.2.10]:19823;branch=z9hG4bKbh19',
        'Via: SIP/2.0/UDP [::ffff:192.0.2.2];branch=z9hG4bKas3-111',
        'Call-ID: SSG9559905523997077@hlau_4100',
        'Contact: "T. desk phone" <sip:ted@[::ffff:192.0.2.2]>',
        'CSeq: 612 INVITE',
        'Max-Forwards: 70',
      ],
      [
        'v=0',
        'o=bob 280744730 28977631 IN IP6 ::ffff:192.0.2.2',
        's=-',
        'c=IN IP6 ::ffff:192.0.2.2',
        't=0 0',
        'm=audio 22334 RTP/AVP 0',
      ],
    ),
  },
  {
    name: 'ipv6-bug-abnf-3-colons',
    section: '4.10',
    answer: 'fine',
    note: 'Tolerated, as the RFC asks, and understood as the next one.',
    message: message(options('[2001:db8:::192.0.2.1]')),
  },
  {
    name: 'ipv6-correct-abnf-2-colons',
    section: '4.10',
    answer: 'fine',
    message: message(options('[2001:db8::192.0.2.1]')),
  },
];
