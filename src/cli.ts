#!/usr/bin/env node
/** The executable: one sub-command a role. Each role's code is loaded only when it is asked for. */
type Role = (argv: readonly string[]) => Promise<void>;

interface Command {
  readonly summary: string;
  readonly load: () => Promise<{ main: Role }>;
}

const commands: Record<string, Command> = {
  engine: {
    summary: 'the embedded SIP engine alone (drachtio-compatible)',
    load: () => import('./engine/main.js'),
  },
  edge: { summary: 'the SIP edge: every call', load: () => import('./edge/main.js') },
  control: { summary: 'the control plane: HTTP API on PostgreSQL', load: () => import('./control/main.js') },
  org: {
    summary: 'create, entitle or list organizations',
    load: () => import('./control/organizations/organization-command.js'),
  },
  key: {
    summary: 'create, revoke or list API keys',
    load: () => import('./control/organizations/key-command.js'),
  },
  up: {
    summary: 'everything at once on private copies of Redis, PostgreSQL and rtpengine',
    load: () => import('./launcher/up.js'),
  },
};

function usage(): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => `  demarc ${name.padEnd(8)} ${summary}`);
  return `Usage: demarc <command> [options]\n\n${rows.join('\n')}\n\n'demarc <command> --help' tells its options.\n`;
}

const [name, ...argv] = process.argv.slice(2);
const command = name === undefined ? undefined : commands[name];
if (command === undefined) {
  const asked = name === undefined || name === 'help' || name === '--help' || name === '-h';
  (asked ? process.stdout : process.stderr).write(
    asked ? usage() : `demarc: no command '${name}'.\n\n${usage()}`,
  );
  process.exitCode = asked ? 0 : 2;
} else {
  const { main } = await command.load();
  await main(argv);
}
