#!/usr/bin/env node
/** The executable: one sub-command per role. A role's code is loaded when its sub-command runs. */
import { Command } from 'commander';
import { SettingsError } from './config/environment.js';
import { renameFormerSettings } from './config/former-names.js';
import { readSecretFiles } from './config/secret-files.js';
import { version } from './config/version.js';

interface Role {
  readonly summary: string;
  /** `main` reads the role's own arguments and prints its own help. */
  readonly load: () => Promise<{ main: (argv: readonly string[]) => Promise<void> }>;
}

const roles: Readonly<Record<string, Role>> = {
  edge: { summary: 'the SIP edge: takes and places every call', load: () => import('./edge/main.js') },
  control: {
    summary: 'the control plane: HTTP API and dashboard on PostgreSQL',
    load: () => import('./control/main.js'),
  },
  engine: {
    summary: 'the SIP engine alone, for any drachtio-srf application',
    load: () => import('./engine/main.js'),
  },
  'media-stream': {
    summary: 'calls at voice agents that are WebSocket servers',
    load: () => import('./media-stream/main.js'),
  },
  bot: {
    summary: 'check a voice agent that is a WebSocket server',
    load: () => import('./bot-check/main.js'),
  },
  'test-caller': {
    summary: 'the caller of agent tests by voice; demarc control starts it',
    load: () => import('./test-caller/main.js'),
  },
  org: {
    summary: 'create, entitle or list organizations',
    load: () => import('./control/organizations/organization-command.js'),
  },
  cell: {
    summary: 'move an organization to another cell',
    load: () => import('./control/cells/cell-command.js'),
  },
  key: {
    summary: 'create, revoke or list API keys',
    load: () => import('./control/organizations/key-command.js'),
  },
  member: {
    summary: 'invite, list, change or remove the members of an organization',
    load: () => import('./control/people/member-command.js'),
  },
  test: {
    summary: 'run agent tests against an API, for CI pipelines',
    load: () => import('./test-command/main.js'),
  },
  doctor: {
    summary: 'examine this machine and what Demarc needs, with advice',
    load: () => import('./doctor/main.js'),
  },
  up: {
    summary: 'all roles on private copies of Redis, PostgreSQL and rtpengine',
    load: () => import('./launcher/up.js'),
  },
  down: {
    summary: 'end what `demarc up` runs, also when its launcher was killed',
    load: () => import('./launcher/down.js'),
  },
};

const program = new Command('demarc')
  .description('A SIP signaling and media edge for voice agents.')
  .version(version)
  .enablePositionalOptions()
  .helpCommand(false)
  .configureHelp({ subcommandTerm: (command) => command.name() })
  .showHelpAfterError("'demarc --help' lists the commands.")
  .exitOverride(({ exitCode, code }) => process.exit(exitCode === 0 || code === 'commander.help' ? 0 : 2))
  .addHelpText('after', "\n'demarc <command> --help' lists the options of a command.");
for (const [name, { summary, load }] of Object.entries(roles)) {
  program
    .command(name)
    .summary(summary)
    .argument('[arguments...]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (argv: string[]) => {
      for (const warning of renameFormerSettings(process.env)) process.stderr.write(`demarc: ${warning}\n`);
      readSecrets();
      await (await load()).main(argv);
    });
}
await program.parseAsync();

function readSecrets(): void {
  try {
    readSecretFiles(process.env);
  } catch (failure) {
    if (!(failure instanceof SettingsError)) throw failure;
    process.stderr.write(`demarc: ${failure.message}\n`);
    process.exit(2);
  }
}
