import type { JSX } from 'preact';
import { CodecFields } from './codec-fields.js';
import { CallerFields, ServerFields } from './connection-fields.js';
import type { DirectionFields } from './direction-fields.js';
import { FailoverFields } from './failover-fields.js';
import { HeaderFields } from './header-fields.js';
import { LimitFields, TransferFields } from './policy-fields.js';

/** The fields of one configuration: server or callers, credentials, certificates, headers. */
export function ConnectionFields({
  fields,
  stored,
}: {
  fields: DirectionFields;
  stored: { readonly sipPassword: boolean; readonly registerPassword: boolean };
}): JSX.Element {
  return (
    <>
      {fields.type === 'inbound' ? <CallerFields stored={stored} /> : <ServerFields stored={stored} />}
      <HeaderFields direction={fields.type} />
    </>
  );
}

/** Codecs, failover, limits and transfers. */
export function PolicyFields({ direction }: { direction: DirectionFields['type'] }): JSX.Element {
  return (
    <>
      <CodecFields />
      {direction === 'outbound' && <FailoverFields />}
      <LimitFields />
      <TransferFields />
    </>
  );
}
