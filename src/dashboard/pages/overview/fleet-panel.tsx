import type { JSX } from 'preact';
import { query } from '../../api/client.js';
import { countActive, scope } from '../../api/live.js';
import type { EdgeSummary, Fleet } from '../../api/noc.js';
import { count, milliseconds, octets, rate, whole } from '../../parts/format.js';
import { Empty } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { NamedState, State } from '../../parts/state.js';
import { Ago, ClockTime } from '../../parts/time.js';
import { failureWords } from '../call/end-reasons.js';
import { HourOfCalls, TrunkCallState } from '../trunks/trunk-calls.js';
import { reachability } from '../trunks/trunk-note.js';

/** Visible to operators only: every process by name. */
export function FleetPanel({ fleet }: { fleet: Fleet }): JSX.Element {
  const { edges, redis, database, control } = fleet;
  const isControlReady = control.parts.every(({ ready }) => ready);
  return (
    <Panel title="Fleet">
      {edges.length === 0 && redis.state === 'up' && (
        <Empty title="No edge is running">Start an edge to accept calls.</Empty>
      )}
      {edges.length === 0 && redis.state !== 'up' && (
        <Empty title="Edges unknown">
          Redis, which reports them, is down. Edges handle calls without it.
        </Empty>
      )}
      {edges.length > 0 && (
        <WideTable label="Edges">
          <TableHead
            columns={{
              Edge: '',
              State: '',
              Engine: '',
              rtpengine: '',
              Calls: 'number',
              'Per second': 'number',
              'Loop delay': 'number wide-only',
              Memory: 'number wide-only',
              'Last seen': 'wide-only',
            }}
          />
          <tbody>
            {edges.map((edge) => (
              <EdgeRow edge={edge} key={edge.id} />
            ))}
          </tbody>
        </WideTable>
      )}
      <Takeovers edges={edges} />
      <ul class="fleet-stores">
        <li>
          Redis <NamedState name={redis.state} />{' '}
          <span class="muted figure">{milliseconds(redis.round_trip_ms)}</span>
        </li>
        <li>
          PostgreSQL <NamedState name={database.state} />{' '}
          <span class="muted figure">{milliseconds(database.round_trip_ms)}</span>
        </li>
        <li>
          Control{' '}
          {isControlReady ? (
            <State tone="good">All {control.parts.length} components ready</State>
          ) : (
            <State tone="bad">Not ready</State>
          )}{' '}
          <span class="muted">
            {control.version}, since <Ago at={control.since} />
          </span>
        </li>
      </ul>
      {!isControlReady && (
        <ul class="targets">
          {control.parts
            .filter(({ ready }) => !ready)
            .map((part) => (
              <li key={part.name}>
                <b>{part.name}</b>: {part.detail}
              </li>
            ))}
        </ul>
      )}
    </Panel>
  );
}

const shownTakeovers = 5;

/** Calls that continued when their edge was lost or replaced. */
function Takeovers({ edges }: Pick<Fleet, 'edges'>): JSX.Element | null {
  const events = edges
    .flatMap((edge) => edge.takeovers.map((takeover) => ({ ...takeover, edge: edge.id })))
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, shownTakeovers);
  if (events.length === 0) return null;
  return (
    <ul class="targets" aria-label="Calls taken over">
      {events.map(({ at, edge, from_edge_id, calls }) => (
        <li key={`${edge} ${at}`}>
          <b>{edge}</b> took over {calls === 1 ? '1 call' : `${whole(calls)} calls`} from {from_edge_id} at{' '}
          <ClockTime at={at} />
        </li>
      ))}
    </ul>
  );
}

function EdgeRow({ edge }: { edge: EdgeSummary }): JSX.Element {
  // The components it last reported are stale once it stops reporting.
  const isSilent = edge.state === 'down';
  // In the scope of an organization the list has its own calls only.
  const listed = scope.value === 'fleet' ? countActive((call) => call.edge_id === edge.id) : undefined;
  return (
    <tr>
      <th scope="row">
        <span class="edge-name">{edge.id}</span>
        <small class="under">
          {edge.version}, since <Ago at={edge.since} />
        </small>
      </th>
      <td>
        <NamedState name={edge.state} />
      </td>
      <td>
        <NamedState name={isSilent ? 'unknown' : edge.engine.up ? 'up' : 'down'} />
        <small class="under">{edge.engine.kind}</small>
      </td>
      <td>
        {edge.rtpengine.map((node) => (
          <span class="node" key={node.name}>
            <NamedState name={isSilent ? 'unknown' : node.state} />
            <small class="under figure">
              {node.name}, {milliseconds(node.round_trip_ms)}
            </small>
          </span>
        ))}
      </td>
      <td class="number figure">
        {whole(listed === undefined ? edge.counts.calls : listed.active + listed.ringing)}
      </td>
      <td class="number figure">{rate(edge.calls_per_second)}</td>
      <td class="number figure wide-only">{milliseconds(edge.event_loop_delay_ms)}</td>
      <td class="number figure wide-only">{octets(edge.memory_bytes)}</td>
      <td class="wide-only">
        <Ago at={edge.seen_at} />
      </td>
    </tr>
  );
}

const judgedAs = {
  failing: ['bad', 'Failing'],
  degraded: ['warn', 'Degraded'],
  working: ['good', 'Working'],
  quiet: ['idle', 'Too few calls'],
} as const;

/** Organizations: those whose calls fail first. Each row leads to the organization's calls. */
export function OrganizationsPanel({ organizations }: Pick<Fleet, 'organizations'>): JSX.Element {
  return (
    <Panel title="Organizations" aside="last hour">
      {organizations.length === 0 && <Empty title="No calls" />}
      {organizations.length > 0 && (
        <div id="organizations">
          <WideTable label="Organizations, those whose calls fail first">
            <TableHead
              columns={{
                Organization: '',
                State: '',
                Active: 'number',
                Calls: 'number',
                Answered: 'number',
                Failed: 'number',
              }}
            />
            <tbody>
              {organizations.map((organization) => (
                <OrganizationRow organization={organization} key={organization.id} />
              ))}
            </tbody>
          </WideTable>
        </div>
      )}
    </Panel>
  );
}

function OrganizationRow({ organization }: { organization: Fleet['organizations'][number] }): JSX.Element {
  const { id, name, judged } = organization;
  const { active } = countActive((call) => call.organization_id === id) ?? organization;
  const [tone, word] = judgedAs[judged.state];
  return (
    <tr>
      <th scope="row">
        <a href={`/calls${query({ scope: 'fleet', organization: id, span: '1h' })}`}>{name}</a>
      </th>
      <td>
        <State tone={tone}>{word}</State>
        {judged.worst !== null && judged.state !== 'working' && (
          <small class="under">{failureWords(judged.worst)}</small>
        )}
      </td>
      <td class="number figure">{whole(active)}</td>
      <td class="number figure">{whole(organization.attempts_1h)}</td>
      <td class="number figure">{whole(organization.answered_1h)}</td>
      <td class="number figure">{whole(organization.failed_1h)}</td>
    </tr>
  );
}

const shownTrunks = 10;

/** Trunks of all organizations that need attention. */
export function FleetTrunksPanel({ fleet }: { fleet: Fleet }): JSX.Element {
  const { trunk_counts: counts, trunks } = fleet;
  const troubled = trunks.filter(
    ({ status, registration, servers, calls }) =>
      status === 'unreachable' ||
      servers.unreachable > 0 ||
      registration === 'failed' ||
      registration === 'unregistered' ||
      calls.state === 'failing' ||
      calls.state === 'degraded',
  );
  return (
    <Panel
      title="Worst trunks of all organizations"
      aside={
        counts !== null && (
          <span class="figure">
            {whole(counts.healthy)} reachable, {whole(counts.unreachable)} unreachable,{' '}
            {whole(counts.failing)} failing
          </span>
        )
      }
    >
      {counts === null && <Empty title="Trunks unknown">PostgreSQL answers slowly or is down.</Empty>}
      {counts !== null && troubled.length === 0 && <Empty title="No trunk needs attention" />}
      <ul class="trunk-list" id="fleet-trunks">
        {troubled.slice(0, shownTrunks).map((trunk) => (
          <li key={trunk.phone_number}>
            <div>
              <a
                class="figure"
                href={`/calls${query({ scope: 'fleet', organization: trunk.organization.id, q: trunk.phone_number })}`}
              >
                <PhoneNumber text={trunk.phone_number} />
              </a>
              {trunk.endpoint !== null && <NamedState name={reachability(trunk)} />}
            </div>
            <p class="note">{trunk.organization.name}</p>
            {trunk.calls.calls > 0 && (
              <div class="trunk-hour">
                <TrunkCallState {...trunk} />
                <HourOfCalls {...trunk} />
              </div>
            )}
            {trunk.cause !== null && <p class="note">{trunk.cause}</p>}
          </li>
        ))}
      </ul>
      {troubled.length > shownTrunks && (
        <p class="note">{count(troubled.length - shownTrunks, 'more trunk')} in this state.</p>
      )}
    </Panel>
  );
}
