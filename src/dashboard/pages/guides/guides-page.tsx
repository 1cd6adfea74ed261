import type { JSX } from 'preact';
import { useLocation } from 'preact-iso';
import { query } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { type OutboundSetup, readFirewall, readOutboundSetup } from '../../api/setup.js';
import { type Configuration, readNumbers, readTrunk } from '../../api/trunks.js';
import { Choice } from '../../parts/choice.js';
import { Loaded } from '../../parts/notice.js';
import { numberText } from '../../parts/number-text.js';
import { Panel } from '../../parts/panel.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { trunkAddress } from '../../parts/trunk-address.js';
import { SetupPage } from '../setup/setup-page.js';
import { Callers } from './callers.js';
import { FirstContact } from './first-contact.js';
import { type Carrier, carriers, type GuideValues, type System, systems, usualPbx } from './guide.js';
import { valuesOf } from './guide-values.js';
import { guideOf } from './guides.js';
import { Part } from './parts.js';
import { PlainValues } from './plain-values.js';
import { readHost, UnwritableValue } from './written.js';

const mostNumbers = 500;

/** In the page's address, so that a guide can be sent to the person who runs the PBX. */
interface Search {
  readonly system?: string;
  readonly carrier?: string;
  readonly number?: string;
  readonly pbx?: string;
  /** Asterisk: endpoint of the PBX's carrier. */
  readonly through?: string;
}

const oneOf = <Name extends string>(names: readonly Name[], text: string | undefined): Name =>
  names.find((name) => name === text) ?? names[0]!;

/** How to connect a PBX or a carrier, step by step, with the organization's own values. */
export function GuidesPage(): JSX.Element {
  const { query: search, route } = useLocation() as {
    query: Search;
    route: (to: string, r?: boolean) => void;
  };
  const change = (changed: Search): void =>
    route(`/setup/pbx${query({ ...search, ...changed } as Record<string, string | undefined>)}`, true);
  const system = oneOf(systems, search.system);
  const carrier = oneOf(carriers, search.carrier);
  const phoneNumber = search.number === undefined ? '' : `+${search.number.replace(/\D/g, '')}`;
  const typed = search.pbx ?? '';
  const host = readHost(typed);
  const numbers = useResource('numbers', (signal) => readNumbers({ limit: mostNumbers }, signal));
  const inbound = (numbers.data?.numbers ?? []).filter(({ directions }) => directions.includes('inbound'));
  const values = useResource(phoneNumber, (signal) => readValues(phoneNumber, signal));

  return (
    <SetupPage title="Connect your PBX">
      <Panel title="What you connect">
        <div class="filters guide-choices">
          <Choice
            label="Kind of PBX"
            value={system}
            options={systems.map((name) => [name, name] as const)}
            onChange={(system) => change({ system })}
          />
          {system === 'Carrier' && (
            <Choice
              label="Carrier"
              value={carrier}
              options={carriers.map((name) => [name, name] as const)}
              onChange={(carrier) => change({ carrier })}
            />
          )}
        </div>
        <div class="filters guide-choices">
          <label>
            Number
            <select
              value={phoneNumber}
              onChange={({ currentTarget: { value } }) =>
                change({ number: value === '' ? undefined : value.slice(1) } as Search)
              }
            >
              <option value="">All numbers</option>
              {inbound.map(({ phone_number }) => (
                <option value={phone_number} key={phone_number}>
                  {numberText(phone_number)}
                </option>
              ))}
            </select>
          </label>
          <label class="grow">
            {system === 'Carrier' ? 'The carrier’s signaling address' : 'Public address of the PBX'}
            <input
              value={typed}
              placeholder={system === '3CX' ? 'company.my3cx.example' : '203.0.113.5 or pbx.example.com'}
              onChange={({ currentTarget: { value } }) =>
                change({ pbx: value.trim() === '' ? undefined : value.trim() } as Search)
              }
              aria-describedby="pbx-problem"
              aria-invalid={typed !== '' && host === undefined}
              autocomplete="off"
              spellcheck={false}
            />
          </label>
          {system === 'Asterisk' && (
            <label>
              Your carrier’s endpoint (optional)
              <input
                value={search.through ?? ''}
                placeholder="as in pjsip.conf"
                onChange={({ currentTarget: { value } }) =>
                  change({ through: value.trim() === '' ? undefined : value.trim() } as Search)
                }
                autocomplete="off"
                spellcheck={false}
              />
            </label>
          )}
        </div>
        {numbers.data !== undefined && inbound.length === 0 && (
          <p class="note">
            No number receives calls yet. <a href="/trunks/add">Add number</a> first, or continue with the
            values for all numbers.
          </p>
        )}
        <p class="field-problem" id="pbx-problem" role="status">
          {typed !== '' &&
            host === undefined &&
            `${typed} is not a host name or IP address. Omit sip: and the port.`}
        </p>
        {host !== undefined && values.data !== undefined && (
          <Callers
            configuration={values.data.inbound}
            phoneNumber={phoneNumber}
            sources={[host]}
            onChange={values.reload}
          />
        )}
      </Panel>
      <Loaded what="the setup" from={values}>
        {(data) => (
          <div class="guide-columns">
            <Steps
              system={system}
              carrier={carrier}
              values={{
                ...data.values,
                pbx: {
                  ...usualPbx,
                  host,
                  carrier: system === 'Asterisk' && search.through ? search.through : undefined,
                },
              }}
              loaded={data}
              phoneNumber={phoneNumber}
              onChange={values.reload}
            />
            <PlainValues outbound={data.outbound} />
          </div>
        )}
      </Loaded>
    </SetupPage>
  );
}

async function readValues(phoneNumber: string, signal: AbortSignal): Promise<LoadedValues> {
  const [outbound, firewall, trunk] = await Promise.all([
    readOutboundSetup(phoneNumber === '' ? undefined : phoneNumber, signal),
    readFirewall(signal),
    phoneNumber === '' ? undefined : readTrunk(phoneNumber, signal),
  ]);
  const inbound = trunk?.inbound ?? undefined;
  return { outbound, inbound, values: valuesOf(phoneNumber, outbound, firewall, inbound) };
}

interface LoadedValues {
  readonly outbound: OutboundSetup;
  readonly inbound: Configuration | undefined;
  readonly values: Omit<GuideValues, 'pbx'>;
}

interface StepsProps {
  readonly system: System;
  readonly carrier: Carrier;
  readonly values: GuideValues;
  readonly loaded: LoadedValues;
  readonly phoneNumber: string;
  readonly onChange: () => void;
}

export function Steps({ system, carrier, values, loaded, phoneNumber, onChange }: StepsProps): JSX.Element {
  const written = tryGuide(system, carrier, values);
  if ('problem' in written) {
    return (
      <Panel title={system}>
        <p role="alert">{written.problem}</p>
      </Panel>
    );
  }
  const { guide } = written;
  return (
    <div>
      <p class="note">
        {guide.isTested
          ? `These files are loaded by a real ${system} in Demarc’s tests, which then calls and is called.`
          : system === 'FreePBX'
            ? 'Demarc’s tests load what FreePBX writes for these settings, by its source, into a real Asterisk. FreePBX’s own forms are not tested.'
            : `Written from public documentation. Not tested with ${system === 'Carrier' ? 'the carrier' : `a real ${system}`}.`}
      </p>
      <ol class="guide-steps">
        {guide.steps.map(({ title, parts }, index) => (
          <li key={title}>
            <Panel title={`${index + 1}. ${title}`}>
              {parts.map((part) => (
                <Part
                  key={JSON.stringify(part).slice(0, 200)}
                  part={part}
                  authority={loaded.outbound.certificate_authority}
                  callers={(addresses) => (
                    <Callers
                      configuration={loaded.inbound}
                      phoneNumber={phoneNumber}
                      sources={addresses}
                      onChange={onChange}
                    />
                  )}
                />
              ))}
            </Panel>
          </li>
        ))}
        <li>
          <Panel
            title={`${guide.steps.length + 1}. Wait for the ${system === 'Carrier' ? 'carrier' : 'PBX'}`}
          >
            <FirstContact
              phoneNumber={phoneNumber}
              configuration={loaded.inbound}
              host={values.pbx.host}
              onChange={onChange}
            />
            <p class="note">
              {phoneNumber === '' ? (
                <>
                  Choose a number above to see only its calls, or <a href="/trunks/add">add a number</a>.
                </>
              ) : (
                <>
                  Call <PhoneNumber text={phoneNumber} /> from the PBX.{' '}
                  <a href={trunkAddress(phoneNumber)}>The number’s page</a> has its settings, its health and a
                  test call in the other direction.
                </>
              )}
            </p>
          </Panel>
        </li>
      </ol>
    </div>
  );
}

function tryGuide(
  system: System,
  carrier: Carrier,
  values: GuideValues,
): { readonly guide: ReturnType<typeof guideOf> } | { readonly problem: string } {
  try {
    return { guide: guideOf(system, carrier, values) };
  } catch (error) {
    if (error instanceof UnwritableValue) return { problem: error.message };
    throw error;
  }
}
