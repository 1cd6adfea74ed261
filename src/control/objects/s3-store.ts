import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { S3Settings } from '../../config/porting-settings.js';
import type { OctetStore, StoredFile } from './octet-store.js';

/** A store that says nothing for so long is down. */
const idleMilliseconds = 20_000;
/** SHA-256 of nothing. */
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** The store has nothing of that name. */
export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing';
}

interface Body {
  readonly octets: number;
  /** SHA-256 in hex. */
  readonly sha256: string;
  readonly source: Readable;
}

/** Keeps objects in a bucket of a store that speaks S3 (signature version 4). */
export class S3Store implements OctetStore {
  readonly temporary = join(tmpdir(), 'demarc-documents');

  constructor(private readonly settings: S3Settings) {}

  async put(name: string, file: StoredFile): Promise<void> {
    const { octets, sha256, path } = file;
    const answer = await this.ask('PUT', name, { body: { octets, sha256, source: createReadStream(path) } });
    await this.conclude('PUT', answer, [200]);
    await rm(path, { force: true });
  }

  async putOctets(name: string, octets: Buffer, signal: AbortSignal): Promise<void> {
    const sha256 = createHash('sha256').update(octets).digest('hex');
    const body = { octets: octets.length, sha256, source: Readable.from([octets]) };
    await this.conclude('PUT', await this.ask('PUT', name, { body, signal }), [200]);
  }

  /** Octets of an object from `first` on. Throws `ObjectMissing`. */
  async getOctets(name: string, first: number, octets: number, signal: AbortSignal): Promise<Buffer> {
    const range = `bytes=${first}-${first + octets - 1}`;
    const answer = await this.ask('GET', name, { range, signal });
    if (answer.statusCode === 404) {
      answer.resume();
      throw new ObjectMissing(name);
    }
    // A store that ignores ranges would send the whole object.
    if (answer.statusCode !== 206) await this.conclude('GET', answer, [206]);
    return buffer(answer);
  }

  async get(name: string): Promise<Readable> {
    const answer = await this.ask('GET', name);
    if (answer.statusCode !== 200) await this.conclude('GET', answer, [200]);
    return answer;
  }

  async delete(name: string): Promise<void> {
    await this.conclude('DELETE', await this.ask('DELETE', name), [200, 204, 404]);
  }

  private async ask(
    method: 'PUT' | 'GET' | 'DELETE',
    name: string,
    { body, range, signal }: { body?: Body; range?: string; signal?: AbortSignal } = {},
  ): Promise<IncomingMessage> {
    const { url, region, keyId, secret } = this.settings;
    const signed = await new AwsV4Signer({
      method,
      url: `${url}/${name}`,
      accessKeyId: keyId,
      secretAccessKey: secret,
      service: 's3',
      region,
      headers: {
        'x-amz-content-sha256': body?.sha256 ?? emptyHash,
        ...(range === undefined ? {} : { range }),
      },
    }).sign();
    const send = signed.url.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const request = send(signed.url, {
        method,
        headers: {
          ...Object.fromEntries(signed.headers),
          ...(body === undefined
            ? {}
            : { 'content-length': body.octets, 'content-type': 'application/octet-stream' }),
        },
        timeout: idleMilliseconds,
        ...(signal === undefined ? {} : { signal }),
      });
      request.once('response', resolve).once('error', reject);
      request.once('timeout', () => request.destroy(new Error('The object store does not respond.')));
      if (body === undefined) request.end();
      else pipeline(body.source, request).catch(reject);
    });
  }

  private async conclude(
    method: string,
    answer: IncomingMessage,
    accepted: readonly number[],
  ): Promise<void> {
    answer.resume();
    const status = answer.statusCode ?? 0;
    if (!accepted.includes(status)) throw new Error(`The object store answered ${method} with ${status}.`);
  }
}
