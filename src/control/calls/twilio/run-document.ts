import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Redis } from '../../../base/redis.js';
import type { ControlSettings } from '../../../config/control-settings.js';
import { agentStreamSchema, type StreamAction, streamSoundKey } from '../../../contract/agent-stream.js';
import { type SecretBox, streamPlace } from '../../../contract/secret.js';
import { accountSidOf, callSidOf } from '../../../contract/stream-ids.js';
import { DemarcError } from '../../../errors.js';
import { encode } from '../../../rtp/g711.js';
import type { Database } from '../../database/tables.js';
import type { CallControls } from '../../fleet/call-controls.js';
import type { JsonPoster } from '../../models/post-json.js';
import { SpeechFailure, synthesize } from '../../models/speech-endpoint.js';
import { checkReachable } from '../../numbers/private-endpoints.js';
import { readSigningSecrets } from '../../numbers/stream-secrets.js';
import { orderTransfer } from '../orders/transfer.js';
import { apiVersion } from './call-resource.js';
import { TwilioFailure, twilioCodes } from './failure.js';
import { fetchDocument } from './fetch-document.js';
import { readTwiml, type Step } from './twiml.js';

/** Twilio's clients wait 30 seconds for an answer. */
const maximumWaitMilliseconds = 20_000;
const maximumDocuments = 5;
const soundMilliseconds = 60_000;
/** Frames under way between the media-stream process and the caller. */
const tailMilliseconds = 200;

export interface DocumentDeps {
  readonly database: Kysely<Database>;
  readonly redis: Redis;
  readonly secrets: SecretBox;
  readonly settings: Pick<ControlSettings, 'testCalls' | 'notices' | 'privateEndpoints' | 'privateNetworks'>;
  readonly controls: Pick<CallControls, 'act' | 'ask'>;
  readonly poster: JsonPoster;
  readonly end: (organizationId: string, callId: string) => Promise<unknown>;
}

/** The call that a document is for. */
export interface DocumentCall {
  readonly organizationId: string;
  readonly callId: string;
  readonly from: string;
  readonly to: string;
  readonly direction: string;
  readonly status: string;
}

/** Has a call do what a document says, and the documents that it leads to. Throws `TwilioFailure`, `DemarcError`, `InvalidRequest`. */
export class DocumentRun {
  private documents = 0;
  private waited = 0;

  constructor(
    private readonly deps: DocumentDeps,
    private readonly call: DocumentCall,
  ) {}

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.step(step);
  }

  /** A document at a URL in place of one in the request. */
  async runAt(url: string, method: 'GET' | 'POST'): Promise<void> {
    if (++this.documents > maximumDocuments)
      throw new TwilioFailure(
        400,
        twilioCodes.documentUnreached,
        `More than ${maximumDocuments} documents redirect to each other.`,
      );
    const { organizationId, callId, from, to, direction, status } = this.call;
    const signing = await this.signingSecrets();
    const { secrets, settings, poster } = this.deps;
    const text = await fetchDocument(poster, {
      url,
      method,
      fields: {
        AccountSid: accountSidOf(organizationId),
        ApiVersion: apiVersion,
        CallSid: callSidOf(callId),
        CallStatus: status,
        Called: to,
        Caller: from,
        Direction: direction,
        From: from,
        To: to,
      },
      secret: signing[0] === undefined ? undefined : secrets.open(signing[0], streamPlace(organizationId)),
      allowsHttp: settings.notices.webhook.allowPrivate,
    });
    await this.run(readTwiml(text, url));
  }

  private async step(step: Step): Promise<void> {
    const { organizationId, callId } = this.call;
    switch (step.kind) {
      case 'pause':
        await this.wait(step.seconds * 1_000);
        break;
      case 'hangup':
        await this.deps.end(organizationId, callId);
        break;
      case 'dial':
        await orderTransfer(this.deps.redis, organizationId, callId, { target: step.target });
        break;
      case 'digits':
        await this.act({ action: 'send_digits', digits: step.digits });
        break;
      case 'redirect':
        await this.runAt(step.url, step.method);
        break;
      case 'connect':
        checkReachable(this.deps.settings, step.url, 'Twiml');
        await this.order({
          action: 'connect',
          stream: agentStreamSchema.parse({
            url: step.url,
            parameters: step.parameters,
            signing_secrets: await this.signingSecrets(),
          }),
        });
        break;
      case 'play':
        await this.hear({ action: 'play', url: step.url });
        break;
      case 'say':
        await this.hear({ action: 'play_sound', sound: await this.speech(step.text) });
    }
  }

  private async signingSecrets(): Promise<readonly string[]> {
    const { organizationId } = this.call;
    return (await readSigningSecrets(this.deps.database, [organizationId])).get(organizationId) ?? [];
  }

  /** Speech in Redis, where the media-stream process finds it. */
  private async speech(text: string): Promise<string> {
    const endpoint = this.deps.settings.testCalls.synthesis;
    if (endpoint === undefined)
      throw new TwilioFailure(
        501,
        twilioCodes.verbNotOffered,
        'Twiml: Say is not offered: this service has no speech endpoint (DEMARC_TTS_URL). Send the speech on the bot’s stream.',
      );
    const outOfTime = AbortSignal.timeout(endpoint.timeoutMilliseconds);
    const samples = await synthesize(endpoint, text, {}, outOfTime).catch((error: unknown) => {
      throw speechFailure(error);
    });
    const id = randomUUID();
    await this.deps.redis.set(streamSoundKey(id), encode('PCMU', samples), 'PX', soundMilliseconds);
    return id;
  }

  /** Waits until the caller has heard it. */
  private async hear(
    sound:
      | { readonly action: 'play'; readonly url: string }
      | { readonly action: 'play_sound'; readonly sound: string },
  ): Promise<void> {
    const left = Math.max(0, maximumWaitMilliseconds - this.waited);
    const milliseconds = await this.order({ ...sound, maximum_milliseconds: left });
    await this.wait(milliseconds + tailMilliseconds);
  }

  private async wait(milliseconds: number): Promise<void> {
    this.waited += milliseconds;
    await sleep(milliseconds);
  }

  /** Returns the length of the audio that begins. */
  private async order(
    order: StreamAction extends infer Action
      ? Action extends StreamAction
        ? Omit<Action, 'version' | 'call_id'>
        : never
      : never,
  ): Promise<number> {
    const action = { ...order, version: 1, call_id: this.call.callId } as StreamAction;
    const reply = await this.act({ action: 'stream', order: action });
    return reply?.milliseconds ?? 0;
  }

  private async act(action: Parameters<CallControls['ask']>[2]) {
    const { organizationId, callId } = this.call;
    const reply = await this.deps.controls.ask(organizationId, callId, action);
    if (reply === undefined) throw new DemarcError('NOT_FOUND', 'Active call not found');
    return reply;
  }
}

const speechFailure = (error: unknown): unknown =>
  error instanceof SpeechFailure
    ? new TwilioFailure(503, twilioCodes.unavailable, error.message, { cause: error })
    : error;
