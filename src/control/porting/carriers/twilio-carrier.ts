import { z } from 'zod';
import type { TwilioSettings } from '../../../config/porting-settings.js';
import type { NumberType } from '../number-plan.js';
import { customerName } from '../port-order.js';
import {
  type Carrier,
  type CarrierNumber,
  CarrierRefusal,
  type CarrierReport,
  CarrierUnavailable,
  type CarrierWebhook,
  ForgedWebhook,
  type NumberCheck,
  type Submission,
} from './carrier.js';
import { TwilioHttp, TwilioRefusal } from './twilio-http.js';
import { isSignedByTwilio } from './twilio-signature.js';

/** A check is one request for each number. */
const checksAtOnce = 8;
/** Twilio's error 22137: a port request for the number is in progress in one of our accounts. */
const alreadyPorting = 22_137;
/** Our clocks may differ, and the day of `CreatedAfter` is in some zone. */
const searchSlackMilliseconds = 36 * 3_600_000;
const searchPages = 5;

const portabilitySchema = z.object({
  portable: z.boolean().nullable(),
  pin_and_account_number_required: z.boolean().nullish(),
  number_type: z.string().nullish(),
  not_portable_reason: z.string().nullish(),
});

const portInSchema = z.object({
  port_in_request_sid: z.string().regex(/^KW[0-9a-fA-F]{32}$/),
  port_in_request_status: z.string().nullish(),
  order_cancellation_reason: z.string().nullish(),
  signature_request_url: z.string().nullish(),
  phone_numbers: z
    .array(
      z.object({
        phone_number: z.string(),
        port_in_phone_number_status: z.string().nullish(),
        portable: z.boolean().nullish(),
        not_portability_reason: z.string().nullish(),
        rejection_reason: z.string().nullish(),
      }),
    )
    .nullish(),
});
type PortIn = z.output<typeof portInSchema>;

const listSchema = z.object({
  port_in_requests: z.array(z.object({ port_in_request_sid: z.string() })),
  meta: z.object({ next_token: z.string().nullish() }).nullish(),
});

const numberTypes: Readonly<Record<string, NumberType>> = {
  LOCAL: 'landline',
  MOBILE: 'mobile',
  'TOLL-FREE': 'toll-free',
};

/** Twilio's Porting API (public beta): Portability, Documents, PortIn and its webhooks. */
export class TwilioCarrier implements Carrier {
  readonly name = 'twilio';
  private readonly http: TwilioHttp;

  constructor(private readonly settings: TwilioSettings) {
    this.http = new TwilioHttp(settings);
  }

  async check(numbers: readonly string[], signal: AbortSignal): Promise<NumberCheck[]> {
    const results: NumberCheck[] = [];
    for (let at = 0; at < numbers.length; at += checksAtOnce) {
      const batch = numbers.slice(at, at + checksAtOnce);
      results.push(...(await Promise.all(batch.map((number) => this.checkOne(number, signal)))));
    }
    return results;
  }

  private async checkOne(number: string, signal: AbortSignal): Promise<NumberCheck> {
    const refused = (reason: string): NumberCheck => ({
      number,
      portable: false,
      numberType: 'unknown',
      pinRequired: false,
      reason,
      source: 'carrier',
    });
    try {
      const path = `/v1/Porting/Portability/PhoneNumber/${encodeURIComponent(`+${number}`)}`;
      const { body } = await this.http.ask('GET', `${this.settings.numbersUrl}${path}`, signal);
      const read = readBody(portabilitySchema, body);
      const portable = read.portable === true;
      return {
        number,
        portable,
        numberType: numberTypes[read.number_type?.toUpperCase() ?? ''] ?? 'unknown',
        pinRequired: read.pin_and_account_number_required === true,
        reason: portable ? null : (read.not_portable_reason ?? 'The carrier does not port it.'),
        source: 'carrier',
      };
    } catch (error) {
      if (error instanceof CarrierRefusal) return refused(error.message);
      throw error;
    }
  }

  /** Looks through the requests of the time since the first attempt for one with the same numbers. */
  async find({ numbers, begunAt }: Submission, signal: AbortSignal): Promise<string | undefined> {
    const since = new Date((begunAt?.getTime() ?? Date.now()) - searchSlackMilliseconds);
    let token: string | undefined;
    for (let page = 0; page < searchPages; page++) {
      const query = new URLSearchParams({ Size: '100', CreatedAfter: since.toISOString().slice(0, 10) });
      if (token !== undefined) query.set('Token', token);
      const url = `${this.settings.numbersUrl}/v1/Porting/PortIn/PortInRequests?${query}`;
      const list = readBody(listSchema, (await this.http.ask('GET', url, signal)).body);
      for (const { port_in_request_sid: sid } of list.port_in_requests) {
        const found = await this.fetchPort(sid, signal);
        const wanted = new Set(numbers.map((number) => `+${number}`));
        const has = (found.phone_numbers ?? []).filter(({ phone_number: number }) => wanted.has(number));
        const isOver = /^(cancel|expired)/i.test(found.port_in_request_status ?? '');
        if (has.length === wanted.size && !isOver) return sid;
      }
      token = list.meta?.next_token ?? undefined;
      if (token === undefined) return undefined;
    }
    throw new CarrierUnavailable('Twilio has too many port requests to find this one among them.');
  }

  async submit(submission: Submission, signal: AbortSignal): Promise<string> {
    const { settings } = this;
    const documents: string[] = [];
    for (const document of submission.documents) documents.push(await this.upload(document, signal));
    const { information } = submission;
    const { address } = information;
    try {
      const { body } = await this.http.ask('POST', `${settings.numbersUrl}/v1/Porting/PortIn`, signal, {
        account_sid: settings.accountSid,
        documents,
        phone_numbers: submission.numbers.map((number) => ({
          phone_number: `+${number}`,
          ...(information.pin === undefined ? {} : { pin: information.pin }),
        })),
        losing_carrier_information: {
          customer_type: information.customer_type === 'business' ? 'Business' : 'Individual',
          customer_name: customerName(information),
          authorized_representative: `${information.first_name} ${information.last_name}`,
          authorized_representative_email: information.authorized_representative_email,
          ...(information.account_number === undefined ? {} : { account_number: information.account_number }),
          account_telephone_number: `+${submission.numbers[0]}`,
          address: {
            street: address.street,
            ...(address.street2 === undefined ? {} : { street_2: address.street2 }),
            city: address.city,
            state: address.state,
            zip: address.zip,
            country: address.country,
          },
        },
        notification_emails: submission.notificationEmails,
        target_port_in_date: submission.targetDay,
      });
      return readBody(portInSchema, body).port_in_request_sid;
    } catch (error) {
      // It has the request already: the next attempt finds it.
      if (error instanceof TwilioRefusal && error.code === alreadyPorting)
        throw new CarrierUnavailable('Twilio has a port request for these numbers already; looking for it.', {
          cause: error,
        });
      throw error;
    }
  }

  private async upload(document: Submission['documents'][number], signal: AbortSignal): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of await document.open()) chunks.push(chunk as Buffer);
    const form = new FormData();
    form.set('document_type', 'utility_bill');
    form.set('friendly_name', document.name);
    const extension = document.mediaType.split('/')[1];
    const file = new Blob(
      chunks.map((chunk) => new Uint8Array(chunk)),
      { type: document.mediaType },
    );
    form.set('File', file, `${document.name}.${extension}`);
    const url = `${this.settings.uploadUrl}/v1/Documents`;
    const { body } = await this.http.ask('POST', url, signal, form);
    return readBody(z.object({ sid: z.string().min(1) }), body).sid;
  }

  async status(reference: string, signal: AbortSignal): Promise<CarrierReport> {
    const found = await this.fetchPort(reference, signal);
    const request = wordsOf(found.port_in_request_status);
    return {
      numbers: (found.phone_numbers ?? []).map((number) => numberOf(number, request, found)),
      note: noteOf(request),
    };
  }

  private async fetchPort(reference: string, signal: AbortSignal): Promise<PortIn> {
    const url = `${this.settings.numbersUrl}/v1/Porting/PortIn/${reference}`;
    return readBody(portInSchema, (await this.http.ask('GET', url, signal)).body);
  }

  async cancel(reference: string, signal: AbortSignal): Promise<void> {
    const url = `${this.settings.numbersUrl}/v1/Porting/PortIn/${reference}`;
    try {
      await this.http.ask('DELETE', url, signal);
    } catch (error) {
      // Gone already.
      if (error instanceof TwilioRefusal && error.status === 404) return;
      throw error;
    }
  }

  readWebhook(webhook: CarrierWebhook): string | undefined {
    if (!isSignedByTwilio(this.settings.authToken, webhook)) throw new ForgedWebhook();
    const text = webhook.body.toString('utf8');
    const fields: unknown = text.startsWith('{')
      ? readJson(text)
      : Object.fromEntries(new URLSearchParams(text));
    const read = z.object({ port_in_request_sid: z.string() }).safeParse(fields);
    return read.success ? read.data.port_in_request_sid : undefined;
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  throw new CarrierUnavailable('Twilio gave an answer that is not the one of its documentation.');
}

/** `Waiting for Signature` and `waiting-for-signature` are the same. */
const wordsOf = (status: string | null | undefined): string =>
  (status ?? '')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();

const numberStatuses: Readonly<Record<string, CarrierNumber['status']>> = {
  completed: 'completed',
  ported: 'completed',
  pending: 'in_progress',
  'in progress': 'in_progress',
  rejected: 'failed',
  'not portable': 'failed',
  expired: 'failed',
  canceled: 'canceled',
  cancelled: 'canceled',
};

function numberOf(
  number: NonNullable<PortIn['phone_numbers']>[number],
  request: string,
  { order_cancellation_reason: why }: PortIn,
): CarrierNumber {
  const own = numberStatuses[wordsOf(number.port_in_phone_number_status)];
  const overall = { completed: 'completed', expired: 'failed', canceled: 'canceled' } as const;
  const status =
    own ??
    (number.portable === false
      ? 'failed'
      : (overall[request as keyof typeof overall] ??
        (request === 'in progress' ? 'in_progress' : 'submitted')));
  return {
    number: number.phone_number.replace(/^\+/, ''),
    status,
    reason: number.rejection_reason ?? number.not_portability_reason ?? why ?? null,
  };
}

const noteOf = (request: string): string | null => {
  switch (request) {
    case 'waiting for signature':
      return 'Twilio has sent its own letter to the authorized representative and is waiting for the signature.';
    case 'action required':
      return 'Twilio waits for an action: see the request in its console.';
    default:
      return null;
  }
};
