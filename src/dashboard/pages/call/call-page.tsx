import type { JSX } from 'preact';
import { useRoute } from 'preact-iso';
import { type CallDetail, captureAddress, transcriptAddress } from '../../api/calls.js';
import { ApiFailure } from '../../api/client.js';
import { liveCalls } from '../../api/live.js';
import type { Resource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { Back } from '../../parts/back.js';
import { Copy } from '../../parts/copy.js';
import { Icon } from '../../parts/icons.js';
import { Loaded } from '../../parts/notice.js';
import { numberText } from '../../parts/number-text.js';
import { CallView } from './call-view.js';
import { LiveCallView } from './live-call-view.js';
import { readParty } from './party.js';
import { useFollowedCall } from './use-followed-call.js';

const back = <Back href="/calls" text="Calls" />;

/** One call, active or from the history. */
export function CallPage(): JSX.Element {
  const { params } = useRoute();
  const callId = params.id ?? '';
  return <OneCall callId={callId} key={callId} />;
}

const titleOf = ({ from, to }: { from: string; to: string }): string =>
  `Call from ${numberText(readParty(from).address)} to ${numberText(readParty(to).address)}`;

function OneCall({ callId }: { callId: string }): JSX.Element {
  const live = liveCalls.value.find(({ call_id }) => call_id === callId);
  const call = useFollowedCall(callId, live?.state);
  const current = call.data ?? live;
  const title = current === undefined ? 'Call' : titleOf(current);
  // Operators see calls of other organizations in the list, but only their own in full.
  const isOnlyListed = call.data === undefined && call.failure?.status === 404 && live !== undefined;
  return (
    <Page title={title} above={back} beside={call.data && <Downloads call={call.data} />}>
      {isOnlyListed ? (
        <LiveCallView call={live} />
      ) : (
        <Loaded what="the call" from={withoutEdge(call)}>
          {(data) => <CallView call={data} />}
        </Loaded>
      )}
    </Page>
  );
}

const edgeIsGone = 'The call’s edge died, and there is no record of the call. This is the last known state.';

/** Explains why a call that was known before is not found now. */
function withoutEdge(call: Resource<CallDetail>): Resource<CallDetail> {
  const isGone = call.failure?.status === 404 && call.data !== undefined;
  return isGone ? { ...call, failure: new ApiFailure(edgeIsGone, { status: 404, code: 'NOT_FOUND' }) } : call;
}

function Downloads({ call }: { call: CallDetail }): JSX.Element {
  const transcript = async (): Promise<string> => (await fetch(transcriptAddress(call.call_id))).text();
  return (
    <div class="buttons">
      {call.state === 'ended' && (
        <a class="button small" href={`/testing/new?call_id=${encodeURIComponent(call.call_id)}`}>
          Create test scenario
        </a>
      )}
      <Copy text={transcript} what="the call as text with all messages" label="Copy all" />
      <a class="button small" href={captureAddress(call.call_id)} download>
        <Icon name="download" />
        <span>
          pcap<span class="unseen"> for Wireshark or sngrep</span>
        </span>
      </a>
    </div>
  );
}
