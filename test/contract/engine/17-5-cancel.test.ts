import { expect } from 'vitest';
import { tagOf } from '../../../src/sip/address.js';
import { parseCSeq } from '../../../src/sip/cseq.js';
import { parseVia } from '../../../src/sip/via.js';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';
import { pause, within } from '../../../src/testkit/waiting.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { PeerCall, sdp } from '../../support/peer-call.js';
import { isHeard, type SrfRequest } from '../../support/srf-application.js';
import { dialogOf, isResponseFrame, transactionOf, type WireClient } from '../../support/wire-client.js';
import { establishUas, hangUpAtPeer, sentTransaction } from './calls.js';
import { contractSuite } from './suite.js';

async function ring(wire: WireClient, peer: SipPeer) {
  const uri = peer.uri('bob');
  const reply = await wire.newRequest(`INVITE ${uri} SIP/2.0`, { To: `<${uri}>` }, sdp());
  const invite = await peer.expectRequest('INVITE');
  return { uri, transaction: sentTransaction(reply), invite, call: PeerCall.from(peer, invite.message) };
}

contractSuite('17.5 CANCEL', {}, ({ row }) => {
  row(
    67,
    'L',
    'CANCEL before any response of the app: 200 and 487, 11-token frame, `cancel` event',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      await call.invite();
      const invite = await wire.expectRequest('INVITE');
      await call.cancel({ headers: { Reason: 'SIP;cause=200;text="Call completed elsewhere"' } });
      const accepted = await call.response(200, 'CANCEL');
      const refusal = await call.response(487);
      await call.ack(refusal.message);
      const frame = await wire.expectRequest('CANCEL');
      expect(frame.fields).toHaveLength(11);
      expect(transactionOf(frame)).toBe(transactionOf(invite));
      expect(dialogOf(frame)).toBe('');
      expect(frame.message.headers.get('Reason')).toContain('completed elsewhere');
      expect((await wire.respond(invite, 487)).fields[3]).toBe('NOK');
      if (!isRealServer) {
        expect(tagOf(accepted.message.headers.get('To')!)).toBe(tagOf(refusal.message.headers.get('To')!));
      }
      await wire.close();

      const application = await bench.srf();
      const cancelled = new Promise<void>((resolve) => {
        application.invite((request) => request.on('cancel', () => resolve()));
      });
      await isHeard(application);
      const second = await bench.caller();
      await second.invite();
      await second.response(100);
      await pause(50);
      await second.cancel();
      await second.ack((await second.response(487)).message);
      await within(cancelled, 2_000, 'cancel event');
    },
  );

  row(68, 'L', "the same after 180: dialog id set, the app's 487 answered NOK, one 487", async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    await call.invite();
    const invite = await wire.expectRequest('INVITE');
    await wire.respond(invite, 180);
    await call.response(180);
    await call.cancel();
    await call.response(200, 'CANCEL');
    const refusal = await call.response(487);
    await call.ack(refusal.message);
    const frame = await wire.expectRequest('CANCEL');
    expect(transactionOf(frame)).toBe(transactionOf(invite));
    expect(dialogOf(frame)).toBe(call.dialogId);
    expect((await wire.respond(invite, 487)).fields[3]).toBe('NOK');
    await call.peer.expectNothing((each) => each.kind === 'response' && each.status === 487, 100, 'One 487');
  });

  row(69, 'R', 'the ACK of that 487 is absorbed', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    await call.invite();
    await wire.expectRequest('INVITE');
    await call.cancel();
    const refusal = await call.response(487);
    await call.ack(refusal.message);
    await pause(50);
    const copies = call.peer.copies(refusal);
    await wire.noFrame((frame) => frame.text.startsWith('ACK'), 5 * bench.t1, 'No ACK frame');
    expect(call.peer.copies(refusal)).toBe(copies);
  });

  row(70, 'L', "req.cancel() after 180: CANCEL with the INVITE's branch, number and URI", async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    const { uri, transaction, invite, call } = await ring(wire, peer);
    await call.respond(invite, 180);
    await wire.expectResponse({ status: 180 });
    const reply = await wire.cancel(transaction, uri, { Reason: 'SIP;cause=487', 'X-Reason': 'test' });
    expect(reply.fields[3]).toBe('OK');
    const cancel = await peer.expectRequest('CANCEL');
    expect(parseVia(cancel.message.headers.get('Via')!)?.branch).toBe(
      parseVia(invite.message.headers.get('Via')!)?.branch,
    );
    expect(cancel.message.uri).toBe(invite.message.uri);
    expect(parseCSeq(cancel.message.headers.get('CSeq')!)).toEqual({
      number: parseCSeq(invite.message.headers.get('CSeq')!)!.number,
      method: 'CANCEL',
    });
    for (const name of ['From', 'To', 'Call-ID']) {
      expect(cancel.message.headers.get(name)).toBe(invite.message.headers.get(name));
    }
    expect(cancel.message.headers.get('Reason')).toContain('cause=487');
    expect(cancel.message.headers.get('X-Reason')).toBe('test');
    await call.respond(cancel, 200);
    await call.respond(invite, 487);
    await wire.expectResponse({ status: 487, transaction });
    await peer.expectRequest('ACK');
  });

  row(71, 'R', 'req.cancel() before any 1xx: OK at once, CANCEL after the first 1xx', async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    const { uri, transaction, invite, call } = await ring(wire, peer);
    expect((await wire.cancel(transaction, uri)).fields[3]).toBe('OK');
    const isCancel = (each: { kind: string; method?: string }): boolean => each.method === 'CANCEL';
    await peer.expectNothing(isCancel, 150, 'No CANCEL yet');
    await call.respond(invite, 100);
    const cancel = await peer.expectRequest('CANCEL');
    await call.respond(cancel, 200);
    await call.respond(invite, 487);
    await wire.expectResponse({ status: 487, transaction });
    await peer.expectRequest('ACK');
    const second = await ring(wire, peer);
    await wire.cancel(second.transaction, second.uri);
    await second.call.respond(second.invite, 486);
    await wire.expectResponse({ status: 486, transaction: second.transaction });
    await peer.expectNothing(isCancel, 150, 'No CANCEL after the final');
  });

  row(72, 'L', '487 is delivered once; the 200 to CANCEL is not', async (bench) => {
    const application = await bench.srf();
    const peer = await bench.peer();
    const uri = peer.uri('bob');
    let sent: SrfRequest | undefined;
    const outcome = application
      .createUAC(
        uri,
        { headers: { To: `<${uri}>` }, localSdp: sdp() },
        {
          cbRequest: (_error, request) => {
            sent = request;
          },
          cbProvisional: () => sent!.cancel(),
        },
      )
      .then(
        () => 200,
        (error: { status: number }) => error.status,
      );
    const invite = await peer.expectRequest('INVITE');
    const call = PeerCall.from(peer, invite.message);
    await call.respond(invite, 180);
    await call.respond(await peer.expectRequest('CANCEL'), 200);
    await call.respond(invite, 487);
    expect(await within(outcome, 2_000, 'outcome of createUAC')).toBe(487);

    const wire = await bench.wire();
    const raw = await ring(wire, peer);
    await raw.call.respond(raw.invite, 180);
    await wire.expectResponse({ status: 180 });
    await wire.cancel(raw.transaction, raw.uri);
    await raw.call.respond(await peer.expectRequest('CANCEL'), 200);
    await raw.call.respond(raw.invite, 487);
    await raw.call.respond(raw.invite, 487);
    await wire.expectResponse({ status: 487 });
    await wire.noFrame(isResponseFrame, 100, 'Nothing else');
  });

  row(73, 'R', 'an unknown txn id is answered NOK', async (bench) => {
    const wire = await bench.wire();
    const id = '70000002-0000-4000-8000-000000000000';
    const reply = await wire.cancel(id, 'sip:x@192.0.2.1');
    expect(reply.fields.slice(3)).toEqual(['NOK', `unable to cancel unknown transaction id: ${id}`]);
  });

  row(
    74,
    'R',
    'CANCEL crossing 200: 200 delivered, ACK sent, then BYE and unsolicited frame',
    async (bench) => {
      const wire = await bench.wire();
      const peer = await bench.peer();
      const { uri, transaction, invite, call } = await ring(wire, peer);
      await call.respond(invite, 180);
      await wire.expectResponse({ status: 180 });
      await wire.cancel(transaction, uri);
      const cancel = await peer.expectRequest('CANCEL');
      await call.respond(invite, 200, { body: sdp('2') });
      await call.respond(cancel, 481);
      const answer = await wire.expectResponse({ status: 200, transaction });
      await wire.inDialog(dialogOf(answer), 'ACK');
      await peer.expectRequest('ACK');
      const bye = await peer.expectRequest('BYE');
      await call.respond(bye, 200);
      expect(dialogOf(await wire.expectUnsolicited())).toBe(dialogOf(answer));
    },
  );

  row(75, 'B', 'a peer that answers only the CANCEL: one fabricated final after 64·T1', async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    const { uri, transaction, invite, call } = await ring(wire, peer);
    await call.respond(invite, 180);
    await wire.expectResponse({ status: 180 });
    await wire.cancel(transaction, uri);
    await call.respond(await peer.expectRequest('CANCEL'), 200);
    const final = await wire.expectResponse({ transaction }, bench.giveUp + 5_000);
    expect([408, 487]).toContain(final.message.status);
    await call.respond(invite, 487);
    await wire.noFrame(isResponseFrame, 200, 'Exactly one final');
  });

  row('75 silent', 'R', 'a peer silent after CANCEL: one fabricated final after 64·T1', async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    const { uri, transaction, invite, call } = await ring(wire, peer);
    await call.respond(invite, 180);
    await wire.expectResponse({ status: 180 });
    await wire.cancel(transaction, uri);
    const final = await wire.expectResponse({ transaction }, bench.giveUp + 5_000);
    expect([408, 487]).toContain(final.message.status);
    await wire.noFrame(isResponseFrame, 200, 'Exactly one final');
  });

  row('67 late', 'B', 'CANCEL after the 200 is answered 200 and changes nothing', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    await call.invite();
    await wire.respond(await wire.expectRequest('INVITE'), 200, { body: sdp('2') });
    const answer = await call.response(200);
    await call.cancel();
    await call.response(200, 'CANCEL');
    await call.ack(answer.message);
    await wire.expectRequest('ACK');
    await hangUpAtPeer(wire, call);
  });

  row(
    '67 re-INVITE',
    'B',
    'CANCEL of a re-INVITE: 200 and 487, the late answer of the app is refused',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      await establishUas(wire, call);
      await call.invite({ body: sdp('11') });
      const frame = await wire.expectRequest('INVITE');
      await call.cancel();
      await call.response(200, 'CANCEL');
      await call.ack((await call.response(487)).message);
      expect((await wire.respond(frame, 200, { body: sdp('12') })).fields[3]).toBe('NOK');
      await call.peer.expectNothing((each) => each.kind === 'response' && each.status === 200, 100, 'No 200');
      await hangUpAtPeer(wire, call);
    },
  );

  row('67 unknown', 'R', 'CANCEL that matches nothing is answered 481', async (bench) => {
    const call = await bench.caller();
    call.invitation = call.build('INVITE');
    await call.cancel();
    await call.response(481, 'CANCEL');
  });
});
