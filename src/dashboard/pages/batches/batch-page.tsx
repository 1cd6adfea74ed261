import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { useAction } from '../../api/action.js';
import {
  type CallBatch,
  type OrderedCall,
  type OrderedState,
  readCallBatch,
  readCallsOfBatch,
  stopOf,
} from '../../api/batches.js';
import { send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import { lackOf } from '../../forms/lack.js';
import { Page } from '../../frame/page.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Back } from '../../parts/back.js';
import { count, duration } from '../../parts/format.js';
import { Empty, Loaded, Problem } from '../../parts/notice.js';
import { Facts, Panel, TableHead, WideTable } from '../../parts/panel.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { NamedState, State } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { batchStates, canStop, isUnderWay } from './progress.js';
import { ProgressBar } from './progress-bar.js';

const everyMilliseconds = 3_000;

/** One batch: progress, its calls by state, stop. Live while it runs. */
export function CallBatchPage(): JSX.Element {
  const { id = '' } = useRoute().params;
  const [isLive, setLive] = useState(true);
  const [state, setState] = useState<OrderedState | undefined>();
  const [after, setAfter] = useState<string | undefined>();
  const polling = isLive ? { everyMilliseconds } : {};
  const batch = useResource(
    `call batch ${id}`,
    (signal) =>
      readCallBatch(id, signal).then((data) => {
        setLive(isUnderWay(data));
        return data;
      }),
    polling,
  );
  const calls = useResource(
    `calls of ${id} ${state ?? ''} ${after ?? ''}`,
    (signal) => readCallsOfBatch(id, state, after, signal),
    polling,
  );
  const reload = (): void => {
    batch.reload();
    calls.reload();
  };
  const name = batch.data?.name ?? '';
  return (
    <Page
      title={name === '' ? 'Batch of calls' : name}
      above={<Back href="/calls/batches" text="Batches of calls" />}
    >
      <Loaded what="batch" from={batch}>
        {(data) => <BatchPanel batch={data} onChanged={reload} />}
      </Loaded>
      <Panel
        title="Calls"
        aside={
          <label>
            <span class="unseen">State</span>
            <select
              value={state ?? ''}
              onChange={({ currentTarget: { value } }) => {
                setAfter(undefined);
                setState(value === '' ? undefined : (value as OrderedState));
              }}
            >
              <option value="">All states</option>
              {states.map((name) => (
                <option key={name} value={name}>
                  {name.replace('_', ' ')}
                </option>
              ))}
            </select>
          </label>
        }
      >
        <Loaded what="calls" from={calls}>
          {({ items, next }) => (
            <>
              <CallsOfBatch calls={items} />
              <div class="buttons">
                {after !== undefined && (
                  <button type="button" class="small" onClick={() => setAfter(undefined)}>
                    First page
                  </button>
                )}
                {next !== null && (
                  <button type="button" class="small" onClick={() => setAfter(next)}>
                    Next page
                  </button>
                )}
              </div>
            </>
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}

const states = [
  ...(['queued', 'dialing', 'ringing', 'in_progress', 'ending', 'completed'] as const),
  ...(['busy', 'no_answer', 'cancelled', 'failed', 'unknown'] as const),
] satisfies readonly OrderedState[];

export function BatchPanel({ batch, onChanged }: { batch: CallBatch; onChanged: () => void }): JSX.Element {
  const [tone, word] = batchStates[batch.status];
  return (
    <Panel title="Progress" aside={<State tone={tone}>{word}</State>}>
      <ProgressBar batch={batch} />
      <Facts
        rows={[
          ['From', <PhoneNumber text={batch.from} />],
          ['Ordered', <When at={batch.created_at} />],
          ['Begins', batch.scheduled_at === null ? 'At once' : <When at={batch.scheduled_at} />],
          ['Calls not dialled are given up', <When at={batch.until} />],
          ...(batch.stopped_at === null ? [] : [['Stopped', <When at={batch.stopped_at} />] as const]),
        ]}
      />
      {canStop(batch) && <Stop batch={batch} onChanged={onChanged} />}
    </Panel>
  );
}

/** A second click stops; whether active calls are ended too is asked before. */
export function Stop({ batch, onChanged }: { batch: CallBatch; onChanged: () => void }): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const [endsCalls, setEndsCalls] = useState(false);
  const { isBusy, problem, follow } = useAction();
  const lack = lackOf('calls:write');
  const { waiting, active } = batch.progress;
  if (!isAsking) {
    return (
      <div class="buttons">
        <button type="button" disabled={lack !== undefined} title={lack} onClick={() => setAsking(true)}>
          Stop batch …
        </button>
      </div>
    );
  }
  const request = () => stopOf(batch.batch_id, endsCalls);
  const stop = (): void => follow(send(request()), onChanged);
  return (
    <div class="confirm">
      <p>{count(waiting, 'waiting call')} will not be dialled. A stopped batch cannot be started again.</p>
      <label class="check">
        <input
          type="checkbox"
          checked={endsCalls}
          onChange={(event) => setEndsCalls(event.currentTarget.checked)}
        />
        Also hang up {count(active, 'active call')}
      </label>
      {problem !== undefined && (
        <Problem title="Not stopped">
          <p>{problem.message}</p>
        </Problem>
      )}
      <div class="buttons">
        <button type="button" class="danger" disabled={isBusy} onClick={stop}>
          Stop for good
        </button>
        <button type="button" onClick={() => setAsking(false)}>
          Let it run
        </button>
      </div>
      <AsCurl requests={() => [request()]} />
    </div>
  );
}

export function CallsOfBatch({ calls }: { calls: readonly OrderedCall[] }): JSX.Element {
  if (calls.length === 0) return <Empty title="No calls in this state" />;
  return (
    <WideTable label="Calls of the batch, in its order">
      <TableHead
        columns={{ To: '', State: '', Answered: 'wide-only', Duration: 'number', Error: 'wide-only' }}
      />
      <tbody>
        {calls.map((call) => (
          <tr key={call.call_id}>
            <th scope="row">
              {call.started_at === null ? (
                <PhoneNumber text={call.to} />
              ) : (
                <a href={`/calls/${call.call_id}`}>
                  <PhoneNumber text={call.to} />
                </a>
              )}
            </th>
            <td>
              <NamedState name={call.state} />
            </td>
            <td class="wide-only">{call.answered_at === null ? '–' : <When at={call.answered_at} />}</td>
            <td class="number figure">
              {call.duration_seconds === null ? '–' : duration(call.duration_seconds)}
            </td>
            <td class="wide-only breakable">{call.error_message ?? ''}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}
