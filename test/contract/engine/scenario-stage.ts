import { expect } from 'vitest';
import { within } from '../../../src/testkit/waiting.js';
import type { EngineUnderTest } from '../../support/engine-under-test.js';
import type { Sipp } from '../../support/sipp.js';
import type {
  RequestOptions,
  SrfApplication,
  SrfDialog,
  SrfResponse,
} from '../../support/srf-application.js';

export type Transport = 'udp' | 'tcp';

export interface Stage {
  readonly engine: EngineUnderTest;
  readonly transport: Transport;
  /** A connected application of the library. */
  app(engine?: EngineUnderTest): Promise<SrfApplication>;
  /** A SIPp that waits to be called. */
  uas(file: string, adaptions?: readonly (readonly [RegExp, string])[]): Promise<Sipp>;
  /** Runs a calling SIPp to its end. */
  uac(
    file: string,
    options?: { seconds?: number; adaptions?: readonly (readonly [RegExp, string])[] },
  ): Promise<void>;
}

export const headers = { To: 'sip:dhorton@sip.drachtio.org', From: 'sip:dhorton@sip.drachtio.org' };
export const auth = { username: 'foo', password: 'bar' };
export const invite = { method: 'INVITE', headers };

export function accept(app: SrfApplication, body?: string): Promise<SrfDialog> {
  return new Promise((resolve, reject) => {
    app.invite((request, response) => {
      const localSdp = body ?? request.body.replace(/m=audio\s+(\d+)/, 'm=audio 15000');
      app.createUAS(request, response, { localSdp }).then(resolve, reject);
    });
  });
}

/** Connects each call to `uri`; the caller's BYE ends the other side. */
export function bridge(
  app: SrfApplication,
  uri: string,
  options: RequestOptions = {},
): Promise<{ uas: SrfDialog; uac: SrfDialog }> {
  return new Promise((resolve, reject) => {
    app.invite((request, response) => {
      app.createB2BUA(request, response, uri, options).then((legs) => {
        const end = (): void => void legs.uac.destroy().catch(() => {});
        // SIPp hangs up so fast that the call may have ended before the stage listens.
        if (legs.uas.connected) legs.uas.on('destroy', end);
        else end();
        resolve(legs);
      }, reject);
    });
  });
}

/** Connects a call that must fail, and gives the failure's status. */
export function refuse(
  app: SrfApplication,
  uri: string,
  options: RequestOptions = {},
  newStatus?: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    app.invite((request, response) => {
      app.createB2BUA(request, response, uri, options).then(
        () => reject(new Error('The call was connected.')),
        (error: { status: number }) => {
          if (newStatus !== undefined) response.send(newStatus);
          resolve(error.status);
        },
      );
    });
  });
}

export interface Scenario {
  readonly name: string;
  readonly run: (stage: Stage) => Promise<void>;
  readonly only?: readonly [Transport, string];
  readonly embeddedOnly?: string;
  /** It is about options or headers, which the embedded engine treats alike for each transport: over UDP alone. */
  readonly isSameOverStreams?: true;
  /** T1 of the embedded engine in milliseconds; 500 unless given. */
  readonly t1?: 50 | 2_000;
  /** SIPp is through before the last BYE, so the dialog outlives the scenario. */
  readonly leavesCalls?: boolean;
  /** What drachtio-server does instead over that transport, so that the scenario fails there. */
  readonly knownDifference?: readonly [transport: Transport, difference: string];
}

export async function uac(
  stage: Stage,
  file: string,
  options: RequestOptions = invite,
): Promise<[SrfApplication, SrfDialog, Sipp]> {
  const sipp = await stage.uas(file);
  const app = await stage.app();
  const dialog = await within(app.createUAC(sipp.uri, options), 10_000, 'createUAC');
  return [app, dialog, sipp];
}

export async function ends(dialog: SrfDialog, sipp: Sipp): Promise<void> {
  await Promise.all([within(dialog.destroy(), 5_000, 'destroy'), sipp.succeeded()]);
}

export async function registers(stage: Stage, file: string): Promise<void> {
  const sipp = await stage.uas(file);
  const app = await stage.app();
  const request = await app.request(sipp.uri, {
    method: 'REGISTER',
    headers: { ...headers, Contact: '<sip:dhorton@localhost>;expires=3600' },
    auth,
  });
  const response = await within(
    new Promise<SrfResponse>((resolve) => request.on('response', resolve)),
    5_000,
    'answer to REGISTER',
  );
  expect(response.status).toBe(200);
  await sipp.succeeded();
}

export async function bridged(
  stage: Stage,
  caller: string,
  options: RequestOptions = {},
): Promise<SrfDialog> {
  const sipp = await stage.uas('uas.xml');
  const app = await stage.app();
  const connected = bridge(app, sipp.uri, options);
  await stage.uac(caller);
  const { uas } = await within(connected, 5_000, 'createB2BUA');
  await sipp.succeeded();
  return uas;
}
