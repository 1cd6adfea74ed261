import { describe, expect, it } from 'vitest';
import { numberDigits } from '../../../../src/contract/number.js';
import { registrationId, registrationKey } from '../../../../src/contract/registration.js';
import { Bindings } from '../../../../src/edge/admission/bindings.js';
import { edgeNames } from '../../../../src/edge/routing/names.js';
import { OutboundAddresses } from '../../../../src/edge/routing/outbound-addresses.js';
import { ScriptedDns } from '../../../support/scripted-dns.js';
import { chainOver, invite, numberDocument, type RequestFields, secrets } from './request.js';

const token = '0123456789abcdef0123456789abcdef';
const registrar = { host: 'pbx.example.com', port: 5061, transport: 'tls' as const };
const registrarAddress = '203.0.113.50';
const id = registrationId('acme', registrar, 'trunk');
const byToken = { user: token, uri: `sip:${token}@edge.example.com;transport=tls;line=${token}` };

/** A chain over numbers that share one registration; none of them lists a source, all have credentials. */
function registered(
  numbers: readonly string[],
  state?: Record<string, unknown>,
  addresses: string[] = [registrarAddress],
) {
  const documents = numbers.map((number) =>
    numberDocument({
      number,
      inbound: [
        { id: 'other', allowed_sources: ['192.0.2.0/24'] },
        {
          id: `in-${number}`,
          credentials: [{ username: 'trunk', password: secrets.seal('right') }],
          registration: { ...registrar, username: 'trunk', password: secrets.seal('right') },
        },
      ],
    }),
  );
  const registration = {
    id,
    organization: 'acme',
    registrar,
    username: 'trunk',
    credential: { password: 'right', token },
    newest: { number: numbers[0]!, inboundId: `in-${numbers[0]}` },
    isSingle: numbers.length === 1,
  };
  const names = edgeNames({ dns: new ScriptedDns({ a: { '*': addresses } }) }).admission;
  const bindings = new Bindings({
    directory: { byToken: (text) => (text === token ? registration : undefined) },
    addresses: new OutboundAddresses(names),
    redis: {
      get: async (key) => (state !== undefined && key === registrationKey(id) ? JSON.stringify(state) : null),
    },
    trunks: { find: async (user) => documents.find(({ number }) => number === numberDigits(user)) },
  });
  const { chain } = chainOver(documents, { bindings });
  return (fields: RequestFields) =>
    chain.admit(
      invite({ calledUser: byToken.user, uri: byToken.uri, sourceAddress: registrarAddress, ...fields }),
    );
}

describe('calls that come by a registration', () => {
  it.each(['tls', 'tcp', 'udp'])('are admitted over %s without credentials', async (protocol) => {
    const admit = registered(['14155550100']);
    expect(await admit({ protocol })).toMatchObject({
      admitted: true,
      inbound: { id: 'in-14155550100' },
      document: { number: '14155550100' },
    });
  });

  it.each([
    ['the dialled number as the user', '+14155559999', `;line=${token}`],
    ['an extension as the user', '201', `;line=${token}`],
    ['no user at all', '', `;line=${token}`],
    ['the Contact without its parameters', token, ''],
  ])('are recognized with %s', async (_, calledUser, parameter) => {
    const admit = registered(['14155550100']);
    const uri = `sip:${calledUser === '' ? '' : `${calledUser}@`}edge.example.com:5061${parameter}`;
    expect(await admit({ calledUser, uri })).toMatchObject({
      admitted: true,
      document: { number: '14155550100' },
    });
  });

  it('are for the number that they name when several share the registration', async () => {
    const admit = registered(['14155550100', '14155550101']);
    const line = `sip:+14155550101@edge.example.com;line=${token}`;
    expect(await admit({ calledUser: '+14155550101', uri: line })).toMatchObject({
      document: { number: '14155550101' },
    });
    expect(await admit({ to: '<sip:14155550100@pbx.example.com>' })).toMatchObject({
      document: { number: '14155550100' },
    });
    const headers = { 'P-Called-Party-ID': '<sip:+14155550101@pbx.example.com>' };
    expect(await admit({ to: '<sip:trunk@pbx.example.com>', headers })).toMatchObject({
      document: { number: '14155550101' },
    });
    const unnamed = await admit({ to: '<sip:trunk@pbx.example.com>' });
    expect(unnamed).toMatchObject({ admitted: false, refusal: { status: 404 } });
    if (!unnamed.admitted) expect(unnamed.refusal.detail).toContain('P-Called-Party-ID');
  });

  it('are challenged when they come from another address, even with the right token', async () => {
    const admit = registered(['14155550100']);
    expect(await admit({ sourceAddress: '198.51.100.1' })).toMatchObject({
      admitted: false,
      refusal: { status: 401 },
    });
  });

  it('are challenged when they do not know the token, wherever they come from', async () => {
    const admit = registered(['14155550100']);
    const uri = `sip:+14155550100@edge.example.com;line=${token.replace('0', '1')}`;
    expect(await admit({ calledUser: '+14155550100', uri })).toMatchObject({
      admitted: false,
      refusal: { status: 401 },
    });
  });

  it('may come from the address that answered the REGISTER, also when the name leads elsewhere by now', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    const state = {
      version: 1,
      registration: id,
      organization: 'acme',
      registrar: 'tls:pbx.example.com:5061',
      username: 'trunk',
      edge_id: 'e',
      state: 'registered',
      since: at,
      attempted_at: at,
      expires_at: at,
      next_attempt_at: at,
      sip_code: 200,
      last_error: null,
      contact: null,
      address: '::ffff:198.51.100.7',
    };
    const admit = registered(['14155550100'], state);
    expect(await admit({ sourceAddress: '198.51.100.7' })).toMatchObject({ admitted: true });
    expect(await admit({ sourceAddress: '198.51.100.8' })).toMatchObject({ admitted: false });
    const unresolved = registered(['14155550100'], state, []);
    expect(await unresolved({ sourceAddress: '198.51.100.7' })).toMatchObject({ admitted: true });
  });
});
