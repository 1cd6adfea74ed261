import type { JSX } from 'preact';
import { useResource } from '../../api/resource.js';
import { type Firewall, readFirewall } from '../../api/setup.js';
import { Copy } from '../../parts/copy.js';
import { count } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Facts, Panel } from '../../parts/panel.js';
import { SetupPage } from './setup-page.js';

/** The rules that the customer's firewall must allow, ready to copy. */
export function FirewallPage(): JSX.Element {
  const firewall = useResource('firewall', readFirewall);
  return (
    <SetupPage title="Firewall">
      <Loaded what="addresses" from={firewall}>
        {(data) => (
          <>
            <Ports firewall={data} />
            <div class="regions">
              {data.regions.map((region) => (
                <RegionPanel region={region} isOwn={region.region === data.region} key={region.region} />
              ))}
            </div>
          </>
        )}
      </Loaded>
    </SetupPage>
  );
}

function Ports({ firewall: { ports, region } }: { firewall: Firewall }): JSX.Element {
  return (
    <Panel
      title="Ports"
      note="The same for all addresses of every region. Allow both directions, because either side can start a call."
    >
      <Facts
        rows={[
          ['Signaling', <span class="figure">{ports.sip}</span>],
          ['Media', <span class="figure">{ports.rtp}</span>],
          ['Your region', <b>{region}</b>],
        ]}
      />
    </Panel>
  );
}

function RegionPanel({
  region,
  isOwn,
}: {
  region: Firewall['regions'][number];
  isOwn: boolean;
}): JSX.Element {
  const { ip_addresses: addresses } = region;
  return (
    <Panel
      title={`Region ${region.region}${isOwn ? ' (yours)' : ''}`}
      aside={
        addresses.length > 0 && (
          <Copy text={addresses.join('\n')} what={`all addresses of ${region.region}`} label="Copy all" />
        )
      }
      note={
        <>
          Server <span class="mono">{region.sip_server}</span>,{' '}
          {count(addresses.length, 'address', 'addresses')}
        </>
      }
    >
      {addresses.length === 0 && (
        <Empty title="No addresses configured">
          The operator sets them in <code>DEMARC_REGIONS</code>. Until then, allow the addresses that the
          server’s name resolves to.
        </Empty>
      )}
      <ul class="addresses">
        {addresses.map((address) => (
          <li key={address}>
            <span class="mono">{address}</span>
            <Copy text={address} what={address} isBare />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
