import type { JSX, TargetedSubmitEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiFailure } from '../api/client.js';
import { farewell, requestReset, signIn, signInAsMember } from '../api/session.js';
import { storedText, storeText } from '../parts/browser-storage.js';
import { Choice } from '../parts/choice.js';

const ways = [
  ['key', 'With a key'],
  ['password', 'With a password'],
] as const;
type Way = (typeof ways)[number][0];

/** The way in which this browser was last signed in; nothing else of the sign-in is stored. */
const storedWay = 'demarc-sign-in';

const rememberedWay = (): Way => (storedText(storedWay) === 'password' ? 'password' : 'key');

export const rememberWay = (way: Way): void => storeText(storedWay, way);

export function explainSignIn(failure: unknown): string {
  if (!(failure instanceof ApiFailure)) return String(failure);
  if (failure.status === 429)
    return `Too many attempts. Try again in ${failure.retryAfterSeconds ?? 60} seconds.`;
  if (failure.code === 'WRONG_PASSWORD') return 'The email address or the password is wrong.';
  if (failure.status === 401) return 'This key is unknown or revoked. Keys begin with sk-demarc-.';
  return failure.message;
}

export function SignIn(): JSX.Element {
  const [way, setWay] = useState(rememberedWay);
  useEffect(() => {
    document.title = 'Sign in · Demarc';
  }, []);
  return (
    <main class="sign-in">
      <SignInForm key={way} way={way} onWay={setWay} />
    </main>
  );
}

function SignInForm({ way, onWay }: { way: Way; onWay: (way: Way) => void }): JSX.Element {
  const [problem, setProblem] = useState<string | undefined>();
  const [isBusy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);

  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const value = (name: string): string => String(form.get(name) ?? '');
    const key = value('key').trim();
    const missing =
      way === 'key'
        ? key === '' && 'Enter an API key.'
        : (value('email').trim() === '' || value('password') === '') && 'Enter email and password.';
    if (missing !== false) {
      setProblem(missing);
      first.current?.focus();
      return;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      await (way === 'key' ? signIn(key) : signInAsMember(value('email').trim(), value('password')));
      rememberWay(way);
    } catch (failure) {
      setProblem(explainSignIn(failure));
      setBusy(false);
      first.current?.focus();
    }
  };

  const described = { 'aria-describedby': problem === undefined ? undefined : 'sign-in-problem' };
  return (
    <form onSubmit={submit} noValidate>
      <img src="/favicon.svg" alt="" width="40" height="40" />
      <h1>Sign in to Demarc</h1>
      {farewell.value !== undefined && (
        <p class="note" role="status">
          {farewell.value}
        </p>
      )}
      <Choice label="Sign in with" value={way} options={ways} onChange={onWay} />
      {way === 'key' ? (
        <>
          <label for="key">API key</label>
          <input
            id="key"
            name="key"
            ref={first}
            type="password"
            spellcheck={false}
            {...described}
            autocomplete="off"
            aria-invalid={problem !== undefined}
          />
        </>
      ) : (
        <>
          <label for="email">Email</label>
          <input
            id="email"
            name="email"
            ref={first}
            type="email"
            spellcheck={false}
            {...described}
            autocomplete="username"
            aria-invalid={problem !== undefined}
          />
          <label for="password">Password</label>
          <input id="password" name="password" type="password" autocomplete="current-password" />
        </>
      )}
      {problem !== undefined && (
        <p id="sign-in-problem" class="field-problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="primary" disabled={isBusy}>
        {isBusy ? 'Signing in …' : 'Sign in'}
      </button>
      {way === 'key' ? (
        <p class="note">
          <code>npm start</code> prints a key of its demo organization; <code>demarc key create</code> creates
          others. The key is exchanged for a session cookie and is not stored in this browser.
        </p>
      ) : (
        <Forgotten emailOf={() => first.current?.value.trim() ?? ''} />
      )}
    </form>
  );
}

function Forgotten({ emailOf }: { emailOf: () => string }): JSX.Element {
  const [message, setMessage] = useState('');
  const request = async (): Promise<void> => {
    const email = emailOf();
    if (email === '') return setMessage('Enter your email first.');
    await requestReset(email).then(
      (isSent) =>
        setMessage(
          isSent
            ? 'If the address has an account, a link is on its way. It works once, for two hours.'
            : 'This service does not send mail. Ask an owner of your organization for a reset link.',
        ),
      (failure: ApiFailure) => setMessage(explainSignIn(failure)),
    );
  };
  return (
    <>
      <button type="button" class="bare small" onClick={() => void request()}>
        Forgot the password?
      </button>
      <p class="note" role="status">
        {message === ''
          ? 'Owners invite people under Members. An invitation is a link to set a password.'
          : message}
      </p>
    </>
  );
}
