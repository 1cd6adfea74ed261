import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccountPage } from '../../../../src/dashboard/pages/members/account-page.js';
import { JoinPage, ResetPage } from '../../../../src/dashboard/pages/members/link-pages.js';
import { AgentsPage } from '../../../../src/dashboard/pages/setup/agents-page.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

let api: ExampleApi;
let replaced: string[];
beforeEach(async () => {
  api = await ExampleApi.open();
  replaced = [];
});
afterEach(closePages);

const ofLink = {
  origin: 'https://demarc.example',
  pathname: '/join',
  search: '',
  hash: '#token-1',
  replace: (url: string) => void replaced.push(url),
};
/** By the link with a token. */
const follow = (route: string, component: typeof JoinPage): Promise<OpenedPage> =>
  OpenedPage.open(api, route, component, route, ofLink);

describe('an invitation', () => {
  const invitation = (fields: object): void =>
    api.answer('lookUpInvitation', (data) => ({
      ...data,
      organization: 'Acme',
      email: 'ada@acme.example',
      role: 'viewer',
      invited_by: 'Bob',
      ...fields,
    }));

  it('is accepted with a name and a password by a person without an account', async () => {
    invitation({ has_account: false });
    const page = await follow('/join', JoinPage);
    expect(api.sent.map(({ body }) => body)).toEqual([{ token: 'token-1' }]);
    expect(page.all('h1')).toEqual(['Join Acme']);
    expect(page.text).toContain('Bob invites ada@acme.example as viewer:');
    await page.fill('#name', 'Ada');
    await page.fill('#password', 'correct horse battery');
    await page.press('Join');
    expect(api.sent.at(-1)).toMatchObject({
      operation: 'acceptInvitation',
      body: { token: 'token-1', name: 'Ada', password: 'correct horse battery' },
    });
    // The token is not in the history.
    expect(replaced).toEqual(['/']);
  });

  it('is accepted with the password alone by a person with an account', async () => {
    invitation({ has_account: true });
    const page = await follow('/join', JoinPage);
    expect(page.text).toContain('Password of your account');
    await page.fill('#password', 'correct horse battery');
    await page.press('Join');
    expect(api.sent.at(-1)!.body).toEqual({ token: 'token-1', password: 'correct horse battery' });
  });

  it('offers no form once it is used up', async () => {
    api.refuse('lookUpInvitation', 404, 'NOT_FOUND', 'The link was used.');
    const page = await follow('/join', JoinPage);
    expect(page.all('h1')).toEqual(['Invitation']);
    expect(page.all('.field-problem')).toEqual(['The link was used.']);
    expect(page.text).toContain('Invitations work once');
    expect(page.elements('button')).toEqual([]);
  });

  it('can be tried again after a refusal', async () => {
    invitation({ has_account: true });
    api.refuse('acceptInvitation', 400, 'VALIDATION_ERROR', 'Too short.');
    const page = await follow('/join', JoinPage);
    await page.press('Join');
    expect(page.all('.field-problem')).toHaveLength(1);
    expect(page.text).not.toContain('Invitations work once');
    expect(page.button('Join').getAttribute('disabled')).toBeNull();
    expect(replaced).toEqual([]);
  });
});

describe('a new password', () => {
  it('is set once, by the link', async () => {
    api.answer('setPassword', (data) => ({ ...data, email: 'ada@acme.example' }));
    const page = await follow('/reset', ResetPage);
    await page.fill('#password', 'correct horse battery');
    await page.press('Set password');
    expect(api.sent.map(({ body }) => body)).toEqual([
      { token: 'token-1', password: 'correct horse battery' },
    ]);
    expect(page.text).toContain('The password of ada@acme.example is set.');
    expect(page.elements('button')).toEqual([]);
  });

  it('can be written again after a refusal', async () => {
    api.refuse('setPassword', 400, 'VALIDATION_ERROR', 'The link is too old.');
    const page = await follow('/reset', ResetPage);
    await page.press('Set password');
    expect(page.all('.field-problem')).toEqual(['The link is too old.']);
    expect(page.elements('button')).toHaveLength(1);
  });
});

describe('the own account', () => {
  const member = { id: 'm1', name: 'Ada', email: 'ada@acme.example', role: 'owner' };
  const organizations = [
    { id: 'o1', name: 'Acme' },
    { id: 'o2', name: 'Other' },
  ];
  const open = (fields: object): Promise<OpenedPage> => {
    signInAs({ key: null, member, organizations, ...fields } as never);
    return OpenedPage.open(api, '/members/account', AccountPage);
  };

  it('is none of an API key', async () => {
    const page = await open({ member: null });
    expect(page.all('.empty-title')).toEqual(['Signed in with an API key']);
    expect(page.elements('form')).toEqual([]);
  });

  it('changes its password, and says when the present one is wrong', async () => {
    const page = await open({});
    await page.fill('Present password', 'old');
    await page.fill('New password', 'correct horse battery');
    api.refuse('changePassword', 401, 'WRONG_PASSWORD', 'Wrong.');
    await page.press('Change password');
    expect(page.all('.field-problem')).toEqual(['The present password is wrong.']);
    api.refuse('changePassword', 400, 'VALIDATION_ERROR', 'Too short.');
    await page.press('Change password');
    expect(page.all('.field-problem')).toEqual(['Too short.']);
    api.answer('changePassword', (data) => ({ ...data, member, organizations, key: null }));
    await page.press('Change password');
    expect(api.changesSent.at(-1)!.body).toEqual({
      current_password: 'old',
      password: 'correct horse battery',
    });
    expect(page.all('.field-problem')).toEqual([]);
    expect(page.text).toContain('Changed. All other sessions have ended.');
    expect([page.field('Present').value, page.field('New').value]).toEqual(['', '']);
  });

  it('switches the organization where it has several', async () => {
    expect((await open({ organizations: organizations.slice(0, 1) })).elements('select')).toEqual([]);
    const page = await open({});
    expect(page.field('Organization').value).toBe('o1');
    api.refuse('switchOrganization', 403, 'FORBIDDEN', 'You are no member.');
    await page.fill('Organization', 'o2');
    expect(page.all('.field-problem')).toEqual(['You are no member.']);
    expect(page.led).toEqual([]);
    api.answer('switchOrganization', (data) => ({ ...data, member, organizations, key: null }));
    await page.fill('Organization', 'o2');
    expect(api.changesSent.at(-1)!.body).toEqual({ organization_id: 'o2' });
    expect(page.led).toEqual(['/']);
  });
});

describe('the credentials of agents', () => {
  const open = (): Promise<OpenedPage> => {
    api.answer('listAgentCredentials', (data) => ({
      agent_credentials: ['c1', 'c2'].map((id) => ({
        ...data.agent_credentials[0],
        credential_id: id,
        name: `Runtime ${id}`,
        username: `user-${id}`,
      })),
    }));
    return OpenedPage.open(api, '/setup/agents', AgentsPage);
  };

  it('are created, and their password is shown once', async () => {
    signInAs();
    const page = await open();
    api.answer('createAgentCredential', (data) => ({ ...data, username: 'user-9', password: 'secret-9' }));
    await page.fill('Name', ' Outbound ');
    await page.press('Create credentials');
    expect(api.changesSent.map(({ body }) => body)).toEqual([{ name: 'Outbound' }]);
    expect(page.text).toContain('Shown only now.');
    expect(page.text).toContain('secret-9');
    expect(page.field('Name').value).toBe('');
    api.refuse('createAgentCredential', 409, 'X', 'Too many.');
    await page.press('Create credentials');
    expect(page.text).not.toContain('secret-9');
    expect(page.all('.field-problem')).toEqual(['Too many.']);
  });

  it('are revoked one at a time, at the second click', async () => {
    signInAs();
    const page = await open();
    await page.press('Revoke Runtime c2');
    expect(page.text).toContain('Edges refuse new calls of Runtime c2');
    await page.press('Keep them');
    expect(api.changesSent).toEqual([]);
    await page.press('Revoke Runtime c2');
    api.refuse('revokeAgentCredential', 503, 'X', 'Try again.');
    await page.press('Revoke for good');
    expect(page.all('.problem')).toEqual(['Not revoked Try again.']);
    api.answer('revokeAgentCredential', (data) => data);
    await page.press('Revoke for good');
    expect(api.changesSent.map(({ url }) => url)).toEqual(Array(2).fill('/v1/sip/agent-credentials/c2'));
    expect(api.sent.filter(({ operation }) => operation === 'listAgentCredentials')).toHaveLength(2);
  });

  it('are only shown to sessions that may not change trunks', async () => {
    signInAs({ scopes: ['trunks:read'] });
    const page = await open();
    for (const name of ['Revoke', 'Create credentials'])
      await expect(page.press(name)).rejects.toThrow('disabled');
  });

  it('are explained where there are none', async () => {
    signInAs();
    await open();
    api.answer('listAgentCredentials', () => ({ agent_credentials: [] }));
    const page = await OpenedPage.open(api, '/setup/agents', AgentsPage);
    expect(page.all('.empty-title')).toEqual(['No credentials']);
  });
});
