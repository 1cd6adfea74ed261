import type { ChatLine } from '../schemas/scenario.js';
import type { CallerStep } from '../schemas/voice.js';
import { says, wordsOf } from './spoken-words.js';
import type { Caller, CallerTurn } from './tester.js';

/** A caller who presses keys, is silent or holds the call in the turns that its steps name, and speaks in the others. */
export class SteppingCaller implements Caller {
  private readonly steps: Set<CallerStep>;

  constructor(
    private readonly speaker: Caller,
    steps: readonly CallerStep[],
  ) {
    this.steps = new Set(steps);
  }

  async next(chat: readonly ChatLine[], signal: AbortSignal): Promise<CallerTurn | undefined> {
    const turn = chat.filter(({ role }) => role === 'user').length + 1;
    const last = chat.at(-1);
    const heard = last?.role === 'assistant' ? wordsOf(last.content) : '';
    for (const step of this.steps) {
      const isDue = step.turn === turn || (step.when_heard !== undefined && says([heard], step.when_heard));
      if (!isDue) continue;
      this.steps.delete(step);
      return { text: stepText(step), hangsUp: false, step };
    }
    return this.speaker.next(chat, signal);
  }
}

const seconds = (milliseconds: number): string => `${milliseconds / 1_000} s`;

/** What the transcript says of a step, and agents by text read; keys as the reference agent reads them by voice. */
export function stepText({ digits, silence_ms: silence, hold_ms: hold }: CallerStep): string {
  if (digits !== undefined) return `[keys pressed: ${digits.replaceAll('w', '')}]`;
  return silence === undefined ? `[on hold for ${seconds(hold!)}]` : `[silent for ${seconds(silence)}]`;
}
