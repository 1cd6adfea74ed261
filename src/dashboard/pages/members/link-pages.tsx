import type { JSX, TargetedSubmitEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { roleRights } from '../../api/members.js';
import { acceptInvitation, lookUpInvitation, type ShownInvitation, setPassword } from '../../api/session.js';
import { explainSignIn, rememberWay } from '../../frame/sign-in.js';

/** The token of a one-time link: the fragment, which no server has seen. */
const tokenOf = (): string => location.hash.slice(1);

const shortestPassword = 12;

function NewPassword({ label = 'New password' }: { label?: string }): JSX.Element {
  return (
    <>
      <label for="password">{label}</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="new-password"
        minLength={shortestPassword}
        maxLength={256}
        required
        aria-describedby="password-rule"
      />
      <p id="password-rule" class="note">
        At least {shortestPassword} characters of any kind. Several words are easy to remember.
      </p>
    </>
  );
}

/** `/join#…`: a person accepts an invitation. */
export function JoinPage(): JSX.Element {
  const [token] = useState(tokenOf);
  const [invitation, setInvitation] = useState<ShownInvitation | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    document.title = 'Invitation · Demarc';
    lookUpInvitation(token).then(setInvitation, (failure: ApiFailure) => setProblem(failure.message));
  }, [token]);
  const accept = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [name, password] = [String(form.get('name') ?? ''), String(form.get('password') ?? '')];
    setBusy(true);
    setProblem(undefined);
    acceptInvitation({ token, password, ...(name === '' ? {} : { name }) }).then(
      () => {
        rememberWay('password');
        // Without the token, which is used up, in the history.
        location.replace('/');
      },
      (failure: ApiFailure) => {
        setProblem(explainSignIn(failure));
        setBusy(false);
      },
    );
  };
  return (
    <main class="sign-in">
      <form onSubmit={accept}>
        <img src="/favicon.svg" alt="" width="40" height="40" />
        <h1>{invitation === undefined ? 'Invitation' : `Join ${invitation.organization}`}</h1>
        {invitation !== undefined && (
          <>
            <p>
              {invitation.invited_by} invites <b>{invitation.email}</b> as <b>{invitation.role}</b>:{' '}
              {roleRights[invitation.role]}.
            </p>
            {invitation.has_account ? (
              <>
                <label for="password">Password of your account</label>
                <input
                  id="password"
                  name="password"
                  type="password"
                  autocomplete="current-password"
                  required
                />
              </>
            ) : (
              <>
                <label for="name">Your name</label>
                <input id="name" name="name" autocomplete="name" required maxLength={100} />
                <input type="hidden" name="username" value={invitation.email} autocomplete="username" />
                <NewPassword label="Password" />
              </>
            )}
          </>
        )}
        {problem !== undefined && (
          <p class="field-problem" role="alert">
            {problem}
          </p>
        )}
        {invitation === undefined && problem !== undefined && (
          <p class="note">
            Invitations work once, for 72 hours. Ask the sender for a new one, or <a href="/">sign in</a> if
            you have accepted it already.
          </p>
        )}
        {invitation !== undefined && (
          <button type="submit" class="primary" disabled={isBusy}>
            {isBusy ? 'Joining …' : 'Join'}
          </button>
        )}
      </form>
    </main>
  );
}

/** `/reset#…`: a person sets a new password. */
export function ResetPage(): JSX.Element {
  const [token] = useState(tokenOf);
  const [email, setEmail] = useState<string | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  useEffect(() => {
    document.title = 'New password · Demarc';
  }, []);
  const save = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setProblem(undefined);
    const password = String(new FormData(event.currentTarget).get('password') ?? '');
    setPassword(token, password).then(
      (account) => {
        rememberWay('password');
        setEmail(account.email);
      },
      (failure: ApiFailure) => setProblem(failure.message),
    );
  };
  return (
    <main class="sign-in">
      <form onSubmit={save}>
        <img src="/favicon.svg" alt="" width="40" height="40" />
        <h1>Set a new password</h1>
        {email === undefined ? (
          <>
            <NewPassword />
            {problem !== undefined && (
              <p class="field-problem" role="alert">
                {problem}
              </p>
            )}
            <button type="submit" class="primary">
              Set password
            </button>
          </>
        ) : (
          <>
            <p role="status">The password of {email} is set. All earlier sessions have ended.</p>
            <a class="button" href="/">
              Sign in
            </a>
          </>
        )}
      </form>
    </main>
  );
}
