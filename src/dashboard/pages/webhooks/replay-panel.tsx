import type { JSX, TargetedSubmitEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { may, whyNot } from '../../api/members.js';
import { send } from '../../api/request.js';
import { type Endpoint, replayOf } from '../../api/webhooks.js';
import { AsCurl } from '../../parts/as-curl.js';
import { count } from '../../parts/format.js';
import { Panel } from '../../parts/panel.js';

interface ReplayPanelProps {
  readonly endpoint: Endpoint;
  readonly onReplayed: () => void;
}

const windows = [
  [1, 'Last hour'],
  [24, 'Last 24 hours'],
  [72, 'Last 3 days'],
  [168, 'Last 7 days'],
  [720, 'Last 30 days'],
] as const;

/** Replays all failed deliveries of a time range. */
export function ReplayPanel({ endpoint, onReplayed }: ReplayPanelProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  const [message, setMessage] = useState<readonly [kind: 'good' | 'bad', text: string] | undefined>();
  const isAllowed = may('webhooks:write');
  const request = () => {
    const hours = Number(new FormData(form.current!).get('hours'));
    return replayOf(endpoint.webhook_id, new Date(Date.now() - hours * 3_600_000).toISOString());
  };
  const replay = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    send(request()).then(
      ({ replayed, is_complete }) => {
        setMessage([
          'good',
          `Replaying ${count(replayed, 'delivery', 'deliveries')}${is_complete ? '.' : '; repeat for more.'}`,
        ]);
        onReplayed();
      },
      (failure: ApiFailure) => setMessage(['bad', failure.message]),
    );
  };
  const isPossible = isAllowed && endpoint.enabled;
  return (
    <Panel
      title="Replay all failed"
      note="After an outage: sends every failed delivery again, oldest first, with the same body and event_id and a new signature."
    >
      <form class="plain-form" ref={form} onSubmit={replay}>
        <div class="buttons">
          <select name="hours" aria-label="Created in the" defaultValue="24">
            {windows.map(([hours, text]) => (
              <option key={hours} value={hours}>
                {text}
              </option>
            ))}
          </select>
          <button type="submit" disabled={!isPossible}>
            Replay all failed
          </button>
        </div>
        {!isPossible && <p class="note">{isAllowed ? 'Enable the endpoint first.' : whyNot.value}</p>}
        <p role="status" class={message?.[0] === 'bad' ? 'field-problem' : 'muted'}>
          {message?.[1]}
        </p>
        <AsCurl requests={() => [request()]} />
      </form>
    </Panel>
  );
}
