import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';

/**
 * Test files wait for half of their time or for nearly all of it. A fixed number of them at once left both cores idle for a third of some
 * minutes, and stalled processes in others, so that number follows what the processors still have to give.
 * @typedef {object} Moment
 * @property {number} running test files
 * @property {number} spareShare of all processors: what nothing used since the last file began, at most `windowSeconds`
 * @property {number} secondsSinceBegin of the last file
 */

/** Files for each core: so many always run, so many while a little is spare, and at most so many. */
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

/** Of what no test waits for: less than that of tests, and enough to end beside busy processes, where 19 gets a hundredth of a core. */
export const lowPriority = '5';

export const mostFiles = most * availableParallelism();

/**
 * Whether another test file begins.
 * @param {Moment} moment
 * @param {number} [cores]
 */
export function hasRoom({ running, spareShare, secondsSinceBegin }, cores = availableParallelism()) {
  if (running < always * cores) return true;
  if (running >= most * cores) return false;
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

  /**
   * @param {() => ProcessorTimes} timesOf
   * @param {number} cores
   */
  constructor(timesOf, cores) {
    this.#timesOf = timesOf;
    this.#cores = cores;
  }

  /**
   * @param {string} path of the socket; it and what listens end with this process
   * @param {{ timesOf?: () => ProcessorTimes | undefined, cores?: number }} [options]
   * @returns {Promise<Room | undefined>} undefined: the use of the processors is not known here, or the path is too long
   */
  static async open(path, { timesOf = currentTimes, cores = availableParallelism() } = {}) {
    const first = timesOf();
    if (first === undefined) return undefined;
    const room = new Room(() => timesOf() ?? first, cores);
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
        spareShare: (spare - since.spare) / Math.max(1, total - since.total),
        secondsSinceBegin: (at - this.#begun) / 1_000,
      },
      this.#cores,
    );
  }
}
