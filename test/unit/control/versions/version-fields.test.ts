import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../../src/control/http/api-server.js';
import {
  momentsView,
  presentView,
  requireOwnVersion,
  versionNumberField,
  versionsQuery,
} from '../../../../src/control/versions/version-fields.js';

const row = {
  organization_id: 'org_1',
  id: 'v1',
  version_number: 2,
  state: 'draft',
  revision: 3,
  created_at: new Date('2026-11-01T08:00:00Z'),
  updated_at: new Date('2026-11-02T09:00:00Z'),
  promoted_at: null,
  promoted_by: null,
};

describe('the times of a version', () => {
  it('are ISO 8601, and null where it never was live', () => {
    expect(momentsView(row)).toEqual({
      created_at: '2026-11-01T08:00:00.000Z',
      updated_at: '2026-11-02T09:00:00.000Z',
      promoted_at: null,
      promoted_by: null,
    });
    expect(
      momentsView({ ...row, promoted_at: new Date('2026-11-03T10:00:00Z'), promoted_by: 'key_1' }),
    ).toMatchObject({ promoted_at: '2026-11-03T10:00:00.000Z', promoted_by: 'key_1' });
  });
});

describe('a subject with its versions', () => {
  const subject = {
    organization_id: 'org_1',
    id: 's1',
    name: 'Reception',
    description: null,
    created_at: new Date('2026-11-01T08:00:00Z'),
    updated_at: new Date('2026-11-02T09:00:00Z'),
    deleted_at: null,
  };
  const view = (draft?: string, production?: string) =>
    presentView({ subject, draft, production, promotion: undefined }, (version) => `[${version}]`);

  it('shows the draft and the live one', () => {
    expect(view('d', 'p')).toEqual({
      current_production_version: '[p]',
      current_draft_version: '[d]',
      promotion: null,
      created_at: '2026-11-01T08:00:00.000Z',
      updated_at: '2026-11-02T09:00:00.000Z',
    });
    expect(view()).toMatchObject({ current_production_version: null, current_draft_version: null });
    expect(view('d')).toMatchObject({ current_production_version: null, current_draft_version: '[d]' });
  });
});

describe('the token of a call', () => {
  const inCall = { call: {} } as Caller;
  const isTaken = (granted: { id: string; version: number } | undefined, caller = inCall) => {
    try {
      requireOwnVersion(granted, caller, 'ABC', 2);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'CALL_TOKEN_NOT_ACCEPTED' });
      return false;
    }
  };

  it('reads the version that the call got alone', () => {
    expect(isTaken({ id: 'abc', version: 2 })).toBe(true);
    expect(isTaken({ id: 'abc', version: 3 })).toBe(false);
    expect(isTaken({ id: 'abd', version: 2 })).toBe(false);
    expect(isTaken(undefined)).toBe(false);
  });

  it('does not restrict keys', () => expect(isTaken(undefined, {} as Caller)).toBe(true));
});

describe('the number of a version', () => {
  it.each(['1', '42', '999999999'])('may be %s', (text) =>
    expect(versionNumberField.safeParse(text).success).toBe(true),
  );

  it.each(['0', '01', '-1', '1.0', '', 'live', '1000000000'])('is not "%s"', (text) =>
    expect(versionNumberField.safeParse(text).success).toBe(false),
  );

  it('begins a page', () => {
    expect(versionsQuery.parse({})).toEqual({ limit: 20 });
    expect(versionsQuery.parse({ limit: '100', after: '7' })).toEqual({ limit: 100, after: '7' });
    expect(versionsQuery.safeParse({ limit: '101' }).success).toBe(false);
  });
});
