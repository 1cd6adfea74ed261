import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { PortingSettings } from '../../../config/porting-settings.js';
import type { SecretBox, SecretPlace } from '../../../contract/secret.js';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import type { OctetStore } from '../../objects/octet-store.js';
import { S3Store } from '../../objects/s3-store.js';
import type { PortDocumentsTable } from '../tables.js';
import { DocumentInspection, type MediaType } from './document-inspection.js';
import { FolderStore } from './folder-store.js';
import { newDocumentKey, OpeningStream, SealingStream } from './sealed-stream.js';

export type DocumentRow = Selectable<PortDocumentsTable>;
type Connection = Kysely<Database> | Transaction<Database>;

/** A document whose octets are in the store. */
export interface KeptDocument {
  readonly id: string;
  readonly mediaType: MediaType;
  readonly octets: number;
  readonly sha256: Buffer;
  readonly sealedKey: string;
}

export const documentPlace = (organization: string, id: string): SecretPlace => ({
  kind: 'porting document',
  organization,
  id,
});

/** Of what the losing carrier compares. */
export const informationPlace = (request: {
  readonly organization_id: string;
  readonly id: string;
}): SecretPlace => ({ kind: 'porting information', organization: request.organization_id, id: request.id });

export const newDocumentId = (): string => `doc_${randomBytes(12).toString('hex')}`;

type SealedDocument = Pick<DocumentRow, 'id' | 'organization_id' | 'sealed_key'>;

/** Documents: their octets sealed in a store, what is known of them in PostgreSQL. */
export class DocumentStorage {
  private readonly store: OctetStore;

  constructor(
    private readonly secrets: SecretBox,
    settings: PortingSettings['documents'],
  ) {
    this.store = settings.s3 === undefined ? new FolderStore(settings.directory) : new S3Store(settings.s3);
  }

  /**
   * Inspects and seals a stream on its way to the store; what is refused leaves nothing behind. Throws `DocumentRefused`,
   * `DemarcError` `SECRET_KEY_MISSING` or `DOCUMENTS_UNAVAILABLE`.
   */
  async keep(organization: string, source: Readable): Promise<KeptDocument> {
    if (!this.secrets.hasKey) throw new DemarcError('SECRET_KEY_MISSING');
    const id = newDocumentId();
    const key = newDocumentKey();
    const path = join(this.store.temporary, id);
    const inspection = new DocumentInspection();
    const plain = new Passing((chunk) => inspection.write(chunk));
    const sealed = new Passing(() => {});
    try {
      await orUnavailable(mkdir(this.store.temporary, { recursive: true, mode: 0o700 }));
      await pipeline(
        source,
        plain,
        new SealingStream(key),
        sealed,
        createWriteStream(path, { mode: 0o600, flags: 'wx' }),
      );
      const mediaType = inspection.end();
      await orUnavailable(
        this.store.put(id, { path, octets: sealed.octets, sha256: sealed.digest().toString('hex') }),
      );
      const sealedKey = this.secrets.seal(key.toString('base64url'), documentPlace(organization, id));
      return { id, mediaType, octets: plain.octets, sha256: plain.digest(), sealedKey };
    } catch (error) {
      await rm(path, { force: true }).catch(() => {});
      throw error;
    }
  }

  /** The document itself. Throws `DemarcError` `DOCUMENTS_UNAVAILABLE`; the stream fails for octets that were changed. */
  async read({ id, organization_id, sealed_key }: SealedDocument): Promise<Readable> {
    const place = documentPlace(organization_id, id);
    const key = Buffer.from(this.secrets.open(sealed_key, place), 'base64url');
    const stored = await orUnavailable(this.store.get(id));
    const opened = new OpeningStream(key);
    pipeline(stored, opened).catch((error: Error) => opened.destroy(error));
    return opened;
  }

  async readWhole(row: SealedDocument): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of await this.read(row)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  /** Deletes the octets; the row is the caller's. */
  async discard(id: string): Promise<void> {
    await this.store.delete(id);
  }
}

export async function addDocument(
  database: Connection,
  { id, mediaType, octets, sha256, sealedKey }: KeptDocument,
  of: Pick<DocumentRow, 'organization_id' | 'kind' | 'request_id'>,
): Promise<void> {
  await database
    .insertInto('port_documents')
    .values({ id, media_type: mediaType, octets, sha256, sealed_key: sealedKey, ...of })
    .execute();
}

/** Counts and hashes what passes. */
class Passing extends Transform {
  octets = 0;
  private readonly hash = createHash('sha256');

  constructor(onChunk: (chunk: Buffer) => void) {
    super({
      transform: (chunk: Buffer, _encoding, done) => {
        this.octets += chunk.length;
        this.hash.update(chunk);
        try {
          onChunk(chunk);
          done(null, chunk);
        } catch (error) {
          done(error as Error);
        }
      },
    });
  }

  digest(): Buffer {
    return this.hash.digest();
  }
}

async function orUnavailable<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    // Stores fail with system errors or with errors of their library.
    if (error instanceof TypeError) throw error;
    throw new DemarcError('DOCUMENTS_UNAVAILABLE', {
      operatorDetail: (error as Error).message,
      cause: error,
    });
  }
}
