import type { Logger } from '../../src/base/log.js';
import type { EngineLink } from '../../src/edge/sip/engine-link.js';
import {
  type Dialog,
  failureText,
  type ReceivedRequest,
  type ResponseSender,
} from '../../src/edge/sip/messages.js';
import { requestInDialog } from '../../src/edge/sip/request-in-dialog.js';
import { answerOffer, makeOffer, readAnswer } from '../../src/media-stream/audio-description.js';
import type { Direction } from '../../src/sdp/sdp.js';
import type { Behaviour } from './behaviour.js';
import { rememberCall, rememberDigit } from './memory.js';
import { ask, type Knowledge } from './question.js';
import { RtpSession } from './rtp.js';

export interface AgentCallParts {
  readonly engine: EngineLink;
  /** Local address for RTP. */
  readonly address: string;
  readonly ringMilliseconds: number;
  readonly toneMilliseconds: number;
  /** Answers digits; undefined: the agent has no API to ask. */
  readonly knowledge: Knowledge | undefined;
  readonly log: Logger;
  /** Called when the call has ended and has released its resources. */
  readonly ended: (call: AgentCall) => void;
}

type Answering = Extract<Behaviour, { kind: 'answer' }>;

const sdpHeaders = { 'Content-Type': 'application/sdp' };
const reInviteBoundMilliseconds = 10_000;
/** Long enough to differ from a click, short enough to ask again. */
const answerMilliseconds = 1_000;

/** One call to the agent, from INVITE to BYE. */
export class AgentCall {
  private rtp: RtpSession | undefined;
  private dialog: Dialog | undefined;
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly sessionId = Math.floor(Date.now() / 1000);
  private version = 1;
  private direction: Direction = 'sendrecv';
  /** The local description in force, sent again as the answer to a refresh. */
  private localSdp = '';
  /** A pending offer whose answer comes in the ACK (RFC 3264 §4, late offer). */
  private awaitsAnswer = false;
  private isOver = false;

  constructor(
    private readonly request: ReceivedRequest,
    private readonly response: ResponseSender,
    private readonly behaviour: Behaviour,
    private readonly parts: AgentCallParts,
  ) {
    request.on('cancel', () => this.refuse(487));
  }

  async begin(): Promise<void> {
    const { behaviour } = this;
    if (behaviour.kind === 'refuse') this.refuse(behaviour.status);
    else if (behaviour.kind === 'ring') this.response.send(180, undefined, {});
    else if (behaviour.kind === 'answer') await this.ring(behaviour);
  }

  /** Ends the call from the agent's side: BYE, or a rejection before the answer. */
  async hangUp(): Promise<void> {
    if (this.isOver) return;
    const { dialog } = this;
    if (dialog === undefined) {
      this.refuse(503);
      return;
    }
    this.finish();
    await new Promise<void>((resolve) => {
      dialog.destroy({ headers: {} }, () => resolve());
    });
  }

  private async ring(behaviour: Answering): Promise<void> {
    const rtp = await RtpSession.open(this.parts.address);
    if (this.isOver) {
      rtp.close();
      return;
    }
    this.rtp = rtp;
    rtp.onDigit = (digit) => void this.ask(digit);
    rtp.onLastWords = () => void this.hangUp();
    const offer = this.request.body;
    const sdp = offer === undefined || offer === '' ? this.offer() : this.answer(offer);
    if (sdp === undefined) {
      this.refuse(488, { Warning: '305 demarc-agent "PCMU or PCMA over RTP/AVP needed"' });
      return;
    }
    if (behaviour.early === true && !this.awaitsAnswer) {
      this.response.send(183, undefined, { headers: sdpHeaders, body: sdp });
      this.play(behaviour);
    } else {
      this.response.send(180, undefined, {});
    }
    this.later(behaviour.ringMilliseconds ?? this.parts.ringMilliseconds, () => this.accept(behaviour, sdp));
  }

  private accept(behaviour: Answering, sdp: string): void {
    this.parts.engine.answer(
      this.request,
      this.response,
      { headers: { ...sdpHeaders }, localSdp: sdp },
      (error, dialog) => {
        if (dialog === undefined) {
          this.parts.log.info({ error: failureText(error) }, 'Call was not answered.');
          this.finish();
          return;
        }
        this.answered(behaviour, dialog);
      },
    );
  }

  private answered(behaviour: Answering, dialog: Dialog): void {
    this.dialog = dialog;
    dialog.on('destroy', () => this.finish());
    dialog.on('ack', ({ body }: ReceivedRequest) => this.acknowledged(body));
    dialog.on('modify', (request: ReceivedRequest, response: ResponseSender) =>
      this.modify(request, response),
    );
    dialog.on('update', (request: ReceivedRequest, response: ResponseSender) =>
      this.modify(request, response),
    );
    for (const method of ['info', 'options']) {
      dialog.on(method, (_request: ReceivedRequest, response: ResponseSender) =>
        response.send(200, undefined, {}),
      );
    }
    for (const method of ['refer', 'message']) {
      dialog.on(method, (_request: ReceivedRequest, response: ResponseSender) =>
        response.send(603, undefined, {}),
      );
    }
    if (this.isOver) {
      dialog.destroy({ headers: {} }, () => {});
      return;
    }
    if (behaviour.early !== true) this.play(behaviour);
    const { hangUpMilliseconds, holdMilliseconds } = behaviour;
    if (hangUpMilliseconds !== undefined) this.later(hangUpMilliseconds, () => void this.hangUp());
    if (holdMilliseconds !== undefined) {
      this.later(holdMilliseconds, async () => {
        await this.turn('sendonly');
        // The second delay starts when the hold is answered: a re-INVITE while another one is pending would be rejected.
        this.later(holdMilliseconds, () => void this.turn('sendrecv'));
      });
    }
  }

  private acknowledged(body: string | undefined): void {
    if (!this.awaitsAnswer || body === undefined || body === '') return;
    this.awaitsAnswer = false;
    this.take(body);
  }

  /** Handles a re-INVITE or UPDATE: hold, resume, another address or codec. Without a description: a refresh, or a late offer. */
  private modify(request: ReceivedRequest, response: ResponseSender): void {
    const { body } = request;
    if (body !== undefined && body !== '') {
      const sdp = this.answer(body);
      if (sdp === undefined) response.send(488, undefined, {});
      else response.send(200, undefined, { headers: this.answerHeaders(), body: sdp });
    } else if (request.method === 'UPDATE') {
      response.send(200, undefined, {});
    } else {
      response.send(200, undefined, { headers: this.answerHeaders(), body: this.offer() });
    }
  }

  /** Sends a re-INVITE that holds or resumes the call. */
  private async turn(direction: Direction): Promise<void> {
    if (this.dialog === undefined) return;
    this.direction = direction;
    const body = this.offer();
    this.awaitsAnswer = false;
    try {
      const { response } = await requestInDialog(
        this.dialog,
        { method: 'INVITE', body, headers: this.answerHeaders() },
        reInviteBoundMilliseconds,
      );
      if (response.status === 200 && response.body !== undefined) this.take(response.body);
      else this.parts.log.info({ status: response.status }, 'Re-INVITE was refused.');
    } catch (error) {
      this.parts.log.info({ error: failureText(error) }, 'Re-INVITE failed.');
    }
  }

  private answer(offer: string): string | undefined {
    const answered = answerOffer(offer, this.local(), this.direction);
    if (answered === undefined) return undefined;
    this.rtp?.agree(answered.agreed);
    return this.remember(answered.sdp);
  }

  private offer(): string {
    this.awaitsAnswer = true;
    return this.remember(makeOffer(this.local(), this.direction));
  }

  private take(answer: string): void {
    const agreed = readAnswer(answer, this.direction);
    if (agreed !== undefined) this.rtp?.agree(agreed);
  }

  /** Increments the version when the description differs from the one in force. */
  private remember(sdp: string): string {
    if (sdp !== this.localSdp && this.localSdp !== '') {
      this.version++;
      this.localSdp = sdp.replace(/^(o=- \d+) \d+/m, `$1 ${this.version}`);
    } else {
      this.localSdp = sdp;
    }
    return this.localSdp;
  }

  private local() {
    const { sessionId, version } = this;
    return { address: this.parts.address, port: this.rtp?.port ?? 0, sessionId, version };
  }

  private play({ audio }: Answering): void {
    this.rtp?.play(audio, this.parts.toneMilliseconds);
  }

  /** Searches the knowledge of the call for what the digit asks, or remembers the caller, and plays one tone or another. */
  private async ask(digit: string): Promise<void> {
    const { knowledge, log } = this.parts;
    if (knowledge === undefined) return;
    const token = this.request.get('X-Demarc-Token');
    const { url } = knowledge;
    const contact = this.request.get('X-Demarc-Contact');
    const answer =
      digit === rememberDigit
        ? await rememberCall({ url, contact, token, log })
        : await ask(knowledge, { token, digit, log });
    if (answer !== undefined && !this.isOver) this.rtp?.answer(answer, answerMilliseconds);
  }

  private answerHeaders(): Record<string, string> {
    const contact = this.dialog?.res.get('Contact');
    return { ...sdpHeaders, ...(contact === undefined ? {} : { Contact: contact }) };
  }

  private refuse(status: number, headers: Record<string, string> = {}): void {
    if (!this.response.finalResponseSent) this.response.send(status, undefined, { headers });
    this.finish();
  }

  private later(milliseconds: number, act: () => void | Promise<void>): void {
    if (this.isOver) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      if (!this.isOver) void act();
    }, milliseconds);
    this.timers.add(timer);
  }

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    if (this.rtp !== undefined) {
      this.parts.log.info({ rtp: this.rtp.statistics }, 'Call ended.');
      this.rtp.close();
    }
    this.parts.ended(this);
  }
}
