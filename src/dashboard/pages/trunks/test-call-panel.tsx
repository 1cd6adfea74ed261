import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { momentOf } from '../../../contract/ladder.js';
import type { ApiFailure } from '../../api/client.js';
import { onEvent } from '../../api/live.js';
import { send } from '../../api/request.js';
import { isOver, readTestCall, type TestCall, testCallOf } from '../../api/trunks.js';
import { lackOf } from '../../forms/lack.js';
import { AsCurl } from '../../parts/as-curl.js';
import { capitalized, duration, spoken } from '../../parts/format.js';
import { Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { State, type Tone } from '../../parts/state.js';
import { Advice } from './health-panel.js';

const pollMilliseconds = 500;

const results: Readonly<Record<string, readonly [tone: Tone, word: string]>> = {
  pending: ['busy', 'In progress'],
  connected: ['good', 'Connected'],
  busy: ['warn', 'Busy'],
  no_answer: ['warn', 'No answer'],
  failed: ['bad', 'Failed'],
};

/** Places a real call to the number on its own servers and follows it live. */
export function TestCallPanel({ phoneNumber }: { phoneNumber: string }): JSX.Element {
  const [callId, setCallId] = useState<string | undefined>();
  const [call, setCall] = useState<TestCall | undefined>();
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const [isStarting, setStarting] = useState(false);

  useEffect(() => {
    if (callId === undefined) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      readTestCall(callId, abort.signal).then(
        (state) => {
          setCall(state);
          if (!isOver(state)) timer = setTimeout(look, pollMilliseconds);
        },
        (failure: ApiFailure) => {
          if (!abort.signal.aborted) setProblem(failure);
        },
      );
    };
    look();
    // The stream says at once that something happened; asking is for when it is interrupted.
    const stop = onEvent('test_call', () => {
      clearTimeout(timer);
      look();
    });
    return () => {
      stop();
      clearTimeout(timer);
      abort.abort();
    };
  }, [callId]);

  const start = async (): Promise<void> => {
    setStarting(true);
    setProblem(undefined);
    setCall(undefined);
    setCallId(undefined);
    await send(testCallOf(phoneNumber)).then(({ call_id }) => setCallId(call_id), setProblem);
    setStarting(false);
  };
  const lack = lackOf('calls:write') && lackOf('trunks:write');
  const isGoingOn = call === undefined ? callId !== undefined : !isOver(call);
  return (
    <Panel
      title="Test call"
      aside={
        <button
          type="button"
          class="small"
          onClick={start}
          disabled={lack !== undefined || isStarting || (isGoingOn && problem === undefined)}
          title={lack}
        >
          {isGoingOn && problem === undefined ? 'Calling …' : 'Place a test call'}
        </button>
      }
      note="Calls the number through its own servers. The callee hears a chime for seven seconds. At most ten per 15 minutes."
    >
      {problem !== undefined && (
        <Problem title="The test call could not be placed">
          <p>{problem.message}</p>
          {problem.retryAfterSeconds !== undefined && (
            <p>Try again in {problem.retryAfterSeconds} seconds.</p>
          )}
        </Problem>
      )}
      {call !== undefined && <Timeline call={call} />}
      <AsCurl requests={() => [testCallOf(phoneNumber)]} />
    </Panel>
  );
}

export function Timeline({ call }: { call: TestCall }): JSX.Element {
  const [tone, word] = results[call.result] ?? (['idle', capitalized(spoken(call.result))] as const);
  const start = call.timeline[0] === undefined ? 0 : momentOf(call.timeline[0].at);
  return (
    <div class="test-call">
      <p role="status">
        <State tone={tone}>{word}</State>{' '}
        <span class="muted figure">{call.duration_seconds > 0 && duration(call.duration_seconds)}</span>
      </p>
      <ol class="timeline">
        {call.timeline.map((event) => (
          <li key={`${event.event} ${event.at}`}>
            <span class="figure muted">{((momentOf(event.at) - start) / 1_000).toFixed(3)}</span>
            <span>
              <b>{capitalized(spoken(event.event))}</b>
              {event.detail && <span class="breakable"> {event.detail}</span>}
            </span>
          </li>
        ))}
      </ol>
      {call.result === 'connected' ? (
        call.cause !== null && <p>{call.cause}</p>
      ) : (
        <Advice cause={call.cause} advice={call.advice} />
      )}
      {isOver(call) && (
        <p>
          <a href={`/calls/${encodeURIComponent(call.history_call_id)}`}>SIP messages</a>
        </p>
      )}
    </div>
  );
}
