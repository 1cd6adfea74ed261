import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Logger } from '../../../base/log.js';
import type { AgentTestSettings } from '../../../config/agent-test-settings.js';
import type { TestCallSettings } from '../../../config/speech-settings.js';
import { type SecretBox, SecretError } from '../../../contract/secret.js';
import { signTestGrant, testCallee, testTokenHeader } from '../../../contract/test-grant.js';
import type { LineConditions } from '../../../contract/voice-call.js';
import type { ServiceState } from '../../area.js';
import type { Database } from '../../database/tables.js';
import type { FleetReader } from '../../fleet/fleet-reader.js';
import { type Channel, type Conversation, RunFailure, type TestSubject } from '../conversation/channel.js';
import { type LineConditionsInput, voiceSettingsSchema } from '../schemas/voice.js';
import { CallSlots } from './call-slots.js';
import { chooseEdge } from './choose-edge.js';
import { type Destination, destinationOf } from './destination.js';
import { espeak } from './speech/espeak.js';
import { flite, isFliteVoice } from './speech/flite.js';
import type { SpeechRecognition, SpeechSynthesis } from './speech/speech.js';
import { speechService, transcriptionService } from './speech/speech-service.js';
import { toneRecognition, toneSynthesis } from './speech/tone-speech.js';
import { TestCallerProcess } from './test-caller-process.js';
import { failureOf } from './unanswered-call.js';
import type { VoiceCall } from './voice-call.js';
import { VoiceConversation } from './voice-conversation.js';

export interface VoiceChannelDeps {
  readonly database: Kysely<Database>;
  readonly fleet: Pick<FleetReader, 'edges'>;
  readonly secrets: SecretBox;
  readonly settings: {
    readonly testCalls: TestCallSettings;
    readonly agentTests: Pick<AgentTestSettings, 'recordings'>;
  };
  readonly log: Logger;
}

/** An agent that rings longer does not answer. */
const answerMilliseconds = 45_000;
/** The token lets the INVITE in at once, or never. */
const tokenSeconds = 60;

/** Converses with agents in real calls, through the edges. */
export class VoiceChannel implements Channel {
  readonly name = 'test-calls';
  private readonly caller: TestCallerProcess;
  private readonly slots: CallSlots;
  private readonly synthesis: SpeechSynthesis;
  private readonly recognition: SpeechRecognition;

  constructor(private readonly deps: VoiceChannelDeps) {
    const { testCalls } = deps.settings;
    this.caller = new TestCallerProcess(deps.log);
    this.slots = new CallSlots(testCalls);
    if (testCalls.usesTones) this.synthesis = toneSynthesis;
    else this.synthesis = testCalls.synthesis === undefined ? espeak : speechService(testCalls.synthesis);
    this.recognition =
      testCalls.usesTones || testCalls.recognition === undefined
        ? toneRecognition
        : transcriptionService(testCalls.recognition);
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {
    await this.caller.stop();
  }

  state(): ServiceState {
    return { ready: true, detail: `${this.synthesis.kind}, ${this.recognition.kind}` };
  }

  async open(subject: TestSubject, signal: AbortSignal): Promise<Conversation> {
    const { database, settings } = this.deps;
    const destination = await destinationOf(database, subject);
    const leave = await this.slots.enter(subject.organizationId);
    try {
      signal.throwIfAborted();
      const voice = voiceSettingsSchema.parse(subject.definition.voice ?? {});
      const target = await chooseEdge(this.deps.fleet, settings.testCalls);
      const sipCallId = `${randomUUID()}@test.demarc`;
      const call = await this.caller.call({
        id: randomUUID(),
        target,
        ...testCallee({ ...destination, organization: subject.organizationId }),
        callerNumber: voice.caller_number?.slice(1) ?? null,
        sipCallId,
        headers: { [testTokenHeader]: this.token(subject, destination, sipCallId) },
        answerMilliseconds,
        maximumMilliseconds: voice.max_duration_seconds * 1_000,
        endOfTurnMilliseconds: voice.end_of_turn_ms,
        conditions: voice.conditions && lineConditions(voice.conditions),
        isRecorded: settings.agentTests.recordings.days > 0 && subject.isLoad !== true,
      });
      const dialed = performance.now();
      await answered(call, signal);
      const answeredAfter = performance.now() - dialed;
      const { recognition } = this;
      return new VoiceConversation({
        call,
        voice,
        synthesis: this.synthesisOf(voice.speaker),
        recognition,
        database,
        subject,
        answerMilliseconds: answeredAfter,
        ended: leave,
      });
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** A speech service has other voices. */
  private synthesisOf(speaker: string | undefined): SpeechSynthesis {
    return this.synthesis === espeak && isFliteVoice(speaker) ? flite : this.synthesis;
  }

  private token({ organizationId, runId }: TestSubject, destination: Destination, sipCallId: string): string {
    try {
      return signTestGrant(this.deps.secrets, {
        organization: organizationId,
        run_id: runId,
        sip_call_id: sipCallId,
        ...destination,
        expires_at: Math.ceil(Date.now() / 1_000) + tokenSeconds,
      });
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      throw new RunFailure('Runs by voice need DEMARC_SECRET_KEY, the same one for control and the edges.', {
        cause: error,
      });
    }
  }
}

const lineConditions = ({
  gain_db,
  noise,
  loss_share,
  jitter_ms,
  seed,
}: LineConditionsInput): LineConditions => ({
  gainDecibels: gain_db,
  noise: noise === undefined ? null : { kind: noise.kind, levelDecibels: noise.level_dbov },
  lossShare: loss_share,
  jitterMilliseconds: jitter_ms,
  seed,
});

/** Resolves when the agent has answered. Rejects with `RunFailure` when it does not, and when the signal fires. */
function answered(call: VoiceCall, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      call.hangUp();
      reject(signal.reason);
    };
    const done = (): void => signal.removeEventListener('abort', abort);
    call.once('answered', () => {
      done();
      resolve();
    });
    call.once('ended', (report) => {
      done();
      reject(failureOf(report));
    });
    signal.addEventListener('abort', abort, { once: true });
  });
}
