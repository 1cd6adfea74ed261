import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const inProject = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The programs in `dev/` that run next to a built Demarc: one file each in `dist-dev`, bundled with the code they use from `src/`. */
export default defineConfig({
  root: inProject('dev'),
  logLevel: 'warn',
  build: {
    ssr: true,
    target: 'node20',
    sourcemap: true,
    outDir: inProject('dist-dev'),
    emptyOutDir: false,
    rolldownOptions: {
      input: { agent: inProject('dev/agent/main.ts'), call: inProject('dev/call/main.ts') },
    },
  },
});
