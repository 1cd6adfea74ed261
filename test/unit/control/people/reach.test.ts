import { describe, expect, it } from 'vitest';
import { type Role, requireRights, scopesOf } from '../../../../src/control/http/roles.js';
import { isLastOwner } from '../../../../src/control/people/members.js';
import { isTokenShaped, newToken, tokenHash } from '../../../../src/control/people/one-time-token.js';
import { isWithinReach, refuseBeyondReach } from '../../../../src/control/people/password-resets.js';
import { emailSchema, personNameSchema } from '../../../../src/control/people/people.js';

const membership = (organization_id: string, is_operator = false) => ({ organization_id, is_operator });

describe('a link that an owner creates for a colleague', () => {
  const codeOf = (...memberships: ReturnType<typeof membership>[]): string | undefined => {
    try {
      refuseBeyondReach(memberships);
      return undefined;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it('leads into no other organization, and not to the fleet', () => {
    expect(codeOf(membership('org_1'))).toBeUndefined();
    expect(codeOf(membership('org_1'), membership('org_2'))).toBe('MEMBER_ELSEWHERE');
    expect(codeOf(membership('org_1', true))).toBe('INSUFFICIENT_SCOPE');
    expect(codeOf(membership('org_1', true), membership('org_2'))).toBe('MEMBER_ELSEWHERE');
  });

  it('works as long as that is so', () => {
    expect(isWithinReach('org_1', [membership('org_1')])).toBe(true);
    expect(isWithinReach('org_1', [])).toBe(false);
    expect(isWithinReach('org_1', [membership('org_2')])).toBe(false);
    expect(isWithinReach('org_1', [membership('org_1'), membership('org_2')])).toBe(false);
    expect(isWithinReach('org_1', [membership('org_1', true)])).toBe(false);
  });
});

describe('a link that went to the person alone', () => {
  it('works wherever the person belongs', () => {
    expect(isWithinReach(null, [])).toBe(true);
    expect(isWithinReach(null, [membership('org_1', true), membership('org_2')])).toBe(true);
  });
});

describe('the last owner of an organization', () => {
  const of = (...names: Role[]) => names.map((role) => ({ role }));

  it('is one without another', () => {
    expect(isLastOwner(of('owner', 'viewer'), { role: 'owner' })).toBe(true);
    expect(isLastOwner(of('owner', 'owner'), { role: 'owner' })).toBe(false);
    expect(isLastOwner(of('owner', 'viewer'), { role: 'viewer' })).toBe(false);
    expect(isLastOwner(of('viewer'), { role: 'viewer' })).toBe(false);
  });
});

describe('who may give or take a role', () => {
  const may = (
    scopes: Parameters<typeof requireRights>[0]['scopes'],
    role: Role,
    expires: Date | null = null,
  ) => {
    try {
      requireRights({ scopes, keyExpiresAt: expires }, role);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
      return false;
    }
  };

  it.each<[boolean, Role, Role | 'all']>([
    [true, 'owner', 'all'],
    [true, 'operator', 'all'],
    [false, 'owner', 'operator'],
    [true, 'operator', 'operator'],
    [true, 'viewer', 'operator'],
    [false, 'operator', 'viewer'],
    [true, 'viewer', 'viewer'],
  ])('is (%s) for %s one with the rights of %s', (isAllowed, role, own) =>
    expect(may(own === 'all' ? null : scopesOf(own), role)).toBe(isAllowed),
  );

  it('is no key that expires', () => expect(may(null, 'viewer', new Date('2099-01-01'))).toBe(false));

  it('is a key that may write all that the role may read', () => {
    const writing = scopesOf('viewer')!.map((scope) => scope.replace(/read$/, 'write') as 'calls:write');
    expect(may(writing, 'viewer')).toBe(true);
    expect(may(writing.slice(1), 'viewer')).toBe(false);
  });
});

describe('a one-time token', () => {
  it('has 256 bits, and is another one each time', () => {
    const token = newToken();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(isTokenShaped(token)).toBe(true);
    expect(newToken()).not.toBe(token);
  });

  it.each(['', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}.`, `${'a'.repeat(43)}\n`])(
    'is not "%s"',
    (text) => expect(isTokenShaped(text)).toBe(false),
  );

  it('is stored as its SHA-256', () =>
    expect(tokenHash('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    ));
});

describe('the email address of a person', () => {
  it('is the same in capital and small letters', () =>
    expect(emailSchema.parse('Ada@Example.COM')).toBe('ada@example.com'));

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a b@example.com',
    `${'a'.repeat(250)}@example.com`,
  ])('is not "%s"', (text) => expect(emailSchema.safeParse(text).success).toBe(false));
});

describe('the name of a person', () => {
  it('is of one line and 1 to 100 characters', () => {
    expect(personNameSchema.parse('  Ada Lovelace ')).toBe('Ada Lovelace');
    expect(personNameSchema.parse('x'.repeat(100))).toHaveLength(100);
    for (const text of ['', '   ', 'x'.repeat(101), 'Ada\nLovelace', 'Ada\x85'])
      expect(personNameSchema.safeParse(text).success).toBe(false);
  });
});
