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
  begin(await ask(demarc.createSession({ api_key: apiKey }), { isSignIn: true }));
}

const begin = (begun: Session): void => {
  farewell.value = undefined;
  session.value = begun;
};

/** Throws `ApiFailure`. */
export async function signInAsMember(email: string, password: string): Promise<void> {
  begin(await ask(demarc.signIn({ email, password }), { isSignIn: true }));
}

export type ShownInvitation = api.LookUpInvitationAnswer['data'];

/** Throws `ApiFailure`. */
export const lookUpInvitation = (token: string): Promise<ShownInvitation> =>
  ask(demarc.lookUpInvitation({ token }), { isSignIn: true });

/** Throws `ApiFailure`. */
export async function acceptInvitation(body: api.AcceptInvitationBody): Promise<void> {
  begin(await ask(demarc.acceptInvitation(body), { isSignIn: true }));
}

/** Whether this service can mail a link. Throws `ApiFailure`. */
export const requestReset = async (email: string): Promise<boolean> =>
  (await ask(demarc.requestPasswordReset({ email }), { isSignIn: true })).sends_mail;

/** Throws `ApiFailure`. */
export const setPassword = (token: string, password: string): Promise<{ email: string }> =>
  ask(demarc.setPassword({ token, password }), { isSignIn: true });

/** Throws `ApiFailure`; 401: the current password is wrong. */
export async function changePassword(current_password: string, password: string): Promise<void> {
  begin(await ask(demarc.changePassword({ current_password, password }), { isSignIn: true }));
}

/** Throws `ApiFailure`. */
export async function switchOrganization(organization_id: string): Promise<void> {
  begin(await ask(demarc.switchOrganization({ organization_id })));
}

/** Throws `ApiFailure`; the session then remains valid. */
export async function signOut(): Promise<void> {
  await ask(demarc.deleteSession(), { isSignIn: true });
  farewell.value = 'You are signed out.';
  session.value = null;
}
