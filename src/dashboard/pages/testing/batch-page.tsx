import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { useResource } from '../../api/resource.js';
import { type Batch, cancelBatch, readBatch } from '../../api/runs.js';
import { Page } from '../../frame/page.js';
import { Back } from '../../parts/back.js';
import { Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { hasEnded } from './run-state.js';
import { RunTable } from './run-table.js';
import { StandInNotice } from './stand-in-notice.js';
import { StateAndCancel } from './state-and-cancel.js';
import { UsageFigures } from './usage-figures.js';
import '../../style/pathways.css';
import '../../style/testing.css';

const refreshMilliseconds = 1_500;

/** Scenarios that ran together. Live while they run. */
export function BatchPage(): JSX.Element {
  const { id = '' } = useRoute().params;
  const [isLive, setLive] = useState(true);
  const batch = useResource(
    `batch ${id}`,
    (signal) =>
      readBatch(id, signal).then((data) => {
        setLive(!hasEnded(data.status));
        return data;
      }),
    isLive ? { everyMilliseconds: refreshMilliseconds } : {},
  );
  return (
    <Page
      title="Batch"
      above={<Back href="/testing/batches" text="Batches" />}
      beside={
        batch.data && (
          <StateAndCancel
            status={batch.data.status}
            cancel={() => cancelBatch(id)}
            onChanged={batch.reload}
          />
        )
      }
    >
      <Loaded what="batch" from={batch}>
        {(data) => <BatchView batch={data} />}
      </Loaded>
    </Page>
  );
}

export function BatchView({ batch }: { batch: Batch }): JSX.Element {
  const { runs, total_scenarios: total, passed_scenarios: passed, failed_scenarios: failed } = batch;
  const ended = passed + failed;
  return (
    <>
      {runs.some(({ models }) => models.is_stand_in) && <StandInNotice />}
      <Panel
        title={`${passed} of ${total} passed`}
        aside={
          <span>
            Started <When at={batch.created_at} />
          </span>
        }
      >
        <OutcomeBar passed={passed} failed={failed} total={total} />
        {ended < total && (
          <p class="loading" role="status">
            {total - ended} of {total} still running …
          </p>
        )}
        <dl class="verdict-figures">
          <UsageFigures {...batch} />
        </dl>
        <RunTable runs={runs} label="Runs of the batch" />
      </Panel>
    </>
  );
}

/** Passed, failed and open shares of a bar. */
export function OutcomeBar({
  passed,
  failed,
  total,
}: {
  passed: number;
  failed: number;
  total: number;
}): JSX.Element {
  const width = (part: number): number => (total === 0 ? 0 : (part / total) * 1_000);
  return (
    <svg
      class="outcome-bar"
      viewBox="0 0 1000 12"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${passed} passed, ${failed} failed, of ${total}`}
    >
      <rect class="score-ground" width="1000" height="12" />
      <rect class="outcome-pass" width={width(passed)} height="12" />
      <rect class="outcome-fail" x={width(passed)} width={width(failed)} height="12" />
    </svg>
  );
}
