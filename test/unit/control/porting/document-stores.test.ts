import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { S3Store } from '../../../../src/control/porting/documents/s3-store.js';
import {
  newDocumentKey,
  OpeningStream,
  SealingStream,
} from '../../../../src/control/porting/documents/sealed-stream.js';

const sha256 = (octets: Buffer | string): string => createHash('sha256').update(octets).digest('hex');

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
  const settings = { region: 'eu-central-1', keyId: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG' };

  /** Signature version 4 as AWS describes it, computed here a second time. */
  function isSigned(request: IncomingMessage, bodyHash: string): boolean {
    const match = /SignedHeaders=([^,]+), Signature=(\w+)$/.exec(request.headers.authorization ?? '');
    const [, names = '', signature] = match ?? [];
    const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
    const canonical = [request.method, request.url, '', headers.join(''), names, bodyHash].join('\n');
    const at = String(request.headers['x-amz-date']);
    const scope = `${at.slice(0, 8)}/${settings.region}/s3/aws4_request`;
    const key = scope
      .split('/')
      .reduce<Buffer | string>(
        (last, part) => createHmac('sha256', last).update(part).digest(),
        `AWS4${settings.secret}`,
      );
    const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n');
    return createHmac('sha256', key).update(text).digest('hex') === signature;
  }

  it('puts, gets and deletes with signed requests of a known length', async () => {
    const kept = new Map<string, Buffer>();
    const server = createServer(async (request, response) => {
      const body = await buffer(request);
      const hash = sha256(body);
      const isRight = request.headers['x-amz-content-sha256'] === hash && isSigned(request, hash);
      const path = request.url ?? '';
      if (!isRight) response.writeHead(403).end();
      else if (request.method === 'PUT') {
        expect(request.headers['content-length']).toBe(String(body.length));
        kept.set(path, body);
        response.end();
      } else if (request.method === 'GET') {
        const found = kept.get(path);
        response.writeHead(found === undefined ? 404 : 200).end(found);
      } else response.writeHead(kept.delete(path) ? 204 : 404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const folder = await mkdtemp(join(tmpdir(), 'demarc-s3-'));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket`;
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
      server.close();
      await rm(folder, { recursive: true });
    }
  });
});
