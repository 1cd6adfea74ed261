import { expect } from 'vitest';
import { until, within } from '../../../src/testkit/waiting.js';
import { type EngineUnderTest, startEngine } from '../../support/engine-under-test.js';
import type { SrfRequest, SrfResponse } from '../../support/srf-application.js';
import { bridge, bridged, refuse, type Scenario, type Stage } from './scenario-stage.js';

/** Created for each call, because the library changes its options. */
const contact = () => ({ responseHeaders: { Contact: 'sip:foo@localhost' } });

/** The tests of the library's test/b2b.js and refer.js. */
export const bridgeScenarios: readonly Scenario[] = [
  // test/b2b.js
  {
    name: 'b2b: PRACK on both legs',
    run: async (stage) => {
      const sipp = await stage.uas('uas-prack.xml');
      const app = await stage.app();
      const connected = bridge(app, sipp.uri, { proxyResponseHeaders: ['all'], ...contact() });
      await stage.uac('uac-prack.xml');
      await within(connected, 5_000, 'createB2BUA');
      await sipp.succeeded();
    },
  },
  {
    name: 'b2b: late offer, the answer comes in the ACK',
    run: async (stage) => {
      expect((await bridged(stage, 'uac-nosdp.xml', contact())).remote.sdp).toMatch(/m=audio/);
    },
  },
  { name: 'b2b: 200 from B', run: async (stage) => void (await bridged(stage, 'uac.xml', contact())) },
  {
    name: 'b2b: a tag of the app in the 200',
    isSameOverStreams: true,
    run: async (stage) => {
      const responseHeaders = (answer: SrfResponse) => ({ To: `tag=${answer.get('Call-ID')}` });
      await bridged(stage, 'uac.xml', { responseHeaders });
    },
  },
  {
    name: 'b2b: CANCEL from A cancels B',
    run: async (stage) => {
      const sipp = await stage.uas('uas-cancel.xml');
      const app = await stage.app();
      const status = refuse(app, sipp.uri);
      await stage.uac('uac-cancel.xml');
      expect(await within(status, 5_000, 'outcome')).toBe(487);
      await sipp.succeeded();
    },
  },
  {
    name: 'b2b: passes a failure on',
    run: async (stage) => {
      const sipp = await stage.uas('uas-404.xml');
      const status = refuse(await stage.app(), sipp.uri);
      await stage.uac('uac-expect-404.xml');
      expect(await within(status, 5_000, 'outcome')).toBe(404);
      await sipp.succeeded();
    },
  },
  {
    name: 'b2b: keeps a failure back with passFailure false',
    isSameOverStreams: true,
    run: async (stage) => {
      const sipp = await stage.uas('uas-404.xml');
      const status = refuse(await stage.app(), sipp.uri, { passFailure: false }, 480);
      await stage.uac('uac-expect-480.xml');
      expect(await within(status, 5_000, 'outcome')).toBe(404);
      await sipp.succeeded();
    },
  },
  {
    name: 'b2b: 400 to an INVITE without Contact',
    isSameOverStreams: true,
    run: async (stage) => {
      const sipp = await stage.uas('uas-404.xml');
      void refuse(await stage.app(), sipp.uri, { passFailure: false }, 400);
      await stage.uac('uac-expect-400-no-contact-header.xml');
    },
  },
  {
    name: 'b2b: a 200 of B without Contact fails the call',
    isSameOverStreams: true,
    run: async (stage) => {
      const sipp = await stage.uas('uas-200-ok-no-contact-cancel.xml');
      const status = refuse(await stage.app(), sipp.uri, { passFailure: false }, 480);
      await stage.uac('uac-expect-480.xml');
      expect(await within(status, 5_000, 'outcome')).toBe(500);
    },
  },
  {
    name: 'b2b: headers for the response to A, as object',
    isSameOverStreams: true,
    run: async (stage) =>
      void (await bridged(stage, 'uac-success-green.xml', { responseHeaders: { 'X-Color': 'green' } })),
  },
  {
    name: 'b2b: headers for the response to A, as function',
    isSameOverStreams: true,
    run: async (stage) =>
      void (await bridged(stage, 'uac-success-green.xml', {
        responseHeaders: () => ({ 'X-Color': 'green' }),
      })),
  },
  {
    name: 'b2b: headers both ways',
    isSameOverStreams: true,
    run: async (stage) => {
      const options = { proxyRequestHeaders: ['Subject'], proxyResponseHeaders: ['Subject'] };
      await bridged(stage, 'uac.xml', options);
    },
  },
  {
    name: 'b2b: the display name of From',
    isSameOverStreams: true,
    run: async (stage) => {
      const uas = await bridged(stage, 'uac-displayname-from.xml');
      expect(uas.other === undefined || uas.other.local.contact.length > 0).toBe(true);
    },
  },
  {
    name: 'b2b: SDP from a function that promises it',
    isSameOverStreams: true,
    run: async (stage) => {
      const localSdpA = async (body: string) => body.replace(/^c=IN IP4\s(.*)$/gm, 'c=IN IP4 127.0.0.9');
      expect((await bridged(stage, 'uac.xml', { localSdpA })).local.sdp).toContain('127.0.0.9');
    },
  },
  {
    name: 'b2b: SDP from a function that returns it',
    isSameOverStreams: true,
    run: async (stage) => {
      const localSdpA = (body: string) => body.replace(/^c=IN IP4\s(.*)$/gm, 'c=IN IP4 127.0.0.9');
      expect((await bridged(stage, 'uac.xml', { localSdpA })).local.sdp).toContain('127.0.0.9');
    },
  },
  {
    name: 'b2b: a late offer whose A leg fails ends the B leg',
    run: async (stage) => {
      const sipp = await stage.uas('uas.xml');
      const app = await stage.app();
      const localSdpA = () => {
        throw new Error('simulated failure of the A leg');
      };
      const failed = new Promise<unknown>((resolve) => {
        app.invite((request, response) => {
          app.createB2BUA(request, response, sipp.uri, { localSdpA }).catch((error: unknown) => {
            if (!response.finalResponseSent) response.send(480);
            resolve(error);
          });
        });
      });
      await stage.uac('uac-3pcc-nosdp.xml').catch(() => {});
      await within(failed, 5_000, 'failure of createB2BUA');
      await sipp.succeeded();
    },
  },
  {
    name: 'b2b: a re-INVITE of B waits for the ACK of A',
    // The ACK comes a second late; over TCP SIPp takes a 200 repeated meanwhile for an error.
    t1: 2_000,
    knownDifference: ['tcp', 'The scenario of the B side ends with a failed call; why is not known.'],
    run: async (stage) => {
      const sipp = await stage.uas('uas-reinvite.xml');
      const app = await stage.app();
      app.invite((request, response) => {
        void app.createB2BUA(request, response, sipp.uri).then(({ uas, uac: callee }) => {
          uas.on('destroy', () => void callee.destroy().catch(() => {}));
          callee.on('modify', async (reinvite: SrfRequest, answer: SrfResponse) => {
            answer.send(200, { body: await uas.modify(reinvite.body) });
          });
        });
      });
      await stage.uac('uac-delayed-ack.xml');
      await sipp.succeeded();
    },
  },
  // test/refer.js
  {
    name: 'refer: attended transfer across two engines',
    embeddedOnly: 'needs a second server',
    run: async (stage) => {
      const second = await startEngine({ t1: 500 });
      try {
        const { host, port } = second.listeners[stage.transport]!;
        const parameter = stage.transport === 'tcp' ? ';transport=tcp' : '';
        await transfer(stage, second, `sip:${host}:${port}${parameter}`);
      } finally {
        await second.stop();
      }
    },
  },
];

/** The two applications of test/refer.js: a B2BUA that transfers, and a callee that asks for it in its second call. */
async function transfer(stage: Stage, second: EngineUnderTest, calleeUri: string): Promise<void> {
  const b2bua = await stage.app();
  const callee = await stage.app(second);
  b2bua.invite((request, response) => {
    void b2bua.createB2BUA(request, response, calleeUri).then(({ uas, uac: far }) => {
      far.on('refer', async (refer: SrfRequest, answer: SrfResponse) => {
        answer.send(202);
        const replaces = /\?Replaces=(.*);from-tag=(.*);to-tag=/.exec(
          decodeURIComponent(refer.get('Refer-To')),
        )!;
        const transferee = b2bua.findDialogByCallIDAndFromTag(replaces[1]!, replaces[2]!)!;
        const target = transferee.other;
        await target.modify(uas.remote.sdp);
        await uas.modify(target.remote.sdp);
        void uas.destroy().catch(() => {});
        void target.destroy().catch(() => {});
        void transferee.destroy().catch(() => {});
        void far.destroy().catch(() => {});
      });
    });
  });
  let referTo = '';
  let calls = 0;
  callee.invite((request, response) => {
    void callee.createUAS(request, response, { localSdp: request.body }).then((dialog) => {
      calls += 1;
      if (calls === 1) {
        const fromTag = /;tag=([^;>]+)/.exec(request.get('From'))![1]!;
        const replaces = `Replaces=${request.get('Call-ID')};from-tag=${fromTag};to-tag=foobar`;
        referTo = `sip:foo@bar?${encodeURIComponent(replaces)}`;
      } else {
        setTimeout(() => void dialog.request({ method: 'REFER', headers: { 'Refer-To': referTo } }), 500);
      }
    });
  });
  const first = stage.uac('uac-recv-reinvite.xml');
  await until(() => calls === 1, 10_000, 'the first call');
  await Promise.all([first, stage.uac('uac-recv-reinvite.xml')]);
}
