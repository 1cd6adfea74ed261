import type { JSX } from 'preact';
import type { LiveCall } from '../../api/noc.js';
import { capitalized } from '../../parts/format.js';
import { Facts, Panel } from '../../parts/panel.js';
import { NamedState } from '../../parts/state.js';
import { Suite } from '../../parts/suite.js';
import { ClockTime, Elapsed } from '../../parts/time.js';

/** An active call of another organization, with the data from the fleet view. */
export function LiveCallView({ call }: { call: LiveCall }): JSX.Element {
  const notYet = <span class="muted">not yet</span>;
  return (
    <Panel title="Now" note="Only keys of its organization can see its SIP messages and media statistics.">
      <p class="live-line" role="status">
        <NamedState name={call.state} />
      </p>
      <Facts
        rows={[
          ['Duration', <Elapsed since={call.started_at} />],
          ['Began', <ClockTime at={call.started_at} />],
          ['Ringing', call.ringing_at === null ? notYet : <ClockTime at={call.ringing_at} />],
          ['Answered', call.answered_at === null ? notYet : <ClockTime at={call.answered_at} />],
          ['From', <span class="mono breakable">{call.from}</span>],
          ['To', <span class="mono breakable">{call.to}</span>],
          ['Number', <span class="figure">{call.phone_number ?? 'unknown'}</span>],
          ['Direction', capitalized(call.direction)],
          [
            'Trunk address',
            <span class="figure">
              {call.trunk.address === ''
                ? notYet
                : `${call.trunk.address} ${call.trunk.protocol.toUpperCase()}`}
            </span>,
          ],
          ['Codec', call.media?.codec ?? notYet],
          ['SRTP suite', call.media?.srtp_suite ? <Suite name={call.media.srtp_suite} /> : notYet],
        ]}
      />
    </Panel>
  );
}
