import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { readControlSettings } from '../../../../src/config/control-settings.js';
import { SecretBox } from '../../../../src/contract/secret.js';
import { historyRoutes } from '../../../../src/control/calls/history/routes.js';
import { type Database, openDatabase } from '../../../../src/control/database/database.js';
import { healthRoutes } from '../../../../src/control/health/routes.js';
import type { ApiServer, ControlDeps, RouteGroup } from '../../../../src/control/http/api-server.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { buildServer } from '../../../../src/control/server/server.js';
import { trunkRoutes } from '../../../../src/control/trunks/routes.js';
import { cheapPasswords } from '../../../support/cheap-passwords.js';
import { sharedDatabase } from '../../../support/shared-postgres.js';

export interface Answer<Data = Record<string, never>> {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly data: Data;
  readonly errors: { readonly error: string; readonly message: string; readonly path?: string }[] | null;
}

export interface Tenant {
  readonly organizationId: string;
  readonly key: string;
}

/** `GET /v1/sip/status` where no edge is there to be asked. */
export const healthWithoutEdges = healthRoutes(
  { probe: async () => new Map<string, never>() },
  async () => null,
  { read: async () => new Map<string, never>(), attempt: async () => {} },
);

/** The call history without edges that could report active calls. */
export const historyWithoutEdges = historyRoutes(
  { look: async () => ({ found: 'nothing' }) },
  async () => null,
  undefined,
);

/** The API on a separate database, with the tenants that a test creates. */
export class ApiUnderTest {
  private tenants = 0;

  private constructor(
    readonly parts: ControlDeps,
    readonly server: ApiServer,
    /** Every line that was logged. */
    readonly logged: string[],
  ) {}

  static async start(
    environment: Record<string, string> = {},
    groups: readonly RouteGroup[] = [trunkRoutes, healthWithoutEdges],
    ofAccount: readonly RouteGroup[] = [],
    ofAnyone: readonly RouteGroup[] = [],
  ): Promise<ApiUnderTest> {
    const settings = readControlSettings({
      DATABASE_URL: environment.DATABASE_URL ?? (await sharedDatabase()),
      DEMARC_SECRET_KEY: randomBytes(32).toString('base64url'),
      DEMARC_API_REQUESTS_PER_SECOND: '10000',
      // A PostgreSQL that is stalled is no fault of what is asked of it.
      DEMARC_DATABASE_TIMEOUT_MS: '15000',
      ...environment,
    });
    const logged: string[] = [];
    const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
    const database = openDatabase(settings.database, () => {});
    const secrets = new SecretBox(settings.secretKeys);
    const parts = { settings, log, database, secrets, passwords: cheapPasswords };
    const server = await buildServer(parts, groups, ofAccount, undefined, ofAnyone);
    return new ApiUnderTest(parts, server, logged);
  }

  get database(): Kysely<Database> {
    return this.parts.database;
  }

  async stop(): Promise<void> {
    await this.server.close();
    await this.database.destroy();
  }

  async tenant(options: { readonly sipEnabled?: boolean } = {}): Promise<Tenant> {
    this.tenants += 1;
    const { id } = await createOrganization(this.database, {
      name: `tenant ${this.tenants}`,
      sipEnabled: options.sipEnabled ?? true,
    });
    const { key } = await createKey(this.database, id, 'test');
    return { organizationId: id, key };
  }

  async call<Data = never>(
    tenant: Tenant | string | undefined,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS',
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<Data>> {
    const authorization = typeof tenant === 'string' ? tenant : tenant && `Bearer ${tenant.key}`;
    const response = await this.server.inject({
      method,
      url: path,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    const parsed =
      isJson && response.body !== '' ? (JSON.parse(response.body) as { data: Data; errors: never }) : {};
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      ...(parsed as { data: Data; errors: Answer['errors'] }),
    };
  }

  /** Everything that the tables hold, as text: what must not be there is looked for in it. */
  async dump({ audit = true } = {}): Promise<string> {
    const names = [
      ...(['organizations', 'api_keys', 'numbers', 'configurations', 'direction_settings'] as const),
      ...(['people', 'members', 'invitations', 'password_resets', 'known_browsers', 'sessions'] as const),
      ...(audit ? (['audit_events'] as const) : []),
      'idempotent_requests' as const,
    ];
    const parts = await Promise.all(
      names.map((name) =>
        sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.table(name)} t`.execute(
          this.database,
        ),
      ),
    );
    return parts.flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n');
  }

  /** Numbers whose change waits for the projection, in the order of the changes. */
  async outbox(): Promise<string[]> {
    const rows = await this.database.selectFrom('projection_outbox').select('number').orderBy('id').execute();
    return rows.map(({ number }) => number);
  }

  async emptyOutbox(): Promise<void> {
    await this.database.deleteFrom('projection_outbox').execute();
  }
}

export const inbound = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: 'inbound',
  ...more,
});

export const outbound = (
  sipEndpoint = 'sip:pbx.example.com',
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({ type: 'outbound', sip_endpoint: sipEndpoint, ...more });

export const attachBody = (
  numbers: readonly unknown[],
  ...directions: readonly unknown[]
): Record<string, unknown> => ({
  phone_numbers: numbers,
  directions,
  service: 'sip',
});

let lastNumber = 0;

/** A number that no other test of the file uses. */
export const freshNumber = (): string => `+1415555${String(++lastNumber).padStart(4, '0')}`;

export const query = (path: string, parameters: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(parameters)}`;
