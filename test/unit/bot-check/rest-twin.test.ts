import { afterEach, beforeEach, expect, it } from 'vitest';
import { RestTwin } from '../../../src/bot-check/rest-twin.js';

let twin: RestTwin;
beforeEach(async () => {
  twin = await RestTwin.start('127.0.0.1', 0, 'key');
  twin.expect({ accountSid: 'AC1', callSid: 'CA1' });
});
afterEach(() => twin.stop());

/** Sent in chunks, so that no header says how long it is. */
const hangUp = (filler: number): Promise<Response> =>
  fetch(`http://127.0.0.1:${twin.port}/2010-04-01/Accounts/AC1/Calls/CA1.json`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from('AC1:key').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new Blob([`Status=completed&filler=${'x'.repeat(filler)}`]).stream(),
    duplex: 'half',
  } as RequestInit);

it('takes the body of a hang-up whose length no header says', async () => {
  expect((await hangUp(60_000)).status).toBe(200);
  expect(twin.findings).toMatchObject([{ text: 'the bot ended the call' }]);
});

it('refuses a body of more than 64 KiB whose length no header says', async () => {
  const response = await hangUp(70_000);
  expect(response.status).toBe(413);
  expect(twin.findings).toMatchObject([{ level: 'problem', text: 'the body has more than 64 KiB' }]);
});
