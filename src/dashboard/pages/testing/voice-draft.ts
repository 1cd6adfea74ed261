import type { Scenario } from '../../api/testing.js';

type Voice = NonNullable<Scenario['voice']>;

/** What the caller does in a turn, while it is edited. */
export interface StepDraft {
  /** The turn is used unless words are given. */
  readonly turn: number;
  readonly heard: string;
  readonly action: 'digits' | 'silence_ms' | 'hold_ms';
  readonly digits: string;
  readonly milliseconds: number;
}

export const emptyStep: StepDraft = { turn: 1, heard: '', action: 'digits', digits: '', milliseconds: 5_000 };

type Step = NonNullable<Voice['steps']>[number];

const stepDraft = ({ turn, when_heard: heard, digits, silence_ms, hold_ms }: Step): StepDraft => ({
  turn: turn ?? 1,
  heard: heard ?? '',
  action: digits !== undefined ? 'digits' : silence_ms !== undefined ? 'silence_ms' : 'hold_ms',
  digits: digits ?? '',
  milliseconds: silence_ms ?? hold_ms ?? emptyStep.milliseconds,
});

const stepBody = ({ turn, heard, action, digits, milliseconds }: StepDraft): Step => ({
  ...(heard.trim() === '' ? { turn } : { when_heard: heard.trim() }),
  [action]: action === 'digits' ? digits.trim() : milliseconds,
});

/** How a scenario is run as a call, while it is edited: empty texts are left to their defaults. */
export interface VoiceDraft {
  readonly destination: string;
  readonly language: string;
  readonly speaker: string;
  readonly speed: number;
  readonly steps: readonly StepDraft[];
  readonly callerNumber: string;
  readonly endOfTurn: number;
  readonly replyTimeout: number;
  readonly maximumDuration: number;
  readonly gain: number;
  /** Empty: none. */
  readonly noise: '' | 'babble' | 'street' | 'office';
  readonly noiseLevel: number;
  /** Per cent. */
  readonly loss: number;
  readonly jitter: number;
  readonly seed: number;
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
  speed: 1,
  steps: [],
  callerNumber: '',
  endOfTurn: 700,
  replyTimeout: 10_000,
  maximumDuration: 300,
  gain: 0,
  noise: '',
  noiseLevel: -40,
  loss: 0,
  jitter: 0,
  seed: 1,
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
        speed: voice.speed ?? 1,
        steps: (voice.steps ?? []).map(stepDraft),
        callerNumber: voice.caller_number ?? '',
        endOfTurn: voice.end_of_turn_ms,
        replyTimeout: voice.reply_timeout_ms,
        maximumDuration: voice.max_duration_seconds,
        gain: voice.conditions?.gain_db ?? emptyVoice.gain,
        noise: voice.conditions?.noise?.kind ?? emptyVoice.noise,
        noiseLevel: voice.conditions?.noise?.level_dbov ?? emptyVoice.noiseLevel,
        loss: Math.round((voice.conditions?.loss_share ?? 0) * 10_000) / 100,
        jitter: voice.conditions?.jitter_ms ?? emptyVoice.jitter,
        seed: voice.conditions?.seed ?? emptyVoice.seed,
        interrupts: voice.barge_in !== undefined,
        interruptedTurn: voice.barge_in?.turn ?? emptyVoice.interruptedTurn,
        interruptsAfter: voice.barge_in?.after_ms ?? emptyVoice.interruptsAfter,
        interruption: voice.barge_in?.text ?? '',
      };

const named = <Name extends string>(name: Name, text: string): { readonly [_ in Name]?: string } =>
  text.trim() === '' ? {} : ({ [name]: text.trim() } as { readonly [_ in Name]: string });

/** Left out where all are left to their defaults. */
function conditionsOf({
  gain,
  noise,
  noiseLevel,
  loss,
  jitter,
  seed,
}: VoiceDraft): Pick<Voice, 'conditions'> {
  if (gain === 0 && noise === '' && loss === 0 && jitter === 0) return {};
  return {
    conditions: {
      gain_db: gain,
      ...(noise === '' ? {} : { noise: { kind: noise, level_dbov: noiseLevel } }),
      loss_share: loss / 100,
      jitter_ms: jitter,
      seed,
    },
  };
}

/** What the API stores; null: all is left to the defaults. */
export function voiceBody(draft: VoiceDraft): Voice | null {
  if (JSON.stringify(draft) === JSON.stringify(emptyVoice)) return null;
  return {
    ...named('destination', draft.destination),
    language: draft.language.trim() || emptyVoice.language,
    ...named('speaker', draft.speaker),
    ...(draft.speed === 1 ? {} : { speed: draft.speed }),
    ...(draft.steps.length === 0 ? {} : { steps: draft.steps.map(stepBody) }),
    ...named('caller_number', draft.callerNumber),
    end_of_turn_ms: draft.endOfTurn,
    reply_timeout_ms: draft.replyTimeout,
    max_duration_seconds: draft.maximumDuration,
    ...conditionsOf(draft),
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
