import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { png } from '../../unit/control/porting/pictures.js';
import type { Visitor } from '../browser.js';
import type { RunningSystem } from '../running-system.js';
import { shown, Visit } from './visit.js';

const ported = '+14155552671';

let visit: Visit;
let system: RunningSystem;
let noc: Visitor;

beforeAll(async () => {
  visit = await Visit.begin(import.meta.filename);
  // The queue of port requests belongs to operators.
  system = visit.operator;
  noc = await visit.visitor(system.ready.http.apiKey);
});
afterAll(() => visit?.end());

describe('porting', () => {
  it('moves a number from a check over the signature to a call that the agent answers', async () => {
    const { page } = noc;
    await noc.open('/porting');
    await page.getByLabel('Numbers to check').fill(ported);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText(`${ported} can be ported`).waitFor();
    await noc.expectPageAccessible('porting');
    await page.getByRole('link', { name: 'Port numbers' }).first().click();
    await noc.heading('Port numbers');
    await page
      .getByLabel('Document')
      .setInputFiles({ name: 'invoice.png', mimeType: 'image/png', buffer: png(400, 300) });
    await page.getByText('invoice.png is uploaded.').waitFor();
    const fields = {
      'Numbers to port': ported,
      'Name of the business': 'Acme Corp',
      'First name': 'Jane',
      'Last name': 'Doe',
      'Email address of the authorized': 'jane.doe@example.com',
      'Account number': '998877',
      'Street and house number': '101 Spear St',
      City: 'San Francisco',
      'State, written': 'CA',
      'Postal code': '94105',
    };
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).first().fill(value);
    await page.getByText('Show as curl').click();
    await page.getByText(`"account_number": "${fields['Account number']}"`).waitFor();
    await noc.expectPageAccessible('porting-new');
    await page.getByRole('button', { name: 'Request the port' }).click();
    await noc.heading('Port request');
    await page.getByText('Waiting for signature').first().waitFor();
    await noc.expectAccessible('port request');
    await noc.picture('port-request');
    const id = new URL(page.url()).pathname.split('/').at(-1)!;

    const link = await system.ask('POST', `/v1/sip/port/${id}/signature`, {});
    await page.goto(link.data.signature_url);
    await noc.heading('Letter of Authorization to port telephone numbers');
    await noc.expectAccessible('letter');
    await page.getByLabel('Your full name').fill('Jane Doe');
    const drawing = page.getByLabel('Area to draw a signature');
    await drawing.scrollIntoViewIfNeeded();
    const canvas = (await drawing.boundingBox())!;
    await page.mouse.move(canvas.x + 30, canvas.y + 60);
    await page.mouse.down();
    await page.mouse.move(canvas.x + 160, canvas.y + 30, { steps: 5 });
    await page.mouse.up();
    await page.getByRole('checkbox').check();
    await noc.picture('letter');
    await page.getByRole('button', { name: 'Sign the letter' }).click();
    await noc.heading('Thank you: the letter is signed');

    await noc.open('/porting/queue');
    await noc.expectPageAccessible('porting-queue');
    await noc.open(`/porting/queue/${id}`);
    await page.getByLabel('Reason').fill('Ported today.');
    await noc.expectAccessible('port request in the queue');
    await noc.picture('port-queued');
    await page.getByRole('button', { name: 'Completed: numbers are ported' }).click();
    await page.getByText('The request is over').waitFor();
    await noc.open(`/porting/${id}`);
    await page.getByText('Inbound number of this organization').waitFor();
    await system.phone(ported, 2).exit(40_000);
    await noc.open('/calls');
    await page
      .getByRole('region', { name: 'Past calls, newest first' })
      .getByRole('row')
      .filter({ hasText: shown(ported) })
      .getByText('Completed')
      .waitFor();
    expect(noc.problems).toEqual([]);
  });
});
