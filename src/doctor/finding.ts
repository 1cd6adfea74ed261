/**
 * `ok`: as it should be. `warning`: works today, and will hurt. `problem`: calls fail, or will after the next restart. `skipped`: could
 * not be looked at; the text says why.
 */
export type Verdict = 'ok' | 'warning' | 'problem' | 'skipped';

export interface Finding {
  readonly verdict: Verdict;
  /** One sentence: what was found. */
  readonly text: string;
  /** One sentence: what to do. */
  readonly advice?: string;
}

export const ok = (text: string): Finding => ({ verdict: 'ok', text });
export const warning = (text: string, advice: string): Finding => ({ verdict: 'warning', text, advice });
export const problem = (text: string, advice: string): Finding => ({ verdict: 'problem', text, advice });
export const skipped = (text: string): Finding => ({ verdict: 'skipped', text });
