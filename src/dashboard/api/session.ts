import { computed, signal } from '@preact/signals';
import type * as api from '../../../clients/typescript/src/index.js';
import { ApiFailure, ask, demarc, onSignedOut } from './client.js';

export type Session = api.Session;

/** undefined: not known yet; null: signed out. */
export const session = signal<Session | null | undefined>(undefined);
export const isOperator = computed(() => session.value?.operator === true);
/** Why the last session ended, shown on the sign-in page. */
export const farewell = signal<string | undefined>(undefined);

export function endSession(reason: string): void {
  if (session.value !== null && session.value !== undefined) farewell.value = reason;
  session.value = null;
}

onSignedOut(() => endSession('Your session has ended. Sign in again to continue.'));

/** Checks whether a stored session is still valid. Throws `ApiFailure` when the API does not answer. */
export async function resumeSession(): Promise<void> {
  try {
    session.value = await ask(demarc.getSession(), { isSignIn: true });
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.status !== 401) throw failure;
    endSession('Your session has ended. Sign in again to continue.');
  }
}

/** Throws `ApiFailure`. */
export async function signIn(apiKey: string): Promise<void> {
  const begun = await ask(demarc.createSession({ api_key: apiKey }), { isSignIn: true });
  farewell.value = undefined;
  session.value = begun;
}

/** Throws `ApiFailure`; the session then remains valid. */
export async function signOut(): Promise<void> {
  await ask(demarc.deleteSession(), { isSignIn: true });
  farewell.value = 'You are signed out.';
  session.value = null;
}
