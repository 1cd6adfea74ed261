import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { composeNumberDocuments } from '../../../../src/control/numbers/number-documents.js';
import { SecretRotation } from '../../../../src/control/secrets/secret-rotation.js';
import { resealPasswords } from '../../../../src/control/trunks/reseal.js';
import { until } from '../../../../src/testkit/waiting.js';
import { ApiUnderTest, attachBody, freshNumber, inbound, outbound } from './fixture.js';

describe('a change of the key for secrets', () => {
  const previous = generateSecretKey();
  const current = generateSecretKey();
  let api: ApiUnderTest;
  beforeAll(async () => {
    api = await ApiUnderTest.start({ DEMARC_SECRET_KEY: previous });
  });
  afterAll(() => api?.stop());

  it('re-encrypts every password, so that the previous key is no longer needed', async () => {
    const tenant = await api.tenant();
    const numbers = Array.from({ length: 30 }, freshNumber);
    const register_auth = { username: 'acme', password: 'correct horse' };
    const options = { sip_username: 'u', sip_password: 'c4ll' };
    await api.call(
      tenant,
      'POST',
      '/v1/sip/attach',
      attachBody(
        numbers,
        inbound({ auth_mode: 'register', register_auth }),
        outbound(undefined, { options }),
      ),
    );
    const digits = numbers.map((number) => number.slice(1));
    const before = await composeNumberDocuments(api.database, digits);
    const pbxPassword = api.parts.secrets.open(before.get(digits[0]!)!.inbound[0]!.credentials[0]!.password);
    await api.emptyOutbox();

    const secrets = new SecretBox([current, previous]);
    const reseal = () => resealPasswords({ ...api.parts, secrets });
    const rotation = new SecretRotation({ hasKey: true, reseals: [reseal], log: api.parts.log });
    const second = reseal();
    await rotation.start();
    await until(() => rotation.state().detail.includes('re-encrypted'), 10_000, 'the rotation');
    await second;
    await rotation.stop();

    const onlyCurrent = new SecretBox([current]);
    for (const document of (await composeNumberDocuments(api.database, digits)).values()) {
      expect(onlyCurrent.open(document.inbound[0]!.credentials[0]!.password)).toBe(pbxPassword);
      expect(onlyCurrent.open(document.outbound[0]!.credential!.password)).toBe('c4ll');
    }
    expect(new Set(await api.outbox())).toEqual(new Set(digits));
    expect(await resealPasswords({ ...api.parts, secrets: onlyCurrent })).toEqual({
      resealed: 0,
      unreadable: 0,
    });
  });

  it('reports what no key decrypts, and leaves it unchanged', async () => {
    const before = await api.dump();
    const secrets = new SecretBox([generateSecretKey()]);
    const { resealed, unreadable } = await resealPasswords({ ...api.parts, secrets });
    expect(resealed).toBe(0);
    expect(unreadable).toBeGreaterThan(30);
    expect(await api.dump()).toBe(before);
  });
});
