import { afterEach, describe, expect, test } from 'vitest';
import { readEngineSettings } from '../../../../src/config/engine-settings.js';
import { Engine } from '../../../../src/engine/engine.js';
import type { SipRequest } from '../../../../src/sip/message.js';
import { ManualClock } from '../../../../src/testkit/manual-clock.js';
import { MemoryTransport, received } from '../../../../src/testkit/memory-transport.js';
import { type Frame, sipText, WireClient } from '../../../support/wire-client.js';
import { ourAddress, peerAddress, peerRequest, peerResponse, sdp } from '../dialog/fixture.js';

const settings = ['--admin', '127.0.0.1:0', '--secret', 's', '--udp', `${ourAddress}:5060`];

/** A whole engine on a network that only records, with applications on real connections. */
class Bench {
  readonly transport = new MemoryTransport(ourAddress);
  readonly clock = new ManualClock();
  readonly engine: Engine;
  private readonly clients: WireClient[] = [];
  private branches = 0;

  constructor(more: readonly string[] = []) {
    const notices = {
      wire: () => {},
      transport: () => {},
      defect: (error: unknown) => {
        throw error;
      },
    };
    this.engine = new Engine(readEngineSettings([...settings, ...more]), notices, this.clock, this.transport);
  }

  newBranch(): string {
    return `z9hG4bKpeer${++this.branches}`;
  }

  async application(owner: string): Promise<WireClient> {
    const client = await WireClient.connect({ host: '127.0.0.1', port: this.engine.adminPort });
    this.clients.push(client);
    await client.authenticate('s');
    await client.route('invite', `owner:${owner}`);
    return client;
  }

  deliver(text: string): void {
    this.engine.transactions.receive(received(text, this.transport.flow('udp', peerAddress, 5060)));
  }

  /** A call that the application has and marked; the peer's next CSeq is 2. */
  async call(application: WireClient, callId = 'call-1') {
    this.deliver(peerRequest(this, 'INVITE', { callId, body: sdp }));
    const invite = await application.expectRequest('INVITE');
    const reply = await application.respond(invite, 200, { headers: { 'Engine-Keep': 'yes' }, body: sdp });
    const localTag = /tag=([^;]+)/.exec(reply.message!.headers.get('To')!)![1]!;
    this.deliver(peerRequest(this, 'ACK', { callId, toTag: localTag }));
    await application.expectRequest('ACK');
    this.transport.take();
    return { id: `${callId};from-tag=at1`, localTag };
  }

  methods(): string[] {
    return this.transport
      .take()
      .map(({ message }) => (message.kind === 'request' ? message.method : `${message.status}`))
      .filter((each) => each !== '100');
  }

  sent(method: string): SipRequest {
    const found = this.transport
      .take()
      .find(({ message }) => message.kind === 'request' && message.method === method);
    if (found === undefined) throw new Error(`No ${method} was sent.`);
    return found.message as SipRequest;
  }

  async stop(): Promise<void> {
    for (const client of this.clients) await client.close();
    this.engine.core.abandon();
    // The drain looks at a clock that stands still.
    await this.engine.leave();
  }
}

const outcome = ({ fields }: Frame): string => fields.slice(3).join('|');

describe('commands for dialogs that outlive their application', () => {
  let bench: Bench;
  const open = async (...more: string[]): Promise<Bench> => {
    bench = new Bench(more);
    await bench.engine.start();
    return bench;
  };
  afterEach(() => bench.stop());

  test('owned: counts the connections of that owner alone, whatever its case, and those that send `alive`', async () => {
    await open();
    const first = await bench.application('Edge-1');
    const second = await bench.application('edge-1');
    await bench.application('edge-2');
    const owned = async (name: string) => (await first.command(`owned|${name}`)).fields.slice(3);
    const [result, instance, ...counts] = await owned('EDGE-1');
    expect([result, instance !== '', ...counts]).toEqual(['OK', true, '2', '', '0']);
    await second.command('alive');
    expect(await owned('edge-1')).toEqual(['OK', instance, '2', '', '1']);
    expect(await owned('edge-3')).toEqual(['OK', instance, '0', '', '0']);
  });

  test('adopt: takes the dialogs of an owner, closes its connections, and `owned` tells it later', async () => {
    await open();
    const first = await bench.application('edge-1');
    const second = await bench.application('edge-2');
    await second.command('remove_route|invite');
    const { id, localTag } = await bench.call(first);
    const reply = await second.command('adopt|edge-1');
    expect(outcome(reply)).toBe('OK|1');
    expect(JSON.parse(reply.text)).toEqual([
      {
        id,
        role: 'uas',
        call_id: 'call-1',
        local_tag: localTag,
        remote_tag: 'at1',
        local_sequence: 1,
        remote_sequence: 1,
        has_ended: false,
      },
    ]);
    await first.closed;
    expect(second.isOpen).toBe(true);
    expect((await second.command('owned|edge-1')).fields.slice(5)).toEqual(['0', 'adopted', '0']);
    expect(outcome(await second.inDialog(id, 'INFO'))).toMatch(/^OK/);
  });

  test('adopt of the same owner by its next connection is no adoption by another', async () => {
    await open();
    await bench.call(await bench.application('edge-1'));
    const again = await bench.application('edge-1');
    expect(outcome(await again.command('adopt|edge-1'))).toBe('OK|1');
    expect((await again.command('owned|edge-1')).fields.slice(5)).toEqual(['1', '', '0']);
  });

  test.each([
    ['ends the others with BYE', 'adopt|edge-1', ['BYE']],
    ['leaves the others to further adopters', 'adopt|edge-1|some', []],
  ])('adopt of named dialogs %s', async (_what, command, sent) => {
    await open();
    const first = await bench.application('edge-1');
    const second = await bench.application('edge-2');
    await second.command('remove_route|invite');
    const { id } = await bench.call(first);
    const neighbor = await bench.call(first, 'call-2');
    const reply = await second.command(command, id);
    expect(JSON.parse(reply.text)).toMatchObject([{ id }]);
    expect(bench.methods()).toEqual(sent);
    const rest = await second.command('adopt|edge-1', `${id}\r\n${neighbor.id}`);
    expect((JSON.parse(rest.text) as { id: string }[]).map((each) => each.id)).toEqual(
      sent.length > 0 ? [id] : [id, neighbor.id],
    );
  });

  test('adopt without an owner is refused', async () => {
    await open();
    const application = await bench.application('edge-1');
    expect(outcome(await application.command('adopt'))).toBe('NOK|adopt: the owner is missing');
  });

  test('yield: leaves dialogs under a name that no application has, and otherwise changes nothing', async () => {
    await open();
    const first = await bench.application('edge-1');
    const second = await bench.application('edge-2');
    await second.command('remove_route|invite');
    const { id } = await bench.call(first);
    const refused = 'NOK|yield: these dialogs cannot be left';
    expect(outcome(await first.command('yield|edge-2', id))).toBe(refused);
    expect(outcome(await first.command('yield|', id))).toBe(refused);
    expect(outcome(await first.command('yield|spare', `${id}\r\nanother;from-tag=1`))).toBe(refused);
    expect(outcome(await first.inDialog(id, 'INFO'))).toMatch(/^OK/);
    expect(outcome(await first.command('yield|Spare', id))).toBe('OK');
    expect(outcome(await first.inDialog(id, 'INFO'))).toMatch(/unable to find dialog/);
    expect(outcome(await second.command('adopt|SPARE'))).toBe('OK|1');
    expect(outcome(await second.inDialog(id, 'INFO'))).toMatch(/^OK/);
  });

  test('whose: names state and owner of a dialog by its identity', async () => {
    await open('--restore-seconds', '3');
    const application = await bench.application('edge-1');
    const whose = async (...lines: string[]) =>
      outcome(await application.command('whose', lines.join('\r\n')));
    expect(await whose('call-1', 'x', 'at1')).toBe('OK|expected|');
    await application.command('restored');
    await bench.clock.advance(3_100);
    expect(await whose('call-1', 'x', 'at1')).toBe('OK|unknown|');
    const { localTag } = await bench.call(application);
    expect(await whose('call-1', localTag, 'at1')).toBe('OK|known|edge-1');
    expect(await whose('call-1', localTag)).toBe('OK|unknown|');
    bench.deliver(peerRequest(bench, 'INVITE', { callId: 'call-2', body: sdp }));
    const ringing = await application.respond(await application.expectRequest('INVITE'), 180);
    const earlyTag = /tag=([^;]+)/.exec(ringing.message!.headers.get('To')!)![1]!;
    expect(await whose('call-2', earlyTag, 'at1')).toBe('OK|early|edge-1');
  });

  test('once: the INVITE is given to no other application', async () => {
    await open();
    const first = await bench.application('edge-1');
    bench.deliver(peerRequest(bench, 'INVITE', { body: sdp }));
    const invite = await first.expectRequest('INVITE');
    expect(outcome(await first.command(`once|${invite.fields[8]}`))).toBe('OK');
    const second = await bench.application('edge-2');
    await first.close();
    await expect.poll(() => bench.methods()).toEqual(['503']);
    expect(second.everything.filter(({ type }) => type === 'sip')).toEqual([]);
  });

  test('forget: drops marked dialogs without BYE; their peers get 503', async () => {
    await open();
    const application = await bench.application('edge-1');
    const { id, localTag } = await bench.call(application);
    expect(outcome(await application.command('forget', `another;from-tag=1\r\n${id}`))).toBe('OK');
    expect(bench.methods()).toEqual([]);
    expect(outcome(await application.inDialog(id, 'INFO'))).toMatch(/unable to find dialog/);
    bench.deliver(peerRequest(bench, 'BYE', { toTag: localTag, cseq: 2 }));
    expect(bench.methods()).toEqual(['503']);
  });

  const lost = {
    role: 'uas',
    call_id: 'call-9',
    local_party: `<sip:bob@${ourAddress}>;tag=bt1`,
    remote_party: '<sip:alice@example.net>;tag=at1',
    route_set: [],
    remote_target: `sip:alice@${peerAddress}:5060`,
    local_contact: '<sip:demarc@localhost>',
    local_sequence: 100,
    remote_sequence: 1,
    flow: { protocol: 'udp', address: peerAddress, port: 5060 },
    next_hop: null,
    session_timer: null,
    allows_update: true,
    local_description: null,
  };

  test('restore: replies with the outcome of each dialog, or why the document is no list of dialogs', async () => {
    await open();
    const application = await bench.application('edge-1');
    const reply = await application.command(
      'restore',
      JSON.stringify([lost, { ...lost, call_id: 'call-8' }]),
    );
    expect(outcome(reply)).toBe('OK|2');
    expect(JSON.parse(reply.text)).toEqual(
      ['call-9', 'call-8'].map((callId) => ({
        id: `${callId};from-tag=at1`,
        local_contact: `<sip:demarc@${ourAddress}:5060>`,
      })),
    );
    expect(outcome(await application.command('restore', 'no JSON'))).toBe(
      'NOK|restore: the body is not JSON',
    );
    expect(outcome(await application.command('release', '[]'))).toBe(
      'NOK|restore: the body: must be an object',
    );
  });

  test('release: BYE for dialogs of the engine before, CANCEL for its INVITEs, and BYE where a 200 crosses it', async () => {
    await open();
    const application = await bench.application('edge-1');
    const invite = {
      request_uri: `sip:carol@${peerAddress}`,
      via: `SIP/2.0/UDP ${ourAddress}:5060;branch=z9hG4bKlost1`,
      routes: [`<sip:${peerAddress};lr>`],
      from: `<sip:bob@${ourAddress}>;tag=bt2`,
      to: `<sip:carol@${peerAddress}>`,
      call_id: 'call-7',
      sequence: 4711,
      flow: lost.flow,
      next_hop: `sip:${peerAddress}`,
    };
    const document = JSON.stringify({ invites: [invite], dialogs: [lost] });
    expect(outcome(await application.command('release', document))).toBe('OK');
    const sent = bench.transport.take().map(({ message }) => message as SipRequest);
    expect(sent.map(({ method }) => method).sort()).toEqual(['BYE', 'CANCEL']);
    const cancel = sent.find(({ method }) => method === 'CANCEL')!;
    expect(cancel.uri).toBe(invite.request_uri);
    const named = ['Via', 'Route', 'From', 'To', 'Call-ID', 'CSeq'].map((name) => cancel.headers.get(name));
    expect(named).toEqual([invite.via, invite.routes[0], invite.from, invite.to, 'call-7', '4711 CANCEL']);
    expect(cancel.headers.get('Reason')).toContain('503');
    const bye = sent.find(({ method }) => method === 'BYE')!;
    expect(bye.headers.get('CSeq')).toBe('101 BYE');
    // Its user has answered in the same moment.
    const answered = peerResponse(cancel, '200 OK', {
      tag: 'ct1',
      headers: `Contact: <sip:carol@${peerAddress}>`,
    });
    bench.deliver(answered.replace('CANCEL', 'INVITE'));
    expect(bench.methods()).toEqual(['ACK', 'BYE']);
  });
});

describe('frames of applications', () => {
  let bench: Bench;
  const connected = async (): Promise<WireClient> => {
    bench = new Bench();
    await bench.engine.start();
    return bench.application('edge-1');
  };
  afterEach(() => bench.stop());

  test.each([
    ['a response without the transaction', 'sip||', 'SIP/2.0 200 OK', 'NO|transaction id missing'],
    [
      'a request with one that is no CANCEL',
      'sip|txn-1|',
      'INFO sip:x@y SIP/2.0',
      'NOK|INFO does not go with a transaction id',
    ],
    ['a leader that is too short', 'sip|', 'INFO sip:x@y SIP/2.0', 'NO|invalid request'],
    [
      'a CANCEL of an unknown transaction',
      'sip|txn-1|',
      'CANCEL sip:x@y SIP/2.0',
      'NOK|unable to cancel unknown transaction id: txn-1',
    ],
    [
      'a response to an unknown transaction',
      'sip|txn-1|',
      'SIP/2.0 200 OK',
      'NOK|Response not sent due to unknown transaction',
    ],
    ['an ACK outside a transaction', 'sip||', 'ACK sip:x@y SIP/2.0', 'NOK|ACK outside a transaction'],
    ['a start line that is none', 'sip||', 'nonsense', 'NOK|'],
    ['a proxy request', 'proxy|txn-1|remainInDialog', 'INVITE sip:x@y SIP/2.0', 'NOK|proxy not supported'],
  ])('%s is refused, and the connection stays', async (_what, leader, startLine, expected) => {
    const application = await connected();
    expect(outcome(await application.command(leader, sipText(startLine)))).toContain(expected);
    expect(outcome(await application.command('ping'))).toBe('OK|pong');
  });

  test.each([
    ['an unknown type', 'nonsense|1', 'NO|unknown message type'],
    ['a wrong secret after the right one', 'authenticate|wrong|', 'NO|incorrect secret'],
  ])('%s closes the connection', async (_what, leader, expected) => {
    const application = await connected();
    expect(outcome(await application.command(leader))).toBe(expected);
    await application.closed;
  });

  test('a frame with a message id of more than 128 characters closes the connection without a reply', async () => {
    const application = await connected();
    application.write(WireClient.frame('ping', undefined, 'a'.repeat(128)).bytes);
    await application.reply('a'.repeat(128));
    application.write(WireClient.frame('ping', undefined, 'a'.repeat(129)).bytes);
    await application.closed;
  });

  test.each([
    ['no name', '', 'NO|invalid verb'],
    ['64 characters', 'a'.repeat(64), 'OK'],
    ['65 characters', 'a'.repeat(65), 'NO|invalid verb'],
  ])('a route with %s', async (_what, verb, expected) => {
    const application = await connected();
    expect(outcome(await application.command(`route|${verb}`))).toBe(expected);
  });

  test('an application has 64 routes at most', async () => {
    const application = await connected();
    for (let count = 2; count < 64; count++) await application.route(`verb${count}`);
    expect(outcome(await application.command('route|one-more'))).toBe('NO|invalid verb');
    await application.command('remove_route|VERB5');
    expect(outcome(await application.command('route|one-more'))).toBe('OK');
  });
});
