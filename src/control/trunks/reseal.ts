import type { Kysely } from 'kysely';
import type { SecretBox } from '../../contract/secret.js';
import { resealAgentCredentials } from '../agent-credentials/index.js';
import type { Database } from '../database/tables.js';
import type { ControlParts } from '../http/api-server.js';
import { markNumbersChanged } from '../projection/outbox.js';
import { resealTrunks } from '../shared-trunks/trunk-storage.js';
import { resealSigningSecrets } from '../webhooks/secrets.js';

const passwordColumns = ['register_password', 'pbx_password', 'sip_password'] as const;
type Passwords = Record<(typeof passwordColumns)[number], string | null>;

const pageSize = 200;

export interface Resealed {
  /** Configurations whose passwords are sealed with the current key now. */
  readonly resealed: number;
  /** Configurations with a password that none of the keys opens: it has to be set anew. */
  readonly unreadable: number;
}

/**
 * Seals every password that an earlier key sealed with the current one, so that the earlier key can be given up.
 * Several processes may do so at once. The documents of these numbers are written anew.
 */
export async function resealPasswords({
  database,
  secrets,
  log,
}: Pick<ControlParts, 'database' | 'secrets' | 'log'>): Promise<Resealed> {
  let resealed = 0;
  let unreadable = 0;
  for (let after = ''; ; ) {
    const page = await database
      .selectFrom('configurations')
      .select(['id', 'number', ...passwordColumns])
      .where('id', '>', after)
      .where((expression) => expression.or(passwordColumns.map((name) => expression(name, 'is not', null))))
      .orderBy('id')
      .limit(pageSize)
      .execute();
    for (const row of page) {
      if (!passwordColumns.some((name) => row[name] !== null && secrets.isOutdated(row[name]))) continue;
      try {
        await resealRow(database, secrets, row.id, row.number);
        resealed++;
      } catch (error) {
        if (!(error instanceof Error && error.name === 'SecretError')) throw error;
        unreadable++;
        log.error({ configuration: row.id, error: error.message }, 'Decrypting a stored password failed.');
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return { resealed, unreadable };
    after = last.id;
  }
}

async function resealRow(
  database: Kysely<Database>,
  secrets: SecretBox,
  id: string,
  number: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // The number first, as every change does: two locks in one order.
    await transaction
      .selectFrom('numbers')
      .select('number')
      .where('number', '=', number)
      .forUpdate()
      .execute();
    const row = await transaction
      .selectFrom('configurations')
      .select(passwordColumns)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return;
    const changed: Partial<Passwords> = {};
    for (const name of passwordColumns) {
      const sealed = row[name];
      if (sealed !== null && secrets.isOutdated(sealed)) changed[name] = secrets.seal(secrets.open(sealed));
    }
    if (Object.keys(changed).length === 0) return;
    await transaction.updateTable('configurations').set(changed).where('id', '=', id).execute();
    await markNumbersChanged(transaction, [number]);
  });
}

/** Runs `resealPasswords` once in the background, and again when the database was away. */
export class PasswordRotation {
  readonly name = 'passwords';
  private done: Promise<void> = Promise.resolve();
  private detail = 'not checked yet';
  private isStopping = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: Pick<ControlParts, 'database' | 'secrets' | 'log'>) {}

  async start(): Promise<void> {
    if (this.parts.secrets.hasKey) this.done = this.run();
    else this.detail = 'no key is set';
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.done;
  }

  /** Always ready: the earlier key opens what is not done yet. */
  state(): { readonly ready: boolean; readonly detail: string } {
    return { ready: true, detail: this.detail };
  }

  private async run(): Promise<void> {
    try {
      const { resealed, unreadable } = await resealPasswords(this.parts);
      this.detail = `${resealed} re-encrypted, ${unreadable} not decryptable`;
      if (resealed > 0) this.parts.log.info({ resealed }, 'Passwords are encrypted with the current key.');
      await resealTrunks(this.parts);
      await resealSigningSecrets(this.parts);
      await resealAgentCredentials(this.parts);
    } catch (error) {
      this.detail = 'waiting for the database';
      this.parts.log.warn(
        { error: (error as Error).message },
        'Checking the stored passwords failed; retrying.',
      );
      if (this.isStopping) return;
      this.timer = setTimeout(() => {
        this.done = this.run();
      }, 5_000);
      this.timer.unref();
    }
  }
}
