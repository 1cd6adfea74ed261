import type { ComponentChildren, JSX } from 'preact';
import type { Discovery } from '../../../api/setup.js';
import { milliseconds, spoken } from '../../../parts/format.js';
import { Facts } from '../../../parts/panel.js';
import { State } from '../../../parts/state.js';
import { AttemptsTable } from '../../setup/discovery-findings.js';

type Attempt = Discovery['attempts'][number];

/** What a discovery has found so far: the answer to OPTIONS, TLS and certificate, codecs, and why not. */
export function PbxFindings({ discovery }: { discovery: Discovery }): JSX.Element {
  const { status, progress, attempts, recommended, resolved_addresses: addresses } = discovery;
  return (
    <section class="findings" aria-label="Discovery">
      <div role="status">
        <Outcome discovery={discovery} />
      </div>
      {status === 'running' && (
        <progress max={Math.max(progress.total, 1)} value={progress.done} aria-label="Servers probed" />
      )}
      <Facts
        rows={[
          ['Addresses', addresses.length === 0 ? '–' : <span class="figure">{addresses.join(', ')}</span>],
          ['TLS', tlsOf(attempts)],
          ['System', recommended?.detected_system ?? recommended?.user_agent ?? '–'],
          [
            'Codecs',
            recommended === null || recommended.codecs.length === 0
              ? 'not reported'
              : recommended.codecs.join(', '),
          ],
        ]}
      />
      {attempts.length > 0 && (
        <details>
          <summary>Each attempt</summary>
          <AttemptsTable attempts={attempts} />
        </details>
      )}
    </section>
  );
}

function Outcome({ discovery }: { discovery: Discovery }): JSX.Element {
  const { status, recommended, progress, failure, detail, attempts } = discovery;
  if (status === 'running')
    return <State tone="busy">{`Discovering: ${progress.done} of ${progress.total} probed`}</State>;
  if (status === 'failed') {
    return (
      <p>
        <State tone="bad">Discovery failed</State> {detail ?? spoken(failure ?? 'unknown')}
      </p>
    );
  }
  if (recommended === null) {
    return (
      <p>
        <State tone="warn">No answer</State> Its firewall may block Demarc’s addresses, or it ignores OPTIONS
        from unknown sources.
      </p>
    );
  }
  const answer = attempts.find(
    ({ transport, port, reason }) =>
      reason === null &&
      transport === recommended.transport &&
      (recommended.port === null || port === recommended.port),
  );
  const transport = recommended.transport.toUpperCase();
  return (
    <p>
      <State tone="good">Found</State> {transport}
      {recommended.port !== null && ` on port ${recommended.port}`}
      {answer !== undefined &&
        `: answered OPTIONS with ${answer.response_code ?? 'a response'} after ${milliseconds(answer.response_time_ms)}`}
      {recommended.mutual_tls && '. It requires a client certificate (mutual TLS).'}
    </p>
  );
}

const isTls = ({ transport }: Attempt): boolean => transport === 'tls';

function tlsOf(attempts: readonly Attempt[]): ComponentChildren {
  const tried = attempts.filter(isTls);
  if (tried.length === 0) return '–';
  if (tried.some(({ reason }) => reason === null)) return <State tone="good">Certificate accepted</State>;
  const refused = tried.find(
    ({ reason }) => reason === 'certificate' || reason === 'mutual_tls_required' || reason === 'tls',
  );
  if (refused === undefined) return 'no server';
  return (
    <>
      <State tone="bad">
        {refused.reason === 'certificate' ? 'Certificate not trusted' : spoken(refused.reason ?? '')}
      </State>{' '}
      <span class="breakable">{refused.detail}</span>
      {refused.reason === 'certificate' && (
        <small class="under">Add the certificate of the PBX or its CA below, then discover again.</small>
      )}
    </>
  );
}
