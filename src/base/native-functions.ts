import { createRequire } from 'node:module';

/** What is used of the npm package koffi, which is optional, so that its types may be missing, too. */
interface Koffi {
  /** @param path null: what the process has loaded itself, and so the C library and what Node.js consists of */
  load(path: null): { func(prototype: string): unknown };
  errno(): number;
  address(memory: Buffer): bigint;
}

/** Bundles leave it alone: the package finds its binary beside its own files. */
const fromPackages = createRequire(import.meta.url);

/** The constants and layouts that the sockets of media-stream use are those of 64-bit Linux on these. */
const architectures: readonly string[] = ['x64', 'arm64'];

/** Throws where it cannot be had. */
export function loadKoffi(): Koffi {
  const { platform, arch } = process;
  if (platform !== 'linux' || !architectures.includes(arch))
    throw new Error(`not offered for ${platform} ${arch}`);
  return fromPackages('koffi') as Koffi;
}

/** Functions of C in this process, by their prototypes. Throws where one is missing. */
export function loadFunctions<Functions>(
  prototypes: Readonly<Record<Extract<keyof Functions, string>, string>>,
): Functions {
  const library = loadKoffi().load(null);
  const functions = Object.entries<string>(prototypes).map(([name, prototype]) => [
    name,
    library.func(prototype),
  ]);
  return Object.fromEntries(functions) as Functions;
}
