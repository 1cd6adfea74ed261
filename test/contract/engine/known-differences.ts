export interface KnownDifference {
  /** What drachtio-server does instead, in one sentence. */
  readonly difference: string;
  /** The row is not run there, because the server process would not survive it. */
  readonly endsTheServer?: boolean;
  /** It depends on timing: the row may pass there as well. */
  readonly sometimes?: boolean;
}

/** Rows that drachtio-server v0.9.10 fails, by row of the checklist. A row listed here that passes there is reported. */
export const knownDifferences: Readonly<Record<string, KnownDifference>> = {
  6: { difference: 'It serves connections that never authenticated.' },
  8: { difference: '`remove_route` removes all verbs of that connection.' },
  12: { difference: 'A frame without length digits wedges its connection instead of closing it.' },
  13: { difference: 'A frame of more than 12,228 octets is never dispatched and wedges its connection.' },
  14: { difference: 'It leaves unanswered INVITEs, dialogs and outgoing INVITEs of a lost app as they are.' },
  '14 late 200': { difference: 'A 200 that comes after its app has gone is never acknowledged.' },
  '17 100 again': { difference: 'It sends its 100 only once.' },
  '26 protocol': { difference: 'The protocol field of an ACK frame is empty.' },
  '27 streams': { difference: 'It does not repeat a 200 over TCP and TLS.' },
  '29 before ACK': {
    difference: 'It answers OK to a second final as long as the first is not acknowledged.',
  },
  30: { difference: 'It delivers an INVITE without Contact.' },
  '31 at once': { difference: 'It repeats every refusal for 32 s, whatever the source of the INVITE.' },
  '33 at once': {
    difference: 'Reply and response often share a segment, so the library announces the response too early.',
    sometimes: true,
  },
  '34 other host': { difference: 'It takes `localhost.example.com` for the placeholder.' },
  '38 asked': { difference: 'It keeps every 100 to itself.' },
  '40 streams': { difference: 'It does not repeat the ACK over TCP and TLS.' },
  45: { difference: 'It acknowledges a forked 2xx with the tag of the first and never ends it.' },
  '46 before PRACK': {
    difference: 'It delivers copies of a reliable provisional that come before the PRACK.',
  },
  48: {
    difference: 'A reliable provisional without PRACK ends the process after 32 s.',
    endsTheServer: true,
  },
  '48 queue': {
    difference: 'The reply echoes the earlier 183, and the queued response has a garbage reason phrase.',
  },
  '61 early INFO': {
    difference: 'INFO inside an early dialog ends the process after 64 s.',
    endsTheServer: true,
  },
  '49 hasty': {
    difference: 'Reply, ACK and BYE may share a segment, so that the app misses the end of the call.',
    sometimes: true,
  },
  54: { difference: 'It never repeats the 200 to a re-INVITE.' },
  '55 CSeq': { difference: 'The ACK takes the number of the latest request instead of that of its INVITE.' },
  56: { difference: 'The final response to a re-INVITE is not delivered when a provisional came before.' },
  '57 ACK': { difference: "It sends the app's ACK to a refused re-INVITE." },
  58: { difference: 'It never refreshes the remote target.' },
  63: { difference: 'It delivers overlapping and crossing re-INVITEs.' },
  64: { difference: 'It delivers requests with a CSeq lower than seen.' },
  65: { difference: 'The app gets no final response to a re-INVITE that its BYE overtook.' },
  '65 peer': { difference: 'The app gets no final response to a re-INVITE that a BYE of the peer overtook.' },
  66: { difference: 'Of the requests inside a dialog that the app never answers it answers only BYE.' },
  '66 UPDATE': { difference: 'An UPDATE that the app never answers is never answered.' },
  '67 late': { difference: 'It answers 481 to a CANCEL that comes after the 200.' },
  '67 re-INVITE': { difference: 'After CANCEL of a re-INVITE it still sends the 200 of the app.' },
  75: { difference: 'When the peer answers only the CANCEL, the app gets no final response.' },
  81: { difference: 'It drops out-of-dialog REFER and unknown methods without any answer.' },
  '81 tagged': { difference: 'It delivers a request with the tag of no dialog as one outside any dialog.' },
  82: { difference: 'It delivers a 183 to OPTIONS.' },
  '84 library': { difference: 'It asks DNS for localhost, so the host of the next hop cannot be resolved.' },
  88: { difference: 'The ACK carries no credentials.' },
  '75 silent': {
    difference: 'When a peer is silent after CANCEL, the final response does not always come.',
    sometimes: true,
  },
  '92 own': { difference: 'It reports no closed connections.' },
  '96 unasked': { difference: 'It answers at the source port whether rport was asked for or not.' },
  '97 TLS': { difference: 'It does not answer keep-alives over TLS.' },
  100: { difference: 'It verifies no certificate and sends no SNI.' },
  101: { difference: 'A line feed in a value becomes a further header line.' },
  '102 too short': { difference: 'It delivers an INVITE that asks for less than 90 s.' },
  '30 readable': { difference: 'It delivers what it received.' },
};
