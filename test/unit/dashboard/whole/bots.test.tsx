import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BotsPage } from '../../../../src/dashboard/pages/setup/bots-page.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

let api: ExampleApi;
beforeEach(async () => {
  api = await ExampleApi.open();
  signInAs();
});
afterEach(closePages);

describe('the signing secrets of bots', () => {
  const open = (...ids: string[]): Promise<OpenedPage> => {
    api.answer('listAgentStreamSecrets', (data) => ({
      signing_secrets: ids.map((secret_id) => ({ ...data.signing_secrets[0], secret_id })),
    }));
    return OpenedPage.open(api, '/setup/bots', BotsPage);
  };

  it('are created, and shown only then', async () => {
    const page = await open();
    expect(page.all('.empty-title')).toEqual(['No signing secret']);
    expect(page.text).not.toContain('Shown only now.');
    api.answer('createAgentStreamSecret', (data) => ({ ...data, secret: 'secret-9' }));
    await page.press('Create secret');
    expect(page.text).toContain('Shown only now. secret-9');
    expect(api.sent.at(-1)!.operation).toBe('listAgentStreamSecrets');
  });

  it('say which of them is the current one', async () => {
    const page = await open('s2', 's1');
    const [, current, earlier] = page.all('tr');
    expect(current).toMatch(/^s2 .*Current/);
    expect(earlier).toMatch(/^s1 .*Earlier/);
    await page.press('Rotate');
    await page.press('Remove s1');
    expect(api.changesSent.map(({ operation, url }) => [operation, url.split('/').at(-1)])).toEqual([
      ['createAgentStreamSecret', 'signing-secrets'],
      ['removeAgentStreamSecret', 's1'],
    ]);
  });

  it('say why a change is refused', async () => {
    const page = await open('s1');
    api.refuse('removeAgentStreamSecret', 503, 'X', 'PostgreSQL is slow.');
    await page.press('Remove s1');
    expect(page.all('.problem')).toEqual(['Not changed PostgreSQL is slow.']);
  });

  it('are only shown to sessions that may not change trunks', async () => {
    signInAs({ scopes: ['trunks:read'] });
    const page = await open('s1');
    for (const name of ['Rotate', 'Remove s1']) await expect(page.press(name)).rejects.toThrow('disabled');
  });
});
