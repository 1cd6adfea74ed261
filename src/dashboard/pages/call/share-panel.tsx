import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import { may, whyNot } from '../../api/members.js';
import { useResource } from '../../api/resource.js';
import { type CreatedShare, readShares, revokeShare, shareCall } from '../../api/shares.js';
import { Copy } from '../../parts/copy.js';
import { CreateLink } from '../../parts/create-link.js';
import { Panel } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';

const choices = [
  [24, '1 day'],
  [168, '7 days'],
  [720, '30 days'],
] as const;

/** A link to the ladder of an ended call for the support of a carrier, and the text for its ticket. */
export function SharePanel({ callId }: { callId: string }): JSX.Element {
  const [created, setCreated] = useState<CreatedShare | undefined>();
  const { isBusy, problem, follow } = useAction();
  const { data: shares, reload } = useResource(callId, (signal) => readShares(callId, signal));
  const isAllowed = may('calls:write');
  // Also after a refusal: another user may have revoked the link.
  const act = <Data,>(sent: Promise<Data>, done: (data: Data) => void): void =>
    follow(sent.finally(reload), done);
  const revoke = (shareId: string): void =>
    act(revokeShare(callId, shareId), () => {
      if (created?.share_id === shareId) setCreated(undefined);
    });
  return (
    <Panel
      title="Share with a carrier"
      note="A link to the SIP messages of the trunk’s leg, without bodies, numbers and names. It needs no sign-in."
    >
      <CreateLink
        choices={choices}
        isAllowed={isAllowed}
        isBusy={isBusy}
        onCreate={(hours) => act(shareCall(callId, hours), setCreated)}
      />
      {created !== undefined && (
        <div role="status">
          <p class="breakable figure">{created.url}</p>
          <div class="buttons">
            <Copy text={created.url} what="the link" label="Copy link" />
            <Copy text={created.ticket} what="the text for a ticket" label="Copy ticket text" />
          </div>
          <pre class="ticket">{created.ticket}</pre>
        </div>
      )}
      {shares !== undefined && shares.length > 0 && (
        <ul class="targets" aria-label="Valid links">
          {shares.map(({ share_id, created_by, created_at, expires_at }) => (
            <li key={share_id}>
              By <Untrusted text={created_by} />, <When at={created_at} />, valid until{' '}
              <When at={expires_at} />{' '}
              <button
                type="button"
                class="small"
                disabled={isBusy || !isAllowed}
                title={isAllowed ? undefined : whyNot.value}
                onClick={() => void revoke(share_id)}
              >
                Revoke
              </button>
            </li>
          ))}
        </ul>
      )}
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem.message}
        </p>
      )}
    </Panel>
  );
}
