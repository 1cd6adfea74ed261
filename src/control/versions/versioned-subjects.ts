import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { DemarcError, type ErrorCode } from '../../errors.js';
import { lockForOrganization } from '../database/lock.js';
import type { Database } from '../database/tables.js';
import { isUuid } from '../database/uuid.js';
import { askGates, type PromotionGate, type PromotionSubject } from '../promotions/promotion-gate.js';
import { latestPromotions, type PromotionRow } from '../promotions/promotions.js';
import type { SubjectTable, VersionTable } from './columns.js';

type SubjectRow = Selectable<SubjectTable>;
type VersionRow = Selectable<VersionTable>;

/** A subject with its present versions. */
export interface VersionedSubject<Subject, Summary> {
  readonly subject: Subject;
  readonly draft: Summary | undefined;
  readonly production: Summary | undefined;
  /** The latest that required tests. */
  readonly promotion: PromotionRow | undefined;
}

export interface SubjectKind {
  readonly kind: PromotionSubject['kind'];
  /** As errors name one. */
  readonly name: string;
  readonly table: keyof Database;
  readonly versionTable: keyof Database;
  /** The column of the version table with the id of the subject. */
  readonly reference: string;
  /** Columns of a version in lists, and of the present versions of a subject. Default: all. */
  readonly summaryColumns?: readonly string[];
  /** Of one organization: a script must not fill the table. */
  readonly maximum: number;
  readonly tooMany: ErrorCode;
  /** The version that is to become live is no longer the one that was asked for. */
  readonly changed: ErrorCode;
}

export interface Promoter {
  readonly organizationId: string;
  /** Of the API key. */
  readonly keyId: string;
}

/**
 * Subjects with versions: a draft, the live version, and those that were live before. A deleted subject keeps its versions. What a
 * subject and a version contain is stored by the area of the kind.
 */
export class VersionedSubjects<
  Subject extends SubjectRow,
  Version extends VersionRow,
  Summary extends VersionRow = Version,
> {
  private readonly subjects;
  private readonly versions;
  private readonly reference;
  private readonly summary;

  constructor(readonly kind: SubjectKind) {
    this.subjects = sql.table(kind.table);
    this.versions = sql.table(kind.versionTable);
    this.reference = sql.ref(kind.reference);
    const columns = kind.summaryColumns?.map((name) => sql.ref(name));
    this.summary = columns === undefined ? sql`*` : sql.join(columns);
  }

  unknown(id: string): DemarcError {
    return new DemarcError('NOT_FOUND', `${this.kind.name} ${id.slice(0, 64)} not found`);
  }

  /**
   * Stores a subject with its first draft, once for an id. Throws `DemarcError` of `tooMany`.
   * @param store inserts them
   */
  async create(
    database: Kysely<Database>,
    organizationId: string,
    id: string,
    store: (transaction: Transaction<Database>) => Promise<void>,
  ): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      await lockForOrganization(transaction, this.kind.table, organizationId);
      // Stored by an earlier attempt at the same request, it is not one more.
      const { rows } = await sql<{ existing: string; is_stored: boolean }>`
        select count(*) as existing, exists (
          select from ${this.subjects} where organization_id = ${organizationId} and id = ${id}
        ) as is_stored
        from ${this.subjects}
        where organization_id = ${organizationId} and deleted_at is null and id <> ${id}`.execute(
        transaction,
      );
      const { existing, is_stored: isStored } = rows[0]!;
      if (Number(existing) >= this.kind.maximum) throw new DemarcError(this.kind.tooMany);
      if (!isStored) await store(transaction);
    });
  }

  /** The subject, which no other change has until the end of the transaction. Throws `DemarcError` `NOT_FOUND`. */
  lock(transaction: Transaction<Database>, organizationId: string, id: string): Promise<Subject> {
    return this.row(transaction, organizationId, id, sql`for update`);
  }

  /** Throws `DemarcError` `NOT_FOUND`. */
  async read(
    database: Kysely<Database>,
    organizationId: string,
    id: string,
  ): Promise<VersionedSubject<Subject, Summary>> {
    const row = await this.row(database, organizationId, id);
    return (await this.complete(database, organizationId, [row]))[0]!;
  }

  /** Newest first. `after`: id of the last entry of the previous page. Undefined: unknown id. */
  async page(
    database: Kysely<Database>,
    organizationId: string,
    { limit, after }: { readonly limit: number; readonly after?: string | undefined },
  ): Promise<
    | { readonly subjects: readonly VersionedSubject<Subject, Summary>[]; readonly next: string | null }
    | undefined
  > {
    let begin = sql`true`;
    if (after !== undefined) {
      if (!isUuid(after)) return undefined;
      const { rows } = await sql<Pick<SubjectRow, 'created_at'>>`
        select created_at from ${this.subjects}
        where organization_id = ${organizationId} and id = ${after}`.execute(database);
      if (rows[0] === undefined) return undefined;
      begin = sql`(created_at, id) < (${rows[0].created_at}, ${after}::uuid)`;
    }
    const { rows } = await sql<Subject>`
      select * from ${this.subjects}
      where organization_id = ${organizationId} and deleted_at is null and ${begin}
      order by created_at desc, id desc limit ${limit + 1}`.execute(database);
    const subjects = await this.complete(database, organizationId, rows.slice(0, limit));
    return { subjects, next: rows.length > limit ? (subjects.at(-1)?.subject.id ?? null) : null };
  }

  /**
   * Its versions stay, for what refers to them. Throws `DemarcError` `NOT_FOUND`.
   * @param check throws for a subject that must not be deleted
   */
  async delete(
    database: Kysely<Database>,
    organizationId: string,
    id: string,
    check?: (transaction: Transaction<Database>, subject: Subject) => Promise<void>,
  ): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      const subject = await this.lock(transaction, organizationId, id);
      await check?.(transaction, subject);
      const now = new Date();
      await sql`update ${this.subjects} set deleted_at = ${now}, updated_at = ${now}
        where organization_id = ${organizationId} and id = ${subject.id}`.execute(transaction);
    });
  }

  /**
   * Newest first.
   * @param page `after`: number of the last version of the previous page
   */
  async versionPage(
    database: Kysely<Database>,
    organizationId: string,
    id: string,
    { limit, after = '2147483647' }: { readonly limit: number; readonly after?: string | undefined },
  ): Promise<{ readonly versions: readonly Summary[]; readonly next: string | null }> {
    const subject = await this.row(database, organizationId, id);
    const { rows } = await sql<Summary>`
      select ${this.summary} from ${this.versions}
      where organization_id = ${organizationId} and ${this.reference} = ${subject.id}
        and version_number < ${Number(after)}
      order by version_number desc limit ${limit + 1}`.execute(database);
    const versions = rows.slice(0, limit);
    return { versions, next: rows.length > limit ? String(versions.at(-1)!.version_number) : null };
  }

  /** Throws `DemarcError` `NOT_FOUND`; also versions of a deleted subject, whose tests or calls may still be active. */
  async version(
    database: Kysely<Database>,
    organizationId: string,
    id: string,
    versionNumber: number,
  ): Promise<Version> {
    const { rows } = isUuid(id)
      ? await sql<Version>`
          select * from ${this.versions}
          where organization_id = ${organizationId} and ${this.reference} = ${id}
            and version_number = ${versionNumber}`.execute(database)
      : { rows: [] };
    if (rows[0] === undefined) throw new DemarcError('NOT_FOUND', `Version ${versionNumber} not found`);
    return rows[0];
  }

  /**
   * The version that a test uses. Throws `DemarcError` `NOT_FOUND`.
   * @param wanted its number, or `live`; undefined: the draft if there is one, else the live version
   */
  async versionForTest(
    database: Kysely<Database>,
    organizationId: string,
    id: string,
    wanted?: number | 'live' | undefined,
  ): Promise<Version> {
    if (typeof wanted === 'number') return this.version(database, organizationId, id, wanted);
    const subject = await this.row(database, organizationId, id);
    const { draft, production } = await this.presentVersions(database, subject);
    const version = wanted === 'live' ? production : (draft ?? production);
    if (version === undefined) throw this.unknown(id);
    return version;
  }

  /** The draft and the live version. */
  async presentVersions(
    database: Kysely<Database>,
    { organization_id, id }: Pick<Subject, 'organization_id' | 'id'>,
  ): Promise<{ readonly draft: Version | undefined; readonly production: Version | undefined }> {
    const { rows } = await sql<Version>`
      select * from ${this.versions}
      where organization_id = ${organization_id} and ${this.reference} = ${id}
        and state in ('draft', 'production')`.execute(database);
    return {
      draft: rows.find(({ state }) => state === 'draft'),
      production: rows.find(({ state }) => state === 'production'),
    };
  }

  /** The number of the next version; the caller has the subject's lock. */
  async nextNumber(
    transaction: Transaction<Database>,
    { organization_id, id }: Pick<SubjectRow, 'organization_id' | 'id'>,
  ): Promise<number> {
    const { rows } = await sql<{ next: number }>`
      select coalesce(max(version_number), 0) + 1 as next from ${this.versions}
      where organization_id = ${organization_id} and ${this.reference} = ${id}`.execute(transaction);
    return rows[0]!.next;
  }

  /**
   * Asks all gates, without a lock, because they may take long; then makes the version live, unless it changed meanwhile. Throws
   * `DemarcError` `PROMOTION_REFUSED` and what gates and `makeLive` throw.
   * @returns `testing`: a gate makes it live when its tests pass
   */
  async promote(
    { database, gates }: { readonly database: Kysely<Database>; readonly gates: readonly PromotionGate[] },
    { organizationId, keyId }: Promoter,
    { subject, version }: { readonly subject: Subject; readonly version: Summary | Version },
    makeLive: (transaction: Transaction<Database>, promotion: PromotionSubject) => Promise<void>,
  ): Promise<'live' | 'testing'> {
    const promotion = {
      organizationId,
      keyId,
      kind: this.kind.kind,
      id: subject.id,
      versionId: version.id,
      versionNumber: version.version_number,
      revision: version.revision,
    };
    if ((await askGates(gates, promotion)) === 'testing') return 'testing';
    await database.transaction().execute((transaction) => makeLive(transaction, promotion));
    return 'live';
  }

  /** The caller has the subject's lock. Throws `DemarcError` `NOT_FOUND`, or that of `changed` without any change. */
  async makeLive(
    transaction: Transaction<Database>,
    { organizationId, keyId, id, versionId, versionNumber, revision }: PromotionSubject,
  ): Promise<Version> {
    const current = await this.version(transaction, organizationId, id, versionNumber);
    if (current.id !== versionId || current.revision !== revision || current.state === 'production')
      throw new DemarcError(this.kind.changed);
    const now = new Date();
    await sql`update ${this.versions} set state = 'archived', updated_at = ${now}
      where organization_id = ${organizationId} and ${this.reference} = ${id}
        and state = 'production'`.execute(transaction);
    const { rows } = await sql<Version>`
      update ${this.versions}
      set state = 'production', updated_at = ${now}, promoted_at = ${now}, promoted_by = ${keyId}
      where id = ${current.id} returning *`.execute(transaction);
    return rows[0]!;
  }

  private async row(
    database: Kysely<Database>,
    organizationId: string,
    id: string,
    lock = sql``,
  ): Promise<Subject> {
    const { rows } = isUuid(id)
      ? await sql<Subject>`
          select * from ${this.subjects}
          where organization_id = ${organizationId} and id = ${id} and deleted_at is null ${lock}`.execute(
          database,
        )
      : { rows: [] };
    if (rows[0] === undefined) throw this.unknown(id);
    return rows[0];
  }

  /** The subjects with their present versions, in the given order. */
  private async complete(
    database: Kysely<Database>,
    organizationId: string,
    subjects: readonly Subject[],
  ): Promise<VersionedSubject<Subject, Summary>[]> {
    const ids = subjects.map(({ id }) => id);
    const promotions = await latestPromotions(database, organizationId, this.kind.kind, ids);
    const { rows } = await sql<Summary & { readonly subject_id: string }>`
      select ${this.summary}, ${this.reference} as subject_id from ${this.versions}
      where organization_id = ${organizationId} and ${this.reference} = any(${ids}::uuid[])
        and state in ('draft', 'production')`.execute(database);
    const versionOf = (id: string, state: 'draft' | 'production') =>
      rows.find((version) => version.subject_id === id && version.state === state);
    return subjects.map((subject) => ({
      subject,
      draft: versionOf(subject.id, 'draft'),
      production: versionOf(subject.id, 'production'),
      promotion: promotions.get(subject.id),
    }));
  }
}
