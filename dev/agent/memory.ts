import { z } from 'zod';
import type { Logger } from '../../src/base/log.js';
import { answerMilliseconds } from './question.js';

/** What the agent needs to remember the other party of a call. */
export interface Remembering {
  /** Base URL of the API. */
  readonly url: string;
  /** `X-Demarc-Contact` and `X-Demarc-Token` of the call; undefined: the party has no number, or the service no key. */
  readonly contact: string | undefined;
  readonly token: string | undefined;
  readonly log: Logger;
}

const memorySchema = z.object({ facts: z.record(z.string(), z.unknown()) });
const contactSchema = z.object({ data: z.object({ memories: z.array(memorySchema) }) });

/** The digit that asks the agent to remember the caller. */
export const rememberDigit = '0';

/**
 * Counts the call in the contact's memory, with the call's token. Undefined: the call has no contact or no token. Never rejects:
 * what fails is `nothing`.
 */
export async function rememberCall({
  url,
  contact,
  token,
  log,
}: Remembering): Promise<'found' | 'nothing' | undefined> {
  if (contact === undefined || token === undefined) return undefined;
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(new URL(`/v1/contacts/${contact}${path}`, url), {
      method: body === undefined ? 'GET' : 'PATCH',
      headers: {
        'x-demarc-token': token,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerMilliseconds),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return response.json();
  };
  try {
    const { memories } = contactSchema.parse(await ask('')).data;
    const calls = Math.max(0, ...memories.map(({ facts }) => Number(facts.calls ?? 0))) + 1;
    await ask('/memory', {
      summary: `Has called the demo agent ${calls === 1 ? 'once' : `${calls} times`}.`,
      facts: { calls },
      messages: [{ role: 'assistant', content: `Played a tone in call ${calls}.` }],
    });
    log.info({ contact, calls }, 'Remembered the caller.');
    return 'found';
  } catch (error) {
    log.warn({ contact, error: (error as Error).message }, 'Remembering the caller failed.');
    return 'nothing';
  }
}
