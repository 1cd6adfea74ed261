import type { JSX } from 'preact';
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { ladderOf } from '../../../contract/ladder.js';
import type { ApiFailure } from '../../api/client.js';
import { readSharedCall, type SharedCall } from '../../api/shares.js';
import { Icon } from '../../parts/icons.js';
import { Facts } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { LadderView } from '../call/ladder-view.js';
import { MessageView } from '../call/message-view.js';

/** `/shared-call#…`: what people outside the organization see of a call; the token is in the fragment. */
export function SharedCallPage(): JSX.Element {
  const [token] = useState(() => location.hash.slice(1));
  const [call, setCall] = useState<SharedCall | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  useEffect(() => {
    document.title = 'Shared call · Demarc';
    readSharedCall(token).then(setCall, (failure: ApiFailure) => setProblem(failure.message));
  }, [token]);
  return (
    <main class="shared-call">
      <h1>Shared call</h1>
      {problem !== undefined && <p role="alert">{problem}. Ask the sender for a new link.</p>}
      {call === undefined && problem === undefined && <p role="status">Loading …</p>}
      {call !== undefined && <Shown call={call} />}
    </main>
  );
}

function Shown({ call }: { call: SharedCall }): JSX.Element {
  const ladder = useMemo(() => ladderOf(call.trace, call.direction), [call]);
  const [selected, setSelected] = useState<string | undefined>();
  const messageId = useId();
  const step = ladder.steps.find(({ key }) => key === selected);
  return (
    <>
      <Facts
        rows={[
          ['Call-ID', <span class="figure breakable">{call.sip_call_ids.join(', ')}</span>],
          ['Direction', call.direction],
          ['From', <span class="figure">{call.from}</span>],
          ['To', <span class="figure">{call.to}</span>],
          ['Started', <When at={call.started_at} />],
          ['Answered', call.answered_at === null ? 'never' : <When at={call.answered_at} />],
          ['Ended', <When at={call.ended_at} />],
          ['Status', call.status ?? 'none'],
          ['Cause', call.cause],
          ['Link valid until', <When at={call.expires_at} />],
        ]}
      />
      <p class="buttons">
        <a class="button small" href={captureOf(call)} download="call.pcap">
          <Icon name="download" />
          <span>
            pcap<span class="unseen"> for Wireshark or sngrep</span>
          </span>
        </a>
      </p>
      <LadderView
        ladder={ladder}
        isTruncated={call.trace_truncated}
        isUnavailable={false}
        takeovers={[]}
        isFollowed={false}
        selected={selected}
        onSelect={setSelected}
        messageId={messageId}
        below={
          step && (
            <MessageView
              id={messageId}
              step={step}
              lanes={ladder.lanes}
              verdict={undefined}
              onClose={() => setSelected(undefined)}
            />
          )
        }
      />
    </>
  );
}

const captureOf = ({ pcap }: SharedCall): string => `data:application/vnd.tcpdump.pcap;base64,${pcap}`;
