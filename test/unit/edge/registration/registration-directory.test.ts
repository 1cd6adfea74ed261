import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Redis } from '../../../../src/base/redis.js';
import { contactToken, registrationId } from '../../../../src/contract/registration.js';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { RegistrationDirectory } from '../../../../src/edge/registration/registration-directory.js';
import { numberDocument, secrets } from '../admission/request.js';

const registrar = { host: 'pbx.example.com', port: 5061, transport: 'tls' as const };
const id = registrationId('acme', registrar, '700');

const kept = (number: string, password: string, updated_at = '2026-01-01T00:00:00Z') =>
  [
    number,
    JSON.stringify(
      numberDocument({
        number,
        updated_at,
        inbound: [
          {
            id: `in-${number}`,
            registration: { ...registrar, username: '700', password: secrets.seal(password) },
          },
        ],
      }),
    ),
  ] as const;

function directoryOf(box = secrets) {
  // Nothing is asked of Redis before `start`.
  return new RegistrationDirectory({
    redis: {} as Redis,
    secrets: box,
    changed: () => {},
    channels: {},
    log: pino({ level: 'silent' }),
  });
}

describe('the registrations that numbers want', () => {
  it('are known from what an earlier process kept', () => {
    const directory = directoryOf();
    directory.seed([kept('14155550100', 'right'), ['14155550102', JSON.stringify(numberDocument())]]);
    expect([...directory.registrations.keys()]).toEqual([id]);
    const found = directory.byToken(contactToken('right', id));
    expect(found).toMatchObject({ id, organization: 'acme', username: '700', registrar });
    expect(found).toMatchObject({
      newest: { number: '14155550100', inboundId: 'in-14155550100' },
      isSingle: true,
    });
    expect(directory.byToken(contactToken('wrong', id))).toBeUndefined();
  });

  it('are one for all numbers with the same user, with the password that was given last', () => {
    const directory = directoryOf();
    directory.seed([kept('14155550100', 'new', '2026-02-01T00:00:00Z'), kept('14155550101', 'old')]);
    expect(directory.registrations.size).toBe(1);
    expect(directory.registrations.get(id)!.credential!.password).toBe('new');
    expect(directory.registrations.get(id)).toMatchObject({
      newest: { number: '14155550100' },
      isSingle: false,
    });
  });

  it('have no credential where the key is another one', () => {
    const directory = directoryOf(new SecretBox([generateSecretKey()]));
    directory.seed([kept('14155550100', 'right')]);
    expect(directory.registrations.get(id)!.credential).toBeUndefined();
  });
});
