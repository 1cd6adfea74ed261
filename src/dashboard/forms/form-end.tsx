import type { JSX } from 'preact';
import type { Scope } from '../api/keys.js';
import type { ApiRequest } from '../api/request.js';
import { AsCurl } from '../parts/as-curl.js';
import { lackOf } from './lack.js';

interface FormEndProps {
  /** What was refused. */
  readonly problem: string | undefined;
  /** What the session must be allowed to send it. */
  readonly scope: Scope;
  readonly button: string;
  readonly isBusy: boolean;
  readonly request: (fields: FormData) => ApiRequest;
}

/** The end of a form of one request: what was refused, why it cannot be sent, its button, the request as curl. */
export function FormEnd({ problem, scope, button, isBusy, request }: FormEndProps): JSX.Element {
  const refusal = lackOf(scope);
  return (
    <>
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
      {refusal !== undefined && <p class="note">{refusal}</p>}
      <div class="buttons">
        <button type="submit" class="primary" disabled={refusal !== undefined || isBusy}>
          {button}
        </button>
      </div>
      <AsCurl requests={(fields) => [request(fields)]} />
    </>
  );
}
