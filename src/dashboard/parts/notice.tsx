import type { ComponentChildren, JSX } from 'preact';
import type { ApiFailure } from '../api/client.js';
import type { Resource } from '../api/resource.js';
import { repeatsTitle, titleOf } from './failure-title.js';
import { ago } from './format.js';
import { now } from './time.js';

export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children !== undefined && <div class="note">{children}</div>}
    </div>
  );
}

export function Problem({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="problem" role="alert">
      <p class="problem-title">{title}</p>
      {children}
    </div>
  );
}

/**
 * Names the request that failed.
 * @param isNamed whether its message is shown, which names it: that of a failure without faults
 */
export function RequestNote({
  failure: { faults, requestId },
  isNamed = faults.length === 0,
}: {
  failure: Pick<ApiFailure, 'faults' | 'requestId'>;
  isNamed?: boolean;
}): JSX.Element | null {
  if (isNamed || requestId === undefined) return null;
  return <p class="note">Request {requestId}</p>;
}

export function Loading({ what }: { what: string }): JSX.Element {
  return (
    <div class="loading" role="status">
      <p>Loading {what} …</p>
      <div class="skeleton" />
      <div class="skeleton" />
    </div>
  );
}

interface LoadedProps<Data> {
  readonly what: string;
  readonly from: Resource<Data>;
  readonly children: (data: Data) => ComponentChildren;
}

/** Renders the data of a resource, with its loading, error and stale states. */
export function Loaded<Data>({ what, from, children }: LoadedProps<Data>): JSX.Element {
  const { data, failure, at, reload, isLoading } = from;
  if (data === undefined && failure === undefined) return <Loading what={what} />;
  const retry = (
    <button type="button" class="small" onClick={reload} disabled={isLoading}>
      Try again
    </button>
  );
  return (
    <>
      {failure !== undefined && (
        <Problem
          title={
            data === undefined ? titleOf(what, failure) : `This is ${what} of ${ago(at ?? 0, now.value)}`
          }
        >
          {repeatsTitle(titleOf(what, failure), failure.text) ? (
            failure.requestId !== undefined && <p class="note">Request {failure.requestId}</p>
          ) : (
            <p>{failure.message}</p>
          )}
          {failure.status !== 404 && retry}
        </Problem>
      )}
      {data !== undefined && children(data)}
    </>
  );
}
