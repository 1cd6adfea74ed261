import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Builds the dashboard: `src/dashboard` to `dist/dashboard`, which control serves. */
export default defineConfig({
  root: fileURLToPath(new URL('src/dashboard', import.meta.url)),
  logLevel: 'warn',
  build: {
    outDir: fileURLToPath(new URL('dist/dashboard', import.meta.url)),
    emptyOutDir: true,
    // The first version of each browser that supports `light-dark()`.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The page's content security policy forbids inline code and data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // `npx vite` next to `npm start`: changes show at once, and the running control answers API requests.
  server: {
    host: '127.0.0.1',
    proxy: { '^/(v1|docs|openapi.json|readyz)': process.env.DEMARC_URL ?? 'http://127.0.0.1:8080' },
  },
});
