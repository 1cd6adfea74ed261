import type { Scenario } from '../../api/testing.js';

type Voice = NonNullable<Scenario['voice']>;

/** How a scenario is run as a call, while it is edited: empty texts are left to their defaults. */
export interface VoiceDraft {
  readonly destination: string;
  readonly language: string;
  readonly speaker: string;
  readonly callerNumber: string;
  readonly endOfTurn: number;
  readonly replyTimeout: number;
  readonly maximumDuration: number;
  readonly interrupts: boolean;
  /** Reply that is interrupted; 0: the greeting. */
  readonly interruptedTurn: number;
  readonly interruptsAfter: number;
  readonly interruption: string;
}

export const emptyVoice: VoiceDraft = {
  destination: '',
  language: 'en-US',
  speaker: '',
  callerNumber: '',
  endOfTurn: 700,
  replyTimeout: 10_000,
  maximumDuration: 300,
  interrupts: false,
  interruptedTurn: 0,
  interruptsAfter: 1_000,
  interruption: '',
};

export const voiceDraft = (voice: Voice | null): VoiceDraft =>
  voice === null
    ? emptyVoice
    : {
        destination: voice.destination ?? '',
        language: voice.language,
        speaker: voice.speaker ?? '',
        callerNumber: voice.caller_number ?? '',
        endOfTurn: voice.end_of_turn_ms,
        replyTimeout: voice.reply_timeout_ms,
        maximumDuration: voice.max_duration_seconds,
        interrupts: voice.barge_in !== undefined,
        interruptedTurn: voice.barge_in?.turn ?? emptyVoice.interruptedTurn,
        interruptsAfter: voice.barge_in?.after_ms ?? emptyVoice.interruptsAfter,
        interruption: voice.barge_in?.text ?? '',
      };

const named = <Name extends string>(name: Name, text: string): { readonly [_ in Name]?: string } =>
  text.trim() === '' ? {} : ({ [name]: text.trim() } as { readonly [_ in Name]: string });

/** What the API stores; null: all is left to the defaults. */
export function voiceBody(draft: VoiceDraft): Voice | null {
  if (JSON.stringify(draft) === JSON.stringify(emptyVoice)) return null;
  return {
    ...named('destination', draft.destination),
    language: draft.language.trim() || emptyVoice.language,
    ...named('speaker', draft.speaker),
    ...named('caller_number', draft.callerNumber),
    end_of_turn_ms: draft.endOfTurn,
    reply_timeout_ms: draft.replyTimeout,
    max_duration_seconds: draft.maximumDuration,
    ...(draft.interrupts
      ? {
          barge_in: {
            turn: draft.interruptedTurn,
            after_ms: draft.interruptsAfter,
            text: draft.interruption.trim(),
          },
        }
      : {}),
  };
}
