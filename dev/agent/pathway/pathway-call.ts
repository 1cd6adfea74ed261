import type { Logger } from '../../../src/base/log.js';
import type { BotCall } from '../../../src/bot/index.js';
import {
  type AgentTurn,
  notUnderstood,
  RunFailure,
} from '../../../src/control/agent-testing/conversation/channel.js';
import { MeteredModel } from '../../../src/control/agent-testing/conversation/metered-model.js';
import { ModelMeter } from '../../../src/control/agent-testing/conversation/model-meter.js';
import { PathwayConversation } from '../../../src/control/agent-testing/conversation/pathway-conversation.js';
import type {
  SpeechRecognition,
  SpeechSynthesis,
} from '../../../src/control/agent-testing/voice/speech/speech.js';
import type { Chat } from '../../../src/control/models/chat-model.js';
import type { JsonPoster } from '../../../src/control/models/post-json.js';
import type { PathwayDocument } from '../../../src/control/pathways/index.js';
import { decode, encode, sampleRate, samplesPerPacket } from '../../../src/rtp/g711.js';
import { atRate } from '../../../src/rtp/wave.js';
import { CallApi } from './call-api.js';
import { CallerTurns } from './caller-turns.js';

export interface PathwayCallDeps {
  /** Base URL of the API. */
  readonly apiUrl: string;
  readonly model: Chat;
  readonly synthesis: SpeechSynthesis;
  readonly recognition: SpeechRecognition;
  /** For the webhooks of pathways. */
  readonly poster: JsonPoster;
  /** BCP 47. */
  readonly language: string;
  readonly endOfTurnMilliseconds: number;
  readonly log: Logger;
}

/** What the agent is saying. Its clock is that of the caller's frames, of which each comes while one of the agent's is played. */
interface Speech {
  readonly isLast: boolean;
  readonly sentences: { readonly text: string; readonly from: number; readonly to: number }[];
  isComplete: boolean;
}

/** The record of a call takes 8,000 octets of metadata in all. */
const mostReportedTools = 12;

/** One call that follows the pathway version of its first message. */
export class PathwayCall {
  private readonly ended = new AbortController();
  private readonly turns: CallerTurns;
  private readonly api: CallApi;
  private conversation: PathwayConversation | undefined;
  private reportedTools = 0;
  /** Turns of the caller that the pathway has read. */
  private callerTurns = 0;
  private speech: Speech | undefined;
  /** Turns are answered one after the other. */
  private work: Promise<void> = Promise.resolve();
  private waiting = 0;
  private frames = 0;

  constructor(
    private call: BotCall,
    private readonly deps: PathwayCallDeps,
  ) {
    this.api = new CallApi(deps.apiUrl, call.facts.parameters.token ?? '', this.ended.signal);
    this.turns = new CallerTurns(
      {
        began: () => this.interrupt(),
        said: (samples) => this.answer(() => this.understand(samples)),
        pressed: (keys) => this.answer(async () => `[keys pressed: ${keys}]`),
      },
      deps.endOfTurnMilliseconds,
    );
    this.serve();
    this.next(() => this.greet());
  }

  /** The call has a new connection: the audio that was queued in the one before is lost. */
  continueWith(call: BotCall): void {
    this.call = call;
    this.serve();
  }

  end(): void {
    this.ended.abort();
  }

  private serve(): void {
    const { call } = this;
    call.on('audio', (frame) => {
      this.frames++;
      this.turns.frame(samplesOf(call.facts, frame));
    });
    call.on('digit', (digit) => this.turns.key(digit));
    call.on('transferFailed', (status, reason) =>
      this.fail(new RunFailure(`Transfer failed: ${status} ${reason}`)),
    );
  }

  private async greet(): Promise<AgentTurn> {
    const { pathway_id: id, pathway_version: version, token } = this.call.facts.parameters;
    if (id === undefined || version === undefined || token === undefined)
      throw new RunFailure(
        'The call follows no pathway, or has no token: set pathway_id of its number or order.',
      );
    const document = await this.api.pathway(id, version);
    const { model, poster } = this.deps;
    this.conversation = new PathwayConversation({
      document,
      model: new MeteredModel(model, 'calls', new ModelMeter()),
      poster,
      startNodeId: null,
      mocks: [],
      requestData: declaredValues(document, this.call.facts),
      knowledgeOn: (ids, question) => this.api.knowledgeOn(ids, question),
    });
    return this.conversation.greet(this.ended.signal);
  }

  private async understand(samples: Int16Array): Promise<string> {
    const { recognition } = this.deps;
    return (await recognition.understand(samples, this.voice, this.ended.signal)) ?? notUnderstood;
  }

  private answer(words: () => Promise<string>): void {
    this.next(async () => {
      const said = await words();
      this.callerTurns++;
      return this.conversation!.say(said, this.ended.signal);
    });
  }

  private next(turn: () => Promise<AgentTurn>): void {
    this.waiting++;
    this.work = this.work
      .then(async () => {
        this.waiting--;
        this.ended.signal.throwIfAborted();
        if (this.speech?.isLast !== true) await this.speak(await turn());
      })
      .catch((error: Error) => this.fail(error));
  }

  private async speak({ text, hasEnded: isLast, nodeId }: AgentTurn): Promise<void> {
    const isGreeting = this.speech === undefined;
    const speech: Speech = { isLast, sentences: [], isComplete: false };
    this.speech = speech;
    this.deps.log.info({ node: nodeId }, 'Speaks.');
    if (nodeId !== null) this.call.setMetadata({ pathway_node: nodeId });
    this.reportTools();
    for (const sentence of sentencesOf(text, this.deps.language)) {
      const samples = await this.deps.synthesis.speak(sentence, this.voice, this.ended.signal);
      if (this.speech !== speech) return;
      const isUnheard = speech.sentences.length === 0;
      // The caller has more to say: the next answer is to all of it.
      if (isUnheard && !isGreeting && !isLast && (this.turns.isActive || this.waiting > 0))
        return this.conversation!.interrupted('');
      const from = Math.max(this.frames, speech.sentences.at(-1)?.to ?? 0);
      speech.sentences.push({ text: sentence, from, to: from + samples.length / samplesPerPacket });
      this.call.send(octetsOf(this.call.facts, samples));
    }
    speech.isComplete = true;
    if (isLast) this.leave();
  }

  /** Tests by voice read there which webhooks were called. */
  private reportTools(): void {
    const { webhooks } = this.conversation!.progress();
    for (; this.reportedTools < Math.min(webhooks.length, mostReportedTools); this.reportedTools++) {
      const { node_id: name, arguments: given, status, error } = webhooks[this.reportedTools]!;
      const value = (all: object): string => JSON.stringify({ name, turn: this.callerTurns, ...all });
      const answered = { ...(status === null ? {} : { status }), ...(error === null ? {} : { error }) };
      const whole = value({ ...answered, ...(given === null ? {} : { arguments: given }) });
      this.call.setMetadata({
        [`tool_call.${this.reportedTools + 1}`]: whole.length <= 500 ? whole : value(answered).slice(0, 500),
      });
    }
  }

  /** The caller speaks or presses a key while the agent speaks. The last words before the end of the call are not interrupted. */
  private interrupt(): void {
    const { speech, frames } = this;
    if (speech === undefined || speech.isLast || speech.sentences.length === 0) return;
    if (speech.isComplete && speech.sentences.at(-1)!.to <= frames) return;
    this.speech = { isLast: false, sentences: [], isComplete: true };
    this.call.clear();
    this.conversation!.interrupted(heardOf(speech, frames));
  }

  private leave(): void {
    const target = this.conversation!.transferTarget;
    if (target === undefined) this.call.hangUp();
    else this.call.transfer(target);
  }

  private fail(error: Error): void {
    if (this.ended.signal.aborted) return;
    this.deps.log.warn({ error: error.message }, 'The agent hangs up.');
    this.call.hangUp();
  }

  private get voice() {
    return { language: this.deps.language, voice: this.call.facts.parameters.voice };
  }
}

/** Values of the variables that the document declares: the model never sees others, such as the token. */
function declaredValues(
  { settings }: PathwayDocument,
  { headers, parameters }: BotCall['facts'],
): Record<string, string> {
  const { token: _token, ...rest } = parameters;
  const given: Readonly<Record<string, string>> = { ...headers, ...rest };
  return Object.fromEntries(
    settings.variables.flatMap(({ name }) => (Object.hasOwn(given, name) ? [[name, given[name]!]] : [])),
  );
}

const sentencesOf = (text: string, language: string): string[] =>
  [...new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)].map(({ segment }) => segment);

/** The words that the caller has heard; of the sentence that was interrupted, its part in time. */
function heardOf({ sentences }: Speech, frame: number): string {
  return sentences
    .map(({ text, from, to }) => {
      const share = Math.min(1, Math.max(0, (frame - from) / (to - from)));
      return share === 1 ? text : text.slice(0, Math.floor(share * text.length)).replace(/\S*$/, '');
    })
    .join('')
    .trim();
}

type Encoding = Pick<BotCall['facts'], 'encoding' | 'sampleRate'>;

/** A frame of the caller as 16-bit samples at 8000 Hz. */
function samplesOf({ encoding, sampleRate: rate }: Encoding, frame: Buffer): Int16Array {
  if (encoding === 'mulaw') return decode('PCMU', frame);
  const samples = new Float32Array(frame.length >> 1);
  for (let index = 0; index < samples.length; index++) samples[index] = frame.readInt16LE(2 * index);
  return atRate(samples, rate, sampleRate);
}

/** Samples at 8000 Hz as the call takes them. */
function octetsOf({ encoding, sampleRate: rate }: Encoding, samples: Int16Array): Buffer {
  if (encoding === 'mulaw') return encode('PCMU', samples);
  const converted = atRate(Float32Array.from(samples), sampleRate, rate);
  const octets = Buffer.alloc(2 * converted.length);
  for (const [index, sample] of converted.entries()) octets.writeInt16LE(sample, 2 * index);
  return octets;
}
