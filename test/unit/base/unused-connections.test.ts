import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { closeUnusedConnections } from '../../../src/base/unused-connections.js';
import { within } from '../../../src/testkit/waiting.js';
import { TestAuthority } from '../../support/certificates.js';

/** A server whose route emits `asked`, and answers at `answer`. */
async function start(https?: { cert: string; key: string }) {
  const server = fastify(https === undefined ? {} : ({ https } as object));
  closeUnusedConnections(server);
  const route = new EventEmitter();
  server.get('/slow', async () => {
    const answered = once(route, 'answer');
    route.emit('asked');
    return (await answered)[0];
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  return { server, route, port: (server.server.address() as AddressInfo).port };
}

describe('closing the HTTP server', () => {
  it('does not wait for a connection without a request', async () => {
    const { server, port } = await start();
    const silent = connect(port, '127.0.0.1');
    await once(server.server, 'connection');
    const closed = once(silent, 'close');
    await within(server.close(), 900, 'the server is closed');
    await closed;
  });

  it('does not wait for TLS connections before or after their handshake', async () => {
    const authority = await TestAuthority.create();
    const { certFile, keyFile } = await authority.issue('server');
    const { server, port } = await start({
      cert: readFileSync(certFile, 'utf8'),
      key: readFileSync(keyFile, 'utf8'),
    });
    const silent = connect(port, '127.0.0.1');
    await once(server.server, 'connection');
    const secured = connectTls({ port, host: '127.0.0.1', ca: authority.ca });
    await once(server.server, 'secureConnection');
    const closed = Promise.all([once(silent, 'close'), once(secured, 'close')]);
    await within(server.close(), 900, 'the server is closed');
    await closed;
    authority.remove();
  });

  it('waits for the answer to a request', async () => {
    const { server, route, port } = await start();
    const asked = once(route, 'asked');
    const response = fetch(`http://127.0.0.1:${port}/slow`);
    await asked;
    const closing = server.close();
    route.emit('answer', 'late');
    expect(await (await response).text()).toBe('late');
    await within(closing, 900, 'the server is closed');
  });
});
