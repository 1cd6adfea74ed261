import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../src/testkit/waiting.js';
import { TwilioStandIn } from '../support/twilio-stand-in.js';
import { png } from '../unit/control/porting/pictures.js';
import { launchBrowser, Visitor } from './browser.js';
import { type Body, RunningSystem } from './running-system.js';

/** A port through a carrier with an API, on everything that `npm start` runs; only the carrier is a test server. */
const ported = '+14155552672';

let twilio: TwilioStandIn;
let system: RunningSystem;
let browser: Browser;

beforeAll(async () => {
  twilio = await TwilioStandIn.start();
  [system, browser] = await Promise.all([
    RunningSystem.start({
      DEMARC_EDGES: '1',
      DEMARC_PORT_CARRIER: 'twilio',
      DEMARC_TWILIO_ACCOUNT_SID: TwilioStandIn.accountSid,
      DEMARC_TWILIO_AUTH_TOKEN: TwilioStandIn.authToken,
      DEMARC_TWILIO_NUMBERS_URL: twilio.url,
      DEMARC_TWILIO_UPLOAD_URL: twilio.url,
      DEMARC_PORT_RETRY_MS: '200',
      // The ported number accepts calls from the carrier's addresses alone.
      DEMARC_PORT_SOURCES: '127.0.0.0/8',
      DEMARC_SOURCE_POLICY: 'none',
      // In this test only the webhook can move the request.
      DEMARC_PORT_POLL_SECONDS: '3600',
    }),
    launchBrowser(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await system?.stop();
  twilio?.stop();
});

/** Uploads an invoice of the losing carrier; returns its identifier. */
async function uploadInvoice(): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(png(400, 300))]), 'invoice.png');
  const headers = { authorization: `Bearer ${system.ready.http.apiKey}` };
  const url = `${system.ready.http.url}/v1/sip/port/document`;
  const answer: Body = await (await fetch(url, { method: 'POST', headers, body })).json();
  return answer.data.document_sid;
}

async function signInBrowser(signatureUrl: string): Promise<void> {
  const signer = await Visitor.arrive(browser, system.ready.http.url);
  await signer.page.goto(signatureUrl);
  await signer.heading('Letter of Authorization to port telephone numbers');
  await signer.page.getByText(ported).first().waitFor();
  await signer.page.getByLabel('Your full name').fill('Jane Doe');
  await signer.page.getByRole('checkbox').check();
  await signer.page.getByRole('button', { name: 'Sign the letter' }).click();
  await signer.heading('Thank you: the letter is signed');
  expect(signer.problems).toEqual([]);
}

describe('a port through a carrier', () => {
  it('leads from the signature over the signed webhook to a call that the agent answers', async () => {
    const begun = await system.ask('POST', '/v1/sip/port/initiate', {
      phone_numbers: [ported],
      losing_carrier_information: {
        customer_type: 'business',
        business_name: 'Acme Corp',
        first_name: 'Jane',
        last_name: 'Doe',
        account_number: '998877',
        authorized_representative_email: 'jane.doe@example.com',
        address: { street: '101 Spear St', city: 'San Francisco', state: 'CA', zip: '94105', country: 'US' },
      },
      documents: [await uploadInvoice()],
    });
    expect(begun.errors).toBeNull();
    const { port_request_id: id, signature_url: signatureUrl } = begun.data;
    const request = async (): Promise<Body> => (await system.ask('GET', `/v1/sip/port/${id}`)).data;
    expect(twilio.ports, 'submitted without a signature').toEqual([]);

    await signInBrowser(signatureUrl);
    await until(
      async () => (await request()).carrier_reference !== null,
      30_000,
      () => `the carrier has the request; it got ${twilio.log.join(', ')}`,
    );
    expect(twilio.ports).toHaveLength(1);
    const [{ port_in_request_sid: sid, submitted }] = twilio.ports as [(typeof twilio.ports)[0]];
    expect(submitted.phone_numbers).toMatchObject([{ phone_number: ported }]);

    twilio.move(sid, 'Completed', 'Completed');
    expect(await request()).toMatchObject({ status: 'submitted', phone_numbers: [{ active: false }] });
    const webhook = { port_in_request_sid: sid, status: 'PortInCompleted' };
    const events = `${system.ready.http.url}/carrier/port-events`;
    expect(await twilio.webhook(events, webhook, 'forged')).toBe(403);
    expect(await twilio.webhook(events, webhook)).toBe(204);
    await until(async () => (await request()).phone_numbers[0].active, 30_000, 'the number is active');
    expect((await request()).status).toBe('completed');

    // Ends with 0 only if audio went both ways.
    const phone = system.phone(ported, 3);
    expect(await phone.exit(40_000), phone.output).toBe(0);
  });
});
