import type { ComponentChildren, JSX, TargetedSubmitEvent } from 'preact';
import { useAction } from '../api/action.js';
import type { ApiFailure } from '../api/client.js';
import type { Scope } from '../api/keys.js';
import { type ApiRequest, send } from '../api/request.js';
import { FormEnd } from './form-end.js';

interface RequestFormProps<Data> {
  readonly class?: string;
  /** Its accessible name, where no heading gives it one. */
  readonly label?: string;
  readonly request: (fields: FormData) => ApiRequest<Data>;
  /** What the session must be allowed to send it. */
  readonly scope: Scope;
  readonly button: string;
  /** The refusal in the words of the page. */
  readonly problemOf?: (problem: ApiFailure) => string;
  readonly onSend?: () => void;
  readonly onSent: (data: Data, form: HTMLFormElement) => void;
  readonly children: ComponentChildren;
}

/** A form of one request: sends it, and shows how it is refused. */
export function RequestForm<Data>({
  class: className = 'plain-form',
  label,
  request,
  scope,
  button,
  problemOf = ({ refusal }) => refusal,
  onSend,
  onSent,
  children,
}: RequestFormProps<Data>): JSX.Element {
  const { isBusy, problem, follow } = useAction();
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    onSend?.();
    follow(send(request(new FormData(form))), (data) => onSent(data, form));
  };
  return (
    <form class={className} onSubmit={submit} aria-label={label}>
      {children}
      <FormEnd
        problem={problem && problemOf(problem)}
        scope={scope}
        button={button}
        isBusy={isBusy}
        request={request}
      />
    </form>
  );
}
