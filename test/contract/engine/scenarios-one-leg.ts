import { expect } from 'vitest';
import { within } from '../../../src/testkit/waiting.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { sdp } from '../../support/peer-call.js';
import type { SrfRequest, SrfResponse } from '../../support/srf-application.js';
import { accept, auth, ends, headers, invite, registers, type Scenario, uac } from './scenario-stage.js';

/** The tests of the library's test/uas.js, subscribe.js, reinvite-tests.js and uac.js. */
export const oneLegScenarios: readonly Scenario[] = [
  // test/uas.js
  {
    name: 'uas: rejects an INVITE with 503',
    isSameOverStreams: true,
    run: async (stage) => {
      const app = await stage.app();
      app.invite((_request, response) => response.send(503));
      await stage.uac('uac-expect-503.xml');
    },
  },
  {
    name: 'uas: createUAS resolves',
    run: async (stage) => {
      const dialog = accept(await stage.app());
      await stage.uac('uac.xml');
      await within(dialog, 2_000, 'createUAS');
    },
  },
  {
    name: 'uas: destroyed with ACK timeout when every 200 is lost',
    t1: 50,
    run: async (stage) => {
      const dialog = accept(await stage.app());
      const running = stage.uac('uac-drop-all-200.xml', { seconds: isRealServer ? 40 : 12 });
      const uas = await within(dialog, 5_000, 'createUAS');
      const reason = new Promise<string>((resolve) =>
        uas.on('destroy', (_message, text: string) => resolve(text)),
      );
      await running;
      expect(await within(reason, 2_000, 'destroy event')).toBe('ACK timeout');
    },
    only: ['udp', 'SIPp ends a stream scenario whose optional response it drops'],
  },
  {
    name: 'uas: the 200 comes again when it is lost',
    t1: 50,
    run: async (stage) => {
      const dialog = accept(await stage.app());
      // With 75 % loss one run in thirty would lose every copy; one in a thousand will do.
      await stage.uac('uac-drop-one-200.xml', { seconds: 40, adaptions: [[/lost="75"/, 'lost="50"']] });
      await within(dialog, 2_000, 'createUAS');
    },
    only: ['udp', 'packets are not lost on streams'],
  },
  {
    name: 'uas: the 503 comes again when it is lost',
    t1: 50,
    run: async (stage) => {
      const app = await stage.app();
      app.invite((_request, response) => response.send(503));
      await stage.uac('uac-drop-one-503.xml', { seconds: 40, adaptions: [[/lost="70"/, 'lost="50"']] });
    },
    only: ['udp', 'RFC 3261 repeats a refusal over unreliable transports only'],
  },
  {
    name: 'uas: an app refuses a scanner with 603',
    isSameOverStreams: true,
    run: async (stage) => {
      const app = await stage.app();
      app.invite((request, response) => response.send(/sip-cli/.test(request.get('User-Agent')) ? 603 : 200));
      await stage.uac('uac-spammer-expect-603.xml');
    },
  },
  {
    name: 'subscribe: a subscription, ended by a terminated NOTIFY',
    knownDifference: ['tcp', 'It waits for a Content-Length, which this scenario does not send.'],
    run: async (stage) => {
      const app = await stage.app();
      const done = new Promise<void>((resolve, reject) => {
        app.subscribe((request, response) => {
          (async () => {
            const dialog = await app.createUAS(request, response, {});
            for (const state of ['active', 'terminated']) {
              await dialog.request({
                method: 'NOTIFY',
                headers: { Event: 'presence', 'Subscription-State': state },
              });
            }
          })().then(resolve, reject);
        });
      });
      await stage.uac('uac-subscribe.xml');
      await within(done, 5_000, 'both NOTIFYs');
    },
  },
  {
    name: 'reinvite: res.send of 200 to a re-INVITE without SDP tells of the ACK',
    run: async (stage) => {
      const app = await stage.app();
      const body = sdp('2');
      const acknowledged = accept(app, body).then(
        (dialog) =>
          new Promise<void>((resolve) => {
            dialog.on('modify', (_request: SrfRequest, response: SrfResponse) => {
              response.send(200, { body }, undefined, () => {
                void dialog.destroy().catch(() => {});
                resolve();
              });
            });
          }),
      );
      await stage.uac('uac-send-reinvite-no-sdp.xml');
      await within(acknowledged, 3_000, 'ACK of the re-INVITE');
    },
  },
  // test/uac.js
  {
    name: 'uac: PRACK for a response with RSeq',
    run: async (stage) => {
      const [, dialog, sipp] = await uac(stage, 'uas-prack.xml');
      await ends(dialog, sipp);
    },
  },
  {
    name: 'uac: follows a redirection',
    run: async (stage) => {
      const target = await stage.uas('uas.xml');
      const redirecting = await stage.uas('uas-302.xml', [[/<sip:172\.29\.0\.13>/, `<${target.uri}>`]]);
      const app = await stage.app();
      const dialog = await within(
        app.createUAC(redirecting.uri, {
          ...invite,
          headers: { ...headers },
          followRedirects: true,
          keepUriOnRedirect: true,
        }),
        10_000,
        'createUAC',
      );
      await redirecting.succeeded();
      await ends(dialog, target);
    },
  },
  ...[
    { name: 'resolves with a dialog', options: invite },
    {
      name: 'accepts callingNumber',
      options: { method: 'INVITE', callingNumber: '12345', headers: { Subject: 'x' } },
    },
    {
      name: 'accepts an explicit Contact',
      options: {
        method: 'INVITE',
        callingNumber: '12345',
        headers: { Subject: 'x', Contact: 'sip:foo@localhost' },
      },
    },
    {
      name: 'accepts a lower-case contact',
      options: {
        method: 'INVITE',
        callingNumber: '12345',
        headers: { Subject: 'x', contact: 'sip:foo@localhost' },
      },
    },
  ].map(
    ({ name, options }): Scenario => ({
      name: `uac: createUAC ${name}`,
      isSameOverStreams: true,
      run: async (stage) => {
        const [, dialog, sipp] = await uac(stage, 'uas.xml', { ...options, headers: { ...options.headers } });
        await ends(dialog, sipp);
      },
    }),
  ),
  {
    name: 'uac: overlapping modify() are sent one after the other',
    leavesCalls: true,
    run: async (stage) => {
      const [, dialog, sipp] = await uac(stage, 'uas-reinvite-overlap.xml');
      const modified = [1, 2, 3].map(() => dialog.modify(dialog.local.sdp));
      await within(Promise.all(modified), 10_000, 'three modify()');
      await sipp.succeeded();
      void dialog.destroy().catch(() => {});
    },
  },
  {
    name: 'uac: digest on INVITE and on re-INVITE',
    run: async (stage) => {
      const [, dialog, sipp] = await uac(stage, 'uas-reinvite-with-auth.xml', {
        ...invite,
        headers: { ...headers },
        auth,
      });
      await within(dialog.modify('hold'), 5_000, 'modify');
      await ends(dialog, sipp);
    },
  },
  {
    name: 'uac: digest on INVITE',
    isSameOverStreams: true,
    run: async (stage) => {
      const [, dialog, sipp] = await uac(stage, 'uas-auth.xml', { ...invite, headers: { ...headers }, auth });
      await ends(dialog, sipp);
    },
  },
  {
    name: 'uac: a 407 without challenge is delivered',
    isSameOverStreams: true,
    run: async (stage) => {
      const sipp = await stage.uas('uas-407-no-auth-header.xml');
      const app = await stage.app();
      const outcome = app.createUAC(sipp.uri, { ...invite, headers: { ...headers }, auth });
      await expect(within(outcome, 10_000, 'createUAC')).rejects.toMatchObject({ status: 407 });
    },
  },
  {
    name: 'uac: digest on BYE',
    isSameOverStreams: true,
    run: async (stage) => {
      const [, dialog, sipp] = await uac(stage, 'uas-bye-with-auth.xml', {
        ...invite,
        headers: { ...headers },
        auth,
      });
      await ends(dialog, sipp);
    },
  },
  { name: 'uac: digest on REGISTER', run: (stage) => registers(stage, 'uas-auth-register.xml') },
  {
    name: 'uac: digest on REGISTER with an empty realm',
    isSameOverStreams: true,
    run: (stage) => registers(stage, 'uas-auth-register-no-realm.xml'),
  },
  {
    name: 'uac: an INVITE can be cancelled',
    run: async (stage) => {
      const sipp = await stage.uas('uas-cancel.xml');
      const app = await stage.app();
      let sent: SrfRequest | undefined;
      const outcome = app.createUAC(
        sipp.uri,
        { headers: { ...headers } },
        {
          cbRequest: (_error, request) => {
            sent = request;
          },
          cbProvisional: () =>
            sent!.cancel({ headers: { Reason: 'SIP;cause=200;text="Call completed elsewhere"' } }),
        },
      );
      await expect(within(outcome, 5_000, 'createUAC')).rejects.toMatchObject({ status: 487 });
      await sipp.succeeded();
    },
  },
  {
    name: 'uac: answers an UPDATE with SDP',
    run: async (stage) => {
      const [, dialog, sipp] = await uac(stage, 'uas-update-with-sdp.xml', {
        ...invite,
        headers: { ...headers },
        localSdp: sdp('1'),
      });
      await new Promise<void>((resolve) =>
        dialog.on('update', (_request: SrfRequest, response: SrfResponse) => {
          response.send(200, { body: sdp('1') });
          resolve();
        }),
      );
      await ends(dialog, sipp);
    },
  },
  {
    name: 'uac: OPTIONS',
    run: async (stage) => {
      const sipp = await stage.uas('uas-options-expect-200.xml');
      const app = await stage.app();
      const answered = new Promise<SrfResponse>((resolve, reject) => {
        // By callback: with `await` a fast answer may come before its listener.
        app.request(sipp.uri, { method: 'OPTIONS', headers: { ...headers } }, (error, request) => {
          if (error) reject(error);
          else request.on('response', resolve);
        });
      });
      const response = await within(answered, 5_000, 'answer to OPTIONS');
      expect(response.status).toBe(200);
      await sipp.succeeded();
    },
  },
  {
    name: 'uac: the callee of the transfer scenario',
    isSameOverStreams: true,
    run: async (stage) => {
      const [, dialog, sipp] = await uac(stage, 'uas-refer.xml');
      await ends(dialog, sipp);
    },
  },
];
