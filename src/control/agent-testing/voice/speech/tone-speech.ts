import { decodeTones, encodeTones } from '../../../../rtp/tone-code.js';
import type { SpeechRecognition, SpeechSynthesis } from './speech.js';

/** Longer lines would take minutes: 120 ms a character. */
const longest = 400;

/** The tone code of `demarc`'s demo agent: exact, and no speech. */
export const toneSynthesis: SpeechSynthesis = {
  kind: 'tones',
  speak: async (text) => encodeTones(text.replace(/[^\x20-\x7e]/g, '?').slice(0, longest)),
};

/** Understands the tone code alone. */
export const toneRecognition: SpeechRecognition = {
  kind: 'tones',
  understand: async (samples) => decodeTones(samples),
};
