import type { ComponentChildren, JSX } from 'preact';
import type { ApiRequest } from '../../api/request.js';

export type Said = ApiRequest<{ readonly message: string }>;

export interface Actor {
  readonly isBusy: boolean;
  readonly lack: string | undefined;
  readonly act: (request: Said) => void;
}

interface ActionProps extends Actor {
  readonly request: Said;
  /** Why it cannot be done now. */
  readonly obstacle?: string | undefined;
  readonly children: ComponentChildren;
}

/** A button that sends a request about the call. */
export function Action({ request, isBusy, lack, obstacle, act, children }: ActionProps): JSX.Element {
  const why = lack ?? obstacle;
  return (
    <button type="button" disabled={isBusy || why !== undefined} title={why} onClick={() => act(request)}>
      {children}
    </button>
  );
}
