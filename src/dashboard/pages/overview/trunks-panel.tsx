import type { JSX } from 'preact';
import type { Summary } from '../../api/noc.js';
import { milliseconds } from '../../parts/format.js';
import { Empty } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { NamedState } from '../../parts/state.js';
import { Ago } from '../../parts/time.js';
import { trunkAddress } from '../../parts/trunk-address.js';
import { HourOfCalls, TrunkCallState } from '../trunks/trunk-calls.js';
import { reachability, TrunkNote } from '../trunks/trunk-note.js';

const shown = 6;

/** Trunks, those that need attention first. */
export function TrunksPanel({
  trunks,
  trunk_counts: counts,
  figures,
}: Pick<Summary, 'trunks' | 'trunk_counts' | 'figures'>): JSX.Element {
  const isKnown = figures.trunks.state !== 'unknown';
  return (
    <Panel
      title="Worst trunks"
      aside={
        <span class="figure">
          {isKnown &&
            `${counts.healthy} reachable, ${counts.unreachable} unreachable, ${counts.failing} failing`}
        </span>
      }
    >
      {!isKnown && <Empty title="Trunks unknown">PostgreSQL answers slowly or is down.</Empty>}
      {isKnown && trunks.length === 0 && (
        <Empty title="No numbers yet">
          <a class="button primary" href="/trunks/add">
            Add your first number
          </a>
        </Empty>
      )}
      <ul class="trunk-list">
        {trunks.slice(0, shown).map((trunk) => (
          <li key={trunk.phone_number}>
            <div>
              <a class="figure" href={trunkAddress(trunk.phone_number)}>
                <PhoneNumber text={trunk.phone_number} />
              </a>
              {trunk.endpoint !== null && <NamedState name={reachability(trunk)} />}
            </div>
            {trunk.calls.calls > 0 && (
              <div class="trunk-hour">
                <TrunkCallState {...trunk} />
                <HourOfCalls {...trunk} />
              </div>
            )}
            {trunk.cause !== null && <p class="note">{trunk.cause}</p>}
            <TrunkNote {...trunk} />
            {trunk.endpoint === null && trunk.registration === null && (
              <p class="note">Inbound only: no server to check.</p>
            )}
            {trunk.cause === null && trunk.endpoint !== null && (
              <p class="note breakable">
                {trunk.endpoint} <span class="figure">{milliseconds(trunk.response_time_ms)}</span>
                {trunk.checked_at !== null && (
                  <>
                    , <Ago at={trunk.checked_at} />
                  </>
                )}
              </p>
            )}
          </li>
        ))}
      </ul>
      {counts.total > shown && (
        <p>
          <a href="/trunks">All {counts.total} trunks</a>
        </p>
      )}
    </Panel>
  );
}
