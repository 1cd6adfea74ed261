import type { JSX } from 'preact';
import type { TrunkSummary } from '../../api/noc.js';
import { State } from '../../parts/state.js';

/** A server that answers OPTIONS is reachable; whether its calls succeed is said beside it. */
export const reachability = ({ status }: Pick<TrunkSummary, 'status'>): string =>
  status === 'healthy' ? 'reachable' : status;

const registrationWords: Readonly<Record<string, string>> = {
  failed: 'Registration failed',
  unregistered: 'Not registered with the PBX',
  registering: 'Registering with the PBX',
  registered: 'Registered with the PBX',
  unknown: 'Registration unknown: Redis is down',
};

const isBad = (registration: string | null): boolean =>
  registration === 'failed' || registration === 'unregistered';

/** Details that the trunk status does not include: single unreachable servers and the registration. */
export function TrunkNote({
  status,
  servers,
  registration,
}: Pick<TrunkSummary, 'status' | 'servers' | 'registration'>): JSX.Element | null {
  const isReduced = status === 'healthy' && servers.unreachable > 0;
  if (!isReduced && registration === null) return null;
  const words = registration === null ? undefined : (registrationWords[registration] ?? registration);
  return (
    <>
      {isReduced && (
        <span class="trunk-note">
          <State tone="warn">{`${servers.unreachable} of ${servers.total} servers unreachable`}</State>
        </span>
      )}
      {words !== undefined && (
        <span class="trunk-note">
          {isBad(registration) ? <State tone="bad">{words}</State> : <span class="muted">{words}</span>}
        </span>
      )}
    </>
  );
}
