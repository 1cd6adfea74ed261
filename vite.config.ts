import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const output = fileURLToPath(new URL('dist/dashboard', import.meta.url));
/** A packet: compressing less saves none. */
const leastOctets = 1_400;

/** Writes each file compressed beside it, so that control sends the smallest form without any work. */
const precompress: Plugin = {
  name: 'precompress',
  apply: 'build',
  closeBundle() {
    for (const folder of [output, join(output, 'assets')]) {
      for (const file of readdirSync(folder)) {
        if (!/\.(js|css|html|svg)$/.test(file)) continue;
        const path = join(folder, file);
        const content = readFileSync(path);
        if (content.length < leastOctets) continue;
        writeFileSync(`${path}.br`, brotliCompressSync(content));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
      }
    }
  },
};

/** Builds the dashboard: `src/dashboard` to `dist/dashboard`, which control serves. */
export default defineConfig({
  root: fileURLToPath(new URL('src/dashboard', import.meta.url)),
  logLevel: 'warn',
  plugins: [precompress],
  build: {
    outDir: output,
    emptyOutDir: true,
    // The first version of each browser that supports `light-dark()`.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The page's content security policy forbids inline code and data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One file for what the first page needs: browsers open six connections to a host, and each further round of files takes a round trip.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
    reportCompressedSize: false,
  },
  // `npx vite` next to `npm start`: changes show at once, and the running control answers API requests.
  server: {
    host: '127.0.0.1',
    proxy: { '^/(v1|docs|openapi.json|readyz)': process.env.DEMARC_URL ?? 'http://127.0.0.1:8080' },
  },
});
