import { Command } from 'commander';

/**
 * The command line of one role: `--help` prints its options and ends with 0; invalid usage prints the error and ends with 2,
 * so that scripts can tell it from a failure (1).
 * @param name as users write it, such as `demarc edge`
 */
export function roleCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .showHelpAfterError(`'${name} --help' lists the options.`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}
