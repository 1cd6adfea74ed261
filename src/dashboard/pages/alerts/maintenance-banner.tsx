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
      {windows.data.map((one) => (
        <p key={one.window_id}>
          <strong>
            Maintenance: <Untrusted text={one.name} />
          </strong>{' '}
          {one.ends_at !== null && (
            <>
              until <When at={one.ends_at} />
            </>
          )}
          {phoneNumber === undefined && one.phone_number !== null && ` for ${one.phone_number}`}
          {phoneNumber === undefined && one.trunk_id !== null && ` for trunk ${one.trunk_id}`}. Its alerts are
          recorded, not sent. <a href="/alerts/maintenance">Maintenance windows</a>
        </p>
      ))}
    </div>
  );
}
