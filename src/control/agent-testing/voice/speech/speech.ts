/** Speaks for the caller. Samples are 16-bit linear at 8000 Hz. */
export interface SpeechSynthesis {
  readonly kind: 'espeak-ng' | 'flite' | 'service' | 'tones';
  /**
   * Rejects with `RunFailure`, and with the signal's reason when it fires.
   * @param voice of the scenario; default: that of the service
   */
  speak(text: string, options: SpeechOptions, signal: AbortSignal): Promise<Int16Array>;
}

/** Understands the agent. */
export interface SpeechRecognition {
  readonly kind: 'service' | 'tones';
  /** Undefined: nothing was understood. Rejects as `speak` does. */
  understand(samples: Int16Array, options: SpeechOptions, signal: AbortSignal): Promise<string | undefined>;
}

export interface SpeechOptions {
  /** BCP 47. */
  readonly language: string;
  readonly voice: string | undefined;
  /** Default 1: the usual speed of the voice. */
  readonly speed?: number;
}

export const speechRate = 8_000;
