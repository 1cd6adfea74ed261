import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const dist = join(root, 'dist');
const output = join(root, 'dist-dev', 'roles');

/** They read files beside their own, or the edge replaces parts of them. */
const external = [
  /^drachtio-/,
  /^@fastify\/(swagger|static)/,
  'piscina',
  'pino',
  'bullmq',
  'pg-native',
  'tsx',
];

/**
 * Bundles the built roles to one program, which tests start hundreds of times: it takes half the processor time of `dist/cli.js` to start.
 * @returns {Promise<string>} the program
 */
export async function bundleRoles() {
  // Not before npm packages are installed.
  const { build } = await import('vite');
  rmSync(output, { recursive: true, force: true });
  const { NODE_ENV: before } = process.env;
  await build({
    configFile: false,
    root: dist,
    logLevel: 'error',
    plugins: [keepPlaces],
    ssr: { noExternal: true, external: [] },
    build: {
      ssr: true,
      target: 'node20',
      outDir: output,
      minify: false,
      rolldownOptions: { input: { cli: join(dist, 'cli.js') }, external },
    },
  });
  // vite sets it to `production`, in which edges would refuse the private addresses of the tests.
  if (before === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = before;
  return join(output, 'cli.js');
}

/**
 * Scripts for Redis, threads and the dashboard are found beside the module that was bundled; the processes that a role forks are
 * bundled too.
 * @type {import('vite').Plugin}
 */
const keepPlaces = {
  name: 'demarc:keep-places',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return undefined;
    const place = id.startsWith(dist) && code.includes("/cli.js'") ? join(output, id.slice(dist.length)) : id;
    return { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href)), map: null };
  },
};
