import type { Logger } from '../base/log.js';
import type { HeldLeg } from '../contract/held-call.js';
import { type Dialog, failureText, type ReceivedRequest, type ResponseSender } from '../edge/sip/messages.js';
import { requestInDialog } from '../edge/sip/request-in-dialog.js';
import { type AgreedSession, sessionAgreedIn, sessionTimerHeaders } from '../edge/sip/session-timer.js';
import type { Direction } from '../sdp/sdp.js';
import { type AgreedAudio, answerOffer, makeOffer, readAnswer } from './audio-description.js';

export interface NegotiationParts {
  /** Local address of RTP. */
  readonly address: string;
  readonly port: () => number;
  /** Both sides have agreed, or have agreed on something else. */
  readonly take: (agreed: AgreedAudio) => void;
  readonly log: Logger;
}

/** What a successor needs of it, beside the descriptions, which the dialog's document has. */
export interface NegotiationDocument {
  readonly agreed: AgreedAudio;
  readonly direction: Direction;
  readonly sessionId: number;
  readonly version: number;
}

export const sdpHeaders = { 'Content-Type': 'application/sdp' };
const sessionSeconds = 1_800;
const requestMilliseconds = 10_000;

/** The audio of one dialog by offer and answer (RFC 3264), and its session timer (RFC 4028). */
export class Negotiation {
  agreed: AgreedAudio | undefined;
  session: AgreedSession | undefined;
  localDescription = '';
  remoteDescription: string | undefined;
  private sessionId = Math.floor(Date.now() / 1_000);
  private version = 1;
  private direction: Direction = 'sendrecv';
  private awaitsAnswer = false;

  constructor(private readonly parts: NegotiationParts) {}

  /** Our description for an INVITE. Undefined: its offer has no audio for us. */
  begin(offer: string | undefined): string | undefined {
    return offer === undefined || offer === '' ? this.offer() : this.answer(offer);
  }

  /** The headers of the session timer for the answer to that request. */
  timerFor(request: ReceivedRequest): Record<string, string> {
    const timer = sessionTimerHeaders(request, sessionSeconds);
    this.session = sessionAgreedIn(timer) ?? this.session;
    return timer;
  }

  continue({ agreed, direction, sessionId, version }: NegotiationDocument, leg: NonNullable<HeldLeg>): void {
    this.sessionId = sessionId;
    this.version = version;
    this.direction = direction;
    this.localDescription = leg.local_description ?? '';
    this.remoteDescription = leg.remote_description ?? undefined;
    this.session =
      leg.session_timer === null
        ? undefined
        : { seconds: leg.session_timer.seconds, isOurs: leg.session_timer.is_ours };
    this.take(agreed);
  }

  /** Undefined: nothing is agreed. */
  describe(): NegotiationDocument | undefined {
    const { agreed, direction, sessionId, version } = this;
    return agreed === undefined ? undefined : { agreed, direction, sessionId, version };
  }

  /** An ACK, which may carry the answer to our offer. True: it does. */
  acknowledged(body: string | undefined): boolean {
    if (!this.awaitsAnswer || body === undefined || body === '') return false;
    this.awaitsAnswer = false;
    this.remoteDescription = body;
    const agreed = readAnswer(body, this.direction);
    if (agreed !== undefined) this.take(agreed);
    return true;
  }

  /** A re-INVITE or UPDATE of the edge: hold, resume, media that moved, or a refresh. */
  modify(request: ReceivedRequest, response: ResponseSender, contact: string | undefined): void {
    const { body } = request;
    const timer = this.timerFor(request);
    const headers = { ...sdpHeaders, ...timer, ...(contact === undefined ? {} : { Contact: contact }) };
    if (body !== undefined && body !== '') {
      const sdp = this.answer(body);
      if (sdp === undefined) response.send(488, undefined, {});
      else response.send(200, undefined, { headers, body: sdp });
    } else if (request.method === 'UPDATE') response.send(200, undefined, { headers: timer });
    else response.send(200, undefined, { headers, body: this.offer() });
  }

  /** Hold or resume, asked for by the bot. True: it was tried. */
  async turn(dialog: Dialog, direction: Direction): Promise<boolean> {
    if (this.direction === direction) return false;
    this.direction = direction;
    const body = this.offer();
    this.awaitsAnswer = false;
    const { log } = this.parts;
    try {
      const headers = { ...sdpHeaders, Contact: dialog.local.contact };
      const { response } = await requestInDialog(
        dialog,
        { method: 'INVITE', body, headers },
        requestMilliseconds,
      );
      const agreed =
        response.status === 200 && response.body !== undefined
          ? readAnswer(response.body, direction)
          : undefined;
      if (agreed === undefined) log.info({ status: response.status }, 'Hold was refused.');
      else {
        this.remoteDescription = response.body;
        this.take(agreed);
      }
    } catch (error) {
      log.info({ error: failureText(error) }, 'Hold failed.');
    }
    return true;
  }

  private answer(offer: string): string | undefined {
    const answered = answerOffer(offer, this.local(), this.direction);
    if (answered === undefined) return undefined;
    this.remoteDescription = offer;
    this.take(answered.agreed);
    return this.remember(answered.sdp);
  }

  private offer(): string {
    this.awaitsAnswer = true;
    return this.remember(makeOffer(this.local(), this.direction));
  }

  private take(agreed: AgreedAudio): void {
    this.agreed = agreed;
    this.parts.take(agreed);
  }

  /** Increments the version when the description differs from the one in force (RFC 3264 §8). */
  private remember(sdp: string): string {
    if (this.localDescription !== '' && sdp !== this.localDescription) {
      this.version++;
      this.localDescription = sdp.replace(/^(o=- \d+) \d+/m, `$1 ${this.version}`);
    } else this.localDescription = sdp;
    return this.localDescription;
  }

  private local() {
    const { sessionId, version } = this;
    return { address: this.parts.address, port: this.parts.port(), sessionId, version };
  }
}
