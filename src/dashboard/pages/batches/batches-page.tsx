import type { JSX } from 'preact';
import { useLocation } from 'preact-iso';
import { type CallBatch, readCallBatches } from '../../api/batches.js';
import { query } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { Back } from '../../parts/back.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { State } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { NewBatchPanel } from './new-batch-panel.js';
import { batchStates } from './progress.js';
import { ProgressBar } from './progress-bar.js';

const everyMilliseconds = 5_000;

/** Batches of calls with their progress, newest first. */
export function CallBatchesPage(): JSX.Element {
  const { after } = useLocation().query;
  const page = useResource(`call batches ${after ?? ''}`, (signal) => readCallBatches(after, signal), {
    everyMilliseconds,
  });
  return (
    <Page title="Batches of calls" above={<Back href="/calls" text="Calls" />}>
      <div class="organization-columns">
        <Panel title="Batches">
          <Loaded what="batches" from={page}>
            {({ items, next }) => (
              <>
                <BatchTable batches={items} />
                <nav class="pages" aria-label="Pages of batches">
                  {after !== undefined && <a href="/calls/batches">Newest</a>}
                  {next !== null && <a href={`/calls/batches${query({ after: next })}`}>Older</a>}
                </nav>
              </>
            )}
          </Loaded>
        </Panel>
        <NewBatchPanel />
      </div>
    </Page>
  );
}

export function BatchTable({ batches }: { batches: readonly CallBatch[] }): JSX.Element {
  if (batches.length === 0) {
    return (
      <Empty title="No batches">
        Order up to a thousand calls at once here, or with <code>POST /v1/calls/batch</code>.
      </Empty>
    );
  }
  return (
    <WideTable label="Batches, newest first">
      <TableHead columns={{ Batch: '', State: '', Progress: '', From: 'wide-only', Ordered: 'wide-only' }} />
      <tbody>
        {batches.map((batch) => {
          const [tone, word] = batchStates[batch.status];
          return (
            <tr key={batch.batch_id}>
              <th scope="row" class="breakable">
                <a href={`/calls/batches/${batch.batch_id}`}>
                  {batch.name === '' ? batch.batch_id : batch.name}
                </a>
              </th>
              <td>
                <State tone={tone}>{word}</State>
              </td>
              <td>
                <ProgressBar batch={batch} />
              </td>
              <td class="wide-only">
                <PhoneNumber text={batch.from} />
              </td>
              <td class="wide-only">
                <When at={batch.created_at} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </WideTable>
  );
}
