import type { JSX } from 'preact';
import type { Destination, Discovery } from '../../api/setup.js';
import { Copy } from '../../parts/copy.js';
import { milliseconds, spoken } from '../../parts/format.js';
import { Empty, Problem } from '../../parts/notice.js';
import { Facts, Panel, TableHead, WideTable } from '../../parts/panel.js';
import { State } from '../../parts/state.js';

/** What the input was read as. */
export function ReadDestination({
  destination: { parsed, reason },
}: {
  destination: Destination;
}): JSX.Element {
  if (parsed === null) {
    return (
      <p>
        <State tone="warn">Not a destination</State> {reason}
      </p>
    );
  }
  return (
    <Facts
      rows={[
        ['Read as', <span class="mono breakable">{parsed.normalized}</span>],
        ['Host', <span class="breakable">{parsed.host}</span>],
        ['Port', parsed.port ?? 'not set'],
        ['Transport', parsed.transport?.toUpperCase() ?? 'not set'],
        ...(parsed.is_private_ip
          ? [['Address', 'private: reachable only from the local network'] as const]
          : []),
      ]}
    />
  );
}

/** What a discovery has found so far, as panels. */
export function Findings({ discovery }: { discovery: Discovery }): JSX.Element {
  const { status, progress, recommended, attempts, detail } = discovery;
  return (
    <>
      <Panel
        title="Result"
        aside={<span class="figure">{`${progress.done} of ${progress.total} probed`}</span>}
      >
        <div role="status">
          {status === 'running' && (
            <progress max={Math.max(progress.total, 1)} value={progress.done} aria-label="Servers probed" />
          )}
          {status === 'failed' && (
            <Problem title="Discovery failed">
              <p>{detail ?? spoken(discovery.failure ?? 'unknown')}</p>
            </Problem>
          )}
          {status === 'completed' && recommended === null && (
            <Empty title="No SIP server responded">
              Check that its firewall allows Demarc’s addresses. A PBX may also ignore OPTIONS from unknown
              sources.
            </Empty>
          )}
          {recommended !== null && <Recommended host={discovery.host} found={recommended} />}
        </div>
      </Panel>
      {attempts.length > 0 && (
        <Panel title="Attempts">
          <AttemptsTable attempts={attempts} />
        </Panel>
      )}
    </>
  );
}

/** `sip:pbx.example.com:5061;transport=tls`; without a port where SRV records provide it. */
export function destinationUri(
  host: string,
  { port, transport }: Pick<NonNullable<Discovery['recommended']>, 'port' | 'transport'>,
): string {
  const bracketed = host.includes(':') ? `[${host}]` : host;
  return `sip:${bracketed}${port === null ? '' : `:${port}`};transport=${transport}`;
}

function Recommended({
  host,
  found,
}: {
  host: string;
  found: NonNullable<Discovery['recommended']>;
}): JSX.Element {
  const uri = destinationUri(host, found);
  return (
    <Facts
      rows={[
        [
          'Recommended settings',
          <span class="identifier">
            <b class="mono breakable">{uri}</b>
            <Copy text={uri} what="the sip_endpoint" label="Copy" />
          </span>,
        ],
        ['System', found.detected_system ?? found.user_agent ?? 'unknown'],
        ['Codecs', found.codecs.length === 0 ? 'unknown' : found.codecs.join(', ')],
        ['Methods', found.methods.length === 0 ? 'unknown' : found.methods.join(', ')],
        ...(found.mutual_tls
          ? [['Client certificate', <State tone="warn">Required (mutual TLS)</State>] as const]
          : []),
      ]}
    />
  );
}

/** Each server that was asked, and its answer or why there was none. */
export function AttemptsTable({ attempts }: { attempts: Discovery['attempts'] }): JSX.Element {
  return (
    <WideTable label="Each attempt">
      <TableHead columns={{ Address: '', Transport: '', Answer: '', After: 'number', System: 'wide-only' }} />
      <tbody>
        {attempts.map((attempt) => (
          <tr key={`${attempt.transport} ${attempt.address} ${attempt.port}`}>
            <th scope="row" class="figure breakable">
              {attempt.address}:{attempt.port}
            </th>
            <td>{attempt.transport.toUpperCase()}</td>
            <td>
              {attempt.reason === null ? (
                <State tone="good">{attempt.response_code ?? 'Answers'}</State>
              ) : (
                <>
                  <State tone="idle">{spoken(attempt.reason)}</State>
                  {attempt.detail !== null && <small class="under breakable">{attempt.detail}</small>}
                </>
              )}
            </td>
            <td class="number figure">{milliseconds(attempt.response_time_ms)}</td>
            <td class="wide-only breakable">{attempt.user_agent ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}
