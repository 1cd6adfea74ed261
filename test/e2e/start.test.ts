import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRunning } from '../../src/base/process-identity.js';
import { until } from '../../src/testkit/waiting.js';
import { customerTests } from './start/customer.js';
import { firstSteps } from './start/first-steps.js';
import { outages } from './start/outages.js';
import { adoption, replacement } from './start/replacement.js';
import { UserOfStart } from './user-of-start.js';

/**
 * All groups use one system, in this order: the launcher of the first two is killed, the next one adopts the processes, some of which are
 * killed after that, then all are replaced.
 */
let user: UserOfStart;
beforeAll(async () => {
  user = await UserOfStart.again({
    // The time of a user: on a busy machine, an edge needs more than 3 s to end its calls.
    DEMARC_DRAIN_SECONDS: '10',
    // A busy machine refuses calls because it is busy, which says nothing of the replacement.
    DEMARC_SETUP_DELAY_MS: '0',
    DEMARC_RTPENGINE_TIMEOUT_MS: '5000',
    DEMARC_TRUNK_WAIT_MS: '5000',
  });
  await user.startAndWait();
});
afterAll(() => user?.stop());

const stage = (): UserOfStart => user;
firstSteps(stage);
customerTests(stage);
adoption(stage);
outages(stage);
replacement(stage);

describe('the end of npm start', () => {
  it('ends all that it started on SIGTERM, withdraws ready.json and exits 0', async () => {
    const started = [...user.partIdentities().values()];
    user.running.signal('SIGTERM');
    await until(() => !existsSync(join(user.stateDirectory, 'ready.json')), 20_000, 'ready.json withdrawn');
    expect(await user.running.exit(20_000), user.running.output).toBe(0);
    expect(started.filter(isRunning)).toEqual([]);
    expect([...user.partIdentities().keys()]).toEqual([]);
    expect(existsSync(join(user.stateDirectory, 'supervisor.json'))).toBe(false);
  });

  it('explains that Demarc is not running', async () => {
    const { code, output } = await user.call();
    expect(code).toBe(1);
    expect(output).toContain('npm start');
  });
});
