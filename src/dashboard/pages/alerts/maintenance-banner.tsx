import type { JSX } from 'preact';
import { readWindows } from '../../api/maintenance.js';
import { useResource } from '../../api/resource.js';
import { When } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';

const everyMilliseconds = 60_000;

/** The maintenance windows that are open now, for one number or for all of them. */
export function MaintenanceBanner({ phoneNumber }: { phoneNumber?: string }): JSX.Element | null {
  const windows = useResource(
    `open windows ${phoneNumber ?? ''}`,
    (signal) => readWindows({ open: true, phone_number: phoneNumber }, signal),
    { everyMilliseconds },
  );
  if (windows.data === undefined || windows.data.length === 0) return null;
  return (
    <div class="problem mild" role="status">
      {windows.data.map((maintenance) => (
        <p key={maintenance.window_id}>
          <strong>
            Maintenance: <Untrusted text={maintenance.name} />
          </strong>{' '}
          {maintenance.ends_at !== null && (
            <>
              until <When at={maintenance.ends_at} />
            </>
          )}
          {phoneNumber === undefined &&
            maintenance.phone_number !== null &&
            ` for ${maintenance.phone_number}`}
          {phoneNumber === undefined && maintenance.trunk_id !== null && ` for trunk ${maintenance.trunk_id}`}
          . Its alerts are recorded, not sent. <a href="/alerts/maintenance">Maintenance windows</a>
        </p>
      ))}
    </div>
  );
}
