import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallRecord, callRecordSchema } from '../../../src/contract/call-record.js';
import { callStream } from '../../../src/contract/keys.js';
import { generateSecretKey, numberPlace, SecretBox } from '../../../src/contract/secret.js';
import { runCellCommand } from '../../../src/control/cells/cell-command.js';
import { createKey, listKeys } from '../../../src/control/organizations/keys.js';
import { Projector } from '../../../src/control/projection/projector.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { NumberWriter } from '../../support/number-writer.js';
import { PeerCall } from '../../support/peer-call.js';
import { CallBench, calledNumber } from '../call/bench.js';
import { agentDescription } from '../media/descriptions.js';
import { ControlBench, log } from './control-bench.js';

const secretKey = generateSecretKey();
const callMilliseconds = 100;

/** Edge, engine, rtpengine and Redis, and what control does for them: its database and its projector. */
class Cell {
  /** Calls of this cell that were answered and hung up. */
  answered = 0;

  private constructor(
    readonly control: ControlBench,
    readonly calls: CallBench,
    private readonly projector: Projector,
  ) {}

  static async start(): Promise<Cell> {
    const [control, calls] = await Promise.all([
      ControlBench.start(),
      CallBench.start({ DEMARC_SECRET_KEY: secretKey, DEMARC_SOURCE_POLICY: 'none' }),
    ]);
    await new NumberWriter(calls.redis).delete(calledNumber);
    const { database, databaseUrl } = control;
    const projector = new Projector({ database, databaseUrl, redis: calls.redis, log });
    await projector.start();
    return new Cell(control, calls, projector);
  }

  /** `demarc cell` with the environment of this cell's control. */
  async command(...argv: string[]): Promise<{ status: number; out: string; error: string }> {
    let [out, error] = ['', ''];
    const status = await runCellCommand(argv, {
      environment: { DATABASE_URL: this.control.databaseUrl, DEMARC_SECRET_KEY: secretKey },
      out: (text) => {
        out += text;
      },
      error: (text) => {
        error += text;
      },
    });
    return { status, out, error };
  }

  /** The agent answers each call, and each BYE. */
  answerCalls(): () => Promise<void> {
    let isStopped = false;
    const { agent } = this.calls;
    const agents = new Map<string, PeerCall>();
    const answer = async (): Promise<void> => {
      while (!isStopped) {
        const invite = await agent.expectRequest('INVITE', { milliseconds: 500 }).catch(() => undefined);
        if (invite === undefined) continue;
        const call = PeerCall.from(agent, invite.message);
        agents.set(call.callId, call);
        await call.respond(invite, 200, { body: agentDescription() });
      }
    };
    const end = async (): Promise<void> => {
      while (!isStopped) {
        const bye = await agent.expectRequest('BYE', { milliseconds: 500 }).catch(() => undefined);
        if (bye !== undefined) await agents.get(bye.message.headers.get('Call-ID')!)!.respond(bye, 200);
      }
    };
    const working = Promise.all([answer(), end()]);
    return async () => {
      isStopped = true;
      await working;
    };
  }

  /** Status of a call that is hung up at once if it is answered. */
  async call(): Promise<number> {
    const trunk = await this.calls.call();
    const { message } = await trunk.response((status) => status >= 200);
    await trunk.ack(message);
    if (message.status === 200) {
      await trunk.hangUp();
      this.answered++;
    }
    return message.status;
  }

  async records(): Promise<CallRecord[]> {
    const entries = await this.calls.redis.xrange(callStream, '-', '+');
    return entries.map(([, [, json]]) => callRecordSchema.parse(JSON.parse(json!)));
  }

  async stop(): Promise<void> {
    await this.projector.stop();
    await this.calls.stop();
    await this.control.stop();
  }
}

let former: Cell;
let next: Cell;
beforeAll(async () => {
  [former, next] = await Promise.all([Cell.start(), Cell.start()]);
}, 120_000);
afterAll(async () => {
  await Promise.all([former?.stop(), next?.stop()]);
});

it('an organization moves to another cell: no call is refused, an answered one stays, and each has one record', async () => {
  const { control, calls } = former;
  const { organization } = control;
  await control.database
    .updateTable('organizations')
    .set({ name: 'mover' })
    .where('id', '=', organization)
    .execute();
  const { key } = await createKey(control.database, organization, 'production');
  await control.configure(calledNumber, ['127.0.0.1']);
  await control.database
    .updateTable('configurations')
    .set({ sip_password: new SecretBox([secretKey]).seal('swordfish', numberPlace(organization)) })
    .where('number', '=', calledNumber)
    .execute();
  const stopAnswering = [former, next].map((cell) => cell.answerCalls());
  await until(async () => (await former.call()) === 200, 10_000, 'a call at the former cell');
  expect(await next.call()).toBe(404);

  const held = await calls.call();
  const answered = await held.response((status) => status >= 200);
  await held.ack(answered.message);
  const made: Promise<number>[] = [];
  /** New calls, to each of the cells in turn, until the work is done, and some more. */
  const callsDuring = async <Result>(cells: readonly Cell[], work: Promise<Result>): Promise<Result> => {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    for (let count = 0, after = 0; after < 6; count++, after += isDone ? 1 : 0) {
      made.push(cells[count % cells.length]!.call());
      await pause(callMilliseconds);
    }
    return done;
  };

  const { out: document } = await callsDuring([former], former.command('export', 'mover'));
  expect(document).not.toContain('swordfish');
  const file = join(calls.server.directory, 'mover.json');
  writeFileSync(file, document);
  expect(await callsDuring([former], next.command('import', file))).toEqual({
    status: 0,
    out: `Imported ${organization} with 1 numbers.\n`,
    error: '',
  });
  // Carriers change one after the other, and the organization is imported once more meanwhile, as changes of the last minute require.
  expect(await callsDuring([former, next], next.command('import', file))).toMatchObject({ status: 0 });
  await Promise.all(made);
  expect(await callsDuring([next], former.command('leave', 'mover'))).toMatchObject({
    status: 0,
    out: '1 numbers left.\n',
  });
  expect(new Set(await Promise.all(made))).toEqual(new Set([200]));
  await until(async () => (await former.call()) === 404, 10_000, 'the former cell has left');

  // The answered call ends where it is, with its record there.
  await held.hangUp();
  await Promise.all(stopAnswering.map((stop) => stop()));
  const all = async (): Promise<CallRecord[]> => {
    const records = await Promise.all([former.records(), next.records()]);
    return records.flat().filter(({ outcome }) => outcome === 'completed');
  };
  // With the one that was held.
  const ended = former.answered + next.answered + 1;
  await until(async () => (await all()).length >= ended, 10_000, 'a record of each call');
  const records = await all();
  expect(new Set(records.map(({ sip_call_ids: ids }) => ids.trunk)).size).toBe(records.length);
  expect(records).toHaveLength(ended);
  expect(new Set(records.map(({ organization: its }) => its))).toEqual(new Set([organization]));

  const arrived = await next.control.database
    .selectFrom('configurations')
    .select('sip_password')
    .where('number', '=', calledNumber)
    .executeTakeFirstOrThrow();
  expect(new SecretBox([secretKey]).open(arrived.sip_password!, numberPlace(organization))).toBe('swordfish');
  const keys = await listKeys(next.control.database, organization);
  expect(keys.map(({ prefix }) => key.startsWith(prefix))).toEqual([true]);
}, 120_000);

it('is refused by a cell with another key, another release or another owner of a number, which stays as it is', async () => {
  const { out: document } = await next.command('export', 'mover');
  const file = join(former.calls.server.directory, 'mover.json');
  const importing = async (text: string, key = secretKey) => {
    writeFileSync(file, text);
    let error = '';
    const status = await runCellCommand(['import', file], {
      environment: { DATABASE_URL: former.control.databaseUrl, DEMARC_SECRET_KEY: key },
      out: () => {},
      error: (line) => {
        error += line;
      },
    });
    return { status, error };
  };
  expect(await importing(document, generateSecretKey())).toEqual({
    status: 2,
    error: expect.stringContaining('the same DEMARC_SECRET_KEY'),
  });
  expect(await importing(document.replace('"0001', '"9999'))).toEqual({
    status: 2,
    error: expect.stringContaining('different releases'),
  });
  expect(await importing('{}')).toMatchObject({ status: 2, error: expect.stringContaining('format') });
  const renamed = document.replaceAll(former.control.organization, next.control.organization);
  await former.control.configure(calledNumber, ['192.0.2.0/24']);
  expect(await importing(renamed)).toEqual({
    status: 2,
    error: expect.stringContaining(`+${calledNumber} `),
  });
  const { rows } = await former.control.database
    .selectFrom('numbers')
    .select('organization_id')
    .execute()
    .then((found) => ({ rows: found }));
  expect(rows).toEqual([{ organization_id: former.control.organization }]);
}, 180_000);
