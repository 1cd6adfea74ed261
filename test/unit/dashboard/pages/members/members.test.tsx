import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Invitation,
  includesScope,
  type Member,
  may,
  roleRights,
  whyNot,
} from '../../../../../src/dashboard/api/members.js';
import { session } from '../../../../../src/dashboard/api/session.js';
import {
  InvitationTable,
  InvitePanel,
  MemberTable,
} from '../../../../../src/dashboard/pages/members/members-page.js';
import { OneTimeLink } from '../../../../../src/dashboard/pages/members/one-time-link.js';
import { now } from '../../../../../src/dashboard/parts/time.js';
import { type Rendered, rendered } from '../../rendered.js';
import { signInAs } from '../../visitor.js';

const nothing = (): void => undefined;
const signInAsMember = (role: Member['role'], scopes: readonly string[] | null): void =>
  signInAs({
    key: null,
    member: { id: 'm1', name: 'Ada', email: 'ada@acme.example', role },
    scopes,
  } as never);

beforeEach(() => signInAsMember('owner', null));
afterEach(() => {
  session.value = undefined;
});

const member = (fields: Partial<Member> = {}): Member =>
  ({
    member_id: 'm2',
    name: 'Bob',
    email: 'bob@acme.example',
    role: 'viewer',
    operator: false,
    signed_in_at: null,
    ...fields,
  }) as Member;

const table = (...members: Partial<Member>[]): Rendered =>
  rendered(<MemberTable members={members.map(member)} onChanged={nothing} />);

describe('the members', () => {
  it('are none at first: keys name no person', () => {
    expect(table().text).toContain('No members yet');
    expect(table().all('table')).toEqual([]);
  });

  it('have name, email and role, and the own entry is marked', () => {
    const { all, elements } = table({}, { member_id: 'm1', name: 'Ada', role: 'owner' });
    expect(all('b')).toEqual(['Bob', 'Ada (you)']);
    expect(elements('select').map(({ value }) => value)).toEqual(['viewer', 'owner']);
    expect(all('.muted')[0]).toBe('bob@acme.example');
  });

  it('are marked when they see the fleet', () => {
    expect(table({ operator: true }).text).toContain('sees the fleet');
    expect(table({}).text).not.toContain('sees the fleet');
  });

  it('show their last sign-in', () => {
    now.value = Date.parse('2026-11-22T12:00:00Z');
    expect(table({}).all('td')[2]).toBe('Never');
    expect(table({ signed_in_at: '2026-11-22T10:00:00Z' }).all('td')[2]).toBe('2 h ago');
  });

  it('are changed by owners alone; others read why', () => {
    const states = (): unknown[] => {
      const { elements } = table({});
      return [...elements('select'), ...elements('button')].map(({ disabled }) => disabled);
    };
    expect(states()).toEqual([false, false, false]);
    signInAsMember('viewer', ['members:read'] as never);
    expect(states()).toEqual([true, true, true]);
    const { elements } = table({});
    for (const { title } of [...elements('select'), ...elements('button')])
      expect(title).toBe('Your role is viewer. Ask an owner of Acme.');
  });

  it('say what each role may do', () => {
    expect(table({}).elements('select')[0]!.title).toBe(roleRights.viewer);
  });
});

describe('open invitations', () => {
  const invitation = {
    invitation_id: 'i1',
    email: 'eve@acme.example',
    role: 'operator',
    invited_by: 'Ada',
    expires_at: '2026-11-25T12:00:00Z',
  } as Invitation;
  const list = (): Rendered => rendered(<InvitationTable invitations={[invitation]} onChanged={nothing} />);

  it('name the invited person, the role and who invited', () => {
    expect(list().all('td').slice(0, 2)).toEqual(['eve@acme.example invited by Ada', 'Operator']);
  });

  it('are withdrawn by those who may invite', () => {
    expect(list().elements('button')[0]!.disabled).toBe(false);
    signInAs({ scopes: ['members:read'] });
    expect(list().elements('button')[0]).toMatchObject({
      disabled: true,
      title: 'This key lacks the scope for it.',
    });
  });
});

describe('the form of an invitation', () => {
  it('offers the role of an operator, with the rights of each', () => {
    const { elements, text } = rendered(<InvitePanel onInvited={nothing} />);
    const radios = elements('input').filter(({ type }) => type === 'radio');
    expect(radios.filter(({ defaultChecked }) => defaultChecked).map(({ value }) => value)).toEqual([
      'operator',
    ]);
    expect(radios.map(({ value }) => value)).toEqual(['owner', 'operator', 'viewer']);
    for (const rights of Object.values(roleRights)) expect(text).toContain(rights);
  });

  it('is disabled with the reason for those who may not invite', () => {
    signInAsMember('operator', ['members:read'] as never);
    const { elements, all } = rendered(<InvitePanel onInvited={nothing} />);
    expect(elements('input').every(({ disabled }) => disabled === true)).toBe(true);
    expect(all('.note')).toContain('Your role is operator. Ask an owner of Acme.');
    expect(elements('button').find(({ type }) => type === 'submit')!.disabled).toBe(true);
  });
});

it('a link that is shown once says how long it works', () => {
  const { text } = rendered(
    <OneTimeLink what="reset link" link="https://demarc.example/reset#t" hours={2} />,
  );
  expect(text).toContain(
    'Shown only now. The reset link works once, for 2 hours. https://demarc.example/reset#t',
  );
});

describe('a scope', () => {
  it.each<[readonly string[] | null, string, boolean]>([
    [null, 'keys:write', true],
    [[], 'keys:read', false],
    [['keys:read'], 'keys:read', true],
    [['keys:read'], 'keys:write', false],
    [['keys:write'], 'keys:read', true],
    [['members:write'], 'keys:read', false],
  ])('of %j includes %s: %s', (scopes, needed, expected) => {
    expect(includesScope(scopes as never, needed as never)).toBe(expected);
  });

  it('is missing for a signed-out visitor', () => {
    for (const signedOut of [null, undefined]) {
      session.value = signedOut;
      expect(may('calls:read')).toBe(false);
    }
    expect(whyNot.value).toBe('This key lacks the scope for it.');
  });
});
