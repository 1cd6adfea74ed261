import type { JSX, TargetedSubmitEvent } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { query } from '../../api/client.js';
import { activeByNumber, onEvent, summary } from '../../api/live.js';
import { readTrunkPage, type TrunkFilter, type TrunkPage, type TrunkSummary } from '../../api/noc.js';
import { useResource } from '../../api/resource.js';
import { lackOf } from '../../forms/lack.js';
import { Page } from '../../frame/page.js';
import { Choice } from '../../parts/choice.js';
import { capitalized, milliseconds, whole } from '../../parts/format.js';
import { Icon } from '../../parts/icons.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { NamedState } from '../../parts/state.js';
import { Ago } from '../../parts/time.js';
import { trunkAddress } from '../../parts/trunk-address.js';
import { SeveralNumbers } from './several-numbers.js';
import { HourOfCalls, TrunkCallState } from './trunk-calls.js';
import { reachability, TrunkNote } from './trunk-note.js';

const pageSize = 100;
const everyMilliseconds = 10_000;

const filters = [
  ['', 'All', 'total'],
  ['unreachable', 'Unreachable', 'unreachable'],
  ['failing', 'Calls failing', 'failing'],
  ['unregistered', 'Not registered', 'unregistered'],
  ['degraded', 'Degraded', 'degraded'],
] as const satisfies readonly (readonly [TrunkFilter | '', string, keyof TrunkPage['counts']])[];

export function TrunksPage(): JSX.Element {
  const { query: search, route } = useLocation();
  const { after } = search;
  const state = filters.find(([name]) => name === search.state)?.[0] || undefined;
  const page = useResource(
    `${state ?? ''} ${after ?? ''}`,
    (signal) => readTrunkPage({ limit: pageSize, after, state }, signal),
    { everyMilliseconds },
  );
  const { reload } = page;
  useEffect(() => onEvent('trunk', reload), [reload]);
  const counts = page.data?.counts ?? summary.value?.trunk_counts;
  return (
    <Page
      title="Trunks"
      beside={
        <div class="buttons">
          <Finder />
          <a class="button" href="/trunks/shared">
            Shared trunks
          </a>
          {lackOf('trunks:write') === undefined ? (
            <a class="button primary" href="/trunks/add">
              <Icon name="add" />
              Add number
            </a>
          ) : (
            <button type="button" disabled title={lackOf('trunks:write')}>
              <Icon name="add" />
              Add number
            </button>
          )}
        </div>
      }
    >
      <Panel
        title="Numbers"
        aside={
          <Choice
            label="State"
            value={state ?? ''}
            options={filters.map(([name, text, field]) => [
              name,
              counts === undefined ? text : `${text} ${counts[field]}`,
            ])}
            onChange={(state) => route(`/trunks${query({ state: state || undefined })}`)}
          />
        }
      >
        <Loaded what="trunks" from={page}>
          {({ trunks, next }) => (
            <>
              {trunks.length === 0 && state === undefined && <NoNumbers />}
              {trunks.length === 0 && state !== undefined && <Empty title="No trunk in this state" />}
              {trunks.length > 0 && <TrunkTable trunks={trunks} />}
              <nav class="pages" aria-label="Pages of numbers">
                {after !== undefined && <a href={`/trunks${query({ state })}`}>First</a>}
                {next !== null && <a href={`/trunks${query({ state, after: next })}`}>Next</a>}
              </nav>
            </>
          )}
        </Loaded>
      </Panel>
      {(page.data?.trunks.length ?? 0) > 1 && <SeveralNumbers onChanged={reload} />}
    </Page>
  );
}

/** Search field for organizations with more numbers than fit on a page. */
function Finder(): JSX.Element {
  const { route } = useLocation();
  const find = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const digits = String(new FormData(event.currentTarget).get('number') ?? '').replaceAll(/[^\d+]/g, '');
    if (digits !== '') route(trunkAddress(digits));
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
        <a href="/trunks/add">Add number</a> takes four steps: the number, its PBX, who may call, a test call.{' '}
        <a href="/setup">Setup</a> lists the values for your PBX and firewall.
      </p>
    </Empty>
  );
}

/** Apart, so that a change of calls draws no more than this again. */
function Active({ phoneNumber }: { phoneNumber: string }): JSX.Element {
  const calls = activeByNumber.value;
  if (calls === undefined) return <span>–</span>;
  const active = calls.get(phoneNumber) ?? 0;
  return active === 0 ? (
    <span>0</span>
  ) : (
    <a href={`/calls${query({ number: phoneNumber })}`}>{whole(active)}</a>
  );
}

function TrunkTable({ trunks }: { trunks: readonly TrunkSummary[] }): JSX.Element {
  return (
    <WideTable label="Trunks, worst first">
      <TableHead
        columns={{
          Number: '',
          Reachability: '',
          Active: 'number wide-only',
          Calls: 'wide-only',
          'Last hour': 'wide-only',
          Directions: 'wide-only',
          Server: 'wide-only',
          Response: 'number wide-only',
        }}
      />
      <tbody>
        {trunks.map((trunk) => (
          <tr key={trunk.phone_number}>
            <th scope="row">
              <a class="figure" href={trunkAddress(trunk.phone_number)}>
                <PhoneNumber text={trunk.phone_number} />
              </a>
              <small class="under narrow-only">{capitalized(trunk.directions.join(', '))}</small>
            </th>
            <td>
              {trunk.endpoint === null ? (
                trunk.registration === null && <span class="muted">No server to check</span>
              ) : (
                <NamedState name={reachability(trunk)} />
              )}
              {trunk.cause && <small class="under">{trunk.cause}</small>}
              <TrunkNote {...trunk} />
              <div class="narrow-only">
                <TrunkCallState {...trunk} />
              </div>
            </td>
            <td class="number figure wide-only">
              <Active phoneNumber={trunk.phone_number} />
            </td>
            <td class="wide-only">
              <TrunkCallState {...trunk} />
            </td>
            <td class="wide-only">
              <HourOfCalls {...trunk} />
            </td>
            <td class="wide-only">{trunk.directions.map(capitalized).join(', ')}</td>
            <td class="wide-only breakable mono">
              {trunk.endpoint ?? '–'}
              {trunk.checked_at !== null && (
                <small class="under">
                  checked <Ago at={trunk.checked_at} />
                </small>
              )}
            </td>
            <td class="number figure wide-only">{milliseconds(trunk.response_time_ms)}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}
