import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import { ownKeys } from '../../api/keys.js';
import { may } from '../../api/members.js';
import { send } from '../../api/request.js';
import { Copy } from '../../parts/copy.js';
import { CreateLink } from '../../parts/create-link.js';
import { Panel } from '../../parts/panel.js';
import { When } from '../../parts/time.js';

const choices = [
  [12, '12 hours'],
  [24, '1 day'],
  [168, '7 days'],
  [720, '30 days'],
] as const;

/** A read-only link for a screen on the wall: an API key with one scope, in the fragment, which browsers send to no server. */
export function ScreenLinkPanel(): JSX.Element {
  const [created, setCreated] = useState<{ readonly url: string; readonly until: string } | undefined>();
  const { isBusy, problem, follow } = useAction();
  const isAllowed = may('keys:write');
  const create = (hours: number): void => {
    const until = new Date(Date.now() + hours * 3_600_000).toISOString();
    follow(send(ownKeys.keyOf({ name: 'NOC screen', scopes: ['noc:read'], expires_at: until })), ({ key }) =>
      setCreated({ url: `${location.origin}/screen#${key}`, until }),
    );
  };
  return (
    <Panel
      title="Link for a screen"
      note="Shows verdict, figures and incidents of this organization, and changes nothing. Open it in the browser of the screen, which it signs in."
    >
      <CreateLink choices={choices} isAllowed={isAllowed} isBusy={isBusy} onCreate={create} />
      {created !== undefined && (
        <div role="status">
          <p class="breakable figure">{created.url}</p>
          <Copy text={created.url} what="the link for a screen" label="Copy link" />
          <p class="note">
            Valid until <When at={created.until} />. <a href="/setup/keys">API keys</a> lists it as “NOC
            screen”, and can revoke it.
          </p>
        </div>
      )}
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem.message}
        </p>
      )}
    </Panel>
  );
}
