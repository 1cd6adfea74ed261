import type { JSX, TargetedSubmitEvent } from 'preact';
import { useLocation } from 'preact-iso';
import { query } from '../api/client.js';
import { summary } from '../api/live.js';
import { useResource } from '../api/resource.js';
import { type NumberEntry, readNumbers } from '../api/trunks.js';
import { capitalized, milliseconds } from '../parts/format.js';
import { Icon } from '../parts/icons.js';
import { Empty, Loaded } from '../parts/notice.js';
import { Panel, TableHead, WideTable } from '../parts/panel.js';
import { NamedState } from '../parts/state.js';
import { Ago } from '../parts/time.js';
import { Page } from '../shell/page.js';
import { trunkAddress } from './address.js';
import { TrunkNote } from './trunk-note.js';

const pageSize = 100;
const everyMilliseconds = 60_000;

export function TrunksPage(): JSX.Element {
  const { query: search } = useLocation();
  const page = useResource(
    search.after ?? '',
    (signal) => readNumbers({ limit: pageSize, after: search.after }, signal),
    { everyMilliseconds },
  );
  return (
    <Page title="Trunks" beside={<Finder />}>
      <Panel title="Numbers">
        <Loaded what="numbers" from={page}>
          {({ numbers, next }) => (
            <>
              {numbers.length === 0 && <NoNumbers />}
              {numbers.length > 0 && <NumberTable numbers={numbers} />}
              <nav class="pages" aria-label="Pages of numbers">
                {search.after !== undefined && <a href="/trunks">First</a>}
                {next !== null && <a href={`/trunks${query({ after: next })}`}>Next</a>}
              </nav>
            </>
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}

/** Search field for organizations with more numbers than fit on a page. */
function Finder(): JSX.Element {
  const { route } = useLocation();
  const find = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const wanted = String(new FormData(event.currentTarget).get('number') ?? '').replaceAll(/[^\d+]/g, '');
    if (wanted !== '') route(trunkAddress(wanted));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: It is a form first.
    <form class="finder" role="search" onSubmit={find}>
      <input type="search" name="number" inputMode="tel" placeholder="+1…" aria-label="Number" required />
      <button type="submit">
        <Icon name="search" />
        Go
      </button>
    </form>
  );
}

function NoNumbers(): JSX.Element {
  return (
    <Empty title="No numbers yet">
      <p>
        <code>POST /v1/sip/attach</code> attaches one: <a href="/docs">the API's reference</a> explains how,
        and <a href="/setup">Setup</a> lists the values for your PBX and firewall.
      </p>
    </Empty>
  );
}

function NumberTable({ numbers }: { numbers: readonly NumberEntry[] }): JSX.Element {
  const live = new Map(summary.value?.trunks.map((trunk) => [trunk.phone_number, trunk]));
  return (
    <WideTable label="Numbers and the health of their trunks">
      <TableHead
        columns={{
          Number: '',
          Health: '',
          Directions: 'wide-only',
          Server: 'wide-only',
          Response: 'number wide-only',
          Checked: 'wide-only',
        }}
      />
      <tbody>
        {numbers.map((entry) => {
          const trunk = live.get(entry.phone_number);
          const status = trunk?.status ?? entry.health_status;
          return (
            <tr key={entry.phone_number}>
              <th scope="row">
                <a class="figure" href={trunkAddress(entry.phone_number)}>
                  {entry.phone_number}
                </a>
                <small class="under narrow-only">{capitalized(entry.directions.join(', '))}</small>
              </th>
              <td>
                <NamedState name={status} />
                {trunk?.cause && <small class="under">{trunk.cause}</small>}
                {trunk !== undefined && <TrunkNote {...trunk} />}
                {entry.sip_endpoint === null && !trunk?.registration && (
                  <small class="under">No server to check</small>
                )}
              </td>
              <td class="wide-only">{entry.directions.map(capitalized).join(', ')}</td>
              <td class="wide-only breakable mono">{trunk?.endpoint ?? entry.sip_endpoint ?? '–'}</td>
              <td class="number figure wide-only">{milliseconds(trunk?.response_time_ms)}</td>
              <td class="wide-only">{trunk?.checked_at ? <Ago at={trunk.checked_at} /> : '–'}</td>
            </tr>
          );
        })}
      </tbody>
    </WideTable>
  );
}
