import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export const sha256 = (octets: Buffer | string): string => createHash('sha256').update(octets).digest('hex');

/** A store that speaks S3: PUT, GET with ranges and DELETE of objects in one bucket, with the signature checked. */
export class ObjectStore {
  readonly settings = { region: 'eu-central-1', keyId: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG' };
  /** By path, with the bucket. */
  readonly objects = new Map<string, Buffer>();
  /** True: answers 503. */
  isDown = false;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ObjectStore> {
    const server = createServer();
    const store = new ObjectStore(server);
    server.on('request', async (request: IncomingMessage, response) => {
      const body = await buffer(request);
      const path = request.url ?? '';
      const hash = sha256(body);
      const isLong = request.method === 'PUT' && request.headers['content-length'] !== String(body.length);
      if (store.isDown) response.writeHead(503).end();
      else if (request.headers['x-amz-content-sha256'] !== hash || !store.isSigned(request, hash))
        response.writeHead(403).end();
      else if (isLong) response.writeHead(411).end();
      else if (request.method === 'PUT') {
        store.objects.set(path, body);
        response.end();
      } else if (request.method === 'GET') {
        const found = store.objects.get(path);
        const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
        if (found === undefined) response.writeHead(404).end();
        else if (range === null) response.end(found);
        else response.writeHead(206).end(found.subarray(Number(range[1]), Number(range[2]) + 1));
      } else response.writeHead(store.objects.delete(path) ? 204 : 404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return store;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/bucket`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Signature version 4 as AWS describes it, computed here a second time. */
  private isSigned(request: IncomingMessage, bodyHash: string): boolean {
    const match = /SignedHeaders=([^,]+), Signature=(\w+)$/.exec(request.headers.authorization ?? '');
    const [, names = '', signature] = match ?? [];
    const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
    const canonical = [request.method, request.url, '', headers.join(''), names, bodyHash].join('\n');
    const at = String(request.headers['x-amz-date']);
    const scope = `${at.slice(0, 8)}/${this.settings.region}/s3/aws4_request`;
    const key = scope
      .split('/')
      .reduce<Buffer | string>(
        (last, part) => createHmac('sha256', last).update(part).digest(),
        `AWS4${this.settings.secret}`,
      );
    const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n');
    return createHmac('sha256', key).update(text).digest('hex') === signature;
  }
}
