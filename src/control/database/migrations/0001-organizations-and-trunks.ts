import { type Kysely, type Migration, sql } from 'kysely';

const moment = 'timestamptz(3)';

/** Organizations, their keys, their numbers and what is attached to these. */
export const organizationsAndTrunks: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    const now = sql`now()`;
    await database.schema
      .createTable('organizations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull().unique())
      .addColumn('sip_enabled', 'boolean', (column) => column.notNull().defaultTo(false))
      .addColumn('region', 'text')
      .addColumn('created_at', moment, (column) => column.notNull().defaultTo(now))
      .execute();

    await database.schema
      .createTable('api_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('prefix', 'text', (column) => column.notNull())
      .addColumn('hash', 'bytea', (column) => column.notNull().unique())
      .addColumn('created_at', moment, (column) => column.notNull().defaultTo(now))
      .addColumn('revoked_at', moment)
      .execute();
    await database.schema
      .createIndex('api_keys_organization')
      .on('api_keys')
      .column('organization_id')
      .execute();

    await database.schema
      .createTable('numbers')
      .addColumn('number', 'text', (column) => column.primaryKey().check(sql`number ~ '^[0-9]{3,15}$'`))
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organizations.id').onDelete('restrict'),
      )
      .addColumn('created_at', moment, (column) => column.notNull().defaultTo(now))
      .addColumn('updated_at', moment, (column) => column.notNull().defaultTo(now))
      .execute();
    await database.schema
      .createIndex('numbers_organization')
      .on('numbers')
      .columns(['organization_id', 'number'])
      .execute();

    const direction = sql`direction in ('inbound', 'outbound')`;
    await database.schema
      .createTable('configurations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('number', 'text', (column) =>
        column.notNull().references('numbers.number').onDelete('cascade'),
      )
      .addColumn('direction', 'text', (column) => column.notNull().check(direction))
      .addColumn('position', 'bigserial', (column) => column.notNull())
      .addColumn('sip_endpoint', 'text')
      .addColumn('auth_mode', 'text', (column) => column.check(sql`auth_mode in ('ip', 'register')`))
      .addColumn('register_username', 'text')
      .addColumn('register_password', 'text')
      .addColumn('pbx_password', 'text')
      .addColumn('options', 'jsonb', (column) => column.notNull().defaultTo(sql`'{}'`))
      .addColumn('sip_password', 'text')
      .addColumn('allowed_ips', 'jsonb', (column) => column.notNull().defaultTo(sql`'[]'`))
      .addColumn('headers', 'jsonb', (column) => column.notNull().defaultTo(sql`'[]'`))
      .addColumn('created_at', moment, (column) => column.notNull().defaultTo(now))
      .addColumn('updated_at', moment, (column) => column.notNull().defaultTo(now))
      .execute();
    await database.schema
      .createIndex('configurations_number')
      .on('configurations')
      .columns(['number', 'position'])
      .execute();

    await database.schema
      .createTable('direction_settings')
      .addColumn('number', 'text', (column) =>
        column.notNull().references('numbers.number').onDelete('cascade'),
      )
      .addColumn('direction', 'text', (column) => column.notNull().check(direction))
      .addColumn('failover', 'jsonb')
      .addColumn('codecs', 'jsonb')
      .addColumn('alerts', 'jsonb')
      .addColumn('limits', 'jsonb')
      .addColumn('updated_at', moment, (column) => column.notNull().defaultTo(now))
      .addPrimaryKeyConstraint('direction_settings_key', ['number', 'direction'])
      .execute();
  },
};
