import { demarcCommand } from './engine-under-test.js';
import { freePort } from './free-ports.js';
import { TestProcess } from './processes.js';

/** `demarc control` as a separate process. */
export interface ControlProcess {
  readonly child: TestProcess;
  readonly port: number;
  readonly url: string;
}

/**
 * Starts `demarc control` on a bench's PostgreSQL and Redis; resolves when it is ready.
 * @param environment further settings. Default of DEMARC_HTTP_PORT: a free port
 */
export async function startControlProcess(
  { databaseUrl, redis }: { readonly databaseUrl: string; readonly redis: { readonly url: string } },
  environment: Readonly<Record<string, string>> = {},
): Promise<ControlProcess> {
  // Not 0: a successor takes over the port of its settings.
  const port = Number(environment.DEMARC_HTTP_PORT ?? (await freePort()));
  const [command, argv] = demarcCommand('control', []);
  const child = new TestProcess(command, argv, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DEMARC_REDIS_URL: redis.url,
      DEMARC_HTTP_PORT: String(port),
      ...environment,
    },
  });
  try {
    const isReady = (message: unknown) => (message as { type?: string }).type === 'ready' || undefined;
    await child.message(isReady, 30_000, 'control');
    return { child, port, url: `http://127.0.0.1:${port}` };
  } catch (error) {
    await child.stop();
    throw error;
  }
}
