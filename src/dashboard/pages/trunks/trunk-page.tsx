import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { onEvent } from '../../api/live.js';
import { useResource } from '../../api/resource.js';
import { readTrunk, readTrunkStatus } from '../../api/trunks.js';
import { Page } from '../../frame/page.js';
import { Back } from '../../parts/back.js';
import { Icon } from '../../parts/icons.js';
import { Loaded } from '../../parts/notice.js';
import { numberText } from '../../parts/number-text.js';
import { numberOf, trunkAddress } from '../../parts/trunk-address.js';
import { MaintenanceBanner } from '../alerts/maintenance-banner.js';
import { AlertPanel } from './alert-panel.js';
import { ConfigurationPanel } from './configuration-panel.js';
import { FailuresPanel } from './failures-panel.js';
import { HealthPanel } from './health-panel.js';
import { PathwayPanel } from './pathway-panel.js';
import { PlaceCallPanel } from './place-call-panel.js';
import { RegistrationPanel } from './registration-panel.js';
import { ServersPanel } from './servers-panel.js';
import { TestCallPanel } from './test-call-panel.js';
import { Unfinished } from './unfinished.js';

const everyMilliseconds = 15_000;

export function TrunkPage(): JSX.Element {
  const { params } = useRoute();
  const phoneNumber = numberOf(params.number ?? '');
  return <Trunk phoneNumber={phoneNumber} key={phoneNumber} />;
}

function Trunk({ phoneNumber }: { phoneNumber: string }): JSX.Element {
  const trunk = useResource(phoneNumber, (signal) => readTrunk(phoneNumber, signal));
  const [isAsking, setAsking] = useState(false);
  const status = useResource(
    phoneNumber,
    (signal) => readTrunkStatus(phoneNumber, { probe: isAsking, signal }),
    { everyMilliseconds },
  );
  const { reload } = status;
  useEffect(() => {
    if (isAsking) reload();
  }, [isAsking, reload]);
  useEffect(() => {
    if (!status.isLoading) setAsking(false);
  }, [status.isLoading]);
  useEffect(() => {
    const stop = [onEvent('trunk', reload), onEvent('registration', reload)];
    return () => {
      for (const end of stop) end();
    };
  }, [reload]);
  const hasServer = (status.data?.endpoints.length ?? 0) > 0;
  return (
    <Page
      title={numberText(phoneNumber)}
      above={<Back href="/trunks" text="Trunks" />}
      beside={
        <div class="buttons">
          <a class="button" href={`${trunkAddress(phoneNumber)}/edit`}>
            Edit
          </a>
          {hasServer && (
            <button type="button" onClick={() => setAsking(true)} disabled={isAsking}>
              <Icon name="refresh" />
              {isAsking ? 'Checking …' : 'Check now'}
            </button>
          )}
        </div>
      }
    >
      <MaintenanceBanner phoneNumber={phoneNumber} />
      <Loaded what="configuration" from={trunk}>
        {({ configurations }) => (
          <>
            <Unfinished phoneNumber={phoneNumber} configurations={configurations} />
            <div class="trunk-columns">
              <div>
                <HealthPanel phoneNumber={phoneNumber} status={status} />
                <FailuresPanel phoneNumber={phoneNumber} />
                {configurations.some(({ direction }) => direction === 'outbound') && (
                  <>
                    <TestCallPanel phoneNumber={phoneNumber} />
                    <PlaceCallPanel phoneNumber={phoneNumber} configurations={configurations} />
                  </>
                )}
              </div>
              <div>
                {status.data !== undefined && (
                  <>
                    <ServersPanel phoneNumber={phoneNumber} status={status.data} onChanged={reload} />
                    <RegistrationPanel registrations={status.data.registrations} />
                  </>
                )}
                {configurations.some(({ direction }) => direction === 'inbound') && (
                  <PathwayPanel phoneNumber={phoneNumber} />
                )}
                <ConfigurationPanel phoneNumber={phoneNumber} configurations={configurations} />
                <AlertPanel
                  phoneNumber={phoneNumber}
                  configurations={configurations}
                  onChanged={trunk.reload}
                />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}
