import type { JSX, TargetedSubmitEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiFailure } from '../api/client.js';
import { farewell, signIn } from '../api/session.js';

function explain(failure: unknown): string {
  if (!(failure instanceof ApiFailure)) return String(failure);
  if (failure.status === 401) return 'This key is unknown or revoked. Keys begin with sk-demarc-.';
  if (failure.status === 429)
    return `Too many attempts. Try again in ${failure.retryAfterSeconds ?? 60} seconds.`;
  return failure.message;
}

export function SignIn(): JSX.Element {
  const [problem, setProblem] = useState<string | undefined>();
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Sign in · Demarc';
    field.current?.focus();
  }, []);

  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const key = field.current?.value.trim() ?? '';
    if (key === '') {
      setProblem('Enter an API key.');
      field.current?.focus();
      return;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      await signIn(key);
    } catch (failure) {
      setProblem(explain(failure));
      setBusy(false);
      field.current?.focus();
    }
  };

  return (
    <main class="sign-in">
      <form onSubmit={submit} noValidate>
        <img src="/favicon.svg" alt="" width="40" height="40" />
        <h1>Sign in to Demarc</h1>
        {farewell.value !== undefined && (
          <p class="note" role="status">
            {farewell.value}
          </p>
        )}
        <label for="key">API key</label>
        <input
          id="key"
          ref={field}
          type="password"
          autocomplete="current-password"
          spellcheck={false}
          aria-describedby={problem === undefined ? 'key-help' : 'key-problem key-help'}
          aria-invalid={problem !== undefined}
        />
        {problem !== undefined && (
          <p id="key-problem" class="field-problem" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Signing in …' : 'Sign in'}
        </button>
        <p id="key-help" class="note">
          <code>npm start</code> prints a key of its demo organization; <code>demarc key create</code> creates
          others. The key is exchanged for a session cookie and is not stored in this browser.
        </p>
      </form>
    </main>
  );
}
