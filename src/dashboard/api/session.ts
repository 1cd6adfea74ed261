import { computed, signal } from '@preact/signals';
import * as z from 'zod/mini';
import { ApiFailure, ask, onSignedOut } from './client.js';

const sessionSchema = z.object({
  organization: z.object({ id: z.string(), name: z.string(), sip_enabled: z.boolean() }),
  key: z.object({ id: z.string(), name: z.string(), prefix: z.string() }),
  operator: z.boolean(),
  expires_at: z.nullable(z.string()),
});
export type Session = z.infer<typeof sessionSchema>;

/** undefined: not known yet; null: signed out. */
export const session = signal<Session | null | undefined>(undefined);
export const isOperator = computed(() => session.value?.operator === true);
/** Why the last session ended, for the page where one signs in. */
export const farewell = signal<string | undefined>(undefined);

export function endSession(reason: string): void {
  if (session.value !== null && session.value !== undefined) farewell.value = reason;
  session.value = null;
}

onSignedOut(() => endSession('Your session has ended. Sign in again to go on where you were.'));

/** Finds out whether a session from before is still good. Throws `ApiFailure` when nobody answers. */
export async function resumeSession(): Promise<void> {
  try {
    session.value = await ask(sessionSchema, '/v1/session');
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.status !== 401) throw failure;
    endSession('Your session has ended. Sign in again to go on where you were.');
  }
}

/** Throws `ApiFailure`. */
export async function signIn(apiKey: string): Promise<void> {
  const begun = await ask(sessionSchema, '/v1/session', { method: 'POST', body: { api_key: apiKey } });
  farewell.value = undefined;
  session.value = begun;
}

/** Throws `ApiFailure`; then the session still stands. */
export async function signOut(): Promise<void> {
  await ask(z.unknown(), '/v1/session', { method: 'DELETE' });
  farewell.value = 'You are signed out.';
  session.value = null;
}
