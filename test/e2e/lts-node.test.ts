import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ensureLtsNode } from '../../dev/gate/lts-node.mjs';
import { freePorts } from '../support/free-ports.js';
import { TestProcess } from '../support/processes.js';

const root = join(import.meta.dirname, '..', '..');
const unavailable = process.env.DEMARC_TEST_NO_LTS_NODE;

it('npm start and npm run call work on the LTS line of Node.js', async ({ skip, onTestFinished }) => {
  skip(unavailable !== undefined, unavailable);
  const lts = await ensureLtsNode();
  if ('reason' in lts) return skip(lts.reason);
  const stateDirectory = mkdtempSync(join(tmpdir(), 'demarc-lts-'));
  const [sipPort, httpPort] = await freePorts(2);
  const env = {
    ...process.env,
    // What the package contains, and not the bundles of other tests.
    DEMARC_TEST_ROLES: undefined,
    DEMARC_TEST_AGENT: undefined,
    DEMARC_TEST_CALL: undefined,
    DEMARC_STATE_DIR: stateDirectory,
    DEMARC_SIP_TLS_PORT: String(sipPort),
    DEMARC_HTTP_PORT: String(httpPort),
    DEMARC_RTP_PORTS: '33000-33099',
    DEMARC_DRAIN_SECONDS: '1',
  };
  const command = (file: string): TestProcess =>
    new TestProcess(lts.node, [join(root, 'dev', file)], { env });
  const demarc = command('setup/start.mjs');
  onTestFinished(async () => {
    await demarc.stop(20_000);
    rmSync(stateDirectory, { recursive: true, force: true });
  });
  await demarc.line(/Demarc is up/, 110_000);
  const call = command('call/call.mjs');
  expect([await call.exit(60_000), call.output]).toEqual([
    0,
    expect.stringContaining('Audio went both ways.'),
  ]);
});
