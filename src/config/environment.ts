import { z } from 'zod';
import { type HostPort, parseSocketAddress } from '../base/socket-address.js';
import { parseSourceRange } from '../contract/source-range.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that cannot be used: says every variable that is wrong, so that one start shows all of them. */
export class SettingsError extends Error {
  constructor(
    readonly problems: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`Invalid settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`, options);
    this.name = 'SettingsError';
  }
}

/** Reads the variables that `shape` names. An empty variable counts as absent. Throws `SettingsError`. */
export function readEnvironment<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: Environment,
): z.output<z.ZodObject<Shape>> {
  const nonEmpty: Record<string, string> = {};
  for (const name of Object.keys(shape)) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== '') nonEmpty[name] = value;
  }
  // Zod would compile a parser, which takes longer than to read the variables once.
  const read = z.object(shape).safeParse(nonEmpty, { jitless: true });
  if (read.success) return read.data;
  throw new SettingsError(read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
}

/** A whole number within bounds. */
export const whole = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum));

/** A TCP or UDP port; 0 lets the system choose. */
export const port = whole(0, 65_535);

/** `true`, `1`, `yes` or `false`, `0`, `no`. */
export const flag = z
  .enum(['true', '1', 'yes', 'false', '0', 'no'])
  .transform((value) => value === 'true' || value === '1' || value === 'yes');

export type { HostPort };

export const hostPort = z.string().transform((text, context): HostPort => {
  const parsed = parseSocketAddress(text);
  if (parsed !== undefined) return parsed;
  context.addIssue({ code: 'custom', message: 'must be host:port' });
  return z.NEVER;
});

/** A comma-separated list of `host:port`, each optionally with `;weight=N`. */
export const weightedHostPorts = z
  .string()
  .transform((text, context): readonly (HostPort & { readonly weight?: number })[] => {
    const parsed = text.split(',').map((part) => {
      const [address = '', weight] = part.trim().split(/;weight=(?=[1-9]\d{0,2}$)/);
      const hostPort = parseSocketAddress(address);
      if (hostPort === undefined || weight === undefined) return hostPort;
      return { ...hostPort, weight: Number(weight) };
    });
    if (parsed.every((entry) => entry !== undefined)) return parsed;
    context.addIssue({
      code: 'custom',
      message: 'must be one or more host:port, separated by commas, each optionally with ;weight=1 to 999',
    });
    return z.NEVER;
  });

/** A comma-separated list of addresses and CIDRs; may be empty. */
export const networkList = z
  .string()
  .default('')
  .transform((text, context): readonly string[] => {
    const networks = text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    for (const network of networks) {
      if (parseSourceRange(network).ok) continue;
      context.addIssue({
        code: 'custom',
        message: `${network} is not an address or CIDR of at least /8 (IPv6: /7)`,
      });
    }
    return networks;
  });

/** Freezes an object and everything in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
