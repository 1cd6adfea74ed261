/**
 * Why the SIP engine ends a dialog or an INVITE, or refuses a request, without the application. On the wire a code is the text of the
 * Reason header (RFC 3326) of the BYE, the CANCEL or the response (RFC 6432). The texts are those of drachtio-server where it ends one for the same cause, so that an
 * application reads both servers alike (wire protocol §5.5).
 */
const texts = {
  ack_timeout: 'ACK timeout',
  session_expired: 'Session timer expired',
  /** A reliable provisional response was not acknowledged (RFC 3262 §3). */
  prack_timeout: 'PRACK timeout',
  /** The 2xx to our INVITE crossed our CANCEL. */
  cancel_crossed: 'ACK-BYE due to cancel race condition',
  /** The CANCEL came while our 2xx waited for a PRACK. */
  cancelled_before_success: 'CANCEL after 200 OK',
  missing_contact: 'Missing Contact',
  bye_before_answer: 'BYE before answer',
  connection_lost: 'Connection lost',
  /** Another fork's 2xx was the first. */
  answered_elsewhere: 'Answered elsewhere',
  answered_too_late: 'Answered too late',
  application_timeout: 'Application timeout',
  /** The application did not react to a new INVITE, which another one gets. */
  given_away: 'Given to another application',
  application_gone: 'Application gone',
  /** The application's successor does not know the dialog. */
  not_adopted: 'Not adopted',
  engine_restarted: 'SIP engine restarted',
  shutdown: 'Shutdown',
  no_application: 'No application is connected',
  overloaded: 'SIP engine overloaded',
  /** Another engine continues the dialog. */
  moved: 'Dialog moved',
} as const;

export type EngineReason = keyof typeof texts;

const codes = new Map(
  Object.entries(texts).map(([code, text]) => [text.toLowerCase(), code as EngineReason] as const),
);

/** The Reason header by which the engine reports the code. */
export const engineReasonHeader = (code: EngineReason, cause = 200): string =>
  `SIP;cause=${cause};text="${texts[code]}"`;

/** The code of a Reason header's text; undefined: the text is none of the engine's. */
export const engineReasonOf = (text: string): EngineReason | undefined =>
  codes.get(text.trim().toLowerCase());

/** The code in a whole Reason header. */
export function engineReasonIn(header: string | undefined): EngineReason | undefined {
  const text = /(?:^|;)\s*text="([^"]*)"/i.exec(header ?? '')?.[1];
  return text === undefined ? undefined : engineReasonOf(text);
}
