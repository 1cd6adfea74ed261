import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Test files wait for half of their time or for nearly all of it. A fixed number of them at once left both cores idle for a third of some
 * minutes, and stalled processes in others, so that number follows what the processors still have to give.
 * @typedef {object} Moment
 * @property {number} running test files
 * @property {number} [rivals] threads of other programs that always want a processor
 * @property {number} spareShare of all processors: what nothing used since the last file began, at most `windowSeconds`
 * @property {number} secondsSinceBegin of the last file
 */

/** Files for each core: so many always run, and one more for two rivals, so many while a little is spare, and at most so many. */
const always = 3;
const usual = 4;
const most = 6;
const windowSeconds = 3;
const enoughToBegin = 0.03;
/** Most files wait then; where files compute, more of them at once let processes stall. */
const enoughBeyondUsual = 0.06;
/** A file takes what its processes take to start, and shows it sooner where much is spare: so many seconds of all processors. */
const spareSecondsToBegin = 0.25;
const lookMilliseconds = 500;
const rivalSamples = 15;
const rivalSampleMilliseconds = 20;

/** Of what no test waits for: less than that of tests. */
const defaultLowPriority = '5';

/** For `nice -n`. Beside rivals the default gets a twentieth of a core, with which types and lint do not end in time. */
export const lowPriority = () => process.env.DEMARC_TEST_LOW_PRIORITY ?? defaultLowPriority;

export const mostFiles = most * availableParallelism();

/**
 * Whether another test file begins.
 * @param {Moment} moment
 * @param {number} [cores]
 */
export function hasRoom(
  { running, rivals = 0, spareShare, secondsSinceBegin },
  cores = availableParallelism(),
) {
  if (running >= most * cores) return false;
  if (running < always * cores + Math.ceil(rivals / 2)) return true;
  if (spareShare < (running < usual * cores ? enoughToBegin : enoughBeyondUsual)) return false;
  return spareShare * secondsSinceBegin >= spareSecondsToBegin;
}

/**
 * The first line of /proc/stat.
 * @typedef {{ spare: number, total: number }} ProcessorTimes ticks of all processors since the machine started; `spare`: idle, and not
 *   waiting for a disk
 */

/**
 * @param {string} stat
 * @returns {ProcessorTimes}
 */
export function readTimes(stat) {
  const [, user = 0, nice = 0, system = 0, idle = 0, ...columns] =
    stat.split('\n', 1)[0]?.split(/ +/).map(Number) ?? [];
  // The last two are parts of the first two.
  const rest = columns.slice(0, 4).reduce((sum, ticks) => sum + ticks, 0);
  return { spare: idle, total: user + nice + system + idle + rest };
}

/** @returns {ProcessorTimes | undefined} undefined: not Linux */
function currentTimes() {
  try {
    return readTimes(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Before the gate starts anything: the scheduler gives each thread that wants a processor the same time, so beside rivals the gate needs
 * more threads too.
 * @param {() => string} read /proc/stat
 * @returns {Promise<number>} threads of other programs that want a processor most of the time, for as many processors as this process may use
 */
export async function countRivals(read = () => readFileSync('/proc/stat', 'utf8')) {
  const counts = [];
  for (let sample = 0; sample < rivalSamples; sample += 1) {
    await delay(rivalSampleMilliseconds);
    counts.push(runningThreads(read));
  }
  counts.sort((a, b) => a - b);
  const usual = counts[Math.floor(rivalSamples / 2)] ?? 0;
  return Math.round((usual * availableParallelism()) / cpus().length);
}

/** @param {() => string} read */
function runningThreads(read) {
  try {
    // This thread runs as well.
    return Number(/^procs_running (\d+)$/m.exec(read())?.[1] ?? 1) - 1;
  } catch {
    return 0;
  }
}

/**
 * Lets the test files of one run begin, first come, first served: each connects to a socket, begins when it gets an octet, and disconnects at
 * its end, also when its process is killed.
 */
export class Room {
  /** @type {import('node:net').Socket[]} */
  #waiting = [];
  /** @type {Set<unknown>} */
  #running = new Set();
  /** @type {{ at: number, times: ProcessorTimes }[]} since the last file began, the oldest first */
  #samples = [];
  #begun = 0;
  #timesOf;
  #cores;
  #rivals;

  /**
   * @param {() => ProcessorTimes} timesOf
   * @param {number} cores
   * @param {number} rivals
   */
  constructor(timesOf, cores, rivals) {
    this.#timesOf = timesOf;
    this.#cores = cores;
    this.#rivals = rivals;
  }

  /**
   * @param {string} path of the socket; it and what listens end with this process
   * @param {{ timesOf?: () => ProcessorTimes | undefined, cores?: number, rivals?: number }} [options]
   * @returns {Promise<Room | undefined>} undefined: the use of the processors is not known here, or the path is too long
   */
  static async open(path, { timesOf = currentTimes, cores = availableParallelism(), rivals = 0 } = {}) {
    const first = timesOf();
    if (first === undefined) return undefined;
    const room = new Room(() => timesOf() ?? first, cores, rivals);
    const server = createServer((socket) => room.#enter(socket)).unref();
    const listens = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen(path, () => resolve(true));
    });
    if (!listens) return undefined;
    setInterval(() => room.#look(), lookMilliseconds).unref();
    return room;
  }

  /**
   * For what runs beside the files: until it has ended, it takes the places of so many.
   * @param {Promise<unknown>} work
   * @param {number} places
   */
  share(work, places) {
    const taken = Array.from({ length: places }, () => ({}));
    for (const place of taken) this.#running.add(place);
    const leave = () => {
      for (const place of taken) this.#running.delete(place);
      this.#look();
    };
    work.then(leave, leave);
  }

  /** @param {import('node:net').Socket} socket */
  #enter(socket) {
    this.#waiting.push(socket);
    const leave = () => {
      this.#waiting = this.#waiting.filter((waiting) => waiting !== socket);
      this.#running.delete(socket);
      this.#look();
    };
    socket
      .unref()
      .resume()
      .on('error', () => undefined)
      .once('close', leave);
    this.#look();
  }

  #look() {
    const at = performance.now();
    const times = this.#timesOf();
    this.#samples.push({ at, times });
    while ((this.#samples[1]?.at ?? at) <= at - windowSeconds * 1_000) this.#samples.shift();
    for (
      let next = this.#waiting[0];
      next !== undefined && this.#isRoom(at, times);
      next = this.#waiting[0]
    ) {
      this.#waiting.shift();
      this.#running.add(next);
      this.#begun = at;
      this.#samples = [{ at, times }];
      next.write('.');
    }
  }

  /**
   * @param {number} at
   * @param {ProcessorTimes} times
   */
  #isRoom(at, { spare, total }) {
    const since = this.#samples[0]?.times ?? { spare, total };
    return hasRoom(
      {
        running: this.#running.size,
        rivals: this.#rivals,
        spareShare: (spare - since.spare) / Math.max(1, total - since.total),
        secondsSinceBegin: (at - this.#begun) / 1_000,
      },
      this.#cores,
    );
  }
}
