import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { At, CheckField, TextField } from '../../../forms/fields.js';
import { Problem } from '../../../parts/notice.js';
import { Panel } from '../../../parts/panel.js';
import { destinationUri } from '../../setup/discovery-findings.js';
import { useDiscovery } from '../../setup/use-discovery.js';
import { CredentialFields, MediaField, PortAndTransport, TrustFields } from '../edit/connection-fields.js';
import { PbxFindings } from './pbx-findings.js';
import { StepForm, type StepProps } from './step-form.js';

/** Where calls from the number go; discovery fills it. */
export function PbxStep({ form, existing, onAddresses, onBack, onNext }: StepProps): JSX.Element {
  const { outbound, wanted } = form.draft;
  const host = (outbound.sip_endpoint ?? '').trim();
  const { discovery, problem, isRunning, start } = useDiscovery();
  const { set } = form;
  const isDone = discovery?.status === 'completed';
  const recommended = discovery?.recommended ?? null;
  useEffect(() => {
    if (discovery === undefined || !isDone) return;
    onAddresses(discovery.resolved_addresses);
    if (recommended === null) return;
    set('outbound.sip_endpoint', destinationUri(discovery.host, recommended));
    set('outbound.options.port', undefined);
    set('outbound.options.transport', undefined);
  }, [isDone]);
  const discover = (): void => {
    const tls_ca = outbound.options?.tls_ca;
    start({ host, ...(tls_ca === undefined || tls_ca.trim() === '' ? {} : { tls_ca }) });
  };
  const missing = wanted.outbound && host === '' ? 'Enter the address of the PBX.' : undefined;
  const isAttached = existing.outbound !== undefined;
  return (
    <Panel title="PBX" note="The PBX or carrier behind the number: calls from the number go there.">
      <StepForm form={form} label="PBX" onBack={onBack} onNext={onNext} missing={missing}>
        {!isAttached && (
          <CheckField
            path="wanted.outbound"
            label="The number places calls"
            note="Off: it only receives calls, and needs no server"
          />
        )}
        {wanted.outbound && (
          <At path="outbound">
            <div class="with-action">
              <TextField
                path="sip_endpoint"
                label="Address"
                placeholder="pbx.example.com"
                note="Host name, IP address or SIP URI. Discover finds port and transport."
                isMono
                isWide
              />
              <button type="button" disabled={host === '' || isRunning} onClick={discover}>
                {isRunning ? 'Discovering …' : 'Discover'}
              </button>
            </div>
            {problem !== undefined && (
              <Problem title="Discovery not started">
                <p>{problem.message}</p>
              </Problem>
            )}
            {discovery !== undefined && <PbxFindings discovery={discovery} />}
            <div class="fields-grid">
              <PortAndTransport />
              <MediaField />
            </div>
            <CredentialFields
              title="Credentials"
              note="Answers to the PBX’s digest challenges. Empty if it recognizes Demarc by its addresses."
              isStored={existing.outbound?.options.sip_password !== undefined}
              hasRealm
            />
            <TrustFields />
          </At>
        )}
      </StepForm>
    </Panel>
  );
}
