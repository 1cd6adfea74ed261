import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ObjectMissing, S3Store } from '../../../../src/control/objects/s3-store.js';
import {
  newDocumentKey,
  OpeningStream,
  SealingStream,
} from '../../../../src/control/porting/documents/sealed-stream.js';
import { ObjectStore, sha256 } from '../../../support/object-store.js';

describe('a sealed stream', () => {
  const seal = (key: Buffer, octets: Buffer): Promise<Buffer> =>
    buffer(Readable.from([octets]).pipe(new SealingStream(key)));
  const open = (key: Buffer, octets: Buffer): Promise<Buffer> => {
    const opening = new OpeningStream(key);
    Readable.from([octets]).pipe(opening);
    return buffer(opening);
  };

  it('decrypts to the original at any length', async () => {
    const key = newDocumentKey();
    for (const length of [0, 1, 65_535, 65_536, 65_537, 200_000]) {
      const octets = Buffer.alloc(length, 7);
      const sealed = await seal(key, octets);
      expect((await open(key, sealed)).equals(octets)).toBe(true);
    }
  });

  it('does not open when it was changed, cut off, reordered, or sealed with another key', async () => {
    const key = newDocumentKey();
    const sealed = await seal(key, Buffer.alloc(200_000, 7));
    const segment = 65_536 + 16;
    const flipped = Buffer.from(sealed);
    flipped[70_000]! ^= 1;
    const swapped = Buffer.concat([
      sealed.subarray(segment, 2 * segment),
      sealed.subarray(0, segment),
      sealed.subarray(2 * segment),
    ]);
    for (const wrong of [flipped, swapped, sealed.subarray(0, 2 * segment), sealed.subarray(0, -1)])
      await expect(open(key, wrong)).rejects.toThrow();
    await expect(open(newDocumentKey(), sealed)).rejects.toThrow();
  });
});

describe('the S3 store', () => {
  it('puts, gets and deletes with signed requests of a known length', async () => {
    const double = await ObjectStore.start();
    const folder = await mkdtemp(join(tmpdir(), 'demarc-s3-'));
    try {
      const { settings, url } = double;
      const store = new S3Store({ ...settings, url });
      const path = join(folder, 'sealed');
      const octets = Buffer.alloc(150_000, 3);
      await writeFile(path, octets);
      await store.put('doc_1', { path, octets: octets.length, sha256: sha256(octets) });
      await expect(readFile(path)).rejects.toThrow();
      expect((await buffer(await store.get('doc_1'))).equals(octets)).toBe(true);
      await store.delete('doc_1');
      await store.delete('doc_1');
      await expect(store.get('doc_1')).rejects.toThrow('answered GET with 404');
      const wrong = new S3Store({ ...settings, url, secret: 'another' });
      await expect(wrong.get('doc_1')).rejects.toThrow('403');
    } finally {
      double.stop();
      await rm(folder, { recursive: true });
    }
  });

  it('puts octets, gets a part of them, and says when there are none', async () => {
    const double = await ObjectStore.start();
    try {
      const store = new S3Store({ ...double.settings, url: double.url });
      const signal = AbortSignal.timeout(10_000);
      await store.putOctets('traces/2026-11-26/1', Buffer.from('0123456789'), signal);
      expect(String(await store.getOctets('traces/2026-11-26/1', 2, 3, signal))).toBe('234');
      await expect(store.getOctets('traces/2026-11-26/2', 0, 1, signal)).rejects.toThrow(ObjectMissing);
      double.isDown = true;
      await expect(store.getOctets('traces/2026-11-26/1', 0, 1, signal)).rejects.toThrow('503');
    } finally {
      double.stop();
    }
  });
});
