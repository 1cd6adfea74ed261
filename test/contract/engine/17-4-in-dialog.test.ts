import { expect } from 'vitest';
import { tagOf } from '../../../src/sip/address.js';
import { parseCSeq } from '../../../src/sip/cseq.js';
import { pause, until, within } from '../../../src/testkit/waiting.js';
import { callHastily } from '../../support/instant-answerer.js';
import { newBranch, PeerCall, sdp } from '../../support/peer-call.js';
import { isHeard, type SrfDialog, type SrfRequest } from '../../support/srf-application.js';
import { Stopwatch } from '../../support/stopwatch.js';
import {
  dialogOf,
  isRequestFrame,
  isResponseFrame,
  sipText,
  transactionOf,
} from '../../support/wire-client.js';
import { establishUac, establishUas, hangUpAtApp, hangUpAtPeer, sentTransaction } from './calls.js';
import { type Bench, contractSuite } from './suite.js';

const cseqOf = (message: { headers: { get(name: string): string | undefined } }): number =>
  parseCSeq(message.headers.get('CSeq') ?? '')?.number ?? -1;

/** A UAS dialog of the library, with its peer. */
async function libraryUas(bench: Bench): Promise<{ dialog: SrfDialog; call: PeerCall }> {
  const application = await bench.srf();
  const created = new Promise<SrfDialog>((resolve, reject) => {
    application.invite((request, response) => {
      application.createUAS(request, response, { localSdp: sdp('2') }).then(resolve, reject);
    });
  });
  await isHeard(application);
  const call = await bench.caller();
  await call.invite();
  const answer = await call.response(200);
  await call.ack(answer.message);
  const dialog = await within(created, 2_000, 'createUAS');
  await pause(20);
  return { dialog, call };
}

/** A UAC dialog of the library, with its peer. */
async function libraryUac(bench: Bench): Promise<{ dialog: SrfDialog; call: PeerCall }> {
  const application = await bench.srf();
  const peer = await bench.peer();
  const created = application.createUAC(peer.uri('bob'), {
    headers: { From: '<sip:app@localhost>', To: `<${peer.uri('bob')}>` },
    localSdp: sdp('3'),
  });
  const invite = await peer.expectRequest('INVITE');
  const call = PeerCall.from(peer, invite.message);
  await call.respond(invite, 200, { body: sdp('4') });
  const dialog = await within(created, 2_000, 'createUAC');
  await peer.expectRequest('ACK');
  return { dialog, call };
}

contractSuite('17.4 inside a dialog', {}, ({ row }) => {
  row(49, 'L', 'BYE from the peer: frame, 200, `destroy`; the dialog is gone afterwards', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    const leg = await establishUas(wire, call);
    await call.send('BYE');
    const bye = await wire.expectRequest('BYE');
    expect(bye.fields).toHaveLength(11);
    expect(dialogOf(bye)).toBe(leg.dialogId);
    const reply = await wire.respond(bye, 200);
    expect(reply.fields[3]).toBe('OK');
    await call.response(200, 'BYE');
    await call.send('BYE');
    await call.response(481, 'BYE');
    expect((await wire.inDialog(leg.dialogId, 'INFO')).fields[3]).toBe('NOK');
    await wire.close();
    const library = await libraryUas(bench);
    const destroyed = new Promise((resolve) => library.dialog.on('destroy', resolve));
    await library.call.hangUp();
    await within(destroyed, 2_000, 'destroy event');
    expect(library.dialog.connected).toBe(false);
  });

  row(
    '49 hasty',
    'B',
    'a BYE right behind the ACK is hardly ever missed by an app that awaits createUAS',
    async (bench) => {
      const application = await bench.srf();
      const total = 60;
      let destroyed = 0;
      let missed = 0;
      application.invite(async (request, response) => {
        const dialog = await application.createUAS(request, response, { localSdp: sdp('2') });
        // An application that is too busy to read in between must check the state: the event has passed then.
        if (!dialog.connected) missed += 1;
        else {
          dialog.on('destroy', () => {
            destroyed += 1;
          });
        }
      });
      await isHeard(application);
      const watch = Stopwatch.start();
      await callHastily(bench.engine.listeners.udp!, total);
      await until(
        () => destroyed + missed === total,
        2_000,
        () => `ends of ${total} calls (${destroyed} announced, ${missed} found)`,
      );
      // Written together, all would be missed; an app that is kept from the processor may miss some.
      expect(missed).toBeLessThanOrEqual(total - total / (2 * watch.slowdown()));
    },
  );

  row(
    50,
    'L',
    'dialog.destroy(): BYE with the next CSeq, route set and tags, on both legs',
    async (bench) => {
      const uas = await libraryUas(bench);
      const ended = uas.dialog.destroy();
      const bye = await uas.call.peer.expectRequest('BYE');
      expect(bye.message.uri).toBe(uas.call.peer.uri('alice'));
      expect(tagOf(bye.message.headers.get('From')!)).toBe(uas.call.remoteTag);
      expect(tagOf(bye.message.headers.get('To')!)).toBe(uas.call.localTag);
      await uas.call.respond(bye, 200);
      await within(ended, 2_000, 'destroy');

      const uac = await libraryUac(bench);
      const first = uac.dialog.destroy();
      const second = await uac.call.peer.expectRequest('BYE');
      expect(cseqOf(second.message)).toBe(cseqOf(uac.call.invitation!) + 1);
      expect(tagOf(second.message.headers.get('To')!)).toBe(uac.call.localTag);
      await uac.call.respond(second, 481);
      await within(first, 2_000, 'destroy after 481');

      const wire = await bench.wire();
      const peer = await bench.peer();
      const routed = await establishUac(wire, peer, {
        answer: { headers: { 'Record-Route': `<sip:proxy@127.0.0.1:${peer.port};lr>` } },
      });
      const last = await hangUpAtApp(wire, routed.call, routed.dialogId);
      expect(last.headers.list('Route')).toEqual([`<sip:proxy@127.0.0.1:${peer.port};lr>`]);
    },
  );

  row('50 timeout', 'L', 'destroy() resolves on the 408 made for a silent peer', async (bench) => {
    const uac = await libraryUac(bench);
    await within(uac.dialog.destroy(), bench.giveUp + 3_000, 'destroy of a call whose peer is silent');
  });

  row(51, 'L', 'an unknown dialog is answered NOK unable to find dialog; code ENODIALOG', async (bench) => {
    const wire = await bench.wire();
    const reply = await wire.inDialog('nowhere;from-tag=none', 'INFO');
    expect(reply.fields[3]).toBe('NOK');
    expect(reply.fields[4]).toMatch(/unable to find dialog/i);
    const { dialog, call } = await libraryUas(bench);
    const ended = dialog.destroy();
    await call.respond(await call.peer.expectRequest('BYE'), 200);
    await within(ended, 2_000, 'destroy');
    await pause(50);
    const failure = await dialog.request({ method: 'INFO' }).then(
      () => undefined,
      (error: { code?: string }) => error,
    );
    expect(failure?.code).toBe('ENODIALOG');
  });

  row(52, 'L', 'the R-URI the app writes is replaced by the remote target', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    const leg = await establishUas(wire, call);
    for (const uri of ['sip:placeholder', 'sip:other@192.0.2.1']) {
      const body = sipText(`OPTIONS ${uri} SIP/2.0`);
      expect((await wire.command(`sip||${leg.dialogId}`, body)).fields[3]).toBe('OK');
      const arrived = await call.peer.expectRequest('OPTIONS');
      expect(arrived.message.uri).toBe(call.peer.uri('alice'));
      await call.respond(arrived, 200);
      await wire.expectResponse({ status: 200 });
    }
    await hangUpAtPeer(wire, call);
  });

  row(
    53,
    'L',
    're-INVITE from the peer: 100 by the engine, frame, 200 with SDP, ACK frame',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      const leg = await establishUas(wire, call);
      await call.invite({ body: sdp('11') });
      await call.response(100);
      const frame = await wire.expectRequest('INVITE');
      expect(dialogOf(frame)).toBe(leg.dialogId);
      expect(transactionOf(frame)).not.toBe(transactionOf(leg.invite));
      expect(frame.message.body).toBe(sdp('11'));
      await wire.respond(frame, 200, { body: sdp('12') });
      const answer = await call.response(200);
      expect(answer.message.body).toBe(sdp('12'));
      expect(answer.message.headers.get('Contact')).toBeTruthy();
      await call.ack(answer.message);
      expect(dialogOf(await wire.expectRequest('ACK'))).toBe(leg.dialogId);
      await hangUpAtPeer(wire, call);
      await wire.close();
      const library = await libraryUas(bench);
      library.dialog.on(
        'modify',
        (_request: SrfRequest, response: { send: (status: number, options: object) => void }) =>
          response.send(200, { body: sdp('13') }),
      );
      await library.call.invite({ body: sdp('14') });
      const again = await library.call.response(200);
      expect(again.message.body).toBe(sdp('13'));
      await library.call.ack(again.message);
      await library.call.hangUp();
    },
  );

  row(
    54,
    'B',
    'the 200 to a re-INVITE is repeated until ACK; without one BYE and unsolicited frame',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      await establishUas(wire, call);
      await call.invite({ body: sdp('11') });
      await wire.respond(await wire.expectRequest('INVITE'), 200, { body: sdp('12') });
      const answer = await call.response(200);
      await until(() => call.peer.copies(answer) >= 3, 10 * bench.t1 + 1_000, 'the 200 is repeated');
      const bye = await call.peer.expectRequest('BYE', { milliseconds: bench.giveUp + 3_000 });
      await call.respond(bye, 200);
      expect((await wire.expectUnsolicited()).message.headers.get('Reason')).toContain('ACK timeout');
    },
  );

  const modify = async (bench: Bench, provisional: boolean): Promise<void> => {
    const { dialog, call } = await libraryUac(bench);
    const modified = dialog.modify(sdp('21'));
    const invite = await call.peer.expectRequest('INVITE');
    expect(invite.message.headers.get('Contact')).toBe(call.invitation!.headers.get('Contact'));
    expect(invite.message.body).toBe(sdp('21'));
    expect(cseqOf(invite.message)).toBe(cseqOf(call.invitation!) + 1);
    if (provisional) await call.respond(invite, 180);
    await call.respond(invite, 200, { body: sdp('22') });
    expect(await within(modified, 2_000, 'modify')).toBe(sdp('22'));
    const ack = await call.peer.expectRequest('ACK');
    expect(cseqOf(ack.message)).toBe(cseqOf(invite.message));
    const ended = dialog.destroy();
    await call.respond(await call.peer.expectRequest('BYE'), 200);
    await ended;
  };
  row(55, 'L', "modify(): the app's Contact, 200 delivered, ACK with the re-INVITE's CSeq", (bench) =>
    modify(bench, false),
  );
  row(56, 'B', 'modify() with a 180 before the 200', (bench) => modify(bench, true));

  row(
    '55 CSeq',
    'B',
    'the ACK keeps the number of its re-INVITE when an INFO was sent in between',
    async (bench) => {
      const wire = await bench.wire();
      const peer = await bench.peer();
      const leg = await establishUac(wire, peer);
      await wire.inDialog(leg.dialogId, 'INVITE', {}, sdp('21'));
      const invite = await peer.expectRequest('INVITE');
      const info = { 'Content-Type': 'application/dtmf-relay' };
      await wire.inDialog(leg.dialogId, 'INFO', info, 'Signal=1\r\n');
      await leg.call.respond(await peer.expectRequest('INFO'), 200);
      await wire.expectResponse({ status: 200, method: 'INFO' });
      await leg.call.respond(invite, 200, { body: sdp('22') });
      await wire.expectResponse({ status: 200, method: 'INVITE' });
      await wire.inDialog(leg.dialogId, 'ACK');
      expect(cseqOf((await peer.expectRequest('ACK')).message)).toBe(cseqOf(invite.message));
      await hangUpAtApp(wire, leg.call, leg.dialogId);
    },
  );

  row(
    57,
    'R',
    '491 and 488 to our re-INVITE are delivered and acknowledged; the dialog stays',
    async (bench) => {
      const wire = await bench.wire();
      const peer = await bench.peer();
      const leg = await establishUac(wire, peer);
      for (const status of [491, 488]) {
        const reply = await wire.inDialog(leg.dialogId, 'INVITE', {}, sdp('21'));
        const invite = await peer.expectRequest('INVITE');
        await leg.call.respond(invite, status);
        const frame = await wire.expectResponse({ status, transaction: sentTransaction(reply) });
        expect(dialogOf(frame)).toBe(leg.dialogId);
        expect(cseqOf((await peer.expectRequest('ACK')).message)).toBe(cseqOf(invite.message));
      }
      await hangUpAtApp(wire, leg.call, leg.dialogId);
    },
  );

  row('57 ACK', 'B', "the app's ACK to a refused re-INVITE is swallowed", async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    const leg = await establishUac(wire, peer);
    await wire.inDialog(leg.dialogId, 'INVITE', {}, sdp('21'));
    await leg.call.respond(await peer.expectRequest('INVITE'), 488);
    await wire.expectResponse({ status: 488 });
    await peer.expectRequest('ACK');
    expect((await wire.inDialog(leg.dialogId, 'ACK')).fields[3]).toBe('NOK');
    await peer.expectNothing((each) => each.kind === 'request' && each.method === 'ACK', 100, 'One ACK');
    await hangUpAtApp(wire, leg.call, leg.dialogId);
  });

  row(58, 'B', 'a new Contact in re-INVITE, UPDATE or their 2xx is the next target', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    const leg = await establishUas(wire, call);
    const moved = (user: string): string => `<sip:${user}@127.0.0.1:${call.peer.port}>`;
    const targetOfNext = async (): Promise<string> => {
      await wire.inDialog(leg.dialogId, 'OPTIONS');
      const options = await call.peer.expectRequest('OPTIONS');
      await call.respond(options, 200);
      await wire.expectResponse({ status: 200, method: 'OPTIONS' });
      return `<${options.message.uri}>`;
    };
    await call.invite({ headers: { Contact: moved('re-invite') } });
    await wire.respond(await wire.expectRequest('INVITE'), 200, { body: sdp('12') });
    await call.ack((await call.response(200)).message);
    await wire.expectRequest('ACK');
    expect(await targetOfNext()).toBe(moved('re-invite'));
    await call.send('UPDATE', { headers: { Contact: moved('update') } });
    await wire.respond(await wire.expectRequest('UPDATE'), 200);
    await call.response(200, 'UPDATE');
    expect(await targetOfNext()).toBe(moved('update'));
    await wire.inDialog(leg.dialogId, 'INVITE', {}, sdp('13'));
    const invite = await call.peer.expectRequest('INVITE');
    await call.respond(invite, 200, { body: sdp('14'), headers: { Contact: moved('answer') } });
    await wire.expectResponse({ status: 200, method: 'INVITE' });
    await wire.inDialog(leg.dialogId, 'ACK');
    expect(`<${(await call.peer.expectRequest('ACK', { callId: call.callId })).message.uri}>`).toBe(
      moved('answer'),
    );
    await wire.inDialog(leg.dialogId, 'UPDATE');
    const update = await call.peer.expectRequest('UPDATE');
    await call.respond(update, 200, { headers: { Contact: moved('updated') } });
    await wire.expectResponse({ status: 200, method: 'UPDATE' });
    expect(await targetOfNext()).toBe(moved('updated'));
    await hangUpAtPeer(wire, call);
  });

  row(
    59,
    'R',
    'INFO both ways, type kept; without a type a body that is not SDP is answered NOK',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      const leg = await establishUas(wire, call);
      const body = 'Signal=5\r\nDuration=160\r\n';
      const headers = { 'Content-Type': 'application/dtmf-relay' };
      await call.send('INFO', { body, headers });
      const frame = await wire.expectRequest('INFO');
      expect(dialogOf(frame)).toBe(leg.dialogId);
      expect(frame.message.body).toBe(body);
      expect(frame.message.headers.get('Content-Type')).toBe('application/dtmf-relay');
      await wire.respond(frame, 200);
      await call.response(200, 'INFO');
      const reply = await wire.inDialog(leg.dialogId, 'INFO', headers, body);
      const info = await call.peer.expectRequest('INFO');
      expect(info.message.body).toBe(body);
      expect(info.message.headers.get('Content-Type')).toBe('application/dtmf-relay');
      expect(info.message.headers.has('Contact')).toBe(false);
      await call.respond(info, 200);
      await wire.expectResponse({ status: 200, transaction: sentTransaction(reply) });
      const refused = await wire.inDialog(leg.dialogId, 'INFO', {}, 'Signal=5');
      expect(refused.fields[3]).toBe('NOK');
      expect(refused.fields[4]).toContain('missing content-type');
      await hangUpAtPeer(wire, call);
    },
  );

  row('59 octets', 'R', 'the octets of a binary body survive', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller('tcp');
    await establishUas(wire, call);
    const octets = String.fromCharCode(...Array.from({ length: 255 }, (_, i) => i + 1));
    const info = call.build('INFO', { headers: { 'Content-Type': 'application/octet-stream' } });
    info.body = octets;
    await call.peer.send(info);
    const frame = await wire.expectRequest('INFO');
    expect(frame.message.body).toBe(octets);
    await wire.respond(frame, 200);
    await call.response(200, 'INFO');
    await hangUpAtPeer(wire, call);
  });

  row(
    60,
    'R',
    'in-dialog REFER: delivered, 202, NOTIFY in the dialog; ours gets a Contact',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      const leg = await establishUas(wire, call);
      await call.send('REFER', { headers: { 'Refer-To': '<sip:carol@example.com>' } });
      const refer = await wire.expectRequest('REFER');
      expect(dialogOf(refer)).toBe(leg.dialogId);
      expect(refer.message.headers.get('Refer-To')).toBe('<sip:carol@example.com>');
      await wire.respond(refer, 202);
      await call.response(202, 'REFER');
      const notify = await wire.inDialog(
        leg.dialogId,
        'NOTIFY',
        {
          Event: 'refer',
          'Subscription-State': 'terminated;reason=noresource',
          'Content-Type': 'message/sipfrag;version=2.0',
        },
        'SIP/2.0 200 OK',
      );
      expect(notify.fields[3]).toBe('OK');
      const notified = await call.peer.expectRequest('NOTIFY');
      expect(notified.message.body).toBe('SIP/2.0 200 OK');
      expect(tagOf(notified.message.headers.get('To')!)).toBe(call.localTag);
      await call.respond(notified, 200);
      await wire.expectResponse({ status: 200 });
      await wire.inDialog(leg.dialogId, 'REFER', { 'Refer-To': '<sip:dave@example.com>' });
      const ours = await call.peer.expectRequest('REFER');
      expect(ours.message.headers.get('Contact')).toContain('sip:');
      await call.respond(ours, 202);
      await wire.expectResponse({ status: 202 });
      await hangUpAtPeer(wire, call);
    },
  );

  row(61, 'R', 'UPDATE both ways after confirmation, bodies intact', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    const leg = await establishUas(wire, call);
    await call.send('UPDATE', { body: sdp('31') });
    const frame = await wire.expectRequest('UPDATE');
    expect(dialogOf(frame)).toBe(leg.dialogId);
    expect(frame.message.body).toBe(sdp('31'));
    await wire.respond(frame, 200, { body: sdp('32') });
    expect((await call.response(200, 'UPDATE')).message.body).toBe(sdp('32'));
    const reply = await wire.inDialog(leg.dialogId, 'UPDATE', {}, sdp('33'));
    const update = await call.peer.expectRequest('UPDATE');
    expect(update.message.body).toBe(sdp('33'));
    await call.respond(update, 200, { body: sdp('34') });
    const answer = await wire.expectResponse({ status: 200, transaction: sentTransaction(reply) });
    expect(answer.message.body).toBe(sdp('34'));
    await hangUpAtPeer(wire, call);
  });

  row(
    '61 early',
    'R',
    'UPDATE from the peer before confirmation reaches the app and is answered',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      await call.invite();
      const invite = await wire.expectRequest('INVITE');
      await wire.respond(invite, 183, { body: sdp('2') });
      await call.response(183);
      await call.send('UPDATE', { body: sdp('31') });
      const update = await wire.expectRequest('UPDATE');
      const answer = await wire.command(
        `sip|${transactionOf(update)}|`,
        sipText('SIP/2.0 200 OK', { CSeq: update.message.headers.get('CSeq')! }, sdp('32')),
      );
      expect(answer.fields[3]).toBe('OK');
      expect((await call.response(200, 'UPDATE')).message.body).toBe(sdp('32'));
      await wire.respond(invite, 200, { body: sdp('2') });
      await call.ack((await call.response(200)).message);
      await wire.expectRequest('ACK');
      await hangUpAtPeer(wire, call);
    },
  );

  row(
    '61 early INFO',
    'B',
    'INFO inside an early dialog is delivered once, with a separate txn id',
    async (bench) => {
      const wire = await bench.wire('invite', 'info');
      const call = await bench.caller();
      await call.invite();
      const invite = await wire.expectRequest('INVITE');
      await wire.respond(invite, 183, { body: sdp('2') });
      await call.response(183);
      await call.send('INFO', { body: 'Signal=1', headers: { 'Content-Type': 'application/dtmf-relay' } });
      const info = await wire.expectRequest('INFO');
      expect(dialogOf(info)).toBe(call.dialogId);
      expect(transactionOf(info)).not.toBe(transactionOf(invite));
      await wire.respond(info, 200);
      await call.response(200, 'INFO');
      await wire.respond(invite, 486);
      await call.ack((await call.response(486)).message);
    },
  );

  row(62, 'R', 'OPTIONS, MESSAGE, NOTIFY and SUBSCRIBE in an INVITE dialog carry its id', async (bench) => {
    const wire = await bench.wire('invite');
    const call = await bench.caller();
    const leg = await establishUas(wire, call);
    for (const method of ['OPTIONS', 'MESSAGE', 'NOTIFY', 'SUBSCRIBE']) {
      const isEvent = method === 'NOTIFY' || method === 'SUBSCRIBE';
      await call.send(method, {
        headers: {
          ...(isEvent ? { Event: 'telephone-event' } : {}),
          ...(method === 'NOTIFY' ? { 'Subscription-State': 'active' } : {}),
          ...(method === 'SUBSCRIBE' ? { Expires: '60' } : {}),
          ...(method === 'MESSAGE' ? { 'Content-Type': 'text/plain' } : {}),
        },
        ...(method === 'MESSAGE' ? { body: 'hello' } : {}),
      });
      const frame = await wire.expectRequest(method);
      expect(dialogOf(frame)).toBe(leg.dialogId);
      await wire.respond(frame, method === 'SUBSCRIBE' ? 489 : 200);
      await call.response(method === 'SUBSCRIBE' ? 489 : 200, method);
    }
    await hangUpAtPeer(wire, call);
  });

  row(
    63,
    'B',
    'an overlapping re-INVITE gets 500 with Retry-After; one that crosses ours gets 491',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      const leg = await establishUas(wire, call);
      const first = await call.invite({ body: sdp('11') });
      const frame = await wire.expectRequest('INVITE');
      await call.invite({ body: sdp('12') });
      const overlap = await call.response(500);
      expect(overlap.message.headers.get('Retry-After')).toMatch(/^\d+/);
      await call.ack(overlap.message);
      call.invitation = first;
      await wire.respond(frame, 200, { body: sdp('13') });
      await call.ack((await call.response(200)).message);
      await wire.expectRequest('ACK');
      await wire.inDialog(leg.dialogId, 'INVITE', {}, sdp('14'));
      const ours = await call.peer.expectRequest('INVITE');
      await call.invite({ body: sdp('15') });
      const glare = await call.response(491);
      await call.ack(glare.message);
      await wire.noFrame((each) => isRequestFrame(each), 50, 'Neither is delivered');
      await call.respond(ours, 491);
      await wire.expectResponse({ status: 491 });
      await hangUpAtPeer(wire, call);
    },
  );

  row(
    64,
    'B',
    'a CSeq lower than seen gets 500; the same request again is a retransmission',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      await establishUas(wire, call);
      call.cseq = 50;
      const branch = newBranch();
      const info = await call.send('OPTIONS', { branch });
      await wire.respond(await wire.expectRequest('OPTIONS'), 200);
      const answer = await call.response(200, 'OPTIONS');
      await call.peer.send(info);
      await until(() => call.peer.copies(answer) >= 2, 2_000, 'the answer again');
      expect(call.peer.copies(answer)).toBe(2);
      await call.send('OPTIONS', { cseq: 20 });
      await call.response(500, 'OPTIONS');
      await wire.noFrame((each) => isRequestFrame(each), 50, 'Neither is delivered');
      await hangUpAtPeer(wire, call);
    },
  );

  row(65, 'B', 'BYE while our re-INVITE is open: BYE goes out, the re-INVITE gets a final', async (bench) => {
    const wire = await bench.wire();
    const peer = await bench.peer();
    const leg = await establishUac(wire, peer);
    const reply = await wire.inDialog(leg.dialogId, 'INVITE', {}, sdp('21'));
    const invite = await peer.expectRequest('INVITE');
    await leg.call.respond(invite, 100);
    const end = await wire.inDialog(leg.dialogId, 'BYE');
    const bye = await peer.expectRequest('BYE');
    await leg.call.respond(bye, 200);
    await leg.call.respond(invite, 487);
    const final = await wire.expectResponse({ transaction: sentTransaction(reply) }, bench.giveUp + 3_000);
    expect([408, 487]).toContain(final.message.status);
    await wire.expectResponse({ status: 200, transaction: sentTransaction(end) });
  });

  row(
    '65 peer',
    'B',
    'BYE from the peer while our re-INVITE is open: the app gets a final for it first',
    async (bench) => {
      const wire = await bench.wire();
      const peer = await bench.peer();
      const leg = await establishUac(wire, peer);
      const reply = await wire.inDialog(leg.dialogId, 'INVITE', {}, sdp('21'));
      const invite = await peer.expectRequest('INVITE');
      await leg.call.send('BYE');
      const final = await wire.expectResponse({ transaction: sentTransaction(reply) });
      expect(final.message.status).toBe(487);
      const bye = await wire.expectRequest('BYE');
      await wire.respond(bye, 200);
      await leg.call.response(200, 'BYE');
      expect(wire.everything.indexOf(final)).toBeLessThan(wire.everything.indexOf(bye));
      await leg.call.respond(invite, 487);
    },
  );

  for (const [id, rowClass, method] of [
    [66, 'R', 'MESSAGE'],
    ['66 UPDATE', 'B', 'UPDATE'],
  ] as const) {
    row(id, rowClass, `the app never answers ${method}: 408 or 500 within 64·T1`, async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      await establishUas(wire, call);
      await call.send(method, { body: sdp('31') });
      await wire.expectRequest(method);
      const answer = await call.response((status) => status >= 300, method, bench.giveUp + 5_000);
      expect([408, 500]).toContain(answer.message.status);
      await hangUpAtPeer(wire, call);
    });
  }

  row(
    '66 BYE',
    'R',
    'the app never answers a BYE: the peer gets a final and the dialog is gone',
    async (bench) => {
      const wire = await bench.wire('invite');
      const call = await bench.caller();
      await establishUas(wire, call);
      await call.send('BYE');
      await wire.expectRequest('BYE');
      await call.response((status) => status >= 200, 'BYE', bench.giveUp + 5_000);
      expect(wire.everything.filter(isResponseFrame)).toHaveLength(0);
    },
  );
});
