import type { Readable } from 'node:stream';

/** A file that is ready to be stored. */
export interface StoredFile {
  readonly path: string;
  readonly octets: number;
  /** SHA-256 in hex. */
  readonly sha256: string;
}

/** Keeps octets by name; they are sealed before they come here. */
export interface OctetStore {
  /** A folder for files on their way to the store. */
  readonly temporary: string;
  /** Resolves when the file would outlive a crash; the file is the store's afterwards. */
  put(name: string, file: StoredFile): Promise<void>;
  /** Rejects when there is nothing of that name. */
  get(name: string): Promise<Readable>;
  /** Also resolves when there is nothing of that name. */
  delete(name: string): Promise<void>;
}
