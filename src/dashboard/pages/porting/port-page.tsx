import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { ApiFailure } from '../../api/client.js';
import { cancelPort, type PortDetail, readPort, resendSignature } from '../../api/porting.js';
import { useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { Back } from '../../parts/back.js';
import { Loaded, Problem } from '../../parts/notice.js';
import { Facts, Panel, TableHead, WideTable } from '../../parts/panel.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { NamedState } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { Timeline } from './timeline.js';

const everyMilliseconds = 10_000;
const final = ['completed', 'failed', 'canceled'];

/** One port request: its status and the available actions. */
export function PortPage(): JSX.Element {
  const { id = '' } = useRoute().params;
  const port = useResource(id, (signal) => readPort(id, signal), { everyMilliseconds });
  return (
    <Page title="Port request" above={<Back href="/porting" text="Porting" />}>
      <Loaded what="port request" from={port}>
        {(data) => (
          <>
            <PortPanels port={data} />
            {!final.includes(data.status) && <Actions port={data} onDone={port.reload} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

export function PortPanels({ port }: { port: PortDetail }): JSX.Element {
  return (
    <>
      <Panel title="State">
        <Facts
          rows={[
            ['State', <NamedState name={port.status} key="state" />],
            ['Request', <code key="id">{port.id}</code>],
            ['Port date', <When at={port.target_port_date} key="date" />],
            ['Carrier', port.carrier === 'manual' ? 'An operator carries it out by hand' : port.carrier],
            ['Carrier’s reference', port.carrier_reference ?? 'Not confirmed yet'],
            [
              'Signature',
              port.signature.signed_at === null ? (
                <>
                  {port.signature.email}, until <When at={port.signature.expires_at} />
                </>
              ) : (
                <>
                  {port.signature.signer_name}, <When at={port.signature.signed_at} />
                </>
              ),
            ],
          ]}
        />
        {port.carrier_problem !== null && (
          <Problem title="The carrier">
            <p>{port.carrier_problem}</p>
          </Problem>
        )}
      </Panel>
      <Panel title="Numbers">
        <WideTable label="Numbers of the request">
          <TableHead columns={{ Number: '', State: '', Reason: '' }} />
          <tbody>
            {port.phone_numbers.map((number) => (
              <tr key={number.number}>
                <td class="figure">
                  {number.active ? (
                    <a href={`/trunks/${number.number.slice(1)}`}>
                      <PhoneNumber text={number.number} />
                    </a>
                  ) : (
                    <PhoneNumber text={number.number} />
                  )}
                </td>
                <td>
                  <NamedState name={number.status} />
                </td>
                <td>{number.reason ?? (number.active ? 'Inbound number of this organization' : '')}</td>
              </tr>
            ))}
          </tbody>
        </WideTable>
      </Panel>
      <Panel title="Timeline">
        <Timeline moves={port.timeline} />
      </Panel>
    </>
  );
}

function Actions({ port, onDone }: { port: PortDetail; onDone: () => void }): JSX.Element {
  const [message, setMessage] = useState<string | undefined>();
  const [isSure, setSure] = useState(false);
  const act = (work: Promise<unknown>, done: string): void => {
    work.then(
      () => {
        setMessage(done);
        setSure(false);
        onDone();
      },
      (failure: ApiFailure) => setMessage(failure.message),
    );
  };
  return (
    <div class="buttons">
      {port.status === 'waiting_for_signature' && (
        <button
          type="button"
          onClick={() => act(resendSignature(port.id), `A new link was sent to ${port.signature.email}.`)}
        >
          Send the letter again
        </button>
      )}
      {isSure ? (
        <button type="button" onClick={() => act(cancelPort(port.id), 'Canceled.')}>
          Cancel it for good
        </button>
      ) : (
        <button type="button" onClick={() => setSure(true)}>
          Cancel the port
        </button>
      )}
      <span role="status">{message}</span>
    </div>
  );
}
