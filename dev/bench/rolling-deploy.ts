/**
 * `node --import tsx dev/bench/rolling-deploy.ts [seconds] [calls per second] [held calls]`: replaces all processes of a running
 * system by `demarc up --replace` while a trunk places calls over one TLS connection, others are held, and a softphone talks. Prints
 * the figures of docs/survival.md; exit status 1 when a call failed or was cut. With the
 * variable KEEP its state directory remains, with the logs.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReadyFile, readyFileSchema } from '../../src/launcher/ready-file.js';
import { SipPeer } from '../../src/testkit/sip-peer.js';
import { pause } from '../../src/testkit/waiting.js';
import { CallStream } from '../../test/support/call-stream.js';
import { TestAuthority } from '../../test/support/certificates.js';
import { freePorts, mediaPorts, systemPorts } from '../../test/support/free-ports.js';
import { TestProcess } from '../../test/support/processes.js';
import { programs } from '../setup/bootstrap.mjs';

const [seconds = 60, callsPerSecond = 20, held = 20] = process.argv.slice(2).map(Number);

async function main(): Promise<boolean> {
  const state = mkdtempSync(join(tmpdir(), 'demarc-deploy-'));
  const authority = await TestAuthority.create();
  const [sip, http] = await freePorts(2);
  const [rtpLow, rtpHigh] = await mediaPorts(400);
  const { low, high } = await systemPorts();
  const environment = {
    ...process.env,
    DEMARC_STATE_DIR: state,
    DEMARC_SIP_TLS_PORT: String(sip),
    DEMARC_HTTP_PORT: String(http),
    DEMARC_RTP_PORTS: `${rtpLow}-${rtpHigh}`,
    DEMARC_PRIVATE_PORTS: `${low}-${high}`,
    // The trunk sends no media.
    DEMARC_MEDIA_TIMEOUT_SECONDS: '3600',
  };
  const up = (...more: string[]): TestProcess =>
    new TestProcess(process.execPath, [programs.demarc, 'up', '--demo-agent', programs.agent, ...more], {
      env: environment,
    });
  let launcher = up();
  let peer: SipPeer | undefined;
  try {
    await launcher.line(/Demarc is up/, 120_000);
    const ready: ReadyFile = readyFileSchema.parse(
      JSON.parse(readFileSync(join(state, 'ready.json'), 'utf8')),
    );
    peer = await SipPeer.open({
      protocol: 'tls',
      target: { host: ready.sip.host, port: ready.sip.port },
      certificate: await authority.issue('peer'),
      ca: readFileSync(ready.sip.caFile, 'utf8'),
    });
    const stream = new CallStream(peer, {
      ...{ number: ready.demo.number, callsPerSecond, holdMilliseconds: 2_000 },
    });
    await stream.hold(held);
    const phone = new TestProcess(process.execPath, [programs.call, '--seconds', String(seconds)], {
      env: environment,
    });
    const load = stream.run();
    const began = performance.now();
    await pause(Math.min(5_000, seconds * 200));
    const former = launcher;
    launcher = up('--replace');
    await launcher.line(/Replaced all processes/, 300_000);
    const replaced = (performance.now() - began) / 1_000;
    await former.exit(20_000);
    await pause(Math.max(0, seconds * 1_000 - (performance.now() - began)));
    await stream.stop();
    await load;
    await stream.hangUpHeld();
    const code = await phone.exit(120_000);
    const audio = phone.output.split('\n').filter((line) => /^ {2}(RTP packets|Echo heard)/.test(line));
    const slowest = stream.setups.toSorted((a, b) => a - b);
    const quantile = (share: number): string =>
      `${Math.round(slowest[Math.floor(share * (slowest.length - 1))]!)} ms`;
    process.stdout.write(`${stream.placed} calls at ${callsPerSecond}/s and ${held} held ones, all processes replaced after ${replaced.toFixed(1)} s:
${stream.failures.length} failed or cut; answered in ${quantile(0.5)} (half), ${quantile(0.99)} (99 %), ${quantile(1)} (all)
softphone (exit status ${code}):
${audio.join('\n')}
`);
    for (const failure of new Set(stream.failures))
      process.stdout.write(`${stream.failures.filter((each) => each === failure).length} × ${failure}\n`);
    return stream.failures.length === 0 && code === 0;
  } finally {
    await peer?.close();
    process.stdout.write(
      launcher.output
        .split('\n')
        .filter((line) => line.startsWith('demarc '))
        .join('\n'),
    );
    await launcher.stop(30_000);
    if (process.env.KEEP === undefined) rmSync(state, { recursive: true, force: true });
    rmSync(authority.directory, { recursive: true, force: true });
  }
}

process.exitCode = (await main()) ? 0 : 1;
