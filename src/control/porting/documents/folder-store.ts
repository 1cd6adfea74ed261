import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { OctetStore, StoredFile } from '../../objects/octet-store.js';

/** Keeps documents as files of a folder that only we can read. */
export class FolderStore implements OctetStore {
  readonly temporary: string;
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = resolve(folder);
    this.temporary = join(this.folder, 'incoming');
  }

  async put(name: string, { path }: StoredFile): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = await open(path, 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path, join(this.folder, name));
    const folder = await open(this.folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  get(name: string): Promise<Readable> {
    const stream = createReadStream(join(this.folder, name));
    return new Promise((resolveStream, reject) => {
      stream.once('open', () => resolveStream(stream)).once('error', reject);
    });
  }

  delete(name: string): Promise<void> {
    return rm(join(this.folder, name), { force: true });
  }
}
