import type { Application, ApplicationRouter } from '../dialog/application.js';
import type { AppConnection } from './app-connection.js';

/** Which applications take which requests: round robin among those that asked for the verb (wire protocol §10.1). */
export class AppRegistry implements ApplicationRouter {
  private readonly connections = new Set<AppConnection>();
  private readonly byVerb = new Map<string, AppConnection[]>();
  private readonly turns = new Map<string, number>();

  get size(): number {
    return this.connections.size;
  }

  add(connection: AppConnection): void {
    this.connections.add(connection);
  }

  remove(connection: AppConnection): void {
    this.connections.delete(connection);
    for (const verb of connection.verbs) this.drop(verb, connection);
    connection.verbs.clear();
    connection.routesChanged();
  }

  /** A set operation: asking twice gives no second share. */
  route(connection: AppConnection, verb: string): void {
    if (connection.verbs.has(verb)) return;
    connection.verbs.add(verb);
    connection.routesChanged();
    const takers = this.byVerb.get(verb);
    if (takers === undefined) this.byVerb.set(verb, [connection]);
    else takers.push(connection);
  }

  removeRoute(connection: AppConnection, verb: string): void {
    if (!connection.verbs.delete(verb)) return;
    this.drop(verb, connection);
    connection.routesChanged();
  }

  hasTaker(verb: string): boolean {
    return this.byVerb.get(verb)?.some(({ isOpen }) => isOpen) ?? false;
  }

  /** A silent application has its turn only where all are silent: it may answer late, and no other one answers at all. */
  choose(verb: string, preferred?: Application): Application | undefined {
    const takers = this.byVerb.get(verb);
    if (takers === undefined || takers.length === 0) return undefined;
    const chosen = takers.find((taker) => taker === preferred);
    if (chosen?.isOpen === true && !chosen.isSilent) return chosen;
    const first = this.turns.get(verb) ?? 0;
    let silent: number | undefined;
    for (let tried = 0; tried < takers.length; tried++) {
      const turn = (first + tried) % takers.length;
      const taker = takers[turn]!;
      if (!taker.isOpen) continue;
      if (!taker.isSilent) {
        this.turns.set(verb, turn + 1);
        return taker;
      }
      silent ??= turn;
    }
    if (silent === undefined) return undefined;
    this.turns.set(verb, silent + 1);
    return takers[silent];
  }

  silent(): AppConnection[] {
    return this.all().filter(({ isSilent, isOpen }) => isOpen && isSilent);
  }

  owners(): AppConnection[] {
    return this.all().filter(({ owner, isOpen }) => isOpen && owner !== undefined);
  }

  all(): AppConnection[] {
    return [...this.connections];
  }

  private drop(verb: string, connection: AppConnection): void {
    const takers = this.byVerb.get(verb)?.filter((taker) => taker !== connection) ?? [];
    if (takers.length > 0) this.byVerb.set(verb, takers);
    else {
      this.byVerb.delete(verb);
      this.turns.delete(verb);
    }
  }
}
