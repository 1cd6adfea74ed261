import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeliveriesPage } from '../../../../src/dashboard/pages/webhooks/deliveries-page.js';
import { EndpointPage } from '../../../../src/dashboard/pages/webhooks/endpoint-page.js';
import { WebhooksPage } from '../../../../src/dashboard/pages/webhooks/webhooks-page.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

let api: ExampleApi;
beforeEach(async () => {
  api = await ExampleApi.open();
  signInAs();
});
afterEach(closePages);

describe('the deliveries', () => {
  const open = (query = ''): Promise<OpenedPage> =>
    OpenedPage.open(api, '/webhooks/deliveries', DeliveriesPage, `/webhooks/deliveries${query}`);
  const asked = (): string => api.sent.find(({ operation }) => operation === 'listDeliveries')!.url;

  it('are those of the filter in the address', async () => {
    api.answer('listWebhooks', (data) => ({
      webhooks: [{ ...data.webhooks[0], webhook_id: 'w1', url: 'https://one.example/' }],
    }));
    const page = await open('?webhook_id=w1&channel=email&subject=call-7');
    const { searchParams } = new URL(asked(), 'http://x');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      webhook_id: 'w1',
      channel: 'email',
      subject: 'call-7',
    });
    expect([page.field('Endpoint').value, page.field('Channel').value]).toEqual(['w1', 'email']);
    expect(page.field('Call or alert').value).toBe('call-7');
    expect(page.all('option')).toEqual([
      'All',
      'https://one.example/',
      'All channels',
      'Webhook',
      'Email',
      'SMS',
    ]);
  });

  it('are all without a filter, or with a channel that does not exist', async () => {
    const page = await open('?channel=pigeon');
    expect(page.field('Channel').value).toBe('');
    expect(asked()).not.toMatch(/channel|subject|webhook_id/);
  });

  it('are chosen by endpoint, channel and subject, each keeping the others', async () => {
    const page = await open('?channel=sms');
    await page.fill('Call or alert', ' call-8 ');
    await page.press('Filter');
    await page.fill('Channel', 'webhook');
    await page.fill('Channel', '');
    await page.fill('Call or alert', ' ');
    await page.press('Filter');
    expect(page.led).toEqual([
      '/webhooks/deliveries?subject=call-8&channel=sms',
      '/webhooks/deliveries?channel=webhook',
      '/webhooks/deliveries',
      '/webhooks/deliveries?channel=sms',
    ]);
  });
});

describe('an endpoint', () => {
  const open = (): Promise<OpenedPage> => OpenedPage.open(api, '/webhooks/:id', EndpointPage, '/webhooks/w1');
  const endpoint = (fields: object): void =>
    api.answer('getWebhook', (data) => ({ ...data, webhook_id: 'w1', enabled: true, ...fields }));

  it('gets everything that failed in the chosen hours again', async () => {
    endpoint({});
    api.answer('replayFailedDeliveries', (data) => ({ ...data, replayed: 1, is_complete: true }));
    const page = await open();
    await page.press('Replay all failed');
    const [sent] = api.changesSent;
    const hoursAgo = (Date.now() - Date.parse(Object.values(sent!.body)[0] as string)) / 3_600_000;
    expect(hoursAgo).toBeCloseTo(24, 0);
    expect(page.all('p')).toContain('Replaying 1 delivery.');
    api.answer('replayFailedDeliveries', (data) => ({ ...data, replayed: 100, is_complete: false }));
    await page.press('Replay all failed');
    expect(page.all('p')).toContain('Replaying 100 deliveries; repeat for more.');
    api.refuse('replayFailedDeliveries', 409, 'CONFLICT', 'It is disabled.');
    await page.press('Replay all failed');
    expect(page.all('.field-problem')).toEqual(['It is disabled.']);
  });

  it('replays nothing while it is disabled', async () => {
    endpoint({ enabled: false });
    const page = await open();
    await expect(page.press('Replay all failed')).rejects.toThrow('disabled');
    expect(page.text).toContain('Enable the endpoint first.');
  });

  it('is for sessions with the scope', async () => {
    signInAs({ scopes: ['webhooks:read'] });
    endpoint({});
    const page = await open();
    await expect(page.press('Replay all failed')).rejects.toThrow('disabled');
    expect(page.text).not.toContain('Enable the endpoint first.');
  });
});

describe('the endpoints', () => {
  it('are explained where there are none', async () => {
    api.answer('listWebhooks', () => ({ webhooks: [] }));
    const page = await OpenedPage.open(api, '/webhooks', WebhooksPage);
    expect(page.all('.empty-title')).toHaveLength(1);
  });
});
