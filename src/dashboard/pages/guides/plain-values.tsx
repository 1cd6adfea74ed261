import type { JSX } from 'preact';
import type { OutboundSetup } from '../../api/setup.js';
import { Copy } from '../../parts/copy.js';
import { Facts, Panel } from '../../parts/panel.js';
import { Suite } from '../../parts/suite.js';

const suite = 'AES_CM_128_HMAC_SHA1_80';

/** The values alone, for a PBX without a guide. */
export function PlainValues({ outbound }: { outbound: OutboundSetup }): JSX.Element {
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
