/**
 * A process that takes orders until it is killed, and records in Redis which calls it has dialled. It imports what was built where tests do: tsx
 * and the sources take a second of processor time to start.
 */
const sources = process.env.DEMARC_TEST_DIST === undefined ? 'src' : 'dist';
const load = (path) => import(new URL(`../../../${sources}/${path}`, import.meta.url).href);
const { createLog } = await load('base/log.js');
const { connectRedis } = await load('base/redis.js');
const { OrderedCalls } = await load('edge/outbound/ordered-calls.js');
const { OrderLine } = await load('edge/outbound/pacing/order-line.js');

const [url, owner, most] = process.argv.slice(2);
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
  process.send('started');
});
