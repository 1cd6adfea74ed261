import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answering, scenarios } from './hostile-parties.js';
import { Stage } from './stage.js';

/** For so long; each scenario once without it. */
const minutes = Number(process.env.DEMARC_SOAK_MINUTES ?? 0);
const workers = 6;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start({
    rtpPorts: 400,
    edge: { DEMARC_RING_SECONDS: '5', DEMARC_HELD_ANSWER_SECONDS: '1' },
  });
});
afterAll(() => stage?.stop());

async function footprint(): Promise<string> {
  const { engine, edge } = await stage.memory();
  const descriptors = await Promise.all(
    [stage.engine.pid!, stage.edge.pid!].map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      return /^FDSize:\s+(\d+)/m.exec(status)?.[1];
    }),
  );
  return `engine ${engine.toFixed(1)} MB, edge ${edge.toFixed(1)} MB, descriptor tables ${descriptors.join(' and ')}`;
}

it(
  `peers that keep to no rule leave nothing behind${minutes === 0 ? '' : `, for ${minutes} minutes`}`,
  async () => {
    const redis = stage.redis.client();
    const trunks = await Promise.all(Array.from({ length: workers }, () => stage.peer('tcp')));
    const stops = [...trunks, stage.agent].map(answering);
    const names = Object.keys(scenarios);
    const reasons = new Map<string, number>();
    const failed: string[] = [];
    let next = 0;
    let calls = 0;
    let sampleAt = Date.now() + 60_000;
    const end = Date.now() + minutes * 60_000;
    const isOver = (): boolean => (minutes === 0 ? next >= names.length : Date.now() > end);
    const tally = async (): Promise<void> => {
      for (const record of await stage.otherRecords()) {
        const { end_reason, detail } = record;
        reasons.set(end_reason, (reasons.get(end_reason) ?? 0) + 1);
        if (end_reason === 'internal_error') failed.push(`internal_error: ${detail}`);
      }
    };
    await stage.configure({
      outbound: [{ id: 'out', host: '127.0.0.1', port: trunks[0]!.port, transport: 'tcp' }],
    });
    const work = async (trunk: (typeof trunks)[number], isFirst: boolean): Promise<void> => {
      while (!isOver()) {
        const name = names[next++ % names.length]!;
        const isOrder = /order|answer of another|without Contact|forks|session of|422|twenty|late one/.test(
          name,
        );
        calls += 1;
        const who = `1415${String(5_000_000 + calls)}`;
        // Orders go to the number's first server.
        const peer = isOrder ? trunks[0]! : trunk;
        try {
          await scenarios[name]!({ stage, redis, trunk: peer, who });
        } catch (error) {
          failed.push(`${name}: ${(error as Error).message.slice(0, 200)}`);
        }
        if (isFirst) {
          await tally();
          if (Date.now() > sampleAt) {
            sampleAt += 60_000;
            console.log(`${calls} calls: ${await footprint()}`);
          }
          for (const each of [...trunks, stage.agent]) each.everything.length = 0;
        }
      }
    };
    const before = await footprint();
    await Promise.all(trunks.map((trunk, index) => work(trunk, index === 0)));
    await stage.expectNothingLeft(60_000);
    await tally();
    await Promise.all(stops.map((stop) => stop()));
    redis.disconnect();
    const after = await footprint();
    console.log(
      `${calls} calls. Before: ${before}. After: ${after}. ${JSON.stringify(Object.fromEntries(reasons))}`,
    );
    expect(failed).toEqual([]);
    expect(stage.edge.output).not.toMatch(/"level":(50|60)/);
  },
  minutes * 60_000 + 180_000,
);
