import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  acceptInvitation,
  invite,
  lookUpInvitation,
  readInvitations,
  withdrawInvitation,
} from '../../../../src/control/people/invitations.js';
import {
  createPerson,
  findPersonByEmail,
  isKnownBrowser,
  rememberBrowser,
  setPassword,
} from '../../../../src/control/people/people.js';
import { WholeApi } from './whole-api.js';

let api: WholeApi;
let own: string;
let foreign: string;
let serial = 0;
beforeAll(async () => {
  api = await WholeApi.shared();
}, 300_000);
beforeEach(async () => {
  own = (await api.user()).organizationId;
  foreign = (await api.user()).organizationId;
});

const address = (): string => `person-${++serial}@acme.example`;
const ask = (email: string, organizationId = own) =>
  invite(api.database, organizationId, { email, role: 'viewer', invitedBy: 'Ada' });
const accept = (token: string) =>
  acceptInvitation(
    api.database,
    token,
    async (transaction, email, existing) =>
      existing ?? createPerson(transaction, { email, name: 'Bob', password: 'hash' }),
  );
const open = async (organizationId = own) =>
  (await readInvitations(api.database, organizationId)).map(({ email }) => email);
const expire = (id: string) =>
  sql`update invitations set expires_at = now() - interval '1 second' where id = ${id}`.execute(api.database);

describe('an invitation', () => {
  it('is accepted once, in place of earlier ones of the same address', async () => {
    const email = address();
    const first = await ask(email);
    const second = await ask(email);
    const strange = await ask(email, foreign);
    expect([await open(), await open(foreign)]).toEqual([[email], [email]]);
    expect(await lookUpInvitation(api.database, first.token)).toBeUndefined();
    expect(await lookUpInvitation(api.database, second.token)).toMatchObject({
      email,
      organization_id: own,
      has_account: false,
    });
    expect(await accept(first.token)).toBeUndefined();
    expect(await accept(second.token)).toMatchObject({ organizationId: own, person: { email } });
    expect(await accept(second.token)).toBeUndefined();
    await expect(ask(email)).rejects.toMatchObject({ code: 'ALREADY_MEMBER' });
    expect(await lookUpInvitation(api.database, strange.token)).toMatchObject({ has_account: true });
    expect([await open(), await open(foreign)]).toEqual([[], [email]]);
  });

  it('is invalid once it expired, and withdrawn by its organization alone', async () => {
    const [expired, kept] = [await ask(address()), await ask(address())];
    await expire(expired.invitation.id);
    expect(await open()).toEqual([kept.invitation.email]);
    expect(await lookUpInvitation(api.database, expired.token)).toBeUndefined();
    expect(await accept(expired.token)).toBeUndefined();
    expect(await withdrawInvitation(api.database, foreign, kept.invitation.id)).toBeUndefined();
    expect(await open()).toEqual([kept.invitation.email]);
    const later = await ask(address());
    expect(await withdrawInvitation(api.database, own, kept.invitation.id)).toMatchObject({
      id: kept.invitation.id,
    });
    expect(await open()).toEqual([later.invitation.email]);
    // The next invitation has deleted what expired.
    const { rows } = await sql`select id from invitations where organization_id = ${own}`.execute(
      api.database,
    );
    expect(rows).toEqual([{ id: later.invitation.id }]);
  });
});

describe('the known browsers of a person', () => {
  it('are forgotten with a new password of that person alone', async () => {
    const people = [];
    for (const email of [address(), address()])
      people.push(await createPerson(api.database, { email, name: 'Bob', password: 'old' }));
    const [bob, eve] = people as [(typeof people)[0], (typeof people)[0]];
    const tokens = [await rememberBrowser(api.database, bob.id), await rememberBrowser(api.database, eve.id)];
    const knows = async (token: string, email: string) => isKnownBrowser(api.database, token, email);
    expect([await knows(tokens[0]!, bob.email), await knows(tokens[0]!, eve.email)]).toEqual([true, false]);
    await api.database.transaction().execute((transaction) => setPassword(transaction, bob.id, 'new'));
    expect([await knows(tokens[0]!, bob.email), await knows(tokens[1]!, eve.email)]).toEqual([false, true]);
    expect((await findPersonByEmail(api.database, bob.email))!.password).toBe('new');
    expect((await findPersonByEmail(api.database, eve.email))!.password).toBe('old');
  });

  it('are at most twenty', async () => {
    const email = address();
    const { id } = await createPerson(api.database, { email, name: 'Bob', password: 'old' });
    for (let count = 0; count < 21; count += 1) await rememberBrowser(api.database, id);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from known_browsers
      where person_id = ${id}`.execute(api.database);
    expect(rows[0]!.count).toBe(20);
  });
});
