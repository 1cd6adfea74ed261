import { describe, expect, it } from 'vitest';
import { InvalidRequest } from '../../../../src/control/http/validation.js';
import { attachEach } from '../../../../src/control/trunks/attach-each.js';
import { eachNumber } from '../../../../src/control/trunks/each-number.js';
import { DemarcError } from '../../../../src/errors.js';

/** What `pg` throws when PostgreSQL is down. */
const down = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const warning = (number: string) => ({
  phone_number: `+${number}`,
  warning: 'NO_ALLOWED_IPS' as const,
  message: 'The inbound direction has no allowed_ips.',
});
const [first, second, third] = ['14155550100', '14155550101', '14155550102'] as const;

describe('attaching numbers one after the other', () => {
  it('attaches each once, in its order, and gathers warnings and the first new password', async () => {
    const seen: string[] = [];
    const attached = await attachEach(
      [`+${first}`, '1 (415) 555-0101', '+1 415 555 0100', `+${third}`],
      async (number) => {
        seen.push(number);
        return {
          warnings: number === second ? [warning(number)] : [],
          newPassword: number === first ? undefined : `password of ${number}`,
        };
      },
    );
    expect(seen).toEqual([first, second, third]);
    expect(attached).toEqual({
      configured: [`+${first}`, `+${second}`, `+${third}`],
      failed: [],
      warnings: [warning(second)],
      register_password_for_pbx: `password of ${second}`,
    });
  });

  it('has no password where no registration is new', async () => {
    const attached = await attachEach([`+${first}`], async () => ({ warnings: [], newPassword: undefined }));
    expect(attached.register_password_for_pbx).toBeNull();
  });

  it('continues after a number that fails, and after a text that is none', async () => {
    const attached = await attachEach(['reception', `+${first}`, `+${second}`], async (number) => {
      if (number === first) throw new DemarcError('NUMBER_TAKEN');
      return { warnings: [], newPassword: undefined };
    });
    expect(attached.configured).toEqual([`+${second}`]);
    expect(attached.failed.map(({ phone_number, error }) => [phone_number, error])).toEqual([
      ['reception', 'INVALID_PHONE_NUMBER'],
      [`+${first}`, 'NUMBER_TAKEN'],
    ]);
    expect(attached.failed[0]!.message).toContain('"reception" is not an E.164 number');
  });

  it('says which numbers a failure of the database left out, once one is attached', async () => {
    const attached = await attachEach([`+${first}`, `+${second}`], async (number) => {
      if (number === second) throw down;
      return { warnings: [], newPassword: undefined };
    });
    expect(attached.configured).toEqual([`+${first}`]);
    expect(attached.failed).toMatchObject([{ phone_number: `+${second}`, error: 'SERVICE_UNAVAILABLE' }]);
  });

  it('fails as a whole when the database is down from the first number on', async () => {
    const fail = async () => {
      throw down;
    };
    await expect(attachEach([`+${first}`], fail)).rejects.toBe(down);
    await expect(attachEach(['reception', `+${first}`], fail)).rejects.toBe(down);
  });

  it('fails as a whole for a mistake of the program', async () => {
    const mistake = new TypeError('x is not a function');
    await expect(
      attachEach([`+${first}`, `+${second}`], async (number) => {
        if (number === second) throw mistake;
        return { warnings: [], newPassword: undefined };
      }),
    ).rejects.toBe(mistake);
  });
});

describe('one change of many numbers', () => {
  it('is made for each once, however it is written', async () => {
    const seen: string[] = [];
    const { done, failed } = await eachNumber(
      [`+${first}`, '1 (415) 555-0100', `+${second}`],
      async (number) => {
        seen.push(number);
        return number.length;
      },
    );
    expect(seen).toEqual([`+${first}`, `+${second}`]);
    expect([...done]).toEqual([
      [`+${first}`, 12],
      [`+${second}`, 12],
    ]);
    expect(failed).toEqual([]);
  });

  it('says of each number why it was not changed, once', async () => {
    const { done, failed } = await eachNumber(
      ['reception', 'reception', `+${first}`, `+${second}`, `+${first}`],
      async (number) => {
        if (number === `+${first}`)
          throw new DemarcError('NOT_FOUND', 'the number has no inbound configuration');
        throw InvalidRequest.at('updates.register_auth', 'Requires auth_mode register');
      },
    );
    expect(done.size).toBe(0);
    expect(failed.map(({ phone_number, error }) => [phone_number, error])).toEqual([
      ['reception', 'INVALID_PHONE_NUMBER'],
      [`+${first}`, 'NOT_FOUND'],
      [`+${second}`, 'VALIDATION_ERROR'],
    ]);
    expect(failed[2]!.message).toBe('updates.register_auth: Requires auth_mode register');
  });

  it('counts a failure of the database once something is done, and fails as a whole before', async () => {
    const { failed } = await eachNumber([`+${first}`, `+${second}`], async (number) => {
      if (number === `+${second}`) throw down;
    });
    expect(failed).toMatchObject([{ phone_number: `+${second}`, error: 'SERVICE_UNAVAILABLE' }]);
    await expect(
      eachNumber(['reception', `+${first}`], async () => {
        throw down;
      }),
    ).rejects.toBe(down);
  });
});
