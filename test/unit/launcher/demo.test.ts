import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ensureDemoNumber } from '../../../src/launcher/demo.js';
import { PartFailed } from '../../../src/launcher/managed-process.js';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** @param milliseconds that an answer may take */
async function ensure(answer: RequestListener, milliseconds = 5_000): Promise<void> {
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await ensureDemoNumber({ url, caFile: '' }, 'sk-demo', '12025550100', milliseconds);
}

const json = (data: object): string => JSON.stringify({ data, errors: null });

describe('the demo number', () => {
  it('is attached where it has no configuration', async () => {
    const asked: string[] = [];
    await ensure((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      if (request.method === 'GET') response.writeHead(404).end('{}');
      else response.end(json({ configured: ['+12025550100'], failed: [] }));
    });
    expect(asked).toEqual([
      'GET /v1/sip?phone_number=%2B12025550100 Bearer sk-demo',
      'POST /v1/sip/attach Bearer sk-demo',
      'PATCH /v1/sip/config Bearer sk-demo',
    ]);
  });

  it('keeps the configuration that it has', async () => {
    const asked: (string | undefined)[] = [];
    await ensure((request, response) => {
      asked.push(request.method);
      response.end(json({ configurations: [{}] }));
    });
    expect(asked).toEqual(['GET']);
  });

  it('fails with the error of the API', async () => {
    const refused = ensure((_request, response) => response.writeHead(503).end('not now'));
    await expect(refused).rejects.toThrow(PartFailed);
    await expect(refused).rejects.toThrow(/GET \/v1\/sip\?phone_number=\S+ returned not now$/);
  });

  it('says that the API does not answer', async () => {
    const silent = ensure(() => {}, 200);
    await expect(silent).rejects.toThrow(PartFailed);
    await expect(silent).rejects.toThrow(/no answer within 0\.2 s$/);
  });

  it('says why the API cannot be reached', async () => {
    const lost = ensure((request) => request.socket.destroy());
    await expect(lost).rejects.toThrow(PartFailed);
    await expect(lost).rejects.toThrow(/: socket hang up$/);
  });
});
