import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ownerOfTcpPort } from '../../../src/base/port-owner.js';
import { checkPorts, PortsTaken, PrivatePorts } from '../../../src/launcher/ports.js';
import { systemPorts } from '../../support/free-ports.js';

const servers: Server[] = [];

async function listen(port = 0): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

describe('checkPorts', () => {
  it('names each taken port, who has it, and the setting that changes it', async () => {
    const sip = await listen();
    const http = await listen();
    const check = checkPorts([
      { purpose: 'SIP over TLS', address: '127.0.0.1', port: sip, setting: 'DEMARC_SIP_TLS_PORT' },
      { purpose: 'HTTP', address: '127.0.0.1', port: http, setting: 'DEMARC_HTTP_PORT' },
    ]);
    await expect(check).rejects.toThrow(PortsTaken);
    const text = await check.catch((failure: Error) => failure.message);
    expect(text).toContain(`port ${sip} on 127.0.0.1 is taken`);
    expect(text).toContain(`DEMARC_SIP_TLS_PORT=${sip + 1}`);
    expect(text).toContain(`DEMARC_HTTP_PORT=${http + 1}`);
    if (process.platform === 'linux') expect(text).toContain(`process ${process.pid}`);
  });

  it('reports an address that is not local', async () => {
    const check = checkPorts([
      { purpose: 'HTTP', address: '192.0.2.1', port: 8080, setting: 'DEMARC_HTTP_PORT' },
    ]);
    await expect(check).rejects.toThrow('DEMARC_BIND');
  });

  it('is silent when all are free', async () => {
    const port = await listen();
    await new Promise((resolve) => servers.pop()?.close(resolve));
    await checkPorts([{ purpose: 'HTTP', address: '127.0.0.1', port, setting: 'DEMARC_HTTP_PORT' }]);
    expect(ownerOfTcpPort(port)).toBeUndefined();
  });
});

describe('private ports', () => {
  let low: number;
  beforeAll(async () => {
    ({ low } = await systemPorts());
  });

  it('gives no port twice and passes over those in use', async () => {
    await listen(low + 1);
    const udp = createSocket('udp4');
    await new Promise<void>((resolve) => udp.bind(low + 3, '127.0.0.1', resolve));
    const ports = new PrivatePorts({ low, high: low + 4 }, [{ low: low + 4, high: low + 4 }], () => 0);
    expect([await ports.take(), await ports.take()]).toEqual([low, low + 2]);
    await new Promise<void>((resolve) => udp.close(() => resolve()));
  });

  it('finds a run of neighbours, also from the middle of the range', async () => {
    await listen(low + 1);
    const ports = new PrivatePorts({ low, high: low + 4 }, [], () => 0.5);
    expect(await ports.takeRun(3)).toBe(low + 2);
  });

  it('names the setting to change when no port is free', async () => {
    await listen(low);
    const ports = new PrivatePorts({ low, high: low }, []);
    await expect(ports.take()).rejects.toThrow('DEMARC_PRIVATE_PORTS');
  });
});
