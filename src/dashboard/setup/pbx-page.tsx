import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../api/resource.js';
import { type OutboundSetup, readFirewall, readOutboundSetup } from '../api/setup.js';
import { readNumbers } from '../api/trunks.js';
import { Choice } from '../parts/choice.js';
import { Copy } from '../parts/copy.js';
import { Loaded } from '../parts/notice.js';
import { Facts, Panel } from '../parts/panel.js';
import { Suite } from '../parts/suite.js';
import { type GuidePart, guideOf, type System, systems } from './pbx-guides.js';
import { SetupPage } from './setup-page.js';

const mostNumbers = 500;
const suite = 'AES_CM_128_HMAC_SHA1_80';

/** Settings for each kind of PBX, with the real values filled in. */
export function PbxPage(): JSX.Element {
  const [system, setSystem] = useState<System>('FreePBX');
  const [phoneNumber, setPhoneNumber] = useState('');
  const numbers = useResource('numbers', (signal) => readNumbers({ limit: mostNumbers }, signal));
  const inbound = (numbers.data?.numbers ?? []).filter(({ directions }) => directions.includes('inbound'));
  const setup = useResource(phoneNumber, async (signal) => {
    const [outbound, firewall] = await Promise.all([
      readOutboundSetup(phoneNumber === '' ? undefined : phoneNumber, signal),
      readFirewall(signal),
    ]);
    return { outbound, addresses: firewall.ip_addresses };
  });
  return (
    <SetupPage title="PBX settings">
      <Panel title="PBX and number">
        <div class="filters">
          <Choice
            label="Kind of PBX"
            value={system}
            options={systems.map((name) => [name, name] as const)}
            onChange={setSystem}
          />
          <label>
            Number
            <select value={phoneNumber} onChange={(event) => setPhoneNumber(event.currentTarget.value)}>
              <option value="">Any number, recognized by source address</option>
              {inbound.map(({ phone_number }) => (
                <option value={phone_number} key={phone_number}>
                  {phone_number}
                </option>
              ))}
            </select>
          </label>
        </div>
      </Panel>
      <Loaded what="the setup" from={setup}>
        {({ outbound, addresses }) => (
          <div class="guide-columns">
            <Panel title={system}>
              {guideOf(system, { ...outbound, username: outbound.credentials?.username, addresses }).map(
                (part) => (
                  <Part part={part} key={part.kind === 'note' ? part.text : part.title} />
                ),
              )}
            </Panel>
            <Values outbound={outbound} />
          </div>
        )}
      </Loaded>
    </SetupPage>
  );
}

function Part({ part }: { part: GuidePart }): JSX.Element {
  if (part.kind === 'note') return <p>{part.text}</p>;
  if (part.kind === 'file') {
    return (
      <section aria-label={part.title} class="file">
        <header class="panel-head">
          <h3>{part.title}</h3>
          <Copy text={part.text} what={part.title} />
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reachable by keyboard. */}
        <pre class="message-text" tabIndex={0}>
          {part.text}
        </pre>
      </section>
    );
  }
  return (
    <section aria-label={part.title}>
      <h3>{part.title}</h3>
      <table class="plain fields">
        <caption class="unseen">{part.title}</caption>
        <tbody>
          {part.rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="breakable">
                <b>{value}</b>
              </td>
              <td class="number">
                <Copy text={value} what={name} isBare />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Values({ outbound }: { outbound: OutboundSetup }): JSX.Element {
  const { sip_server, port, transport, credentials } = outbound;
  const copyable = (value: string, what: string, shown: JSX.Element | string = value): JSX.Element => (
    <span class="identifier">
      <b class="breakable">{shown}</b>
      <Copy text={value} what={what} isBare />
    </span>
  );
  return (
    <Panel title="Values only" note="For any other PBX.">
      <Facts
        rows={[
          ['SIP server', copyable(sip_server, 'the SIP server')],
          ['Port', copyable(String(port), 'the port')],
          ['Transport', `${transport.toUpperCase()} 1.2 or later, over TCP`],
          ['Media', copyable(suite, 'the SRTP suite', <Suite name={suite} />)],
          ['DTMF', 'RFC 2833 / 4733'],
          ['Numbers', 'E.164, with or without +'],
          [
            'Recognized by',
            credentials === undefined ? 'source address (allowed_ips)' : `digest, as ${credentials.username}`,
          ],
        ]}
      />
      <p class="note instructions">{outbound.instructions}</p>
    </Panel>
  );
}
