import { z } from 'zod';
import type { TwilioSettings } from '../../../config/porting-settings.js';
import {
  type Carrier,
  CarrierRefusal,
  type CarrierReport,
  CarrierUnavailable,
  type CarrierWebhook,
  ForgedWebhook,
  type NumberCheck,
  type Submission,
} from './carrier.js';
import {
  isRequestFor,
  numberCheckOf,
  type PortIn,
  portabilitySchema,
  portInBody,
  portInSchema,
  reportOf,
} from './twilio-answers.js';
import { TwilioHttp, TwilioRefusal } from './twilio-http.js';
import { isSignedByTwilio } from './twilio-signature.js';

/** A check is one request for each number. */
const checksAtOnce = 8;
/** Twilio's error 22137: a port request for the number is in progress in one of our accounts. */
const alreadyPorting = 22_137;
/** Our clocks may differ, and the day of `CreatedAfter` is in some zone. */
const searchSlackMilliseconds = 36 * 3_600_000;
const searchPages = 5;

const listSchema = z.object({
  port_in_requests: z.array(z.object({ port_in_request_sid: z.string() })),
  meta: z.object({ next_token: z.string().nullish() }).nullish(),
});

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
      return numberCheckOf(number, readBody(portabilitySchema, body));
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
        if (isRequestFor(found, numbers)) return sid;
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
    try {
      const asked = portInBody(settings.accountSid, submission, documents);
      const { body } = await this.http.ask('POST', `${settings.numbersUrl}/v1/Porting/PortIn`, signal, asked);
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
    return reportOf(await this.fetchPort(reference, signal));
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
