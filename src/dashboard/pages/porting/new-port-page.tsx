import type { JSX, TargetedSubmitEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAction } from '../../api/action.js';
import type { ApiFailure } from '../../api/client.js';
import { initiationOf, type PortOrder, uploadDocument } from '../../api/porting.js';
import { send } from '../../api/request.js';
import { Page } from '../../frame/page.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Back } from '../../parts/back.js';
import { Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { numbersIn } from './porting-page.js';

interface Upload {
  readonly name: string;
  /** 0 to 1. */
  readonly share: number;
  readonly id?: string;
  readonly problem?: string;
}

/** The form of a port request; it tells the user what the losing carrier compares. */
export function NewPortPage(): JSX.Element {
  const { route } = useLocation();
  const [upload, setUpload] = useState<Upload | undefined>();
  const { isBusy, problem, follow } = useAction();
  const [isBusiness, setBusiness] = useState(true);

  const take = (file: File | undefined): void => {
    if (file === undefined) return;
    const { name } = file;
    setUpload({ name, share: 0 });
    uploadDocument(file, (share) => setUpload({ name, share })).then(
      (id) => setUpload({ name, share: 1, id }),
      (failure: ApiFailure) => setUpload({ name, share: 0, problem: failure.message }),
    );
  };

  const request = (fields: FormData) => initiationOf(orderOf(fields, upload?.id));
  const order = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    follow(send(request(new FormData(event.currentTarget))), ({ port_request_id: id }) =>
      route(`/porting/${id}`),
    );
  };

  return (
    <Page title="Port numbers" above={<Back href="/porting" text="Porting" />}>
      <form class="port-form" onSubmit={order}>
        <Panel title="Numbers">
          <label>
            Numbers to port
            <textarea name="numbers" rows={2} required placeholder="+14155550100" spellcheck={false} />
          </label>
          <label>
            Port date <span class="note">At least 7 days ahead. Empty: the earliest day</span>
            <input type="date" name="date" />
          </label>
        </Panel>
        <Panel
          title="Account at the losing carrier"
          note="The losing carrier compares name, address, account number and PIN with its records. One difference, such as an abbreviated street, and it refuses the port: copy them from the latest bill."
        >
          <label>
            Kind of account
            <select
              name="customer_type"
              onChange={(event) => setBusiness(event.currentTarget.value === 'business')}
            >
              <option value="business">Business</option>
              <option value="personal">Personal</option>
            </select>
          </label>
          {isBusiness && <Field name="business_name" label="Name of the business, as on the bill" />}
          <Field name="first_name" label="First name of the authorized representative" />
          <Field name="last_name" label="Last name of the authorized representative" />
          <Field
            name="email"
            isEmail
            label="Email address of the authorized representative, who signs the letter"
          />
          <Field name="account_number" label="Account number" isOptional />
          <Field name="pin" label="Port-out PIN (most mobile carriers ask for one)" isOptional />
          <Field name="street" label="Street and house number" />
          <Field name="street2" label="Floor or suite" isOptional />
          <Field name="city" label="City" />
          <Field name="state" label="State, written as on the bill" />
          <Field name="zip" label="Postal code" />
          <Field name="country" label="Country, two letters" value="US" />
          <Field name="notify" label="Email addresses for progress notices" isOptional />
        </Panel>
        <Panel
          title="Bill or invoice"
          note="Not older than 30 days, with account name and service address. PDF or picture, at most 10 MB."
        >
          <label>
            Document
            <input
              type="file"
              accept="application/pdf,image/*"
              required
              onChange={(event) => take(event.currentTarget.files?.[0])}
            />
          </label>
          {upload !== undefined && <UploadState upload={upload} />}
        </Panel>
        {problem !== undefined && (
          <Problem title="Request not sent">
            <p>{problem.message}</p>
          </Problem>
        )}
        <button type="submit" class="primary" disabled={isBusy || upload?.id === undefined}>
          Request the port
        </button>
        <AsCurl requests={(fields) => [request(fields)]} />
      </form>
    </Page>
  );
}

function Field({
  name,
  label,
  isEmail = false,
  value,
  isOptional = false,
}: {
  name: string;
  label: string;
  isEmail?: boolean;
  value?: string;
  isOptional?: boolean;
}): JSX.Element {
  const id = useId();
  const attributes = { id, name, required: !isOptional };
  return (
    <p class="port-field">
      <label for={id}>
        {label}
        {isOptional && <span class="note"> optional</span>}
      </label>
      {isEmail ? (
        <input {...attributes} type="email" autocomplete="off" />
      ) : (
        <input {...attributes} defaultValue={value} autocomplete="off" />
      )}
    </p>
  );
}

function UploadState({ upload }: { upload: Upload }): JSX.Element {
  if (upload.problem !== undefined) {
    return (
      <Problem title={`${upload.name} was not taken`}>
        <p>{upload.problem}</p>
      </Problem>
    );
  }
  return (
    <p role="status">
      <progress aria-label={`Upload of ${upload.name}`} value={upload.share} />{' '}
      {upload.id === undefined ? `${Math.round(upload.share * 100)} %` : `${upload.name} is uploaded.`}
    </p>
  );
}

function orderOf(form: FormData, documentId: string | undefined): PortOrder {
  const text = (name: string): string => String(form.get(name) ?? '').trim();
  const optional = (name: string): string | undefined => text(name) || undefined;
  const day = optional('date');
  return {
    phone_numbers: numbersIn(text('numbers')),
    pin: optional('pin'),
    losing_carrier_information: {
      customer_type: text('customer_type') as 'business' | 'personal',
      business_name: optional('business_name'),
      first_name: text('first_name'),
      last_name: text('last_name'),
      account_number: optional('account_number'),
      authorized_representative_email: text('email'),
      notification_emails: numbersIn(text('notify')),
      address: {
        street: text('street'),
        street2: optional('street2'),
        city: text('city'),
        state: text('state'),
        zip: text('zip'),
        country: text('country').toUpperCase(),
      },
    },
    // 17:00 UTC, noon in New York, is the same date in every North American time zone.
    target_port_date: day === undefined ? undefined : `${day}T17:00:00Z`,
    documents: documentId === undefined ? [] : [documentId],
  };
}
