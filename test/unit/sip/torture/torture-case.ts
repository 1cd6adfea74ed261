/** What a message owes at the level of syntax: a status, silence (a response that is dropped), or nothing: it is processed. */
export type Answer = number | 'fine' | 'silence';

export interface TortureCase {
  /** The RFC's own name for the message. */
  name: string;
  section: string;
  answer: Answer;
  /** What is owed further up, or why this answer was chosen where the RFC leaves a choice. */
  note?: string;
  /** The octets, as a byte string. */
  message: string;
}

/** Lines of a head and a body → a message. The body ends as the RFC's does: its last line has its CRLF too. */
export function message(head: readonly string[], body: readonly string[] = []): string {
  return `${head.join('\r\n')}\r\n\r\n${body.map((line) => `${line}\r\n`).join('')}`;
}

/** The session description that most messages of RFC 4475 carry. */
export function session(address: string, time = '0 0'): string[] {
  return [
    'v=0',
    `o=mhandley 29739 7272939 IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    `t=${time}`,
    'm=audio 49217 RTP/AVP 0 12',
    'm=video 3227 RTP/AVP 31',
    'a=rtpmap:31 LPC',
  ];
}
