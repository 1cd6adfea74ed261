import type { JSX } from 'preact';
import { useLocation } from 'preact-iso';
import { connection, countActive, isTruncated, liveCalls, scope, summary } from '../../api/live.js';
import type { LiveCall } from '../../api/noc.js';
import { session } from '../../api/session.js';
import { count, whole } from '../../parts/format.js';
import { Icon } from '../../parts/icons.js';
import { Empty, Loading } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { NamedState } from '../../parts/state.js';
import { Elapsed } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';
import { readParty } from '../call/party.js';
import { isOfNumber, matches } from './live-search.js';
import type { Search } from './search.js';

export function Direction({ name }: { name: string }): JSX.Element {
  return (
    <span class="direction">
      <Icon name={name === 'inbound' ? 'inbound' : 'outbound'} />
      <span>{name === 'inbound' ? 'In' : 'Out'}</span>
    </span>
  );
}

/** @param party number or user, as the history shows it */
function PartyName({ header, party }: { header: string; party: string }): JSX.Element {
  const { name, address: written } = readParty(header);
  const address = party === '' ? written : party;
  return (
    <span class="party" title={header}>
      <PhoneNumber text={address} />
      {name !== undefined && name !== address && (
        <small>
          <Untrusted text={name} />
        </small>
      )}
    </span>
  );
}

/** Active calls, updated live. */
interface LivePanelProps {
  /** Maximum number of calls shown, newest first. */
  readonly most: number;
  /** Shows only active calls that match the number and direction filters. */
  readonly search?: Search;
}

/** How many active calls match: the list holds the newest thousand, and of the others only their numbers are known. */
function totalText(listed: number, { q, direction, number }: Search): string {
  if (isTruncated.value && (q !== undefined || direction !== undefined))
    return `${count(listed, 'call')} or more`;
  const { active, ringing } = countActive(({ phone_number }) => isOfNumber(phone_number, number)) ?? {
    active: listed,
    ringing: 0,
  };
  const total = active + ringing;
  return total > listed ? `newest ${whole(listed)} of ${count(total, 'call')}` : count(total, 'call');
}

export function LivePanel({ most, search = {} }: LivePanelProps): JSX.Element {
  const calls = liveCalls.value.filter((call) => matches(call, search));
  const isFiltered = calls.length < liveCalls.value.length;
  const isOnCallsPage = useLocation().path === '/calls';
  const isWaiting = connection.value === 'connecting';
  const edges = summary.value?.parts.edges;
  const isBlind = edges === 'down' || (edges === 'unknown' && summary.value?.parts.redis !== 'up');
  return (
    <Panel
      title="Now"
      aside={
        <span class="figure">
          {isWaiting || (isBlind && calls.length === 0) ? '' : totalText(calls.length, search)}
        </span>
      }
    >
      {isWaiting && <Loading what="live calls" />}
      {!isWaiting && calls.length === 0 && isBlind && (
        <Empty title="Live state is unavailable">
          {edges === 'down' ? 'No edge responds.' : 'Redis is down.'} <a href="/">Overview</a> says what to
          do.
        </Empty>
      )}
      {!isWaiting && calls.length === 0 && !isBlind && (
        <Empty title={isFiltered ? 'No matching active calls' : 'No active calls'}>
          New calls appear here at once.
        </Empty>
      )}
      {calls.length > 0 && (
        <WideTable label="Active calls">
          <TableHead
            columns={{
              State: '',
              From: '',
              To: 'wide-only',
              For: 'number',
              Direction: 'wide-only',
              ...(isOnCallsPage && { 'Trunk address': 'wide-only', Codec: 'wide-only' }),
            }}
          />
          <tbody>
            {calls.slice(0, most).map((call) => (
              <LiveRow call={call} isFull={isOnCallsPage} key={call.call_id} />
            ))}
          </tbody>
        </WideTable>
      )}
      {calls.length > most && (
        <p class="note">
          Showing the newest {most}. {isOnCallsPage ? null : <a href="/calls">More calls</a>}
        </p>
      )}
    </Panel>
  );
}

/** By the busiest organizations, which the overview of the fleet names. */
const organizationName = (id: string | null): string =>
  id === null
    ? 'no organization'
    : (summary.value?.fleet?.organizations.find((organization) => organization.id === id)?.name ?? id);

function LiveRow({ call, isFull }: { call: LiveCall; isFull: boolean }): JSX.Element {
  return (
    <tr>
      <td>
        <NamedState name={call.state} />
      </td>
      <th scope="row">
        {scope.value === 'fleet' && call.organization_id !== session.value?.organization.id ? (
          <PartyName header={call.from_header} party={call.from} />
        ) : (
          <a href={`/calls/${encodeURIComponent(call.call_id)}`}>
            <PartyName header={call.from_header} party={call.from} />
          </a>
        )}
        <small class="under narrow-only">
          to <PhoneNumber text={call.to} />
        </small>
        {scope.value === 'fleet' && <small class="under">{organizationName(call.organization_id)}</small>}
      </th>
      <td class="wide-only">
        <PartyName header={call.to_header} party={call.to} />
      </td>
      <td class="number">
        <Elapsed since={call.started_at} />
      </td>
      <td class="wide-only">
        <Direction name={call.direction} />
      </td>
      {isFull && <td class="figure wide-only">{call.trunk.address}</td>}
      {isFull && <td class="wide-only">{call.media?.codec ?? '–'}</td>}
    </tr>
  );
}
