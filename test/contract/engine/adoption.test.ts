import { expect } from 'vitest';
import { within } from '../../../src/testkit/waiting.js';
import { type PeerCall, sdp } from '../../support/peer-call.js';
import { connectApplication, newApplication } from '../../support/srf-application.js';
import type { WireClient } from '../../support/wire-client.js';
import { establishUac, establishUas, hangUpAtApp, hangUpAtPeer } from './calls.js';
import { type Bench, contractSuite } from './suite.js';

const keep = { 'Engine-Keep': 'yes' };
const embeddedOnly = 'an extension that drachtio-server does not have';
const graceSeconds = 1;
/** An application that is stalled for longer restores too late. */
const restoreSeconds = 4;

interface Listed {
  readonly id: string;
  readonly role: string;
  readonly local_sequence: number;
  readonly has_ended: boolean;
}

/** An application that keeps its dialogs under that name, which comes first: an engine that was restarted does not wait for others. */
async function owner(bench: Bench, name: string): Promise<WireClient> {
  return bench.wire(`owner:${name}`, 'invite');
}

async function adopt(wire: WireClient, name: string, ids: readonly string[] = []): Promise<Listed[]> {
  const reply = await wire.command(`adopt|${name}`, ids.length === 0 ? undefined : ids.join('\r\n'));
  expect(reply.fields[3]).toBe('OK');
  return JSON.parse(reply.text) as Listed[];
}

/** What an application knows about a call of that peer; its own tag is `restored`. */
const lostDialog = (caller: PeerCall, callId: string) => ({
  role: 'uas',
  call_id: callId,
  local_party: `<${caller.remoteUri}>;tag=restored`,
  remote_party: `<${caller.localUri}>;tag=${caller.localTag}`,
  route_set: [],
  remote_target: caller.peer.uri('alice'),
  local_contact: `<${caller.target}>`,
  local_sequence: 100,
  remote_sequence: caller.cseq,
  flow: { protocol: 'udp', address: caller.peer.host, port: caller.peer.port },
  next_hop: null,
  session_timer: null,
  allows_update: true,
  local_description: sdp('2'),
});

contractSuite(
  'dialogs that outlive their application',
  { options: ['--keep-seconds', String(graceSeconds), '--restore-seconds', '1'] },
  ({ row }) => {
    row(
      'offer',
      'B',
      'the reply to authenticate offers the commands in a further field',
      async (bench) => {
        const wire = await bench.rawWire();
        const reply = await wire.authenticate(bench.engine.secret);
        expect(reply.fields[7]?.split(',')).toEqual(expect.arrayContaining(['adopt', 'restore']));
      },
      { embeddedOnly },
    );

    row(
      'plain',
      'B',
      'an application of the library that names no owner and marks nothing: BYE as ever when it is gone',
      async (bench) => {
        const application = newApplication();
        await connectApplication(application, bench.engine);
        const call = await bench.caller();
        application.invite((request, response) => {
          void application.createUAS(request, response, { localSdp: sdp('2') });
        });
        await call.invite();
        const answer = await call.response(200);
        await call.ack(answer.message);
        application.disconnect();
        const bye = await call.peer.expectRequest('BYE');
        await call.respond(bye, 200);
      },
      { embeddedOnly },
    );

    row(
      'adopt',
      'B',
      'a broken connection ends no marked call; a successor adopts both legs, gets what waited, and ends the call',
      async (bench) => {
        const gone = await owner(bench, 'edge-1');
        const caller = await bench.caller();
        const inbound = await establishUas(gone, caller, { headers: keep });
        const outbound = await establishUac(gone, await bench.peer('tcp'), { headers: keep });
        gone.abort();
        await caller.send('INVITE', { body: sdp('9') });
        await caller.response(100);
        const successor = await owner(bench, 'edge-2');
        const listed = await adopt(successor, 'edge-1');
        expect(listed.map(({ id, role, has_ended }) => [id, role, has_ended])).toEqual([
          [inbound.dialogId, 'uas', false],
          [outbound.dialogId, 'uac', false],
        ]);
        const reinvite = await successor.expectRequest('INVITE');
        await successor.respond(reinvite, 200, { body: sdp('5') });
        const answer = await caller.response(200);
        await caller.ack(answer.message);
        await successor.expectRequest('ACK');
        await hangUpAtApp(successor, outbound.call, outbound.dialogId);
        await hangUpAtPeer(successor, caller);
      },
      { embeddedOnly },
    );

    row(
      'fence',
      'B',
      'a living application loses its dialogs to the adopter of its owner, and its connection with them',
      async (bench) => {
        const stalled = await owner(bench, 'edge-1');
        const caller = await bench.caller();
        const { dialogId } = await establishUas(stalled, caller, { headers: keep });
        const successor = await owner(bench, 'edge-2');
        expect(await adopt(successor, 'edge-1', [dialogId])).toMatchObject([{ id: dialogId }]);
        await within(stalled.closed, 2_000, 'the end of the old connection');
        await hangUpAtPeer(successor, caller);
      },
      { embeddedOnly },
    );

    row(
      'bye',
      'B',
      'a peer that hangs up meanwhile gets 200 at once, and the successor gets its BYE',
      async (bench) => {
        const gone = await owner(bench, 'edge-1');
        const caller = await bench.caller();
        const { dialogId } = await establishUas(gone, caller, { headers: keep });
        gone.abort();
        await caller.send('BYE');
        await caller.response(200, 'BYE');
        const successor = await owner(bench, 'edge-2');
        expect(await adopt(successor, 'edge-1')).toMatchObject([{ id: dialogId, has_ended: true }]);
        const bye = await successor.expectRequest('BYE');
        expect((await successor.respond(bye, 200)).fields[3]).toBe('NOK');
      },
      { embeddedOnly },
    );

    row(
      'adopt',
      'B',
      'two successors share the calls, each with what waited for its own, and calls that neither names wait for a third',
      async (bench) => {
        const gone = await owner(bench, 'edge-1');
        const callers = [await bench.caller(), await bench.caller(), await bench.caller()];
        const ids: string[] = [];
        for (const caller of callers)
          ids.push((await establishUas(gone, caller, { headers: keep })).dialogId);
        gone.abort();
        for (const caller of callers) {
          await caller.send('INVITE', { body: sdp('9') });
          await caller.response(100);
        }
        for (const [index, caller] of callers.entries()) {
          const successor = await owner(bench, `edge-${index + 2}`);
          const reply = await successor.command('adopt|edge-1|some', ids[index]!);
          expect(JSON.parse(reply.text)).toMatchObject([{ id: ids[index], has_ended: false }]);
          await successor.respond(await successor.expectRequest('INVITE'), 200, { body: sdp('5') });
          await caller.ack((await caller.response(200)).message);
          await successor.expectRequest('ACK');
          await hangUpAtPeer(successor, caller);
        }
      },
      { embeddedOnly },
    );

    row(
      'grace',
      'B',
      'calls that no successor names in its share end with BYE when the grace is over',
      async (bench) => {
        const gone = await owner(bench, 'edge-1');
        const callers = [await bench.caller(), await bench.caller()];
        const ids: string[] = [];
        for (const caller of callers)
          ids.push((await establishUas(gone, caller, { headers: keep })).dialogId);
        gone.abort();
        const successor = await owner(bench, 'edge-2');
        await successor.command('adopt|edge-1|some', ids[0]!);
        await callers[1]!.respond(await callers[1]!.peer.expectRequest('BYE'), 200);
        await hangUpAtPeer(successor, callers[0]!);
      },
      { embeddedOnly },
    );

    row(
      'grace',
      'B',
      'calls that no application adopts end with BYE when the grace is over',
      async (bench) => {
        const gone = await owner(bench, 'edge-1');
        const caller = await bench.caller();
        await establishUas(gone, caller, { headers: keep });
        gone.abort();
        const brokenAt = Date.now();
        const bye = await caller.peer.expectRequest('BYE');
        expect(Date.now() - brokenAt).toBeGreaterThan(graceSeconds * 900);
        await caller.respond(bye, 200);
      },
      { embeddedOnly },
    );

    row(
      'forget',
      'B',
      'drops single dialogs without BYE, and answers their requests with 503; the others wait for an adopter',
      async (bench) => {
        const fenced = await owner(bench, 'edge-1');
        const [moved, kept] = [await bench.caller(), await bench.caller()];
        const inbound = await establishUas(fenced, moved, { headers: keep });
        const outbound = await establishUac(fenced, await bench.peer('tcp'), { headers: keep });
        const remaining = await establishUas(fenced, kept, { headers: keep });
        await moved.send('INVITE', { body: sdp('9') });
        await fenced.expectRequest('INVITE');
        const names = [inbound.dialogId, outbound.dialogId, 'unknown;from-tag=1'];
        const reply = await fenced.command('forget', names.join('\r\n'));
        expect(reply.fields[3]).toBe('OK');
        // The offer that was open.
        const { message: refused } = await moved.response((status) => status >= 200, 'INVITE');
        await moved.ack(refused);
        expect(refused.status).toBe(487);
        fenced.abort();
        const successor = await owner(bench, 'edge-2');
        expect(await adopt(successor, 'edge-1')).toMatchObject([{ id: remaining.dialogId }]);
        await Promise.all(
          [moved, outbound.call].map(({ peer, callId }) =>
            peer.expectNothing(
              ({ kind, headers }) => kind === 'request' && headers.get('Call-ID') === callId,
              1_500 * graceSeconds,
              'a request within a dialog that was forgotten',
            ),
          ),
        );
        await moved.send('INFO');
        await moved.response(503, 'INFO');
        await outbound.call.send('BYE');
        await outbound.call.response(503, 'BYE');
        await hangUpAtPeer(successor, kept);
      },
      { embeddedOnly },
    );

    row(
      'restore',
      'B',
      'a dialog that the engine never had is restored and carries requests both ways; unusable documents are refused',
      async (bench) => {
        const wire = await owner(bench, 'edge-1');
        const caller = await bench.caller();
        const { dialogId } = await establishUas(wire, caller, { headers: keep });
        const document = lostDialog(caller, `${caller.callId}-restored`);
        await hangUpAtApp(wire, caller, dialogId);
        const refused = await wire.command('restore', JSON.stringify([{ ...document, role: 'proxy' }]));
        expect(refused.fields.slice(3)).toEqual(['NOK', 'restore: dialog 0: role must be uas or uac']);
        const reply = await wire.command('restore', JSON.stringify([document]));
        expect(JSON.parse(reply.text)).toMatchObject([
          { id: `${document.call_id};from-tag=${caller.localTag}` },
        ]);
        expect((await wire.command('restored')).fields[3]).toBe('OK');
        caller.callId = document.call_id;
        caller.remoteTag = 'restored';
        const sent = await wire.inDialog(caller.dialogId, 'INFO');
        const info = await caller.peer.expectRequest('INFO', { callId: caller.callId });
        expect(info.message.headers.get('CSeq')).toBe('101 INFO');
        await caller.respond(info, 200);
        await wire.expectResponse({ status: 200, transaction: sent.fields[10] ?? '' });
        await hangUpAtPeer(wire, caller);
      },
      { embeddedOnly },
    );
  },
);

contractSuite(
  'an engine that is started together with its application',
  { options: ['--restore-seconds', String(restoreSeconds)] },
  ({ row }) => {
    row(
      'late',
      'B',
      'requests of lost calls wait for an application that connects after the usual time',
      async (bench) => {
        const caller = await bench.caller();
        caller.remoteTag = 'restored';
        caller.cseq = 1;
        const document = lostDialog(caller, caller.callId);
        await caller.send('BYE');
        // Longer than the time of the option.
        const longer = restoreSeconds * 1_000 + 500;
        await caller.peer.expectNothing(({ kind }) => kind === 'response', longer, 'No response');
        const wire = await owner(bench, 'edge-1');
        await wire.command('restore', JSON.stringify([document]));
        await wire.respond(await wire.expectRequest('BYE'), 200);
        await caller.response(200, 'BYE');
        await wire.command('restored');
        const unknown = await bench.caller();
        unknown.remoteTag = 'unknown';
        await unknown.send('BYE');
        await unknown.response(481, 'BYE');
      },
      { embeddedOnly },
    );
  },
);
