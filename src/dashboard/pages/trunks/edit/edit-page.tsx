import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { send } from '../../../api/request.js';
import { useResource } from '../../../api/resource.js';
import {
  type Configuration,
  type Direction,
  readVersionedTrunk,
  type VersionedTrunk,
} from '../../../api/trunks.js';
import { Page } from '../../../frame/page.js';
import { Back } from '../../../parts/back.js';
import { Copy } from '../../../parts/copy.js';
import { DeletePanel } from '../../../parts/delete-panel.js';
import { Icon } from '../../../parts/icons.js';
import { Loaded } from '../../../parts/notice.js';
import { numberText } from '../../../parts/number-text.js';
import { Panel } from '../../../parts/panel.js';
import { numberOf, trunkAddress } from '../../../parts/trunk-address.js';
import { addAddress } from '../add/steps.js';
import { ConnectionForm, PolicyForm } from './direction-forms.js';

/** Every field that the API has for a number. */
export function EditNumberPage(): JSX.Element {
  const { params } = useRoute();
  const phoneNumber = numberOf(params.number ?? '');
  return <EditNumber phoneNumber={phoneNumber} key={phoneNumber} />;
}

function EditNumber({ phoneNumber }: { phoneNumber: string }): JSX.Element {
  const number = useResource(phoneNumber, (signal) => readVersionedTrunk(phoneNumber, signal));
  return (
    <Page
      title={`Edit ${numberText(phoneNumber)}`}
      above={<Back href={trunkAddress(phoneNumber)} text={numberText(phoneNumber)} />}
    >
      <Loaded what="the configuration" from={number}>
        {(data) => <Forms phoneNumber={phoneNumber} number={data} reload={number.reload} />}
      </Loaded>
    </Page>
  );
}

interface FormsProps {
  readonly phoneNumber: string;
  readonly number: VersionedTrunk;
  readonly reload: () => void;
}

function Forms({ phoneNumber, number, reload }: FormsProps): JSX.Element {
  const { configurations, entityTag, trunk_id: trunkId } = number;
  const [password, setPassword] = useState<string | undefined>();
  if (trunkId !== null) {
    return (
      <Panel title="Shared trunk">
        <p>
          This number uses the shared trunk <a href={`/trunks/shared/${trunkId}`}>{trunkId}</a>: change it
          there, for all its numbers.
        </p>
      </Panel>
    );
  }
  const common = { phoneNumber, entityTag, reload };
  const directions: readonly Direction[] = ['inbound', 'outbound'];
  return (
    <>
      {password !== undefined && <PasswordForPbx password={password} />}
      <div class="edit-columns">
        {directions.map((direction) => {
          const own = configurations.filter((configuration) => configuration.direction === direction);
          return (
            <div key={direction}>
              {own.length === 0 && <NoDirection direction={direction} phoneNumber={phoneNumber} />}
              {own.map((configuration, at) => (
                <ConnectionForm
                  {...common}
                  key={configuration.id}
                  configuration={configuration}
                  title={titleOf(configuration, at, own.length)}
                  onPassword={setPassword}
                />
              ))}
              {own[0] !== undefined && <PolicyForm {...common} configuration={own[0]} />}
            </div>
          );
        })}
      </div>
      <Detach phoneNumber={phoneNumber} configurations={configurations} />
    </>
  );
}

function titleOf({ direction }: Configuration, at: number, of: number): string {
  const what = direction === 'inbound' ? 'Callers' : 'Server';
  return of === 1 ? what : `${what} ${at + 1} of ${of}`;
}

function NoDirection({ direction, phoneNumber }: { direction: Direction; phoneNumber: string }): JSX.Element {
  const isInbound = direction === 'inbound';
  return (
    <Panel title={isInbound ? 'Callers' : 'Server'}>
      <p class="note">
        {isInbound ? 'Calls to the number are refused with 404.' : 'The number cannot place calls.'}
      </p>
      <div class="buttons">
        <a class="button" href={addAddress(isInbound ? 'callers' : 'pbx', phoneNumber)}>
          <Icon name="add" />
          {isInbound ? 'Set up inbound calls' : 'Set up outbound calls'}
        </a>
      </div>
    </Panel>
  );
}

export function PasswordForPbx({ password }: { password: string }): JSX.Element {
  return (
    <Panel title="Password for the PBX" note="Shown only now. Set it as the secret of the user in the PBX.">
      <p class="identifier once">
        <b class="mono breakable">{password}</b>
        <Copy text={password} what="the password for the PBX" />
      </p>
    </Panel>
  );
}

function Detach({
  phoneNumber,
  configurations,
}: {
  phoneNumber: string;
  configurations: readonly Configuration[];
}): JSX.Element {
  const { route } = useLocation();
  const directions = [...new Set(configurations.map(({ direction }) => direction))];
  const remove = async (): Promise<void> => {
    await send((client) =>
      client.detachNumber({
        phone_number: phoneNumber,
        directions: directions.map((type) => ({ type })),
        service: 'sip',
      }),
    );
    route('/trunks');
  };
  return (
    <DeletePanel
      what="number"
      note="Calls to the number get 404, and it can place no calls. Its call records stay."
      remove={remove}
      written={{ text: phoneNumber, request: `Type ${phoneNumber} to confirm.` }}
    />
  );
}
