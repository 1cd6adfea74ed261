import { computed, signal } from '@preact/signals';
import type * as api from '../../../clients/typescript/src/index.js';
import { ApiFailure, ask, demarc, onSignedOut } from './client.js';

export type Session = api.Session;

/** undefined: not known yet; null: signed out. */
export const session = signal<Session | null | undefined>(undefined);
export const isOperator = computed(() => session.value?.operator === true);
/** Why the last session ended, shown on the sign-in page. */
export const farewell = signal<string | undefined>(undefined);

/** Requests that replace the session: until their answer is read, the browser has the cookie of the former one. */
const replacing = new Set<Promise<Session>>();

/** Checks whether the browser's session is valid, and ends it if not. Throws `ApiFailure` when the API does not answer. */
export async function resumeSession(): Promise<void> {
  await Promise.allSettled(replacing);
  try {
    session.value = await ask(demarc.getSession(), { isSignIn: true });
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.status !== 401) throw failure;
    if (session.value !== null && session.value !== undefined)
      farewell.value = 'Your session has ended. Sign in again to continue.';
    session.value = null;
  }
}

let isResuming = false;
// The request that was refused may have carried the cookie of a session that was replaced meanwhile, by this page or another of the browser.
onSignedOut(() => {
  if (isResuming) return;
  isResuming = true;
  resumeSession()
    // What the API does not answer now, a later request asks again.
    .catch(() => {})
    .finally(() => {
      isResuming = false;
    });
});

async function begin(asked: Promise<Session>): Promise<void> {
  replacing.add(asked);
  try {
    const begun = await asked;
    farewell.value = undefined;
    session.value = begun;
  } finally {
    replacing.delete(asked);
  }
}

/** Throws `ApiFailure`. */
export const signIn = (apiKey: string): Promise<void> =>
  begin(ask(demarc.createSession({ api_key: apiKey }), { isSignIn: true }));

/** Throws `ApiFailure`. */
export const signInAsMember = (email: string, password: string): Promise<void> =>
  begin(ask(demarc.signIn({ email, password }), { isSignIn: true }));

export type ShownInvitation = api.LookUpInvitationAnswer['data'];

/** Throws `ApiFailure`. */
export const lookUpInvitation = (token: string): Promise<ShownInvitation> =>
  ask(demarc.lookUpInvitation({ token }), { isSignIn: true });

/** Throws `ApiFailure`. */
export const acceptInvitation = (body: api.AcceptInvitationBody): Promise<void> =>
  begin(ask(demarc.acceptInvitation(body), { isSignIn: true }));

/** Whether this service can mail a link. Throws `ApiFailure`. */
export const requestReset = async (email: string): Promise<boolean> =>
  (await ask(demarc.requestPasswordReset({ email }), { isSignIn: true })).sends_mail;

/** Throws `ApiFailure`. */
export const setPassword = (token: string, password: string): Promise<{ email: string }> =>
  ask(demarc.setPassword({ token, password }), { isSignIn: true });

/** Throws `ApiFailure`; 401: the current password is wrong. */
export const changePassword = (current_password: string, password: string): Promise<void> =>
  begin(ask(demarc.changePassword({ current_password, password }), { isSignIn: true }));

/** Throws `ApiFailure`. */
export const switchOrganization = (organization_id: string): Promise<void> =>
  begin(ask(demarc.switchOrganization({ organization_id })));

/** Throws `ApiFailure`; the session then remains valid. */
export async function signOut(): Promise<void> {
  await ask(demarc.deleteSession(), { isSignIn: true });
  farewell.value = 'You are signed out.';
  session.value = null;
}
