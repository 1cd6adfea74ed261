import { type EngineUnderTest, isRealServer } from '../../support/engine-under-test.js';

/** Engines of the same settings for tests that run side by side, each of which has one to itself; started when a test needs one more. */
export class EnginePool {
  readonly engines: EngineUnderTest[] = [];
  private readonly free: EngineUnderTest[] = [];
  private readonly waiting: ((engine: EngineUnderTest) => void)[] = [];
  private begun = 0;
  private readonly most: number;

  constructor(
    most: number,
    private readonly start: () => Promise<EngineUnderTest>,
  ) {
    // There is one real server.
    this.most = isRealServer ? 1 : most;
  }

  async use<T>(work: (engine: EngineUnderTest) => Promise<T>): Promise<T> {
    const engine = this.free.pop() ?? (await (this.begun < this.most ? this.startOne() : this.next()));
    try {
      return await work(engine);
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free.push(engine);
      else next(engine);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.engines.map((engine) => engine.stop()));
  }

  private async startOne(): Promise<EngineUnderTest> {
    this.begun += 1;
    try {
      const engine = await this.start();
      this.engines.push(engine);
      return engine;
    } catch (error) {
      this.begun -= 1;
      throw error;
    }
  }

  private next(): Promise<EngineUnderTest> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
