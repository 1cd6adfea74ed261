import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Configuration } from '../../../api/trunks.js';
import { EditForm } from '../../../forms/edit-form.js';
import { useForm } from '../../../forms/use-form.js';
import { capitalized } from '../../../parts/format.js';
import { Panel } from '../../../parts/panel.js';
import { type DirectionFields, fieldsOf, type Sections, sectionsOf } from './direction-fields.js';
import { ConnectionFields, PolicyFields } from './field-sets.js';
import { sectionRequests, updateRequests } from './number-requests.js';

interface FormProps {
  readonly phoneNumber: string;
  readonly entityTag: string | undefined;
  readonly reload: () => void;
}

export const storedOf = (configuration: Configuration) => ({
  sipPassword: configuration.options.sip_password !== undefined,
  registerPassword: configuration.register_auth !== null,
});

interface ConnectionFormProps extends FormProps {
  readonly configuration: Configuration;
  /** `Outbound server 2 of 3`. */
  readonly title: string;
  /** Called with the password that was derived for the PBX, which is shown once. */
  readonly onPassword: (password: string) => void;
}

export function ConnectionForm({
  configuration,
  title,
  onPassword,
  phoneNumber,
  entityTag,
  reload,
}: ConnectionFormProps): JSX.Element {
  const before = useMemo(() => fieldsOf(configuration), [configuration]);
  const form = useForm<DirectionFields>({
    before,
    requests: (from, to) => updateRequests({ phoneNumber, entityTag }, configuration.id, from, to),
  });
  const take = (answers: readonly unknown[]): void => {
    for (const answer of answers) {
      const { register_password_for_pbx: password } = answer as { register_password_for_pbx?: string | null };
      if (typeof password === 'string') onPassword(password);
    }
  };
  return (
    <Panel title={title}>
      <EditForm scope="trunks:write" label={title} form={form} reload={reload} onSaved={take}>
        <ConnectionFields fields={form.draft} stored={storedOf(configuration)} />
      </EditForm>
    </Panel>
  );
}

/** Codecs, failover, limits and transfers of a direction, whatever configurations it has. */
export function PolicyForm({
  configuration,
  phoneNumber,
  entityTag,
  reload,
}: FormProps & { readonly configuration: Configuration }): JSX.Element {
  const { direction } = configuration;
  const before = useMemo(() => sectionsOf(configuration), [configuration]);
  const form = useForm<Sections>({
    before,
    requests: (from, to) => sectionRequests({ phoneNumber, entityTag }, direction, from, to),
  });
  const title = `${capitalized(direction)} calls`;
  return (
    <Panel title={title} note={direction === 'inbound' ? 'Calls to the number.' : 'Calls from the number.'}>
      <EditForm scope="trunks:write" label={title} form={form} reload={reload}>
        <PolicyFields direction={direction} />
      </EditForm>
    </Panel>
  );
}
