import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { type CallSummary, readCalls } from '../../api/calls.js';
import { query } from '../../api/client.js';
import { onEvent } from '../../api/live.js';
import { useResource } from '../../api/resource.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { NamedState } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { endReasonWords, shownOutcome } from '../call/end-reasons.js';

const shown = 5;
const everyMilliseconds = 30_000;
/** A record reaches the history shortly after the call ends. */
const storedMilliseconds = 1_500;

const isEnd = (data: unknown): boolean => (data as { change?: unknown } | undefined)?.change === 'ended';

/** The most recent failed calls, with a short explanation each. */
export function FailuresPanel({ phoneNumber }: { phoneNumber: string }): JSX.Element {
  const failures = useResource(phoneNumber, (signal) => readFailures(phoneNumber, signal), {
    everyMilliseconds,
  });
  const { reload } = failures;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvent('call', (data) => {
      if (!isEnd(data)) return;
      clearTimeout(timer);
      timer = setTimeout(reload, storedMilliseconds);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [reload]);
  return (
    <Panel
      title="Latest failures"
      aside={<a href={`/calls${query({ number: phoneNumber })}`}>All calls of this number</a>}
    >
      <Loaded what="failures" from={failures}>
        {(calls) => (
          <>
            {calls.length === 0 && <Empty title="No failed or refused calls" />}
            <ul class="failed-calls">
              {calls.map((call) => (
                <li key={call.call_id}>
                  <p class="failed-call-head">
                    <NamedState name={shownOutcome(call)} />
                    <a href={`/calls/${encodeURIComponent(call.call_id)}`}>
                      <When at={call.started_at} />
                    </a>
                    <span class="muted figure">
                      {call.direction === 'inbound' ? 'Inbound, from' : 'Outbound, to'}{' '}
                      <PhoneNumber text={call.direction === 'inbound' ? call.from : call.to} />
                      {call.status !== null && `, ${call.status}`}
                    </span>
                  </p>
                  <p>{call.cause ?? endReasonWords(call.end_reason)}</p>
                  {call.advice && <p class="note">{call.advice}</p>}
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

async function readFailures(phoneNumber: string, signal: AbortSignal): Promise<readonly CallSummary[]> {
  const kinds = [{ outcome: 'failed' }, { outcome: 'refused' }, { problem: 'audio' }] as const;
  const pages = await Promise.all(
    kinds.map((kind) => readCalls({ phone_number: phoneNumber, ...kind }, { limit: shown }, signal)),
  );
  return pages
    .flatMap(({ calls }) => calls)
    .filter(({ outcome, audio_problem }) => outcome !== 'completed' || audio_problem !== null)
    .sort((left, right) => (left.started_at < right.started_at ? 1 : -1))
    .slice(0, shown);
}
