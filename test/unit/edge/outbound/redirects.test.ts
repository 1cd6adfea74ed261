import { describe, expect, it } from 'vitest';
import type { NumberDocument } from '../../../../src/contract/number.js';
import { callAndFollow, type RedirectedTo, Redirects } from '../../../../src/edge/outbound/redirects.js';
import { isRedirect, redirectContacts } from '../../../../src/edge/routing/redirect-contacts.js';
import type { AttemptFailure, TrunkServer } from '../../../../src/edge/routing/targets.js';
import type { TrunkStore } from '../../../../src/edge/routing/trunk-store.js';

const server = (host: string, fields: Partial<TrunkServer> = {}): TrunkServer =>
  ({
    host,
    port: 5070,
    transport: 'tls',
    name: `tls:${host}:5070`,
    isSecure: true,
    credential: { username: 'u' },
    mappings: [],
    ...fields,
  }) as unknown as TrunkServer;

const primary = server('pbx.example.com');
const second = server('pbx2.example.com');
const callee = '+14155550100';

const failure = (contact: string | undefined, fields: Partial<AttemptFailure> = {}): AttemptFailure => ({
  status: 302,
  reason: 'Moved Temporarily',
  isOurs: false,
  hasRung: false,
  contact,
  ...fields,
});

const redirects = (
  owner: string | undefined = undefined,
  allowed_targets: readonly string[] = [],
): Redirects =>
  new Redirects({
    document: { number: '4930123456', organization: 'o1' } as NumberDocument,
    route: { servers: [primary, second], triggers: new Set(), failback: 'auto' },
    policy: { mode: 'bridge', fallback: false, allowed_targets: [...allowed_targets] },
    callee,
    trunks: {
      find: async () => (owner === undefined ? undefined : { organization: owner }),
    } as unknown as Pick<TrunkStore, 'find'>,
  });

const follow = (contact: string | undefined, of = redirects(), from = primary) =>
  of.follow(failure(contact), from, '192.0.2.7');

describe('the contacts of a redirection', () => {
  const uris = (contact: string | undefined): readonly string[] =>
    redirectContacts(contact).map(({ text }) => text);

  it('come in the order of q, which is 1 where it is missing', () => {
    expect(uris('<sip:a@x>;q=0.2, <sip:b@x>;q=0.7, <sip:c@x>')).toEqual(['sip:c@x', 'sip:b@x', 'sip:a@x']);
    expect(uris('<sip:a@x>;q=0.5, <sip:b@x>;q=0.5')).toEqual(['sip:a@x', 'sip:b@x']);
  });

  it('with an invalid q come last', () => {
    for (const invalid of ['1.5', '-1', 'high'])
      expect(uris(`<sip:a@x>;q=${invalid}, <sip:b@x>;q=0.1`)).toEqual(['sip:b@x', 'sip:a@x']);
    expect(uris('<sip:a@x>;q=0, <sip:b@x>;q=1')).toEqual(['sip:b@x', 'sip:a@x']);
  });

  it('are at most five, and only those that can be called', () => {
    expect(uris('<sip:1@x>, <sip:2@x>, <sip:3@x>, <sip:4@x>, <sip:5@x>, <sip:6@x>')).toHaveLength(5);
    expect(uris('<mailto:a@x>, <tel:+1415>, <sip:a@x>')).toEqual(['tel:+1415', 'sip:a@x']);
    expect(uris(undefined)).toEqual([]);
  });

  it.each([
    [299, false],
    [300, true],
    [301, true],
    [302, true],
    [305, false],
    [380, false],
  ])('of %d are followed: %s', (status, expected) => {
    expect(isRedirect(status)).toBe(expected);
  });
});

describe('a redirection by a trunk', () => {
  it('to another server of the number is followed, with its credentials', async () => {
    expect(await follow(`<sip:${callee}@pbx2.example.com:5070;transport=tls>`)).toEqual([
      { server: second, uri: `sip:${callee}@pbx2.example.com:5070;transport=tls` },
    ]);
  });

  it('to another port of a server gives no credentials', async () => {
    const [to] = (await follow(`<sip:${callee}@pbx2.example.com:5080;transport=tls>`)) as RedirectedTo[];
    expect(to).toMatchObject({ server: { host: 'pbx2.example.com', port: 5080, credential: undefined } });
  });

  it('keeps the port on the same host, and signaling encrypted', async () => {
    const [to] = (await follow(`<sip:${callee}@PBX.example.com;transport=udp>`)) as RedirectedTo[];
    expect(to?.uri).toBe('sip:+14155550100@pbx.example.com:5070;transport=tls');
  });

  it('chooses the transport where signaling is not encrypted', async () => {
    const plain = server('pbx.example.com', { transport: 'udp', name: 'udp:pbx.example.com:5070' });
    const uriFrom = async (contact: string): Promise<string> =>
      ((await follow(contact, redirects(), plain)) as RedirectedTo[])[0]!.uri;
    expect(await uriFrom(`<sip:${callee}@pbx.example.com;transport=TCP>`)).toMatch(/transport=tcp$/);
    expect(await uriFrom(`<sips:${callee}@pbx.example.com>`)).toMatch(/transport=tls$/);
    expect(await uriFrom(`<sip:${callee}@pbx.example.com;transport=ws>`)).toMatch(/transport=udp$/);
    expect(await uriFrom(`<sip:${callee}@pbx.example.com>`)).toMatch(/transport=udp$/);
  });

  it('of the called user to a stranger is refused, to an allowed host followed', async () => {
    expect(await follow(`<sip:${callee}@evil.example>`)).toEqual(expect.any(String));
    expect(
      await follow(`<sip:${callee}@desk.example.org>`, redirects(undefined, ['desk.example.org'])),
    ).toMatchObject([{ server: { host: 'desk.example.org' } }]);
  });

  it('to the address that redirects is one to the own trunk', async () => {
    expect(await follow(`<sip:${callee}@192.0.2.7>`)).toMatchObject([{ server: { host: '192.0.2.7' } }]);
    expect(await follow(`<sip:${callee}@192.0.2.8>`)).toEqual(expect.any(String));
  });

  it('by tel stays at the server', async () => {
    expect(await follow(`<tel:${callee}>`)).toMatchObject([{ server: primary }]);
  });

  it('is not followed without an address, to what was called before, or a fourth time', async () => {
    const of = redirects();
    expect(await follow(undefined, of)).toBe('it names no address');
    const uri = `sip:${callee}@pbx2.example.com:5070;transport=tls`;
    of.note(second, uri);
    expect(await follow(`<${uri}>`, of)).toBe(`${uri} was called before.`);
    expect(await follow(`<${uri}>, <sip:${callee}@pbx.example.com>`, of)).toHaveLength(1);
    expect(await follow(`<sip:${callee}@pbx.example.com>`, of)).toHaveLength(1);
    expect(await follow(`<sip:${callee}@pbx.example.com>`, of)).toBe('more than 3 redirections');
  });
});

describe('a call that is redirected', () => {
  type Answers = Readonly<Record<string, AttemptFailure | undefined>>;

  async function called(answers: Answers, isOver = () => false) {
    const tried: string[] = [];
    const end = await callAndFollow(
      redirects(),
      { server: primary, uri: 'sip:first' },
      {
        attempt: async ({ uri }) => {
          tried.push(uri.replace(/^sip:([^@]*@)?/, '').replace(/[:;].*$/, ''));
          return answers[tried.at(-1)!];
        },
        address: () => '192.0.2.7',
        isOver,
        log: { info: () => {} } as never,
      },
    );
    return { tried, end };
  }
  const both = failure(
    `<sip:${callee}@pbx2.example.com:5070>;q=0.9, <sip:${callee}@pbx.example.com:5071>;q=0.8`,
  );

  it('is answered by the first server that takes it', async () => {
    expect(await called({ first: both })).toEqual({ tried: ['first', 'pbx2.example.com'], end: undefined });
    expect(await called({})).toEqual({ tried: ['first'], end: undefined });
  });

  it('tries the next one after a fault of a server, and ends with a decision', async () => {
    const down = failure(undefined, { status: 503 });
    expect((await called({ first: both, 'pbx2.example.com': down })).tried).toEqual([
      'first',
      'pbx2.example.com',
      'pbx.example.com',
    ]);
    const busy = failure(undefined, { status: 486 });
    expect(await called({ first: both, 'pbx2.example.com': busy })).toEqual({
      tried: ['first', 'pbx2.example.com'],
      end: busy,
    });
  });

  it('is not redirected by a status of our own, and says why a redirection is not followed', async () => {
    const ours = failure(`<sip:${callee}@pbx2.example.com>`, { isOurs: true });
    expect(await called({ first: ours })).toEqual({ tried: ['first'], end: ours });
    expect((await called({ first: failure(undefined) })).end?.problem).toBe(
      'redirection not followed: it names no address',
    );
  });

  it('is not continued once it has ended', async () => {
    expect(await called({ first: both }, () => true)).toEqual({ tried: ['first'], end: undefined });
  });
});
