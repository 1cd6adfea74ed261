import type { JSX, TargetedSubmitEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApiFailure } from '../api/client.js';
import {
  type Destination,
  type Discovery,
  parseDestination,
  readDiscovery,
  startDiscovery,
} from '../api/setup.js';
import { Copy } from '../parts/copy.js';
import { milliseconds, spoken } from '../parts/format.js';
import { Empty, Problem } from '../parts/notice.js';
import { Facts, Panel, TableHead, WideTable } from '../parts/panel.js';
import { State } from '../parts/state.js';
import { SetupPage } from './setup-page.js';

const pollMilliseconds = 400;
const typingMilliseconds = 250;

/** From pasted input to how the PBX is reached: the input is parsed at once, discovery runs on request. */
export function DiscoverPage(): JSX.Element {
  const [input, setInput] = useState('');
  const [discovery, setDiscovery] = useState<Discovery | undefined>();
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const destination = useDestination(input);
  const running = discovery?.status === 'running' ? discovery.discovery_id : undefined;

  useEffect(() => {
    if (running === undefined) return;
    const abort = new AbortController();
    const timer = setInterval(() => {
      readDiscovery(running, abort.signal).then(setDiscovery, (failure: ApiFailure) => {
        if (abort.signal.aborted) return;
        clearInterval(timer);
        setProblem(failure);
      });
    }, pollMilliseconds);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [running]);

  const start = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setProblem(undefined);
    setDiscovery(undefined);
    startDiscovery(input.trim()).then(setDiscovery, setProblem);
  };
  return (
    <SetupPage title="Discover a PBX">
      <Panel
        title="Address"
        note="A host name, an address, or any SIP URI. Discovery sends OPTIONS to ports 5060, 5061 and 5080 over TLS, TCP and UDP."
      >
        <form class="filters" onSubmit={start}>
          <label class="grow">
            PBX
            <input
              name="host"
              value={input}
              placeholder="sip:pbx.example.com:5061;transport=tls"
              onInput={(event) => setInput(event.currentTarget.value)}
              autocomplete="off"
              spellcheck={false}
              required
            />
          </label>
          <button type="submit" class="primary" disabled={input.trim() === '' || running !== undefined}>
            {running === undefined ? 'Discover' : 'Discovering …'}
          </button>
        </form>
        <div role="status">{destination !== undefined && <Read destination={destination} />}</div>
      </Panel>
      {problem !== undefined && (
        <Problem title="Discovery not started">
          <p>{problem.message}</p>
        </Problem>
      )}
      {discovery !== undefined && <Findings discovery={discovery} />}
    </SetupPage>
  );
}

/** The parsed input, shortly after the last keystroke. */
function useDestination(input: string): Destination | undefined {
  const [destination, setDestination] = useState<Destination | undefined>();
  useEffect(() => {
    const wanted = input.trim();
    if (wanted === '') {
      setDestination(undefined);
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      parseDestination(wanted, abort.signal).then(setDestination, () => undefined);
    }, typingMilliseconds);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [input]);
  return destination;
}

function Read({ destination: { parsed, reason } }: { destination: Destination }): JSX.Element {
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

function Findings({ discovery }: { discovery: Discovery }): JSX.Element {
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
          <WideTable label="Attempts">
            <TableHead
              columns={{ Address: '', Transport: '', Answer: '', After: 'number', System: 'wide-only' }}
            />
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
        </Panel>
      )}
    </>
  );
}

function Recommended({
  host,
  found,
}: {
  host: string;
  found: NonNullable<Discovery['recommended']>;
}): JSX.Element {
  const bracketed = host.includes(':') ? `[${host}]` : host;
  const uri = `sip:${bracketed}${found.port === null ? '' : `:${found.port}`};transport=${found.transport}`;
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
