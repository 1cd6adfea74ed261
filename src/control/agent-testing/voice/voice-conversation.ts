import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { SpeechStretch, SpokenLine, VoiceCallReport } from '../../../contract/voice-call.js';
import { findBySipCallId, readAgentMetadata, readTransfers } from '../../calls/index.js';
import type { Database } from '../../database/tables.js';
import {
  type AgentProgress,
  type AgentTurn,
  type Conversation,
  noProgress,
  notUnderstood,
  RunFailure,
  type TestSubject,
} from '../conversation/channel.js';
import type { ChatLine } from '../schemas/scenario.js';
import type { CallerStep, VoiceMeasurements, VoiceSettings } from '../schemas/voice.js';
import { Loudness } from './loudness.js';
import { measurementsOf } from './measured-call.js';
import { reportedBy } from './reported-tools.js';
import type { SpeechRecognition, SpeechSynthesis } from './speech/speech.js';
import type { VoiceCall } from './voice-call.js';

export interface VoiceConversationDeps {
  readonly call: VoiceCall;
  readonly voice: VoiceSettings;
  readonly synthesis: SpeechSynthesis;
  readonly recognition: SpeechRecognition;
  readonly database: Kysely<Database>;
  readonly subject: Pick<TestSubject, 'organizationId'>;
  readonly answerMilliseconds: number;
  /** Called once when the call is over. */
  readonly ended: () => void;
}

interface HeardTurn {
  readonly number: number;
  readonly stretch: SpeechStretch;
  readonly samples: Int16Array;
}

const endMilliseconds = 3_000;
/** The record of the call follows its end. */
const recordMilliseconds = 2_000;
const recordPollMilliseconds = 200;
/** An agent that does not answer this many lines in a row counts as gone. */
const longestSilence = 2;
/** Longest wait for one line; the call has its own limit. */
const longestLine = 120_000;

/** A conversation in an answered call: lines are spoken, the agent's turns are heard until it pauses. */
export class VoiceConversation implements Conversation {
  /** Turns that no reply contains yet. */
  private readonly waiting: HeardTurn[] = [];
  private readonly understood: { readonly number: number; readonly text: string | null }[] = [];
  private readonly lines = new Map<number, { readonly text: string; readonly isBargeIn: boolean }>();
  private readonly spoken = new Map<number, SpokenLine>();
  /** What the agent said before the caller's current line. */
  private readonly before: string[] = [];
  /** Number of the line that is to interrupt the agent. */
  private bargeIn: number | undefined;
  private readonly loudness = { agent: new Loudness(), caller: new Loudness() };
  private isAgentSpeaking = false;
  private isHeld = false;
  private callerTurns = 0;
  private silences = 0;
  private wake: () => void = () => {};
  private callId: string | null = null;
  /** Undefined: the record of the call is missing. */
  private transferredTo: string | null | undefined;

  /** What the agent reported about itself during the call. */
  private metadata: Readonly<Record<string, string>> = {};

  constructor(private readonly deps: VoiceConversationDeps) {
    const { call } = deps;
    const changed = (): void => this.wake();
    call.on('began', () => {
      this.isAgentSpeaking = true;
      changed();
    });
    call.on('turn', (stretch, samples, number) => {
      this.isAgentSpeaking = false;
      this.waiting.push({ number, stretch, samples });
      this.loudness.agent.add(samples);
      changed();
    });
    call.on('said', (line) => {
      this.spoken.set(line.line, line);
      changed();
    });
    call.on('held', (isHeld) => {
      this.isHeld = isHeld;
      changed();
    });
    call.on('ended', changed);
  }

  async greet(signal: AbortSignal): Promise<AgentTurn | undefined> {
    await this.prepareBargeIn(0, signal);
    return this.listen(0, signal);
  }

  async say(text: string, signal: AbortSignal): Promise<AgentTurn> {
    // Only a barge-in interrupts.
    await this.until(() => !this.isAgentSpeaking, longestLine, signal);
    if (text.trim() === '') return this.listen(0, signal);
    const line = await this.speak(text, signal);
    await this.prepareBargeIn(++this.callerTurns, signal);
    return this.listen(this.spoken.get(line)?.to ?? 0, signal);
  }

  async act(step: CallerStep, text: string, signal: AbortSignal): Promise<AgentTurn> {
    await this.until(() => !this.isAgentSpeaking, longestLine, signal);
    this.callerTurns++;
    if (step.digits !== undefined) return this.press(step.digits, text, signal);
    return step.hold_ms === undefined
      ? this.keepSilent(step.silence_ms!, signal)
      : this.holdCall(step.hold_ms, signal);
  }

  private async press(digits: string, text: string, signal: AbortSignal): Promise<AgentTurn> {
    const line = this.deps.call.press(digits);
    this.lines.set(line, { text, isBargeIn: false });
    await this.until(() => this.spoken.has(line), longestLine, signal);
    return this.listen(this.spoken.get(line)?.to ?? 0, signal);
  }

  /** Ends early when the agent speaks: it may ask whether the caller is still on the line. */
  private async keepSilent(milliseconds: number, signal: AbortSignal): Promise<AgentTurn> {
    await this.until(() => this.waiting.length > 0 || this.isAgentSpeaking, milliseconds, signal);
    return this.heardMeanwhile(signal);
  }

  private async holdCall(milliseconds: number, signal: AbortSignal): Promise<AgentTurn> {
    const { call } = this.deps;
    call.hold(true);
    await this.until(() => this.isHeld, longestLine, signal);
    await this.until(() => false, milliseconds, signal);
    call.hold(false);
    await this.until(() => !this.isHeld, longestLine, signal);
    return this.heardMeanwhile(signal);
  }

  /** What the agent said while the caller did not speak; it owes no reply. */
  private async heardMeanwhile(signal: AbortSignal): Promise<AgentTurn> {
    const { words } = await this.collect(signal);
    const { report } = this.deps.call;
    if (report?.ended_by === 'failed') throw failed(report);
    return {
      text: [...this.before.splice(0), ...words].join(' '),
      hasEnded: report !== undefined,
      latencyMilliseconds: null,
      nodeId: null,
      extracted: [],
    };
  }

  async hear(text: string, signal: AbortSignal): Promise<void> {
    await this.until(() => !this.isAgentSpeaking, longestLine, signal);
    await this.speak(text, signal);
  }

  /** Resolves once the line is spoken. @returns its number */
  private async speak(text: string, signal: AbortSignal): Promise<number> {
    const samples = await this.speech(text, signal);
    // What the agent said meanwhile does not answer the next line.
    this.before.push(...(await this.collect(signal)).words);
    const line = this.deps.call.say(samples);
    this.lines.set(line, { text, isBargeIn: false });
    await this.until(() => this.spoken.has(line), longestLine, signal);
    return line;
  }

  progress(chat: readonly ChatLine[]): AgentProgress {
    return { ...noProgress, ...reportedBy(this.metadata, chat), transferredTo: this.transferredTo };
  }

  get answerMilliseconds(): number {
    return this.deps.answerMilliseconds;
  }

  recording(): Buffer {
    return this.deps.call.recording;
  }

  hungUpBy(): 'agent' | 'test' {
    return this.deps.call.report?.ended_by === 'agent' ? 'agent' : 'test';
  }

  async end(): Promise<void> {
    const { call, ended } = this.deps;
    call.hangUp();
    try {
      await this.until(() => call.report !== undefined, endMilliseconds).catch(() => {});
      await this.understandRest();
      this.callId = await this.findCall(call.report).catch(() => null);
      if (this.callId !== null) {
        this.transferredTo = await this.findTransfer(this.callId).catch(() => undefined);
        this.metadata = await this.findMetadata(this.callId).catch(() => this.metadata);
      }
    } finally {
      ended();
    }
  }

  measurements(): VoiceMeasurements {
    const { call, synthesis, recognition } = this.deps;
    const { report } = call;
    if (report === undefined) throw new RunFailure('The call did not end within 3 s of the hang-up.');
    if (report.ended_by === 'failed') throw failed(report);
    const said = {
      lines: this.lines,
      turns: this.understood,
      loudness: { agent: this.loudness.agent.dBov, caller: this.loudness.caller.dBov },
      speech: synthesis.kind,
      transcription: recognition.kind,
    };
    return measurementsOf(report, said, this.callId);
  }

  /**
   * The agent's words until it pauses.
   * @param after end of the caller's line, milliseconds since the answer
   */
  private async listen(after: number, signal: AbortSignal): Promise<AgentTurn> {
    const { call, voice } = this.deps;
    await this.until(() => this.waiting.length > 0 || this.isAgentSpeaking, voice.reply_timeout_ms, signal);
    const { words, from } = await this.collect(signal);
    if (this.bargeIn !== undefined && this.spoken.has(this.bargeIn)) {
      // The reply to the interruption.
      this.bargeIn = undefined;
      await this.until(() => this.waiting.length > 0 || this.isAgentSpeaking, voice.reply_timeout_ms, signal);
      words.push(...(await this.collect(signal)).words);
    }
    const { report } = call;
    if (report?.ended_by === 'failed') throw failed(report);
    this.silences = words.length === 0 ? this.silences + 1 : 0;
    return {
      text: [...this.before.splice(0), ...words].join(' '),
      hasEnded: report !== undefined || this.silences >= longestSilence,
      latencyMilliseconds: from === undefined || from < after ? null : from - after,
      nodeId: null,
      extracted: [],
    };
  }

  /** Transcribes the turns that no reply contains yet, once the agent is silent. */
  private async collect(
    signal: AbortSignal,
  ): Promise<{ readonly words: string[]; readonly from: number | undefined }> {
    const words: string[] = [];
    let from: number | undefined;
    await this.until(() => !this.isAgentSpeaking, longestLine, signal);
    for (let turn = this.waiting.shift(); turn !== undefined; turn = this.waiting.shift()) {
      from ??= turn.stretch.from;
      words.push((await this.understand(turn, signal)) ?? notUnderstood);
      // The agent may say more during the transcription.
      await this.until(() => !this.isAgentSpeaking, longestLine, signal);
    }
    return { words, from };
  }

  private async understand({ number, samples }: HeardTurn, signal: AbortSignal): Promise<string | undefined> {
    const text = await this.deps.recognition.understand(samples, this.options, signal);
    this.understood.push({ number, text: text ?? null });
    return text;
  }

  /** Transcribes the last turns, for the timeline only. */
  private async understandRest(): Promise<void> {
    const signal = AbortSignal.timeout(endMilliseconds);
    for (const turn of this.waiting.splice(0)) {
      await this.understand(turn, signal).catch(() =>
        this.understood.push({ number: turn.number, text: null }),
      );
    }
  }

  private async speech(text: string, signal: AbortSignal): Promise<Int16Array> {
    const samples = await this.deps.synthesis.speak(text, this.options, signal);
    this.loudness.caller.add(samples);
    return samples;
  }

  private get options() {
    const { language, speaker, speed = 1 } = this.deps.voice;
    return { language, voice: speaker, speed };
  }

  /** The line that interrupts the reply to that turn is ready before the reply begins. */
  private async prepareBargeIn(turn: number, signal: AbortSignal): Promise<void> {
    const { barge_in: bargeIn } = this.deps.voice;
    if (bargeIn?.turn !== turn) return;
    const line = this.deps.call.say(await this.speech(bargeIn.text, signal), bargeIn.after_ms);
    this.lines.set(line, { text: bargeIn.text, isBargeIn: true });
    this.bargeIn = line;
  }

  /** Waits until the condition holds, the call has ended, or the time is over; rejects when the signal fires. */
  private until(condition: () => boolean, milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const isDone = (): boolean => condition() || this.deps.call.report !== undefined;
    if (isDone()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.wake = () => {};
        settle();
      };
      const abort = (): void => finish(() => reject(signal?.reason));
      const timer = setTimeout(() => finish(resolve), milliseconds);
      signal?.addEventListener('abort', abort, { once: true });
      this.wake = () => {
        if (isDone()) finish(resolve);
      };
    });
  }

  private async findTransfer(callId: string): Promise<string | null> {
    const { database, subject } = this.deps;
    const transfers = await readTransfers(database, subject.organizationId, callId);
    return transfers.findLast(({ status }) => status === 'completed')?.target ?? null;
  }

  private findMetadata(callId: string): Promise<Readonly<Record<string, string>>> {
    const { database, subject } = this.deps;
    return readAgentMetadata(database, subject.organizationId, callId);
  }

  private async findCall(report: VoiceCallReport | undefined): Promise<string | null> {
    const { database, subject } = this.deps;
    if (report === undefined) return null;
    for (let waited = 0; waited < recordMilliseconds; waited += recordPollMilliseconds) {
      const found = await findBySipCallId(database, subject.organizationId, report.sip_call_id);
      if (found !== undefined) return found;
      await sleep(recordPollMilliseconds);
    }
    return null;
  }
}

const failed = ({ detail }: VoiceCallReport): RunFailure =>
  new RunFailure(`The call failed: ${detail ?? 'no reason is known'}`);
