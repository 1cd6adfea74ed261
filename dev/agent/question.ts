import { z } from 'zod';
import type { Logger } from '../../src/base/log.js';

/** What the agent asks its knowledge for each digit, as `--question` sets them. */
export type Questions = Readonly<Record<string, string>>;

export const usualQuestions: Questions = {
  '1': 'When are you open?',
  '2': 'How much does it cost?',
  '3': 'Where are you?',
};

export interface Knowledge {
  /** Base URL of the API. */
  readonly url: string;
  readonly questions: Questions;
}

const answerSchema = z.object({ data: z.object({ results: z.array(z.unknown()) }) });
/** On a busy machine the API, which comes after the calls, takes seconds. */
export const answerMilliseconds = 10_000;

/**
 * Searches the knowledge of a call with the call's token. Undefined: the digit asks nothing, or the call has no token.
 * Never rejects: a search that fails finds nothing.
 */
export async function ask(
  { url, questions }: Knowledge,
  { token, digit, log }: { readonly token: string | undefined; readonly digit: string; readonly log: Logger },
): Promise<'found' | 'nothing' | undefined> {
  const query = questions[digit];
  if (query === undefined || token === undefined) return undefined;
  try {
    const response = await fetch(new URL('/v1/knowledge/search', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-demarc-token': token },
      body: JSON.stringify({ query, limit: 1 }),
      signal: AbortSignal.timeout(answerMilliseconds),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const { results } = answerSchema.parse(await response.json()).data;
    log.info({ digit, query, passages: results.length }, 'Searched the knowledge of the call.');
    return results.length > 0 ? 'found' : 'nothing';
  } catch (error) {
    log.warn({ digit, error: (error as Error).message }, 'Searching the knowledge of the call failed.');
    return 'nothing';
  }
}
