import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { discoveryOf } from '../../api/setup.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { Findings, ReadDestination } from './discovery-findings.js';
import { SetupPage } from './setup-page.js';
import { useDestination, useDiscovery } from './use-discovery.js';

/** From pasted input to how the PBX is reached: the input is parsed at once, discovery runs on request. */
export function DiscoverPage(): JSX.Element {
  const [input, setInput] = useState('');
  const destination = useDestination(input);
  const { discovery, problem, isRunning, start } = useDiscovery();

  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    start({ host: input.trim() });
  };
  return (
    <SetupPage title="Discover a PBX">
      <Panel
        title="Address"
        note="A host name, an address, or any SIP URI. Discovery sends OPTIONS to ports 5060, 5061 and 5080 over TLS, TCP and UDP."
      >
        <form class="filters" onSubmit={submit}>
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
          <button type="submit" class="primary" disabled={input.trim() === '' || isRunning}>
            {isRunning ? 'Discovering …' : 'Discover'}
          </button>
          <AsCurl requests={() => [discoveryOf({ host: input.trim() })]} />
        </form>
        <div role="status">{destination !== undefined && <ReadDestination destination={destination} />}</div>
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
