import { beforeEach, describe, expect, it } from 'vitest';
import { ConnectionTable, type PooledConnection } from '../../../../src/engine/transport/connection-table.js';
import type { Target } from '../../../../src/engine/transport/flow.js';

const address = '192.0.2.7';
const name = 'pbx.example.com';
/** Of a peer that has proven its name. */
const certificate = { subject: { CN: name }, subjectaltname: `DNS:${name}` };

let table: ConnectionTable;
let number = 0;
beforeEach(() => {
  table = new ConnectionTable();
});

function added(fields: Partial<Record<keyof PooledConnection, unknown>> = {}): PooledConnection {
  const connection = {
    id: `tcp-${++number}`,
    protocol: 'tcp',
    direction: 'outgoing',
    remoteAddress: address,
    remotePort: 5_060,
    takesRequests: true,
    serverName: undefined,
    trustId: undefined,
    verifiedCertificate: undefined,
    ...fields,
  } as unknown as PooledConnection;
  table.add(connection);
  return connection;
}

const target = (fields: object = {}): Target =>
  ({ protocol: 'tcp', address, port: 5_060, serverName: name, ...fields }) as unknown as Target;
const secure = (fields: object = {}): Target => target({ protocol: 'tls', port: 5_061, ...fields });
const tls = { protocol: 'tls', remotePort: 5_061 };

describe('open connections', () => {
  it('are counted and found until they are removed, once', () => {
    const [outgoing, incoming] = [added(), added({ direction: 'incoming', remotePort: 40_000 })];
    expect([table.size, table.outgoingCount]).toEqual([2, 1]);
    expect([...table]).toEqual([outgoing, incoming]);
    expect(table.withId(incoming.id)).toBe(incoming);
    expect(table.find('tcp', address, 40_000)).toBe(incoming);
    for (let times = 0; times < 2; times++) table.remove(outgoing);
    expect([table.size, table.outgoingCount]).toEqual([1, 0]);
    expect(table.withId(outgoing.id)).toBeUndefined();
    expect(table.find('tcp', address, 5_060)).toBeUndefined();
    table.remove(incoming);
    expect([table.size, table.outgoingCount]).toEqual([0, 0]);
  });

  it('of one peer are used from the newest on, as long as they take requests', () => {
    const [older, newer] = [added(), added()];
    expect(table.find('tcp', address, 5_060)).toBe(newer);
    Object.assign(newer, { takesRequests: false });
    expect(table.find('tcp', address, 5_060)).toBe(older);
    table.remove(older);
    expect(table.find('tcp', address, 5_060)).toBeUndefined();
    expect(table.reusable(target())).toBeUndefined();
  });
});

describe('a connection for a request', () => {
  it('has the protocol, address and port of the target', () => {
    const connection = added();
    expect(table.reusable(target())).toBe(connection);
    expect(table.reusable(target({ port: 5_062 }))).toBeUndefined();
    expect(table.reusable(target({ address: '192.0.2.8' }))).toBeUndefined();
    expect(table.reusable(target({ protocol: 'tls' }))).toBeUndefined();
  });

  it('over TLS was checked for the same name, whatever its case', () => {
    const connection = added({ ...tls, serverName: 'PBX.example.com' });
    expect(table.reusable(secure())).toBe(connection);
    expect(table.reusable(secure({ serverName: 'other.example.com' }))).toBeUndefined();
    expect(table.reusable(secure({ serverName: address }))).toBe(connection);
  });

  it('over TLS was checked with the certificates that the same customer trusts', () => {
    const [common, own] = [
      added({ ...tls, serverName: name }),
      added({ ...tls, serverName: name, trustId: 'acme' }),
    ];
    expect(table.reusable(secure())).toBe(common);
    expect(table.reusable(secure({ trust: { id: 'acme' } }))).toBe(own);
    expect(table.reusable(secure({ trust: { id: 'other' } }))).toBeUndefined();
  });

  it('proves its name by a certificate when the peer opened it', () => {
    const unproven = added({ ...tls, direction: 'incoming', serverName: name });
    expect(table.reusable(secure())).toBeUndefined();
    table.remove(unproven);
    const proven = added({ ...tls, direction: 'incoming', verifiedCertificate: certificate });
    expect(table.reusable(secure())).toBe(proven);
    expect(table.reusable(secure({ serverName: 'other.example.com' }))).toBeUndefined();
  });
});

describe('an alias', () => {
  const incoming = (fields: object = {}) =>
    added({
      protocol: 'tls',
      direction: 'incoming',
      remotePort: 40_000,
      verifiedCertificate: certificate,
      ...fields,
    });

  it('makes an incoming connection the way to the port where its peer listens', () => {
    const connection = incoming();
    table.addAlias(connection, 5_061);
    expect(table.reusable(secure())).toBe(connection);
    expect(table.reusable(secure({ serverName: 'other.example.com' }))).toBeUndefined();
    Object.assign(connection, { takesRequests: false });
    expect(table.reusable(secure())).toBeUndefined();
  });

  it('is only for a peer that has proven who it is, on a connection that it opened', () => {
    table.addAlias(incoming({ verifiedCertificate: undefined }), 5_061);
    table.addAlias(incoming({ direction: 'outgoing', serverName: name }), 5_061);
    expect(table.reusable(secure())).toBeUndefined();
  });

  it('gives way to a connection to the port itself', () => {
    table.addAlias(incoming(), 5_061);
    const direct = added({ ...tls, serverName: name });
    expect(table.reusable(secure())).toBe(direct);
  });

  it('moves with its connection, and ends with it', () => {
    const connection = incoming();
    table.addAlias(connection, 5_061);
    table.addAlias(connection, 5_061);
    table.addAlias(connection, 5_071);
    expect(table.reusable(secure())).toBeUndefined();
    expect(table.reusable(secure({ port: 5_071 }))).toBe(connection);
    table.remove(connection);
    expect(table.reusable(secure({ port: 5_071 }))).toBeUndefined();
  });

  it('stays with a newer connection that took it', () => {
    const [older, newer] = [incoming(), incoming({ remotePort: 40_001 })];
    table.addAlias(older, 5_061);
    table.addAlias(newer, 5_061);
    expect(table.reusable(secure())).toBe(newer);
    table.addAlias(older, 5_071);
    expect(table.reusable(secure())).toBe(newer);
    table.remove(older);
    expect(table.reusable(secure())).toBe(newer);
  });
});
