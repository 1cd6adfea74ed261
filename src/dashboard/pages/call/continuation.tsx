import type { JSX } from 'preact';
import type { CallDetail } from '../../api/calls.js';

const address = (callId: string): string => `/calls/${encodeURIComponent(callId)}`;

/** The other record of a call that began again at another edge. */
export function Continuation({
  call,
}: {
  call: Pick<CallDetail, 'continued_as' | 'continues'>;
}): JSX.Element | null {
  if (call.continued_as)
    return (
      <p>
        It continues as <a href={address(call.continued_as)}>another call</a>, which counts in its place.
      </p>
    );
  if (call.continues)
    return (
      <p>
        The caller rang first at <a href={address(call.continues)}>an edge that was lost</a>, and this edge
        began the call again. Both records count as one call.
      </p>
    );
  return null;
}
