import type { JSX } from 'preact';
import { leastMos } from '../../../contract/audio-defect.js';
import type { CallSummary } from '../../api/calls.js';
import { query } from '../../api/client.js';
import { session } from '../../api/session.js';
import { capitalized, duration } from '../../parts/format.js';
import { TableHead, WideTable } from '../../parts/panel.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { NamedState, State } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';
import { failureWords, shownOutcome } from '../call/end-reasons.js';
import { type ColumnName, columnHeadings, defaultColumns } from './columns.js';
import { Direction } from './live-panel.js';

interface CallTableProps {
  readonly calls: readonly CallSummary[];
  /** After outcome and start, which each row has. */
  readonly columns?: readonly ColumnName[];
  /** Names by id, where calls of several organizations are listed. */
  readonly organizations?: Readonly<Record<string, string>> | undefined;
  readonly organizationLink?: (id: string) => string;
}

export function CallTable({
  calls,
  columns = defaultColumns,
  organizations,
  organizationLink = (id) => `/calls${query({ scope: 'fleet', organization: id })}`,
}: CallTableProps): JSX.Element {
  const own = session.value?.organization.id;
  return (
    <WideTable label="Past calls, newest first">
      <TableHead
        columns={{
          Outcome: '',
          Started: '',
          ...(organizations && { Organization: 'wide-only' }),
          ...Object.fromEntries(columns.map((name) => [columnHeadings[name], headingClasses(name)])),
        }}
      />
      <tbody>
        {calls.map((call) => (
          <tr key={call.call_id}>
            <td>
              <NamedState name={shownOutcome(call)} />
              <small class="under narrow-only">
                <Reason call={call} /> · {call.direction === 'inbound' ? 'In' : 'Out'}
              </small>
              <small class="under narrow-only">
                <PhoneNumber text={call.from} /> → <PhoneNumber text={call.to} />
              </small>
            </td>
            <th scope="row">
              {organizations === undefined ||
              call.organization_id === own ||
              call.organization_id === null ? (
                <a href={`/calls/${encodeURIComponent(call.call_id)}`}>
                  <When at={call.started_at} />
                </a>
              ) : (
                <When at={call.started_at} />
              )}
            </th>
            {organizations !== undefined && (
              <td class="wide-only">
                {call.organization_id === null ? (
                  <span class="muted">none: unknown number</span>
                ) : (
                  <a class="above-row" href={organizationLink(call.organization_id)}>
                    {organizations[call.organization_id] ?? call.organization_id}
                  </a>
                )}
              </td>
            )}
            {columns.map((name) => (
              <td class={`wide-only ${cells[name].class}`.trimEnd()} key={name}>
                {cells[name].content(call)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

interface Cell {
  readonly class: '' | 'number figure' | 'figure' | 'breakable';
  readonly content: (call: CallSummary) => JSX.Element | string;
}

const none = '–';

const cells: Readonly<Record<ColumnName, Cell>> = {
  from: {
    class: 'breakable',
    content: (call) => (
      <>
        <PhoneNumber text={call.from} />
        {call.direction === 'inbound' && <Name call={call} />}
      </>
    ),
  },
  to: {
    class: 'breakable',
    content: (call) => (
      <>
        <PhoneNumber text={call.to} />
        {call.direction === 'outbound' && <Name call={call} />}
      </>
    ),
  },
  number: {
    class: '',
    content: ({ phone_number }) => (phone_number === null ? none : <PhoneNumber text={phone_number} />),
  },
  setup: {
    class: 'number figure',
    content: ({ started_at, answered_at }) =>
      answered_at === null ? none : duration((Date.parse(answered_at) - Date.parse(started_at)) / 1_000),
  },
  talked: {
    class: 'number figure',
    content: (call) => (call.answered_at === null ? none : duration(call.duration_seconds)),
  },
  mos: { class: 'number figure', content: ({ mos }) => <Mos value={mos} /> },
  direction: { class: '', content: ({ direction }) => <Direction name={direction} /> },
  end_reason: { class: '', content: (call) => <Reason call={call} /> },
  ended_by: { class: '', content: ({ ended_by }) => (ended_by === 'api' ? 'API' : capitalized(ended_by)) },
  ended_at: { class: '', content: ({ ended_at }) => <When at={ended_at} /> },
  sip_code: { class: 'number figure', content: ({ sip_code }) => String(sip_code ?? none) },
  address: { class: 'figure', content: ({ source_ip }) => source_ip || none },
  sip_call_id: {
    class: 'breakable',
    content: ({ sip_call_id }) => (sip_call_id === '' ? none : <Untrusted text={sip_call_id} />),
  },
};

/** A heading is aligned as its cells are. */
const headingClasses = (name: ColumnName): string =>
  cells[name].class === 'number figure' ? 'number wide-only' : 'wide-only';

const Name = ({ call }: { call: CallSummary }): JSX.Element | null =>
  call.party_name === null ? null : (
    <small class="under">
      <Untrusted text={call.party_name} />
    </small>
  );

const Reason = ({ call }: { call: CallSummary }): JSX.Element => (
  <span class="figure">{failureWords({ end_reason: call.end_reason, sip_status: call.sip_code })}</span>
);

/** The mean opinion score, with attention where users complain. */
function Mos({ value }: { value: number | null }): JSX.Element {
  if (value === null) return <span>–</span>;
  return value < leastMos ? <State tone="warn">{value.toFixed(1)}</State> : <span>{value.toFixed(1)}</span>;
}
