import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const dist = join(root, 'dist');
const entry = join(dist, 'cli.js');
const agent = join(root, 'dist-dev', 'agent.js');
const call = join(root, 'dist-dev', 'call.js');
const output = join(root, 'dist-dev', 'roles');

/** They read files beside their own. */
const external = [/^@fastify\/(swagger|static)/, 'piscina', 'pg-native', 'tsx'];

/**
 * Bundles the built roles, the demo agent and `npm run call` to one program each, which tests start hundreds of times: it takes a third of
 * the processor time of `dist/cli.js` to start. As CommonJS, because only such modules can bring their compiled code along before Node.js 22.
 * @returns {Promise<{ roles: string, agent: string, call: string }>} the programs
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
      rolldownOptions: {
        input: { roles: entry, agent, call },
        external,
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'assets/[name]-[hash].cjs' },
      },
    },
  });
  // vite sets it to `production`, in which edges would refuse the private addresses of the tests.
  if (before === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = before;
  writeFileSync(join(output, 'package.json'), '{"type":"commonjs"}');
  copyFileSync(join(root, 'dev', 'gate', 'code-cache.cjs'), join(output, 'code-cache.cjs'));
  // Roles find this program by its name.
  return {
    roles: writeProgram('cli.js', 'roles.cjs'),
    agent: writeProgram('agent.js', 'agent.cjs'),
    call: writeProgram('call.js', 'call.cjs'),
  };
}

/**
 * @param {string} name
 * @param {string} bundle
 */
function writeProgram(name, bundle) {
  const program = join(output, name);
  writeFileSync(program, `require('./code-cache.cjs');\nrequire('./${bundle}');\n`);
  return program;
}

/**
 * Scripts for Redis, threads and the dashboard are found beside the module that was bundled; the processes that a role forks are
 * bundled too.
 * @type {import('vite').Plugin}
 */
const keepPlaces = {
  name: 'demarc:keep-places',
  transform(source, id) {
    // CommonJS has no `await` outside of functions, and nothing waits for this one.
    const isProgram = [entry, agent, call].includes(id);
    const code = isProgram ? source.replace(/^await (?=program\.|main\()/m, 'void ') : source;
    const place = id.startsWith(dist) && code.includes("/cli.js'") ? join(output, id.slice(dist.length)) : id;
    return { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href)), map: null };
  },
};
