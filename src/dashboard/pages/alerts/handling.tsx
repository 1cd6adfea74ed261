import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import { type Alert, handleAlert } from '../../api/alerts.js';
import { may, whyNot } from '../../api/members.js';
import { now, When } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';

interface HandlingProps {
  readonly alert: Alert;
  readonly onChanged: () => void;
}

const muteMinutes = 60;

/** Who handles an alert, with a note for colleagues, and until when it is muted; buttons while it is active. */
export function Handling({ alert, onChanged }: HandlingProps): JSX.Element | null {
  const [isWriting, setWriting] = useState(false);
  const { isBusy, problem, follow } = useAction();
  const change = (handling: Parameters<typeof handleAlert>[1]): void =>
    follow(handleAlert(alert.alert_id, handling), () => {
      setWriting(false);
      onChanged();
    });
  const acknowledge = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget).get('note') ?? '').trim();
    change({ acknowledged: true, note: note === '' ? null : note });
  };
  const isMuted = alert.muted_until !== null && Date.parse(alert.muted_until) > now.value;
  const isActive = alert.state === 'active';
  const mayHandle = may('alerts:write');
  const reason = mayHandle ? undefined : whyNot.value;
  return (
    <div class="handling">
      {alert.acknowledged_at !== null && (
        <p class="note">
          Acknowledged by <b>{alert.acknowledged_by}</b> at <When at={alert.acknowledged_at} />
          {alert.note !== null && (
            <>
              : <Untrusted text={alert.note} />
            </>
          )}
        </p>
      )}
      {isMuted && (
        <p class="note">
          Muted until <When at={alert.muted_until!} />
          {alert.muted_by !== null && (
            <>
              {' '}
              by <b>{alert.muted_by}</b>
            </>
          )}
          : no notices.
        </p>
      )}
      {isActive && isWriting && (
        <form class="buttons" onSubmit={acknowledge}>
          <input
            name="note"
            aria-label="Note for colleagues"
            placeholder="Note for colleagues"
            maxLength={1_000}
            defaultValue={alert.note ?? ''}
          />
          <button type="submit" class="small primary" disabled={isBusy}>
            Acknowledge
          </button>
          <button type="button" class="small" onClick={() => setWriting(false)}>
            Cancel
          </button>
        </form>
      )}
      {isActive && !isWriting && (
        <div class="buttons">
          {alert.acknowledged_at === null ? (
            <button
              type="button"
              class="small"
              disabled={!mayHandle}
              title={reason}
              onClick={() => setWriting(true)}
            >
              Acknowledge …
            </button>
          ) : (
            <button
              type="button"
              class="small"
              disabled={isBusy || !mayHandle}
              title={reason}
              onClick={() => change({ acknowledged: false, note: null })}
            >
              Withdraw
            </button>
          )}
          <button
            type="button"
            class="small"
            disabled={isBusy || !mayHandle}
            title={reason}
            onClick={() => change({ mute_minutes: isMuted ? null : muteMinutes })}
          >
            {isMuted ? 'Unmute' : 'Mute for 1 h'}
          </button>
        </div>
      )}
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem.message}
        </p>
      )}
    </div>
  );
}
