import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { S3Settings } from '../../../config/porting-settings.js';
import type { OctetStore, StoredFile } from './octet-store.js';

/** A store that says nothing for so long is down. */
const idleMilliseconds = 20_000;
/** SHA-256 of nothing. */
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Keeps documents in a bucket of a store that speaks S3 (signature version 4). */
export class S3Store implements OctetStore {
  readonly temporary = join(tmpdir(), 'demarc-documents');

  constructor(private readonly settings: S3Settings) {}

  async put(name: string, file: StoredFile): Promise<void> {
    const answer = await this.ask('PUT', name, file);
    await this.conclude('PUT', answer, [200]);
    await rm(file.path, { force: true });
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
    file?: StoredFile,
  ): Promise<IncomingMessage> {
    const { url, region, keyId, secret } = this.settings;
    const signed = await new AwsV4Signer({
      method,
      url: `${url}/${name}`,
      accessKeyId: keyId,
      secretAccessKey: secret,
      service: 's3',
      region,
      headers: { 'x-amz-content-sha256': file?.sha256 ?? emptyHash },
    }).sign();
    const send = signed.url.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const request = send(signed.url, {
        method,
        headers: {
          ...Object.fromEntries(signed.headers),
          ...(file === undefined
            ? {}
            : { 'content-length': file.octets, 'content-type': 'application/octet-stream' }),
        },
        timeout: idleMilliseconds,
      });
      request.once('response', resolve).once('error', reject);
      request.once('timeout', () => request.destroy(new Error('The document store does not respond.')));
      if (file === undefined) request.end();
      else pipeline(createReadStream(file.path), request).catch(reject);
    });
  }

  private async conclude(
    method: string,
    answer: IncomingMessage,
    accepted: readonly number[],
  ): Promise<void> {
    answer.resume();
    const status = answer.statusCode ?? 0;
    if (!accepted.includes(status)) throw new Error(`The document store answered ${method} with ${status}.`);
  }
}
