import { createLog } from '../../../src/edge/log.js';
import { OrderedCalls } from '../../../src/edge/outbound/ordered-calls.js';
import { OrderLine } from '../../../src/edge/outbound/pacing/order-line.js';
import { connectRedis } from '../../../src/edge/redis.js';

/** A process that takes orders until it is killed, and tells Redis which calls it has dialled. */
const [url, owner, most] = process.argv.slice(2) as [string, string, string?];
const log = createLog({ log: { level: 'silent' }, edgeId: owner } as never);
const redis = connectRedis({ url }, log);
const dialling = connectRedis({ url }, log);
const orders = new OrderedCalls({
  redis,
  line: new OrderLine(redis, owner),
  owner,
  isReady: () => true,
  paceOf: async () => (most === undefined ? {} : { concurrentCalls: Number(most) }),
  place: (command) => {
    dialling.rpush('dialled', command.call_id).catch(() => {});
    return { stop: () => {} };
  },
  log,
  takeOverMilliseconds: 300,
});
dialling.once('ready', () => {
  void orders.start();
  process.send!('started');
});
