import { createLog } from '../../../src/base/log.js';
import { connectRedis } from '../../../src/base/redis.js';
import { OrderedCalls } from '../../../src/edge/outbound/ordered-calls.js';
import { OrderLine } from '../../../src/edge/outbound/pacing/order-line.js';

/** A process that takes orders until it is killed, and records in Redis which calls it has dialled. */
const [url, owner, most] = process.argv.slice(2) as [string, string, string?];
const log = createLog({ level: 'silent', role: 'edge', edge: owner });
const redis = connectRedis(url, log, 'demarc-edge', { socketTimeout: 3_000 });
const dialling = connectRedis(url, log, 'demarc-edge', { socketTimeout: 3_000 });
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
