import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/tables.js';
import { nameOf } from '../http/one-line.js';
import { newId } from '../organizations/identifiers.js';
import type { Passwords } from '../secrets/passwords.js';
import { isTokenShaped, newToken, tokenHash } from './one-time-token.js';
import type { PeopleTable } from './tables.js';

export type Person = Selectable<PeopleTable>;
type Connection = Kysely<Database> | Transaction<Database>;

/** In lower case: mailboxes that differ only in case are one in practice. */
export const emailSchema = z
  .email({ error: 'email must be an email address, such as ada@example.com.' })
  .max(254)
  .transform((text) => text.normalize('NFC').toLowerCase())
  .meta({ description: 'Email address.', examples: ['ada@example.com'] });

export const personNameSchema = nameOf(100).meta({
  description: 'Name that colleagues see, 1–100 characters.',
  examples: ['Ada Lovelace'],
});

export const findPersonByEmail = (database: Connection, email: string): Promise<Person | undefined> =>
  database.selectFrom('people').selectAll().where('email', '=', email).executeTakeFirst();

export const findPerson = (database: Connection, id: string): Promise<Person | undefined> =>
  database.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst();

/** @param password as `Passwords.hash` returns it */
export const createPerson = (
  database: Connection,
  values: { readonly email: string; readonly name: string; readonly password: string },
): Promise<Person> =>
  database
    .insertInto('people')
    .values({ id: newId('usr'), ...values })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Undefined: the email address or the password is wrong, which takes equally long. */
export async function recognizePerson(
  { database, passwords }: { readonly database: Kysely<Database>; readonly passwords: Passwords },
  email: string,
  password: string,
  isKnownBrowser: boolean,
): Promise<Person | undefined> {
  const person = await findPersonByEmail(database, email);
  if (!(await passwords.matches(password, person?.password, isKnownBrowser)) || person === undefined)
    return undefined;
  if (passwords.isOutdated(person.password)) {
    const hash = await passwords.hash(password);
    await database
      .updateTable('people')
      .set({ password: hash })
      .where('id', '=', person.id)
      .where('password', '=', person.password)
      .execute();
  }
  return person;
}

/**
 * Sets a new password; every session of the person in every organization ends, and open reset links no longer work.
 * @param password as `Passwords.hash` returns it
 */
export async function setPassword(
  transaction: Transaction<Database>,
  personId: string,
  password: string,
): Promise<void> {
  await transaction
    .updateTable('people')
    .set({ password, password_changed_at: new Date() })
    .where('id', '=', personId)
    .execute();
  await transaction
    .deleteFrom('sessions')
    .where('member_id', 'in', (query) =>
      query.selectFrom('members').select('members.id').where('person_id', '=', personId),
    )
    .execute();
  await transaction.deleteFrom('password_resets').where('person_id', '=', personId).execute();
  await transaction.deleteFrom('known_browsers').where('person_id', '=', personId).execute();
}

const browsersPerPerson = 20;

/** A token for the browser's cookie, known only now. */
export async function rememberBrowser(database: Kysely<Database>, personId: string): Promise<string> {
  const token = newToken();
  await database
    .insertInto('known_browsers')
    .values({ hash: tokenHash(token), person_id: personId })
    .execute();
  await sql`delete from known_browsers where hash in (
    select hash from known_browsers where person_id = ${personId} order by used_at desc, hash offset ${browsersPerPerson}
  )`.execute(database);
  return token;
}

/** Whether the person with that email address has signed in with the browser before. */
export async function isKnownBrowser(
  database: Kysely<Database>,
  token: string | undefined,
  email: string,
): Promise<boolean> {
  if (token === undefined || !isTokenShaped(token)) return false;
  const found = await database
    .updateTable('known_browsers')
    .set({ used_at: new Date() })
    .from('people')
    .whereRef('people.id', '=', 'known_browsers.person_id')
    .where('hash', '=', tokenHash(token))
    .where('email', '=', email)
    .returning('person_id')
    .executeTakeFirst();
  return found !== undefined;
}
