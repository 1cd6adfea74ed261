import { describe, expect, it } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../../../src/contract/secret.js';
import { InvalidRequest } from '../../../../../src/control/http/validation.js';
import {
  type DirectionRequest,
  directionSchema,
} from '../../../../../src/control/trunks/direction-schema.js';
import {
  mapPasswords,
  opened,
  resealed,
  sealed,
  trunkPlace,
  withPresentPasswords,
} from '../../../../../src/control/trunks/shared/trunk-passwords.js';
import { trunkView } from '../../../../../src/control/trunks/shared/trunk-view.js';

const [newKey, oldKey] = [generateSecretKey(), generateSecretKey()];
const secrets = new SecretBox([newKey, oldKey]);
const place = trunkPlace('org_1', 'trk_1');
const read = (...directions: object[]): DirectionRequest[] =>
  directions.map((direction) => directionSchema.parse(direction));

const register = (username: string, password: string, fields: object = {}) => ({
  type: 'inbound',
  auth_mode: 'register',
  register_auth: { username, password },
  ...fields,
});
const outbound = (sip_username: string, sip_password: string) => ({
  type: 'outbound',
  sip_endpoint: 'pbx.example.com',
  options: { sip_username, sip_password },
});
const bot = (url: string, headers: Record<string, string>) => ({ type: 'websocket', url, headers });
const every = read(
  register('pbx', 'password 1', { agent: bot('wss://one.example.com', { a: '1', b: '2' }) }),
  {
    type: 'inbound',
    options: {
      agents: {
        strategy: 'ring_all',
        endpoints: ['a.example.com', bot('wss://two.example.com', { c: '3' })],
      },
    },
  },
  { ...outbound('user', 'password 2'), agent: bot('wss://three.example.com', { d: '4' }) },
  { type: 'outbound', sip_endpoint: 'plain.example.com' },
);

/** Every password and header, in the order in which they are found. */
function passwordsOf(directions: readonly DirectionRequest[]): string[] {
  const found: string[] = [];
  mapPasswords(directions, (password) => {
    found.push(password);
    return password;
  });
  return found;
}

describe('the passwords of a trunk', () => {
  it('are all found: of registrations, of calls, and in headers of agents', () =>
    expect(passwordsOf(every).sort()).toEqual(['1', '2', '3', '4', 'password 1', 'password 2']));

  it('are replaced in a copy', () => {
    const before = structuredClone(every);
    const changed = mapPasswords(every, (password) => `[${password}]`);
    expect(every).toEqual(before);
    expect(passwordsOf(changed).sort()).toEqual(['[1]', '[2]', '[3]', '[4]', '[password 1]', '[password 2]']);
    expect(mapPasswords(changed, (password) => password.slice(1, -1))).toEqual(every);
  });

  it('are sealed for their trunk alone', () => {
    const stored = sealed(secrets, place, every);
    expect(JSON.stringify(stored)).not.toContain('password 1');
    expect(opened(secrets, { organization_id: 'org_1', id: 'trk_1', directions: stored })).toEqual(every);
    expect(() => opened(secrets, { organization_id: 'org_1', id: 'trk_2', directions: stored })).toThrow();
    expect(() => opened(secrets, { organization_id: 'org_2', id: 'trk_1', directions: stored })).toThrow();
  });

  it('need a key, where there are any', () => {
    const without = new SecretBox([]);
    expect(() => sealed(without, place, every)).toThrow(
      expect.objectContaining({ code: 'SECRET_KEY_MISSING' }),
    );
    expect(sealed(without, place, every.slice(3))).toEqual(every.slice(3));
  });

  it('are not in a response', () => {
    const view = trunkView({
      trunk: {
        id: 'trk_1',
        organization_id: 'org_1',
        name: 'Headquarters',
        directions: sealed(secrets, place, every),
        inbound: { limits: { concurrent_calls: 3 } },
        outbound: {},
        created_at: new Date('2026-11-01T08:00:00Z'),
        updated_at: new Date('2026-11-02T09:00:00Z'),
      },
      numberCount: 7,
    });
    expect(view).toMatchObject({
      trunk_id: 'trk_1',
      name: 'Headquarters',
      number_count: 7,
      inbound: { limits: { concurrent_calls: 3 }, codec_config: null },
      outbound: { limits: null, failover_config: null },
      created_at: '2026-11-01T08:00:00.000Z',
      updated_at: '2026-11-02T09:00:00.000Z',
    });
    expect('failover_config' in view.inbound).toBe(false);
    expect(new Set(passwordsOf(view.directions as DirectionRequest[]))).toEqual(new Set(['[redacted]']));
  });
});

describe('passwords that an earlier key sealed', () => {
  const earlier = new SecretBox([oldKey]);

  it('are sealed again', () => {
    const again = resealed(secrets, place, sealed(earlier, place, every));
    expect([again.isChanged, again.isUnreadable]).toEqual([true, false]);
    const current = new SecretBox([newKey]);
    expect(opened(current, { organization_id: 'org_1', id: 'trk_1', directions: again.directions })).toEqual(
      every,
    );
  });

  it('are not touched when the current key sealed them', () => {
    const stored = sealed(secrets, place, every);
    expect(resealed(secrets, place, stored)).toEqual({
      directions: stored,
      isChanged: false,
      isUnreadable: false,
    });
  });

  it('stay as they are when no key opens them, while the others are sealed again', () => {
    const foreign = sealed(new SecretBox([generateSecretKey()]), place, every.slice(0, 1));
    const lost = resealed(secrets, place, foreign);
    expect(lost).toEqual({ directions: foreign, isChanged: false, isUnreadable: true });
    const both = resealed(secrets, place, [...foreign, ...sealed(earlier, place, every.slice(2))]);
    expect([both.isChanged, both.isUnreadable]).toEqual([true, true]);
    expect(both.directions[0]).toEqual(foreign[0]);
  });
});

describe('a password that is sent back as it was shown', () => {
  const put = (sent: object[], current: object[]) => withPresentPasswords(read(...sent), read(...current));
  const refusal = (sent: object[], current: object[]): [string | undefined, string] => {
    try {
      put(sent, current);
      return [undefined, ''];
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      return [error.faults[0]!.path, error.faults[0]!.message];
    }
  };
  const hidden = '[redacted]';

  it('stands for the one that the same user has', () => {
    const current = [
      register('pbx', 'password 1'),
      outbound('user', 'password 2'),
      outbound('other', 'password 3'),
    ];
    expect(passwordsOf(put([outbound('other', hidden), register('pbx', hidden)], current))).toEqual([
      'password 3',
      'password 1',
    ]);
    expect(passwordsOf(put([outbound('user', 'password 9')], current))).toEqual(['password 9']);
  });

  it('is refused where the trunk has none for this user', () => {
    const message = '[redacted] stands for the stored password, and the trunk has none for this user.';
    expect(
      refusal([outbound('user', 'x'), outbound('new', hidden)], [outbound('user', 'password 2')]),
    ).toEqual(['directions.1.options', message]);
    expect(refusal([register('new', hidden)], [register('pbx', 'password 1')])).toEqual([
      'directions.0.register_auth',
      message,
    ]);
    // The same name in the other direction is another user.
    const inbound = { type: 'inbound', options: { sip_username: 'user', sip_password: hidden } };
    expect(refusal([inbound], [outbound('user', 'password 2')])[0]).toBe('directions.0.options');
  });

  it('stands for the header of the agent at the same URL, in whatever direction', () => {
    const current = [{ type: 'inbound', agent: bot('wss://one.example.com', { a: '1' }) }];
    const sent = (url: string, header: string) => ({
      type: 'outbound',
      sip_endpoint: 'pbx.example.com',
      agent: bot(url, { [header]: hidden }),
    });
    expect(passwordsOf(put([sent('wss://one.example.com', 'a')], current))).toEqual(['1']);
    expect(refusal([sent('wss://one.example.com', 'b')], current)).toEqual([
      'directions.0.agent.headers.b',
      '[redacted] stands for the stored header, and the trunk has none at this URL.',
    ]);
    expect(refusal([sent('wss://two.example.com', 'a')], current)[0]).toBe('directions.0.agent.headers.a');
  });
});
